"""A touch beyond a limit is refused with a text before its body is read; other touches are accepted."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from typing import Any

from controller.common.http.request_guard import OWN_SCREEN
from controller.common.token_bucket import BURST_S
from controller.pages.display.touch_limits import MAX_WAITING_TOUCHES, PATH, Limits, Peer

TOUCHES_PER_S = 4
OWN: Peer = ("127.0.0.1", 9)


class LimitedApplication:
    """Application behind the limits; records accepted touches and the answers to refused ones."""

    def __init__(self, *, wait: bool = False) -> None:
        self.taken = 0
        self.answers: list[tuple[int, Any]] = []
        self._let_go = asyncio.Event()
        if not wait:
            self._let_go.set()
        self.limits = Limits(self._app, TOUCHES_PER_S, "en")

    async def _app(self, *_: object) -> None:
        self.taken += 1
        await self._let_go.wait()

    async def touches(self, peers: Iterable[Peer], path: str = PATH) -> None:
        tasks = [asyncio.ensure_future(self._one(peer, path)) for peer in peers]
        await asyncio.sleep(0)
        self._let_go.set()
        await asyncio.gather(*tasks)

    async def _one(self, peer: Peer, path: str) -> None:
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {"type": "http", "path": path, "client": peer, "state": {OWN_SCREEN: peer == OWN}}
        await self.limits(scope, None, send)  # type: ignore[arg-type]
        if sent:
            self.answers.append((sent[0]["status"], json.loads(sent[1]["body"])))


async def one_by_one(peers: Iterable[Peer], path: str = PATH) -> LimitedApplication:
    application = LimitedApplication()
    for peer in peers:
        await application.touches([peer], path)
    return application


def somebody(number: int) -> Peer:
    return ("127.0.0.1", 1000 + number)


async def test_one_connection_may_send_half_of_the_total() -> None:
    application = await one_by_one([somebody(1)] * 50)
    assert application.taken == TOUCHES_PER_S / 2 * BURST_S
    status, body = application.answers[0]
    assert (status, body["code"]) == (429, "too_many")
    assert body["refused"].startswith("Too many touches")


async def test_all_connections_together_have_a_limit() -> None:
    assert (await one_by_one(somebody(number) for number in range(50))).taken == TOUCHES_PER_S * BURST_S


async def test_the_table_s_own_screen_is_accepted_while_others_flood() -> None:
    application = await one_by_one([*(somebody(number) for number in range(50)), OWN])
    assert application.taken == TOUCHES_PER_S * BURST_S + 1


async def test_only_a_few_touches_wait_for_the_table() -> None:
    application = LimitedApplication(wait=True)
    application.limits._a_second = 1000
    await application.touches(somebody(number) for number in range(50))
    assert application.taken == MAX_WAITING_TOUCHES


async def test_a_request_other_than_a_touch_is_not_counted() -> None:
    assert (await one_by_one([somebody(1)] * 50, "/api/view")).taken == 50
