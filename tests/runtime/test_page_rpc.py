"""The page process always gets the newest view, one answer to each request, and no other messages of the
daemon.

The page process is not trusted: only touches that it sends can change the table, and an invalid line ends it
but not the daemon.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from controller.game.model import events
from controller.game.model.names import Key
from controller.pages.display.ports import (
    HEARTBEAT_INTERVAL_S,
    MAX_FIND_CHARS,
    ROUND_KINDS,
    Refused,
    TableGone,
)
from controller.pages.display.rounds_pages import FILTERS, filters
from controller.pages.display.touches import Press, SignOn, TouchError
from controller.pages.display.words import render
from controller.pages.page_process import rpc_server as rpc
from controller.pages.page_process import supervisor
from controller.pages.page_process.requests import MAX_REQUEST_BYTES
from controller.pages.page_process.rpc_client import PageRpcClient
from controller.pages.page_process.rpc_server import PageProcessError, PageRpcServer
from controller.pages.page_process.spawn import PageOptions
from controller.pages.page_process.supervisor import PageSupervisor
from tests.display.served import Script
from tests.display.views import settling, view, whole
from tests.runtime.bad_lines import LINES, SENT, touch
from tests.runtime.child import run_arguments, started, table_file

SIGN_ON = json.dumps(SignOn(number="D7", pin="2468", about="dealer 0").body()).encode()


@asynccontextmanager
async def between(script: Script | None = None) -> AsyncIterator[tuple[Script, PageRpcClient]]:
    """Yield both ends of a connection, which run in this loop: the stand-in for the daemon and the client of
    the page process."""
    near, far = socket.socketpair()
    table = script or Script()
    server = asyncio.ensure_future(serving(table, near))
    reader, writer = await asyncio.open_connection(sock=far, limit=2**24)
    source = PageRpcClient(reader, writer)
    receiving = asyncio.ensure_future(source.receive())
    await source.shown()
    yield table, source
    writer.close()
    await asyncio.gather(server, receiving, writer.wait_closed())


async def serving(script: Script, near: socket.socket) -> None:
    reader, writer = await asyncio.open_connection(sock=near, limit=MAX_REQUEST_BYTES)
    await PageRpcServer(script, asyncio.Event()).serve(reader, writer)


async def until(met: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not met():
            await asyncio.sleep(0)


async def test_the_newest_view_arrives_and_wakes_subscribers() -> None:
    async with between() as (script, source):
        woken: list[int] = []
        leave = source.subscribe(lambda: woken.append(1))
        for amount in (1000, 2000, 3000):
            script.show(settling("take", amount, hand="ace high"))
        await until(lambda: source.latest()["version"] == script.latest()["version"])
        assert len(woken) < 3, "a view that was overtaken is not sent"
        assert render(source.latest(), "en") == render(script.latest(), "en")
        leave()


@pytest.mark.parametrize("shown", [view(), settling("pay", 1500, hand="pair of jacks")])
def test_a_view_has_the_same_texts_after_transmission(shown: Any) -> None:
    sent = whole(shown)
    for language in ("en", "es"):
        assert render(json.loads(json.dumps(sent)), language) == render(sent, language)


async def test_a_touch_is_passed_on_unchanged_and_its_refusal_returned() -> None:
    async with between() as (script, source):
        assert await source.touch(SIGN_ON) is None
        assert script.pins == ["2468"]
        script.refusing = Refused("stale", {"seat": 3})
        assert await source.touch(SIGN_ON) == Refused("stale", {"seat": 3})
        assert script.touched == [events.DealerSignedOn("D7", about="dealer 0")]


LINKS = {
    "last": ("1", "5000"), "day": ("2026-11-22", "20261122"), "dealer": ("0412", "D" * 16),
    "seat": ("1", "6"), "irregularity": ROUND_KINDS, "amount": ("0", "12.50", "999999999999"),
    "find": ("B1 $135", "é" * MAX_FIND_CHARS),
}  # fmt: skip
"""Valid values of each filter in a link to the page: the shortest and the longest."""


async def test_the_daemon_accepts_every_filter_that_the_pages_accept() -> None:
    assert set(LINKS) == set(FILTERS)

    async with between() as (script, source):
        requests: list[Any] = []
        script.answer = lambda request: requests.append(request) or {"rounds": []}  # type: ignore[func-returns-value]
        links = [{key: value} for key, values in LINKS.items() for value in values]
        for link in links:
            given = {"do": "list", "wanted": filters(link), "language": "en"}
            assert await source.ended(given) == {"rounds": []}, link
        assert [filters(link) for link in links] == [request["wanted"] for request in requests]


async def test_an_invalid_touch_is_answered_by_the_page_process() -> None:
    async with between() as (script, source):
        with pytest.raises(TouchError, match="number"):
            await source.touch(b'{"do":"sign_on","number":"<script>"}')
        assert await source.touch(SIGN_ON) is None, "the connection stands"
        assert script.touched == [events.DealerSignedOn("D7", about="dealer 0")]


async def test_a_key_from_a_page_never_counts_as_the_table_s_key() -> None:
    async with between() as (script, source):
        await source.touch(json.dumps(Press(key=Key.FLOOR).body()).encode())
        (pressed,) = script.touched
        assert isinstance(pressed, events.KeyPressed) and pressed.screen


async def test_simultaneous_equal_requests_are_made_once() -> None:
    class Counting(Script):
        calls = 0

        async def floor(self) -> Any:
            self.calls += 1
            return await super().floor()

    async with between(Counting()) as (script, source):
        replies = await asyncio.gather(*(source.floor() for _ in range(50)))
        assert all(each == replies[0] for each in replies)
        assert isinstance(script, Counting) and script.calls == 1


async def answers(script: Script, sent: bytes, *, ends: bool = False) -> list[dict[str, Any]]:
    """Send bytes as a page process would; return the daemon's answers. Raises the error that ended the
    connection."""
    near, far = socket.socketpair()
    server = asyncio.ensure_future(serving(script, near))
    reader, writer = await asyncio.open_connection(sock=far, limit=2**24)
    writer.write(sent)
    if ends:
        writer.write_eof()
    got = [json.loads(line) async for line in reader if line.endswith(b"\n")]
    writer.close()
    try:
        await server
    finally:
        assert near.fileno() == -1, "the descriptor is free for the next file"
    return [each for each in got if "id" in each]


@pytest.mark.parametrize("name", LINES)
async def test_an_invalid_line_is_a_protocol_error_without_its_content(name: str) -> None:
    script = Script()
    with pytest.raises(PageProcessError) as caught:
        await answers(script, LINES[name] + b"\n")
    words = str(caught.value)
    assert words.startswith("sent ") and len(words) < 80
    assert script.touched == []


async def test_a_line_without_a_newline_is_not_a_request() -> None:
    script = Script()
    assert await answers(script, touch(), ends=True) == []
    assert script.touched == []


async def test_thousands_of_requests_at_once_are_answered_a_few_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Requests that are not answered yet wait in the socket and take no memory of the daemon."""
    monkeypatch.setattr(rpc, "MAX_REQUESTS_PER_S", 10**6)

    class Counting(Script):
        now = most = 0

        async def floor(self) -> Any:
            self.now += 1
            self.most = max(self.most, self.now)
            await asyncio.sleep(0)
            self.now -= 1
            return {}

    script = Counting()
    lines = b"".join(b'{"ask":"floor","id":%d}\n' % number for number in range(1, 3001))
    near, far = socket.socketpair()
    server = asyncio.ensure_future(serving(script, near))
    reader, writer = await asyncio.open_connection(sock=far, limit=2**24)
    writer.write(lines)
    got = 0
    while got < 3000:
        got += "answer" in json.loads(await reader.readline())
    writer.close()
    await asyncio.gather(server, writer.wait_closed())
    assert got == 3000
    assert 0 < script.most <= rpc.MAX_CONCURRENT_REQUESTS


async def test_a_page_process_that_reads_no_answer_is_disconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the daemon did not disconnect it, the answers would accumulate in the daemon."""
    monkeypatch.setattr(rpc, "_WRITE_TIMEOUT_S", 0.01)
    script, (near, far) = Script(), socket.socketpair()
    script.floor_data = {"events": ["x" * 2**20]}
    server = asyncio.ensure_future(serving(script, near))
    far.setblocking(False)
    lines = b"".join(b'{"ask":"floor","id":%d}\n' % number for number in range(1, 200))
    await asyncio.get_running_loop().sock_sendall(far, lines)
    with far, pytest.raises(PageProcessError, match="read nothing"):
        await server


async def test_a_process_that_accepts_no_bytes_is_disconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rpc, "_WRITE_TIMEOUT_S", 0.01)
    script, (near, far) = Script(), socket.socketpair()
    server = asyncio.ensure_future(serving(script, near))
    while not server.done():
        script.show(view())
        await asyncio.sleep(0)
    with far, pytest.raises(PageProcessError):
        server.result()


async def test_a_failed_answer_affects_only_its_request(
    caplog: pytest.LogCaptureFixture,
) -> None:
    face = "KH"

    class FatalError(Script):
        async def recall(self) -> Any:
            raise LookupError(face)

    async with between(FatalError()) as (_script, source):
        with pytest.raises(RuntimeError, match="recall"):
            await source.recall()
        assert await source.floor()
    assert "LookupError" in caplog.text
    assert face not in caplog.text


async def test_a_daemon_without_memory_ends_instead_of_answering() -> None:
    class Full(Script):
        async def floor(self) -> Any:
            raise MemoryError

    with pytest.raises(MemoryError):
        await answers(Full(), b'{"ask":"floor","id":1}\n')


# ------------------------------------------------------------------ the page process's end


@pytest.mark.parametrize(
    "line",
    [
        b"{", b"[]", b"7", b"{}", b'{"id":{}}', b'{"view":7}', b'{"view":{"version":"x"}}', b'{"view":{}}',
        b'{"id":1,"id":2}', b'{"id":NaN}', b"\xff", b"[" * 30_000, b"9" * 5000, b"x" * 2**17,
    ],
)  # fmt: skip
async def test_an_invalid_line_of_the_daemon_ends_the_page_process(
    line: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    reader = asyncio.StreamReader(limit=2**16)
    source = PageRpcClient(reader, None)  # type: ignore[arg-type]
    waiting = asyncio.get_running_loop().create_future()
    source._waiting[1] = waiting
    reader.feed_data(line + b"\n")
    await source.receive()
    with pytest.raises(TableGone):
        await waiting
    assert len(caplog.records) == 1
    assert caplog.records[0].exc_info is None


# ------------------------------------------------------------------ a real daemon


@pytest.mark.serial
async def test_the_pages_of_a_suspended_daemon_show_no_view(tmp_path: Path) -> None:
    async with started(tmp_path, run_arguments(table_file(tmp_path))) as child:
        await child.ready()
        reader, writer = await asyncio.open_connection("127.0.0.1", child.port)
        writer.write(b"GET /api/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        await reader.readuntil(b"event: beat\n")
        child.process.send_signal(signal.SIGSTOP)
        await child.until(lambda answer: "error" in answer)
        assert (await child.ask("GET", "/api/live"))[0] == 503
        child.process.send_signal(signal.SIGCONT)
        await reader.readuntil(b"event: beat\n")
        assert (await child.get("/api/view"))["dealer"] is None
        writer.close()
        assert await child.end() == 0


@pytest.mark.serial
async def test_a_page_process_that_sends_invalid_lines_is_restarted(tmp_path: Path) -> None:
    """One process after another sends the next line of `SENT`; the process after the last line is the real
    one."""
    arguments = ["-m", "tests.runtime.with_bad_pages", str(table_file(tmp_path))]
    async with started(tmp_path, arguments) as child:
        await child.ready()
        for _ in range(4):  # each request waits for the first process that serves pages
            with suppress(TimeoutError):
                assert (await child.get("/api/view"))["dealer"] is None
                break
        assert await child.touch(do="sign_on", number="D7") == (200, {"ok": True})
        assert await child.end() == 0
        words = await child.words()
    assert words.count("the page process sent") == len(SENT)
    assert "Traceback" not in words
    assert "passwd" not in words and "script" not in words


async def test_a_page_process_that_keeps_ending_is_restarted_ever_less_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The test also reuses the numbers of closed descriptors, which the loop must no longer watch."""
    slept: list[float] = []
    descriptors: list[int] = []

    class Process:
        def __init__(self) -> None:
            self.line, self._far = socket.socketpair()
            self._far.sendall(b'{"up":true}\n{\n')

        def send_options(self, *_what: object) -> None:
            """Do nothing, as this process needs no options."""

        def end(self) -> None:
            assert self.line.fileno() == -1, "the transport closed it"
            self._far.close()

    real_sleep = asyncio.sleep

    async def sleep(seconds: float) -> None:
        if seconds == HEARTBEAT_INTERVAL_S:
            return await real_sleep(seconds)
        slept.append(seconds)
        reader, writer = os.pipe()
        descriptors.append(reader)
        loop = asyncio.get_running_loop()
        loop.add_reader(reader, print)
        loop.remove_reader(reader)
        os.close(reader)
        os.close(writer)
        if len(slept) == 8:
            raise asyncio.CancelledError
        return None

    async def run() -> None:
        options = PageOptions("en", (), "", "", 10, "", closed=False)
        with socket.socket() as listening:
            supervisor = PageSupervisor(listening, options, Process())  # type: ignore[arg-type]
            keeping = supervisor._keep(Script(), asyncio.Event())
            with pytest.raises(asyncio.CancelledError):
                await keeping

    monkeypatch.setattr(supervisor, "PagesProcess", Process)
    monkeypatch.setattr(supervisor.asyncio, "sleep", sleep)
    await run()
    assert slept == [1, 2, 4, 8, 16, 30, 30, 30]
    assert descriptors


# ------------------------------------------------------------------ the end


async def test_waiting_requests_fail_when_the_table_stops() -> None:
    async with between() as (_script, source):
        source._reader.feed_eof()
        await until(lambda: source._gone)
        with pytest.raises(TableGone):
            await source.floor()
