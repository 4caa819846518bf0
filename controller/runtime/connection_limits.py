"""Who may stay on the line: connections are counted, and each has to ask in time and to take its answer.

Of so many connections at once a share is kept for the table's own screens, known by the user that opened the
other end. It reads no request; what is asked is `display/guard.py`'s to judge.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from uvicorn.protocols.http.h11_impl import H11Protocol

from controller.runtime.server import BACKLOG

MAX_CONNECTIONS = 64
"""Connections of whoever it is,"""
MAX_OWN_CONNECTIONS = 32
"""and so many more of the table's own screens. Both together stay far below the limit of descriptors."""
REQUEST_TIMEOUT_S = 2.0
"""For the first request, from its connection on."""
IDLE_TIMEOUT_S = 30.0
"""For the next one, from its first byte or the last answer on."""
WRITE_TIMEOUT_S = 5.0
"""For an answer that waits to be taken."""
SEND_BUFFER_BYTES = 64 * 2**10
"""What the kernel keeps of it meanwhile."""

Peer: TypeAlias = tuple[str, int]
IsOwn: TypeAlias = Callable[[Peer | None], bool]
TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))


def opened_by(user: int, tables: tuple[Path, ...] = TABLES) -> IsOwn:
    """Whether that user opened the other end of a connection of this machine: proc(5), /proc/net/tcp."""

    def is_own(peer: Peer | None) -> bool:
        if peer is None:
            return False
        port = f":{peer[1]:04X}"
        return any(_users(table, port) == {user} for table in tables if table.exists())

    return is_own


def _users(table: Path, port: str) -> set[int]:
    rows = (line.split() for line in table.read_text(encoding="ascii").splitlines()[1:])
    return {int(row[7]) for row in rows if row[1].endswith(port) and row[3] == ESTABLISHED}


ESTABLISHED = "01"


def nobody(_peer: Peer | None) -> bool:
    """Where no user is named, no connection is the table's own."""
    return False


class LimitedH11Protocol(H11Protocol):
    """uvicorn's protocol with these limits."""

    def __init__(self, is_own: IsOwn, **more: Any) -> None:
        super().__init__(**more)
        self._is_own = is_own
        self._request_timer: asyncio.TimerHandle | None = None
        self._write_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        there = len(self.connections)
        if there > MAX_CONNECTIONS + MAX_OWN_CONNECTIONS or (
            there > MAX_CONNECTIONS and not self._is_own(self.client)
        ):
            transport.abort()
        else:
            self._expect(REQUEST_TIMEOUT_S)

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
        self._expect(IDLE_TIMEOUT_S)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._write_timer = self.loop.call_later(WRITE_TIMEOUT_S, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        _stop(self._write_timer)

    def _expect(self, seconds: float) -> None:
        """A whole request, or the end."""
        _stop(self._request_timer)
        self._request_timer = self.loop.call_later(seconds, self.transport.abort)


def _stop(*timers: asyncio.TimerHandle | None) -> None:
    for timer in timers:
        if timer is not None:
            timer.cancel()


def limits(is_own: IsOwn) -> dict[str, Any]:
    """For `uvicorn.Config`."""
    return {"http": partial(LimitedH11Protocol, is_own), "backlog": BACKLOG}
