"""Who may stay on the line of the pages' process, over real sockets; and the log that nobody fills."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from controller.runtime import connection_limits
from controller.runtime.connection_limits import Peer, nobody, opened_by
from controller.runtime.server import PageServer, open_socket
from controller.runtime.thrift import EVERY_MS, Thrift

pytestmark = pytest.mark.serial

ASK = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
LARGE = 16 * 2**20


async def answer(_request: Request) -> Response:
    return PlainTextResponse("ok")


async def much(_request: Request) -> Response:
    return PlainTextResponse("x" * LARGE)


def served(work: Callable[[int], Awaitable[None]], is_own: Callable[[Peer | None], bool] = nobody) -> None:
    async def run() -> None:
        sock = open_socket("127.0.0.1", 0)
        app = Starlette(routes=[Route("/", answer), Route("/much", much)])
        server = PageServer(app, sock, lambda: None, is_own)
        await server.start()
        try:
            await work(sock.getsockname()[1])
        finally:
            await server.stop()

    asyncio.run(run())


async def is_turned_away(port: int) -> bool:
    """Closed before anything is asked; False where a request is answered."""
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


def test_beyond_the_share_of_others_only_the_tables_own_screen_comes_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection_limits, "MAX_CONNECTIONS", 3)
    own: set[int] = set()

    async def work(port: int) -> None:
        idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        assert await is_turned_away(port)
        own.add(1)
        assert not await is_turned_away(port)
        for _, writer in idle:
            writer.close()

    served(work, lambda _peer: bool(own))


def test_a_connection_without_a_request_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "REQUEST_TIMEOUT_S", 0.05)

    async def work(port: int) -> None:
        for begun in (b"", ASK[:-2]):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(begun)
            async with asyncio.timeout(10):
                assert await ended(reader)
            writer.close()

    served(work)


def test_a_connection_that_reads_no_response_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "WRITE_TIMEOUT_S", 0.05)
    there: set[int] = set()
    made, lost = (
        connection_limits.LimitedH11Protocol.connection_made,
        connection_limits.LimitedH11Protocol.connection_lost,
    )

    def note_made(self: connection_limits.LimitedH11Protocol, transport: asyncio.Transport) -> None:
        there.add(1)
        made(self, transport)

    def note_lost(self: connection_limits.LimitedH11Protocol, exc: Exception | None) -> None:
        there.discard(1)
        lost(self, exc)

    monkeypatch.setattr(connection_limits.LimitedH11Protocol, "connection_made", note_made)
    monkeypatch.setattr(connection_limits.LimitedH11Protocol, "connection_lost", note_lost)

    async def work(port: int) -> None:
        with socket.create_connection(("127.0.0.1", port)) as page:
            page.sendall(ASK.replace(b"/ ", b"/much "))
            async with asyncio.timeout(10):
                while not there:
                    await asyncio.sleep(0)
                while there:
                    await asyncio.sleep(0)

    served(work)


def test_the_user_at_the_other_end_is_known() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        with socket.create_connection(server.getsockname()[:2]) as client:
            peer: Peer = client.getsockname()[:2]
            assert opened_by(os.getuid())(peer)
            assert not opened_by(os.getuid() + 1)(peer)
        assert not opened_by(os.getuid())(None)


def test_a_port_that_two_users_have_is_nobodys(tmp_path: Path) -> None:
    row = "0: 0100007F:1F90 0100007F:0050 01 0:0 0:0 0 {user} 0 1\n"
    table = tmp_path / "tcp"
    table.write_text("head\n" + row.format(user=7) + row.format(user=8), encoding="ascii")
    assert not opened_by(7, (table,))(("127.0.0.1", 0x1F90))


def test_the_same_line_is_logged_once_in_ten_seconds() -> None:
    thrift, told = Thrift(), []
    for ms in (0.0, 1.0, 2.0, EVERY_MS + 1.0):
        record = logging.makeLogRecord({"name": "n", "msg": "Invalid HTTP request received."})
        record.relativeCreated = ms
        if thrift.filter(record):
            told.append(record.getMessage())
    assert told == ["Invalid HTTP request received.", "Invalid HTTP request received. (2 more of these)"]
