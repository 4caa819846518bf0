"""Limits how many connections the pages may have, and how long each connection may wait, so that a slow
client cannot block the pages.

Some connections are reserved for the table's own screens. A connection is checked once, when it is accepted
(`connection_owner.py`), and each of its requests carries the result in its ASGI state. Requests are read by
`common/http/request_guard.py`, not here.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from controller.common.http.connection_owner import IsOwn
from controller.common.http.request_guard import OWN_SCREEN

MAX_CONNECTIONS = 64
"""Connections of any user except the table's own screens."""
MAX_OWN_CONNECTIONS = 32
"""Connections of the table's own screens. Both limits together are far below the process's limit of
descriptors."""
REQUEST_TIMEOUT_S = 2.0
"""Timeout for the complete first request, from the beginning of the connection, in seconds."""
IDLE_TIMEOUT_S = 30.0
"""Timeout for each later request, from the end of the last response, in seconds."""
WRITE_TIMEOUT_S = 5.0
"""Timeout for a response that the client does not read, in seconds."""
SEND_BUFFER_BYTES = 64 * 2**10
"""Number of bytes of a response that the kernel buffers."""


class LimitedH11Protocol(H11Protocol):
    """Connection of uvicorn with these limits."""

    def __init__(self, is_own: IsOwn, **more: Any) -> None:
        super().__init__(**more)
        self._is_own = is_own
        self.own = False
        """Whether this connection belongs to one of the table's own screens."""
        self._request_timer: asyncio.TimerHandle | None = None
        self._write_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if not self._is_within_limit():
            # uvicorn would count it until the event loop's next turn, so that a burst of refused connections
            # uses up the reserved ones
            self.connections.discard(self)
            transport.abort()
            return
        self.app_state = {**self.app_state, OWN_SCREEN: self.own}
        self._set_request_timeout(REQUEST_TIMEOUT_S)

    def _is_within_limit(self) -> bool:
        """Return whether this connection, which is counted already, is within its limit. The kernel is asked
        for its owner only if a place is free."""
        if len(self.connections) > MAX_CONNECTIONS + MAX_OWN_CONNECTIONS:
            return False
        self.own = self._is_own(
            self.transport.get_extra_info("peername"), self.transport.get_extra_info("sockname")
        )
        own = sum(isinstance(each, LimitedH11Protocol) and each.own for each in self.connections)
        if self.own:
            return own <= MAX_OWN_CONNECTIONS
        return len(self.connections) - own <= MAX_CONNECTIONS

    def connection_lost(self, exc: Exception | None) -> None:
        _stop(self._request_timer, self._write_timer)
        super().connection_lost(exc)

    def handle_events(self) -> None:
        before = self.cycle
        super().handle_events()
        if self.cycle is not before:
            _stop(self._request_timer)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._set_request_timeout(IDLE_TIMEOUT_S)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._write_timer = self.loop.call_later(WRITE_TIMEOUT_S, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        _stop(self._write_timer)

    def _set_request_timeout(self, seconds: float) -> None:
        """Close the connection unless a complete request arrives within `seconds`."""
        _stop(self._request_timer)
        self._request_timer = self.loop.call_later(seconds, self.transport.abort)


def _stop(*timers: asyncio.TimerHandle | None) -> None:
    for timer in timers:
        if timer is not None:
            timer.cancel()


def limits(is_own: IsOwn) -> dict[str, Any]:
    """Return the arguments of `uvicorn.Config` that apply these limits."""
    return {"http": partial(LimitedH11Protocol, is_own)}
