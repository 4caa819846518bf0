"""Rate limits of touches: how many touches a second are taken per connection and in total, and how many may
wait.

A person presses a few keys a second. Touches above the rate are refused, with a text, before their body is
read, so that no touch waits for more than a few others. The table's own screens have a separate allowance,
which other users cannot exhaust.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TypeAlias

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from controller.common.http.request_guard import is_own_screen
from controller.common.token_bucket import TokenBucket
from controller.pages.display.words import refusal_text

PATH = "/api/touch"
TOO_MANY = "too_many"
MAX_WAITING_TOUCHES = 8
"""Maximum number of touches that wait for the table at once."""
MAX_BUCKETS = 256
"""Maximum number of connections with a stored allowance; more than can be open at once."""
TOUCHES_PER_S = 10
"""Maximum number of touches a second of all connections together. One connection may use half of them."""
Peer: TypeAlias = tuple[str, int]


class Limits:
    """ASGI middleware that applies the rate limits, behind the request guard."""

    def __init__(self, app: ASGIApp, a_second: int, language: str) -> None:
        self._app, self._a_second, self._language = app, a_second, language
        self._all: dict[bool, TokenBucket] = {}
        self._each: OrderedDict[Peer | None, TokenBucket] = OrderedDict()
        self._waiting = {True: 0, False: 0}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != PATH:
            await self._app(scope, receive, send)
            return
        own = is_own_screen(scope)
        if not self._admit(scope["client"], own):
            await self._refuse(scope, receive, send)
            return
        self._waiting[own] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._waiting[own] -= 1

    def _admit(self, peer: Peer | None, own: bool) -> bool:
        now = asyncio.get_running_loop().time()
        both = (self._shared_bucket(own, now), self._connection_bucket(peer, now))
        if self._waiting[own] >= MAX_WAITING_TOUCHES or not all(allowance.has(now) for allowance in both):
            return False
        for allowance in both:
            allowance.take()
        return True

    def _shared_bucket(self, own: bool, now: float) -> TokenBucket:
        return self._all.setdefault(own, TokenBucket(self._a_second, now))

    def _connection_bucket(self, peer: Peer | None, now: float) -> TokenBucket:
        known = self._each.pop(peer, None) or TokenBucket(self._a_second / 2, now)
        self._each[peer] = known
        if len(self._each) > MAX_BUCKETS:
            self._each.popitem(last=False)
        return known

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        words = refusal_text(TOO_MANY, {}, self._language)
        answer = JSONResponse(
            {"refused": words, "code": TOO_MANY}, 429, {"retry-after": "1", "connection": "close"}
        )
        await answer(scope, receive, send)
