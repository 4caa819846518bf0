"""Minimal HTTP client of the bench: one persistent connection for touches, one stream of views. Only
asyncio.

It exchanges JSON over loopback only and must never be used with another host.
"""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Mapping
from typing import Any

HOST = "127.0.0.1"
LIMIT = 4 * 1024 * 1024


class HttpError(Exception):
    """Raised if the server has closed the connection or does not send HTTP."""


async def _head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    try:
        block = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError) as error:
        raise HttpError(f"no answer: {error}") from error
    first, *lines = block.decode("latin-1").split("\r\n")
    headers = {
        name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
    }
    parts = first.split(" ")
    if len(parts) < 2 or not parts[1].isdigit():
        raise HttpError(f"no HTTP answer: {first[:60]!r}")
    return int(parts[1]), headers


async def _chunks(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """Yield the pieces of a body in chunked transfer coding (RFC 9112, 7.1)."""
    while size := int((await reader.readuntil(b"\r\n")).split(b";")[0], 16):
        yield await reader.readexactly(size)
        await reader.readexactly(2)
    await reader.readuntil(b"\r\n")


async def _body(reader: asyncio.StreamReader, headers: Mapping[str, str]) -> bytes:
    try:
        if headers.get("transfer-encoding", "").lower() == "chunked":
            return b"".join([piece async for piece in _chunks(reader)])
        return await reader.readexactly(int(headers.get("content-length", "0")))
    except (asyncio.IncompleteReadError, OSError, ValueError) as error:
        raise HttpError(f"the answer broke off: {error}") from error


def acknowledge_now(writer: asyncio.StreamWriter) -> None:
    """Have the kernel acknowledge received data at once, so that an answer in two small pieces does not wait
    40 ms for a delayed ACK (tcp(7)).
    """
    line = writer.get_extra_info("socket")
    if line is not None:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)


class Client:
    """A persistent connection, opened again after the server has closed it."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._turn = asyncio.Lock()

    async def post(self, path: str, body: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        return await self._ask("POST", path, json.dumps(body).encode())

    async def get(self, path: str) -> tuple[int, dict[str, Any]]:
        return await self._ask("GET", path, b"")

    async def _ask(self, method: str, path: str, body: bytes) -> tuple[int, dict[str, Any]]:
        async with self._turn:
            reused = self._streams is not None
            try:
                return await self._exchange(method, path, body)
            except (HttpError, OSError):
                await self.close()
                if not reused:
                    raise
            # the server had closed the connection meanwhile, so it has not received the request
            return await self._exchange(method, path, body)

    async def _exchange(self, method: str, path: str, body: bytes) -> tuple[int, dict[str, Any]]:
        if self._streams is None:
            self._streams = await asyncio.open_connection(HOST, self.port, limit=LIMIT)
        reader, writer = self._streams
        head = f"{method} {path} HTTP/1.1\r\nHost: {HOST}:{self.port}\r\nContent-Length: {len(body)}\r\n"
        writer.write(f"{head}Content-Type: application/json\r\n\r\n".encode() + body)
        await writer.drain()
        acknowledge_now(writer)
        status, headers = await _head(reader)
        answer = await _body(reader, headers)
        if headers.get("connection", "").lower() == "close":
            await self.close()
        return status, json.loads(answer or b"{}")

    async def close(self) -> None:
        streams, self._streams = self._streams, None
        if streams is not None:
            await close(streams[1])


async def close(writer: asyncio.StreamWriter) -> None:
    writer.close()
    try:
        await writer.wait_closed()
    except OSError:
        # the server closed it first
        return


async def events(port: int, path: str) -> AsyncIterator[Any]:
    """Yield the `data:` of each Server-Sent Event as JSON until the server closes the stream."""
    reader, writer = await asyncio.open_connection(HOST, port, limit=LIMIT)
    try:
        head = f"GET {path} HTTP/1.1\r\nHost: {HOST}:{port}\r\nAccept: text/event-stream\r\n\r\n"
        writer.write(head.encode())
        await writer.drain()
        status, headers = await _head(reader)
        if status != 200:
            raise HttpError(f"GET {path} answered {status}")
        chunked = headers.get("transfer-encoding", "").lower() == "chunked"
        async for data in _events(_chunks(reader) if chunked else _plain(reader)):
            acknowledge_now(writer)
            yield json.loads(data)
    except (asyncio.IncompleteReadError, OSError) as error:
        raise HttpError(f"GET {path} broke off: {error}") from error
    finally:
        await close(writer)


async def _plain(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    while piece := await reader.read(65536):
        yield piece


async def _events(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield the data of each event. An empty line ends an event; lines other than `data:` are ignored."""
    waiting = b""
    async for piece in pieces:
        waiting += piece.replace(b"\r\n", b"\n")
        *whole, waiting = waiting.split(b"\n\n")
        for event in whole:
            data = [line[5:].strip() for line in event.split(b"\n") if line.startswith(b"data:")]
            if any(data):  # a heartbeat has no data
                yield b"\n".join(data)
