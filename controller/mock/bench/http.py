"""HTTP client of the bench on h11: one persistent connection for touches, one stream of views.

It exchanges JSON over loopback only and must never be used with another host.
"""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Mapping
from typing import Any

import h11

HOST = "127.0.0.1"
UNAVAILABLE = 503
"""Status of an answer while the table is silent."""
_MAX_HEAD_BYTES = 4 * 1024 * 1024
"""Maximum size of an answer's head in bytes."""


class HttpError(Exception):
    """Raised if the server has closed the connection or does not send HTTP."""


class HttpConnection:
    """Connection to the daemon's web server on which one request and its answer are exchanged at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int) -> None:
        self._reader, self._writer = reader, writer
        self._host = f"{HOST}:{port}"
        self._state = h11.Connection(h11.CLIENT, _MAX_HEAD_BYTES)

    @classmethod
    async def opened(cls, port: int) -> HttpConnection:
        return cls(*await asyncio.open_connection(HOST, port), port)

    async def ask(self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> int:
        """Send a request and return the status of its answer. Raises HttpError or OSError."""
        request = h11.Request(method=method, target=path, headers=[("Host", self._host), *headers.items()])
        for part in (request, h11.Data(body), h11.EndOfMessage()):
            self._writer.write(self._state.send(part) or b"")
        await self._writer.drain()
        self.acknowledge_now()
        answer = await self._event()
        if not isinstance(answer, h11.Response):
            raise HttpError("no answer: the server closed the connection")
        return answer.status_code

    async def body(self) -> AsyncIterator[bytes]:
        """Yield the pieces of the answer's body as they arrive. Raises HttpError or OSError."""
        while isinstance(event := await self._event(), h11.Data):
            yield bytes(event.data)

    async def _event(self) -> h11.Event:
        """Return the next part of the answer. Raises HttpError or OSError."""
        try:
            while not isinstance(event := self._state.next_event(), h11.Event):
                self._state.receive_data(await self._reader.read(65536))
        except h11.RemoteProtocolError as error:
            raise HttpError(f"no HTTP answer: {error}") from error
        return event

    def is_open(self) -> bool:
        """Return whether another request may follow; if so, prepare for it."""
        if self._state.states != {h11.CLIENT: h11.DONE, h11.SERVER: h11.DONE}:
            return False
        self._state.start_next_cycle()
        return True

    def acknowledge_now(self) -> None:
        """Make the kernel acknowledge received data at once, so that an answer in two small pieces does not
        wait 40 ms for a delayed ACK (tcp(7)).
        """
        line = self._writer.get_extra_info("socket")
        if line is not None:
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)

    async def close(self) -> None:
        await close(self._writer)


class Client:
    """A persistent connection, opened again after the server has closed it."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._line: HttpConnection | None = None
        self._turn = asyncio.Lock()

    async def post(self, path: str, body: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        return await self._ask("POST", path, json.dumps(body).encode())

    async def get(self, path: str) -> tuple[int, dict[str, Any]]:
        return await self._ask("GET", path, b"")

    async def _ask(self, method: str, path: str, body: bytes) -> tuple[int, dict[str, Any]]:
        async with self._turn:
            reused = self._line is not None
            try:
                return await self._exchange(method, path, body)
            except (HttpError, OSError):
                await self.close()
                if not reused:
                    raise
            # the server had closed the connection before the request, so it has not received it
            return await self._exchange(method, path, body)

    async def _exchange(self, method: str, path: str, body: bytes) -> tuple[int, dict[str, Any]]:
        if self._line is None:
            self._line = await HttpConnection.opened(self.port)
        line = self._line
        headers = {"Content-Length": str(len(body)), "Content-Type": "application/json"}
        status = await line.ask(method, path, headers, body)
        answer = b"".join([piece async for piece in line.body()])
        if not line.is_open():
            await self.close()
        return status, json.loads(answer or b"{}")

    async def close(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            await line.close()


async def close(writer: asyncio.StreamWriter) -> None:
    writer.close()
    try:
        await writer.wait_closed()
    except OSError:
        # the server closed the connection first
        return


async def events(port: int, path: str) -> AsyncIterator[Any]:
    """Yield the `data:` of each Server-Sent Event as JSON until the server closes the stream. Raises
    HttpError or OSError."""
    line = await HttpConnection.opened(port)
    try:
        status = await line.ask("GET", path, {"Accept": "text/event-stream"})
        if status != 200:
            raise HttpError(f"GET {path} answered {status}")
        async for data in _events(line.body()):
            line.acknowledge_now()
            yield json.loads(data)
    finally:
        await line.close()


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
