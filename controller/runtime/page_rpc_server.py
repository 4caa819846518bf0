"""What passes between the daemon and the process that serves the pages: lines of JSON on a socket pair.

The daemon sends whole views, the newest only; the pages ask one thing a line, by its number, and are
answered by it. It carries what `DisplaySource` made public and nothing else, and the game never waits for it.
"""

from __future__ import annotations

import asyncio
import json
import logging
import traceback
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, TypeAlias, get_args

from controller.display.ports import DisplaySource
from controller.game.model.events import PeopleEvent
from controller.journal.codec import decode
from drivers.json_lines import json_line

log = logging.getLogger("crisscross")

MAX_REQUEST_BYTES = 64 * 2**10
MAX_CONCURRENT_REQUESTS = 32
"""Questions that are being answered; the next one is read when one of them is."""
WRITE_TIMEOUT_S = 10.0
"""A process that takes no view for so long hangs."""
PEOPLE = frozenset(kind.__name__ for kind in get_args(PeopleEvent))
Asked: TypeAlias = Mapping[str, Any]


class Stuck(Exception):
    """The process of the pages takes nothing any more."""


class PageRpcServer:
    """The daemon's end: answers for one `DisplaySource` until the other end is gone."""

    def __init__(self, source: DisplaySource) -> None:
        self._source = source
        self.up = asyncio.Event()
        """Pages are served."""
        self._changed = asyncio.Event()
        self._free = asyncio.Semaphore(MAX_CONCURRENT_REQUESTS)
        self._answering: set[asyncio.Future[Any]] = set()
        self._asked: Mapping[str, Callable[[Asked], Awaitable[Any]]] = {
            "touch": self._touch,
            "recall": lambda _asked: source.recall(),
            "ended": lambda asked: source.ended(asked["asked"]),
            "floor": lambda _asked: source.floor(),
            "figures": lambda asked: source.figures(asked["period"]),
            "devices": lambda _asked: source.devices(),
        }

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Until the other end is gone; `Stuck` when it takes nothing any more."""
        writer.transport.set_write_buffer_limits(high=0)
        unsubscribe = self._source.subscribe(self._changed.set)
        hearing = asyncio.ensure_future(self._hear(reader, writer))
        showing = asyncio.ensure_future(self._show(writer))
        try:
            done, _ = await asyncio.wait((hearing, showing), return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        except ConnectionError:
            return  # it has ended: the other task says so too
        finally:
            unsubscribe()
            await _end(hearing, showing, *self._answering)
            writer.transport.abort()  # what is not taken by now is not waited for
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def _show(self, writer: asyncio.StreamWriter) -> None:
        """One flag and no queue: a process that is slow gets the newest view when it has taken the last."""
        self._changed.set()
        while True:
            await self._changed.wait()
            self._changed.clear()
            writer.write(json_line({"view": self._source.latest()}))
            try:
                async with asyncio.timeout(WRITE_TIMEOUT_S):
                    await writer.drain()
            except TimeoutError:
                raise Stuck(f"took no view for {WRITE_TIMEOUT_S:.0f} s") from None

    async def _hear(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            asked = json.loads(line)
            if "up" in asked:
                self.up.set()
                continue
            await self._free.acquire()
            task = asyncio.ensure_future(self._asked[asked["ask"]](asked))
            self._answering.add(task)
            task.add_done_callback(partial(self._answered, asked, writer))

    def _answered(self, asked: Asked, writer: asyncio.StreamWriter, task: asyncio.Future[Any]) -> None:
        """What cannot be answered is said on the page that asked, and stops neither the table nor the others.
        The words of such an error are not logged: they may hold what a page may not show."""
        self._answering.discard(task)
        self._free.release()
        if task.cancelled():
            return
        if (error := task.exception()) is None:
            writer.write(json_line({"id": asked["id"], "answer": task.result()}))
            return
        where = "".join(traceback.format_tb(error.__traceback__))
        log.error("display: %s was not answered: %s\n%s", asked["ask"], type(error).__name__, where)
        writer.write(json_line({"id": asked["id"], "failed": asked["ask"]}))

    async def _touch(self, asked: Asked) -> Any:
        """`{code, values}` where it is refused. Only what a person may do is an event that comes this way."""
        if asked["kind"] not in PEOPLE:
            raise ValueError("a page asked for an event that no person makes")
        event: Any = decode(asked["kind"], asked["body"])
        refused = await self._source.touch(event, asked["pin"], asked["channel"])
        return None if refused is None else {"code": refused.code, "values": refused.values}


async def _end(*tasks: asyncio.Future[Any]) -> None:
    for task in tasks:
        task.cancel()
    for task in tasks:
        with suppress(asyncio.CancelledError, ConnectionError, Stuck):
            await task
