"""Between the daemon and the process of the pages: the newest view, and one answer to one question."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from controller.display.ports import Refused, TableGone
from controller.display.words import render
from controller.game.model import events
from controller.runtime import page_rpc_server as rooms
from controller.runtime.page_rpc_client import PageRpcClient
from controller.runtime.page_rpc_server import PageRpcServer, Stuck
from tests.display.served import Script
from tests.display.views import settling, view, whole

Work = Callable[[Script, PageRpcClient], Awaitable[None]]


def between(work: Work, script: Script | None = None) -> None:
    """Both ends, in one loop."""

    async def run() -> None:
        near, far = socket.socketpair()
        table = script or Script()
        server = asyncio.ensure_future(PageRpcServer(table).serve(*await asyncio.open_connection(sock=near)))
        reader, writer = await asyncio.open_connection(sock=far, limit=2**24)
        source = PageRpcClient(reader, writer)
        hearing = asyncio.ensure_future(source.hear())
        await source.shown()
        await work(table, source)
        writer.close()
        await asyncio.gather(server, hearing, writer.wait_closed())

    asyncio.run(run())


async def until(met: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not met():
            await asyncio.sleep(0)


def test_the_newest_view_arrives_and_who_listens_is_woken() -> None:
    async def work(script: Script, source: PageRpcClient) -> None:
        woken: list[int] = []
        leave = source.subscribe(lambda: woken.append(1))
        for amount in (1000, 2000, 3000):
            script.show(settling("take", amount, hand="ace high"))
        await until(lambda: source.latest()["version"] == script.latest()["version"])
        assert len(woken) < 3, "a view that was overtaken is not sent"
        assert render(source.latest(), "en") == render(script.latest(), "en")
        leave()

    between(work)


@pytest.mark.parametrize("shown", [view(), settling("pay", 1500, hand="pair of jacks")])
def test_a_view_has_the_same_words_after_the_way_through(shown: Any) -> None:
    sent = whole(shown)
    for language in ("en", "es"):
        assert render(json.loads(json.dumps(sent)), language) == render(sent, language)


def test_a_touch_is_the_same_event_and_a_refusal_comes_back() -> None:
    event = events.DealerSignedOn("D7")

    async def work(script: Script, source: PageRpcClient) -> None:
        assert await source.touch(event, "2468") is None
        assert script.pins == ["2468"]
        script.refusing = Refused("stale", {"seat": 3})
        assert await source.touch(event) == Refused("stale", {"seat": 3})
        assert script.touched == [event]

    between(work)


def test_what_many_ask_at_once_is_asked_once() -> None:
    class Counting(Script):
        asked = 0

        async def floor(self) -> Any:
            self.asked += 1
            return await super().floor()

    async def work(script: Script, source: PageRpcClient) -> None:
        told = await asyncio.gather(*(source.floor() for _ in range(50)))
        assert all(each == told[0] for each in told)
        assert isinstance(script, Counting) and script.asked == 1

    between(work, Counting())


def test_no_event_of_a_device_comes_from_a_page(caplog: pytest.LogCaptureFixture) -> None:
    async def work(script: Script, source: PageRpcClient) -> None:
        with pytest.raises(RuntimeError, match="touch"):
            await source.touch(events.CardLeftShoe(1, None))  # type: ignore[arg-type]
        assert script.touched == []
        assert await source.touch(events.DealerSignedOn("D7")) is None, "the others are answered"

    between(work)
    assert "ValueError" in caplog.text


def test_a_process_that_takes_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "WRITE_TIMEOUT_S", 0.01)

    async def run() -> None:
        script, (near, far) = Script(), socket.socketpair()
        serving = asyncio.ensure_future(
            PageRpcServer(script).serve(*await asyncio.open_connection(sock=near))
        )
        while not serving.done():
            script.show(view())
            await asyncio.sleep(0)
        with far, pytest.raises(Stuck):
            serving.result()

    asyncio.run(run())


def test_a_table_that_has_stopped_is_told_to_whoever_waits() -> None:
    async def work(_script: Script, source: PageRpcClient) -> None:
        source._reader.feed_eof()
        await until(lambda: source._gone)
        with pytest.raises(TableGone):
            await source.floor()

    between(work)
