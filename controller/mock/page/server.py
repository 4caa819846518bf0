"""A little HTTP server on loopback for the technician's page: routes that answer, one stream of news.

Asks nothing of the network but this machine: a foreign Host or Origin is refused, a body is short.
It must never serve the daemon's pages.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

from controller.mock.bench import http

BODY = 4096
Answer = tuple[int, str, bytes]
"""Status, content type, body."""
_REASONS = {
    200: "OK",
    400: "Bad Request",
    403: "Forbidden",
    404: "Not Found",
    409: "Conflict",
    413: "Too Large",
}


def as_json(value: Any, status: int = 200) -> Answer:
    return status, "application/json", json.dumps(value, separators=(",", ":")).encode()


_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'"


class Server:
    """`answer(method, path, body)` for everything but `/live`, which sends what `news()` yields."""

    def __init__(
        self,
        answer: Callable[[str, str, Any], Awaitable[Answer]],
        news: Callable[[], AsyncIterator[Any]],
    ) -> None:
        self._answer = answer
        self._news = news
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self.port = 0

    async def start(self, port: int = 0) -> int:
        self._server = await asyncio.start_server(self._serve, http.HOST, port, limit=65536)
        self.port = int(self._server.sockets[0].getsockname()[1])
        return self.port

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
            for task in tuple(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        try:
            await self._one(reader, writer)
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
            # a browser that went away, or somebody who does not speak HTTP
            return
        finally:
            await http.close(writer)

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, path, *_ = [*head[0].split(" "), "", ""]
        headers = {
            name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])
        }
        refused = self._refused(headers)
        if refused:
            await self._send(writer, as_json({"error": refused}, 403))
        elif path == "/live":
            await self._stream(writer)
        else:
            await self._send(writer, await self._answered(method, path, headers, reader))

    def _refused(self, headers: Mapping[str, str]) -> str | None:
        """DNS rebinding and other pages (the daemon's guard does the same)."""
        host = headers.get("host", "")
        if host not in (f"{http.HOST}:{self.port}", f"localhost:{self.port}"):
            return "host: this machine only"
        if headers.get("origin", f"http://{host}") != f"http://{host}":
            return "origin: this page only"
        return None

    async def _answered(
        self, method: str, path: str, headers: Mapping[str, str], reader: asyncio.StreamReader
    ) -> Answer:
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > BODY:
            return as_json({"error": f"body: {BODY} bytes at most"}, 413)
        raw = await reader.readexactly(int(length))
        try:
            body = json.loads(raw) if raw else {}
        except ValueError:
            return as_json({"error": "body: one JSON object"}, 400)
        return await self._answer(method, path, body)

    async def _send(self, writer: asyncio.StreamWriter, answer: Answer) -> None:
        status, kind, body = answer
        head = (
            f"HTTP/1.1 {status} {_REASONS[status]}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
            "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n"
            f"Content-Security-Policy: {_POLICY}\r\n\r\n"
        )
        writer.write(head.encode() + body)
        await writer.drain()

    async def _stream(self, writer: asyncio.StreamWriter) -> None:
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n"
            b"Connection: close\r\n\r\n"
        )
        async for item in self._news():
            writer.write(b"data: " + json.dumps(item, separators=(",", ":")).encode() + b"\n\n")
            await writer.drain()
