"""Connections to the pages are limited in number, tested over real sockets, and the log of refused ones is
limited in rate."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from controller.common.http import connection_limits, log_rate_limit
from controller.common.http.connection_limits import LimitedH11Protocol
from controller.common.http.connection_owner import IsOwn, SocketName, never_own, owned_by
from controller.common.http.log_rate_limit import REPEAT_INTERVAL_MS, RateLimitFilter
from controller.common.http.server import PageServer, open_socket
from controller.common.process.log_once import LogOnce
from tests.other_users import SCREEN, STRANGER, ask, needs_root, socket_of

pytestmark = pytest.mark.serial

ASK = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
LARGE = 16 * 2**20


async def answer(_request: Request) -> Response:
    return PlainTextResponse("ok")


async def much(_request: Request) -> Response:
    return PlainTextResponse("x" * LARGE)


@asynccontextmanager
async def served(is_own: IsOwn = never_own) -> AsyncIterator[int]:
    """Serve two pages and yield their port. `is_own`: function that recognizes connections of the table's own
    screen."""
    sock = open_socket("127.0.0.1", 0)
    app = Starlette(routes=[Route("/", answer), Route("/much", much)])
    server = PageServer(app, sock, lambda: None, is_own)
    await server.start()
    try:
        yield sock.getsockname()[1]
    finally:
        await server.stop()


async def is_turned_away(port: int) -> bool:
    """Return whether the server closes a new connection before a request. False means that a request was
    answered."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(ASK)
        return not (await reader.read(1024)).startswith(b"HTTP/1.1 200")
    except ConnectionError:
        return True
    finally:
        writer.close()


async def ended(reader: asyncio.StreamReader) -> bool:
    try:
        return await reader.read() == b""
    except ConnectionError:
        return True


def few(monkeypatch: pytest.MonkeyPatch, others: int, own: int) -> None:
    monkeypatch.setattr(connection_limits, "MAX_CONNECTIONS", others)
    monkeypatch.setattr(connection_limits, "MAX_OWN_CONNECTIONS", own)


async def test_beyond_the_share_of_others_only_the_table_s_own_screen_is_accepted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few(monkeypatch, 3, 32)
    own: set[int] = set()

    async with served(lambda _peer, _here: bool(own)) as port:
        idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        assert await is_turned_away(port)
        own.add(1)
        assert not await is_turned_away(port)
        for _, writer in idle:
            writer.close()


@needs_root
async def test_connections_of_another_user_leave_the_reserved_ones_to_the_screen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few(monkeypatch, 2, 2)

    def work_in_thread(port: int) -> None:
        at = ("127.0.0.1", port)
        with ExitStack() as stack:
            held = [stack.enter_context(socket_of(STRANGER.pw_uid, None, at)) for _ in range(2)]
            for each in held:
                assert ask(each, "GET", "/") == (200, "ok")
            with socket_of(STRANGER.pw_uid, None, at) as third:
                assert third.recv(1) == b""
            screens = [stack.enter_context(socket_of(SCREEN.pw_uid, None, at)) for _ in range(2)]
            for each in (*screens, *held):
                assert ask(each, "GET", "/") == (200, "ok")

    async with served(owned_by(frozenset({SCREEN.pw_uid}))) as port:
        await asyncio.to_thread(work_in_thread, port)


async def test_a_burst_of_refused_connections_leaves_places_free(monkeypatch: pytest.MonkeyPatch) -> None:
    """The event loop accepts all waiting connections in one turn and closes the refused ones only in the next
    turn."""
    few(monkeypatch, 1, 1)
    look_ups: list[SocketName | None] = []
    ports: set[int] = set()

    def is_own(peer: SocketName | None, _here: SocketName | None) -> bool:
        look_ups.append(peer)
        return peer is not None and peer[1] in ports

    async with served(is_own) as port:
        with ExitStack() as stack:
            for _ in range(8):
                stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            screen = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            ports.add(screen.getsockname()[1])
            reader, writer = await asyncio.open_connection(sock=screen.dup())
            writer.write(ASK)
            assert (await reader.read(1024)).startswith(b"HTTP/1.1 200")
            writer.close()
    assert len(look_ups) == 9


async def test_a_refused_connection_causes_no_owner_look_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few(monkeypatch, 0, 1)
    look_ups: list[SocketName | None] = []

    def is_own(peer: SocketName | None, _here: SocketName | None) -> bool:
        look_ups.append(peer)
        return True

    async with served(is_own) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(5):
            writer.write(ASK)
            assert (await reader.read(1024)).startswith(b"HTTP/1.1 200")
        for _ in range(5):
            assert await is_turned_away(port)
        writer.close()
    assert len(look_ups) == 1


async def test_a_connection_without_a_request_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "REQUEST_TIMEOUT_S", 0.05)

    async with served() as port:
        for begun in (b"", ASK[:-2]):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(begun)
            async with asyncio.timeout(10):
                assert await ended(reader)
            writer.close()


async def test_a_connection_that_reads_no_response_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "WRITE_TIMEOUT_S", 0.05)
    there: set[int] = set()
    made, lost = (
        LimitedH11Protocol.connection_made,
        LimitedH11Protocol.connection_lost,
    )

    def note_made(self: LimitedH11Protocol, transport: asyncio.Transport) -> None:
        there.add(1)
        made(self, transport)

    def note_lost(self: LimitedH11Protocol, exc: Exception | None) -> None:
        there.discard(1)
        lost(self, exc)

    monkeypatch.setattr(LimitedH11Protocol, "connection_made", note_made)
    monkeypatch.setattr(LimitedH11Protocol, "connection_lost", note_lost)

    async with served() as port:
        with socket.create_connection(("127.0.0.1", port)) as page:
            page.sendall(ASK.replace(b"/ ", b"/much "))
            async with asyncio.timeout(10):
                while not there:
                    await asyncio.sleep(0)
                while there:
                    await asyncio.sleep(0)


def test_the_same_line_is_logged_once_in_ten_seconds() -> None:
    limiter, logged = RateLimitFilter(), []
    for ms in (0.0, 1.0, 2.0, REPEAT_INTERVAL_MS + 1.0):
        record = logging.makeLogRecord({"name": "n", "msg": "Invalid HTTP request received."})
        record.relativeCreated = ms
        if limiter.filter(record):
            logged.append(record.getMessage())
    assert logged == ["Invalid HTTP request received.", "Invalid HTTP request received. (2 more of these)"]


def test_a_line_about_one_table_does_not_suppress_another_s(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_rate_limit, "MAX_SUBJECTS", 3)
    limit, passed = RateLimitFilter(), []
    for table, event in (("A", "gap"), ("B", "gap"), ("A", "gap"), ("A", "form"), ("C", "gap"), ("D", "gap")):
        facts = {"name": "n", "msg": "table %s: %s", "args": (table, event), "table": table, "event": event}
        record = logging.makeLogRecord(facts)
        record.relativeCreated = 0.0
        if limit.filter(record):
            passed.append(record.getMessage())
    assert passed == ["table A: gap", "table B: gap", "table A: form", "table C: gap"]


def test_a_line_of_words_alone_does_not_suppress_one_with_other_words() -> None:
    limit, passed = RateLimitFilter(), []
    for words in ("pages at 127.0.0.1:8090", "connection refused 1", "connection refused 2"):
        record = logging.makeLogRecord({"name": "n", "msg": "%s", "args": (words,)})
        record.relativeCreated = 0.0
        if limit.filter(record):
            passed.append(record.getMessage())
    assert passed == ["pages at 127.0.0.1:8090", "connection refused 1"]


def test_a_fault_that_the_rate_limit_suppresses_is_logged_at_a_later_attempt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines: list[str] = []
    handler = logging.Handler()
    monkeypatch.setattr(handler, "emit", lambda record: lines.append(record.getMessage()))
    log = logging.getLogger("crisscross.limited")
    monkeypatch.setattr(log, "filters", [RateLimitFilter()])
    monkeypatch.setattr(log, "handlers", [handler])
    faults = LogOnce(log)
    for words in ("refused", "lost", "refused", "refused"):
        faults.warn(words)
    assert lines == ["refused", "lost"], "within ten seconds"
    monkeypatch.setattr(log_rate_limit, "REPEAT_INTERVAL_MS", 0)
    for _ in range(2):
        faults.warn("refused")
    assert lines == ["refused", "lost", "refused (2 more of these)"]
