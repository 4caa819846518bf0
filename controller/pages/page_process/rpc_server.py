"""Server in the daemon for the requests of the page process: one JSON object per line, in both directions.

The daemon sends heartbeats and complete views, the newest only. The page process sends requests
(`requests.py`) and gets one answer to each by its id. It is not trusted: an invalid line ends it, and the
daemon never waits for it. Only data that `DisplaySource` made public are sent.
"""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, TypeAlias

from controller.common.token_bucket import TokenBucket
from controller.pages.display.ports import HEARTBEAT_INTERVAL_S, DisplaySource, Withheld
from controller.pages.display.touches import TouchError
from controller.pages.page_process.requests import (
    MAX_REQUEST_BYTES,
    EndedRequest,
    FiguresRequest,
    InvalidRequest,
    PlainRequest,
    Request,
    TouchRequest,
    Up,
    parse_request,
    plain,
)
from drivers.json_lines import json_line

log = logging.getLogger("crisscross")

MAX_CONCURRENT_REQUESTS = 32
"""Maximum number of requests being answered. At the limit none is read until one has been answered."""
MAX_REQUESTS_PER_S = 200
"""Maximum number of requests read per second (rate limit). Others wait in the socket and do not delay the
shoe's ACK.
"""
_WRITE_TIMEOUT_S = 10.0
"""Timeout in seconds after which a page process that reads nothing is ended."""
JsonAnswer: TypeAlias = Mapping[str, Any]


class PageProcessError(Exception):
    """Raised if the page process broke the protocol or stopped reading. Contains nothing that it sent."""


class PageRpcServer:
    """Server for one page process, with data from one `DisplaySource`. Used on the loop's thread only."""

    def __init__(self, source: DisplaySource, up: asyncio.Event) -> None:
        """`up`: event that is set when the page process reports that it accepts connections."""
        self._source = source
        self._up = up
        self._changed = asyncio.Event()
        self._free = asyncio.Semaphore(MAX_CONCURRENT_REQUESTS)
        self._answering: set[asyncio.Future[None]] = set()
        self._failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve until the page process disconnects. The transport is closed on return.

        Raises PageProcessError if it sends an invalid line or reads nothing for WRITE_TIMEOUT_S.
        """
        writer.transport.set_write_buffer_limits(high=0)
        unsubscribe = self._source.subscribe(self._changed.set)
        reading = asyncio.ensure_future(self._read(reader, writer))
        views = asyncio.ensure_future(self._send_views(writer))
        heartbeats = asyncio.ensure_future(_send_heartbeats(writer))
        tasks = (reading, views, heartbeats, self._failed)
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        except ConnectionError:
            return  # the page process has ended
        finally:
            unsubscribe()
            # before any exception: if a descriptor is closed under its transport, another connection may get
            # the same number
            writer.transport.abort()
            await _cancel(*tasks, *self._answering)
            with suppress(ConnectionError):
                await writer.wait_closed()

    # ------------------------------------------------------------------ views

    async def _send_views(self, writer: asyncio.StreamWriter) -> None:
        """Send the newest view after each change. With one flag in place of a queue, a slow page process
        skips views."""
        self._changed.set()
        sent: int | None = None
        while True:
            await self._changed.wait()
            self._changed.clear()
            view = self._source.latest()
            if view["version"] != sent:
                sent = view["version"]
                await _send(writer, {"view": view})

    # ------------------------------------------------------------------ requests

    async def _read(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        clock, last_id = asyncio.get_running_loop().time, 0
        allowance = TokenBucket(MAX_REQUESTS_PER_S, clock())
        while line := await _read_line(reader):
            if not allowance.has(clock()):
                await asyncio.sleep(1 / MAX_REQUESTS_PER_S)
            allowance.take()
            request = _parsed(line)
            if isinstance(request, Up):
                self._up.set()
                continue
            if request.id <= last_id:
                raise PageProcessError("sent an id that is not greater than the one before")
            last_id = request.id
            await self._free.acquire()
            answering = asyncio.ensure_future(self._answer(request, writer))
            self._answering.add(answering)
            answering.add_done_callback(self._answered)

    def _answered(self, answering: asyncio.Future[None]) -> None:
        self._answering.discard(answering)
        self._free.release()
        if answering.cancelled() or (error := answering.exception()) is None or self._failed.done():
            return
        self._failed.set_exception(error)

    async def _answer(self, request: Request, writer: asyncio.StreamWriter) -> None:
        """Send the answer to a request; after an error, the answer `failed`. An error stops neither the table
        nor other requests.

        The message of the error is not logged: it may contain data that a page must not show.
        """
        answer: Any
        (answer,) = await asyncio.gather(self._compute(request), return_exceptions=True)
        if isinstance(answer, PageProcessError | MemoryError):
            raise answer
        if isinstance(answer, Withheld):
            await _send(writer, {"id": request.id, "withheld": True})
        elif isinstance(answer, BaseException):
            where = "".join(traceback.format_tb(answer.__traceback__))
            log.error("display: %s was not answered: %s\n%s", request.ask, type(answer).__name__, where)
            await _send(writer, {"id": request.id, "failed": request.ask})
        else:
            await _send(writer, {"id": request.id, "answer": answer})

    async def _compute(self, request: Request) -> Any:
        source = self._source
        match request:
            case TouchRequest():
                return await self._touch(request.touch)
            case FiguresRequest():
                return await source.figures(request.period)
            case EndedRequest():
                return await source.ended(plain(request.asked))
            case PlainRequest():
                answers: Mapping[str, Callable[[], Awaitable[Any]]] = {
                    "recall": source.recall, "floor": source.floor, "devices": source.devices,
                }  # fmt: skip
                return await answers[request.ask]()

    async def _touch(self, body: bytes) -> JsonAnswer | None:
        """Pass a touch to the table. Returns None if it was accepted, `{code, values}` if it was refused."""
        try:
            refused = await self._source.touch(body)
        except TouchError:
            raise PageProcessError("sent a touch of an unknown form") from None
        return None if refused is None else {"code": refused.code, "values": refused.values}


async def _read_line(reader: asyncio.StreamReader) -> bytes:
    """Return the next line, or b"" at the end of the stream. A last line without a newline is incomplete.

    Raises PageProcessError if the line is too long.
    """
    try:
        line = await reader.readline()
    except ValueError:
        raise PageProcessError(f"sent a line of over {MAX_REQUEST_BYTES} bytes") from None
    return line if line.endswith(b"\n") else b""


def _parsed(line: bytes) -> Request | Up:
    try:
        return parse_request(line)
    except InvalidRequest as error:
        raise PageProcessError(f"sent {error}") from None


async def _send_heartbeats(writer: asyncio.StreamWriter) -> None:
    """Send heartbeats for as long as the daemon's loop runs."""
    while True:
        await _send(writer, {"heartbeat": True})
        await asyncio.sleep(HEARTBEAT_INTERVAL_S)


async def _send(writer: asyncio.StreamWriter, message: Mapping[str, Any]) -> None:
    """Send one message. Raises PageProcessError if it is not read within WRITE_TIMEOUT_S."""
    writer.write(json_line(message))
    try:
        async with asyncio.timeout(_WRITE_TIMEOUT_S):
            await writer.drain()
    except TimeoutError:
        raise PageProcessError(f"read nothing for {_WRITE_TIMEOUT_S:.0f} s") from None


async def _cancel(*tasks: asyncio.Future[Any]) -> None:
    """Cancel all tasks and wait until they have ended, ignoring their results and errors."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
