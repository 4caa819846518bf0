"""The push: one stream of whole views to each page, the newest only.

A page has one flag and no queue: it costs the daemon the same however fast the table changes and however
slowly the page reads. A beat is sent when nothing else is, so that a page knows within two seconds that
the daemon is gone. This module never looks into a view.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, TypeAlias

from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from controller.game.showing.view import View
from controller.pages.display.ports import DisplaySource
from controller.pages.display.words import render

BEAT_SECONDS = 0.5
STREAMS = 16
"""Pages at a table at the same time; more is a mistake."""
OWN_STREAMS = 8
"""The table's own screens, which have their places whoever holds the others."""


Shown: TypeAlias = Callable[[View, str], Mapping[str, Any]]
"""A function of a view and a language that gives the payload for a page."""


def with_words(view: View, language: str) -> Mapping[str, Any]:
    """All of it, and its words."""
    return {**view, "words": render(view, language)}


class Live:
    """Serialises each view once per language, however many watch."""

    def __init__(
        self,
        source: DisplaySource,
        beat: float = BEAT_SECONDS,
        shown: Shown = with_words,
        most: int = STREAMS,
    ) -> None:
        self.source = source
        self._beat = beat
        self._shown = shown
        self._most = most
        self._cached: dict[str, tuple[int, str]] = {}
        self._taken = {False: 0, True: 0}
        self._closing = False
        self._wakers: set[asyncio.Event] = set()

    def answer(self, language: str, own: bool = False) -> Response:
        """A stream, or that there is no place for it. The place is taken now, before anything is sent. `own`:
        it is a screen of the table."""
        if self._taken[own] >= (OWN_STREAMS if own else self._most):
            return JSONResponse({"error": "live: too many pages are open"}, 503)
        self._taken[own] += 1
        return _Push(self.stream(language), lambda: self._leave(own))

    def _leave(self, own: bool) -> None:
        self._taken[own] -= 1

    def close(self) -> None:
        """End every stream, so that the server can stop."""
        self._closing = True
        for flag in self._wakers:
            flag.set()

    def whole(self, language: str) -> str:
        """The newest view with its words, as JSON."""
        view = self.source.latest()
        version, text = self._cached.get(language, (-1, ""))
        if version != view["version"]:
            text = json.dumps(self._shown(view, language), separators=(",", ":"), allow_nan=False)
            self._cached[language] = (view["version"], text)
        return text

    async def stream(self, language: str) -> AsyncIterator[str]:
        """Server-sent events for one page, until the page or the daemon ends."""
        changed = asyncio.Event()
        self._wakers.add(changed)
        unsubscribe = self.source.subscribe(changed.set)
        try:
            sent = self.whole(language)
            yield f"retry: 500\ndata: {sent}\n\n"
            while not self._closing:
                fresh = await self._next(changed, language, sent)
                sent = fresh or sent
                yield f"data: {fresh}\n\n" if fresh else "event: beat\ndata: \n\n"
        finally:
            unsubscribe()
            self._wakers.discard(changed)

    async def _next(self, changed: asyncio.Event, language: str, sent: str) -> str | None:
        """Return the payload now, if it is another than was sent; None when a beat is due. A change that this
        page is not shown does not even make it beat."""
        try:
            async with asyncio.timeout(self._beat):
                while not self._closing:
                    await changed.wait()
                    changed.clear()
                    if (text := self.whole(language)) != sent:
                        return text
        except TimeoutError:
            pass
        return None


class _Push(StreamingResponse):
    """A stream that gives its place back, however it ends."""

    def __init__(self, pieces: AsyncIterator[str], leave: Callable[[], None]) -> None:
        super().__init__(pieces, media_type="text/event-stream")
        self._leave = leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._leave()
