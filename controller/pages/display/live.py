"""Push of views to the pages: a stream of complete views (server-sent events) for each page, always the
newest.

Each page has one flag and no queue, so its cost to the daemon does not depend on how fast the table changes
or how slowly the page reads. Only heartbeats of the table itself are passed on, so a page detects within two
seconds that the daemon is gone or hangs. This module never reads the content of a view.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, TypeAlias

from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from controller.game.showing.view import View
from controller.pages.display.ports import RemoteSource, TableGone
from controller.pages.display.words import render

HEARTBEAT = "event: beat\ndata: \n\n"
MAX_STREAMS = 16
"""Maximum number of concurrent streams; a table needs fewer."""
RESERVED_STREAMS = 8
"""Additional streams reserved for the table's own screens."""


MakePayload: TypeAlias = Callable[[View, str], Mapping[str, Any]]
"""Function that returns the data for a page, from a view and a language."""


def with_words(view: View, language: str) -> Mapping[str, Any]:
    """Return the complete view with its texts."""
    return {**view, "words": render(view, language)}


class Live:
    """Pushes views to the pages. Each view is serialised once per language, for all pages."""

    def __init__(
        self,
        source: RemoteSource,
        make_payload: MakePayload = with_words,
        max_streams: int = MAX_STREAMS,
    ) -> None:
        self.source = source
        self._make_payload = make_payload
        self._max_streams = max_streams
        self._cached: dict[str, tuple[int, str]] = {}
        self._taken = {False: 0, True: 0}
        self._closing = False
        self._wakers: set[asyncio.Event] = set()

    def response(self, language: str, own: bool = False) -> Response:
        """Return a stream of views, or a 503 response if too many are open. The stream counts at once, before
        its first data is sent. Raises TableGone while the table is silent.

        `own`: the request is from the table's own screen.
        """
        first = self.payload(language)
        if self._taken[own] >= (RESERVED_STREAMS if own else self._max_streams):
            return JSONResponse({"error": "live: too many pages are open"}, 503)
        self._taken[own] += 1
        return _Push(self.stream(language, first), lambda: self._leave(own))

    def _leave(self, own: bool) -> None:
        self._taken[own] -= 1

    def close(self) -> None:
        """End every stream, so that the server can stop."""
        self._closing = True
        for flag in self._wakers:
            flag.set()

    def payload(self, language: str) -> str:
        """Return the newest view with its texts, as JSON."""
        view = self.source.latest()
        version, text = self._cached.get(language, (-1, ""))
        if version != view["version"]:
            text = json.dumps(self._make_payload(view, language), separators=(",", ":"), allow_nan=False)
            self._cached[language] = (view["version"], text)
        return text

    async def stream(self, language: str, first: str) -> AsyncIterator[str]:
        """Yield server-sent events for one page, until the page or the daemon ends. `first`: payload of the
        first event.

        A change that this page does not show causes no event, not even a heartbeat.
        """
        changed = asyncio.Event()
        changed.set()
        self._wakers.add(changed)
        unsubscribe = self.source.subscribe(changed.set)
        try:
            sent, beats = first, self.source.heartbeats()
            yield f"retry: 500\ndata: {sent}\n\n"
            while await changed.wait() and not self._closing:
                changed.clear()
                if (text := self.payload(language)) != sent:
                    sent = text
                    yield f"data: {sent}\n\n"
                elif (now := self.source.heartbeats()) != beats:
                    beats = now
                    yield HEARTBEAT
        except TableGone:
            pass  # the daemon has ended, and with it this stream; the page connects again
        finally:
            unsubscribe()
            self._wakers.discard(changed)


class _Push(StreamingResponse):
    """Response whose place among the open streams is released however it ends."""

    def __init__(self, pieces: AsyncIterator[str], leave: Callable[[], None]) -> None:
        super().__init__(pieces, media_type="text/event-stream")
        self._leave = leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._leave()
