"""The daemon's side of the pages: starts their process, answers it, starts it again when it has ended.

The table plays on without it. It must never wait for a page.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
from collections.abc import Callable
from contextlib import suppress

from controller.display.ports import DisplaySource
from controller.runtime.fatal import heard
from controller.runtime.hatch import LONGEST_QUESTION, Hatch, Stuck
from controller.runtime.pages import Options
from controller.runtime.server import STOP_S, ServerError

log = logging.getLogger("crisscross")

PAGES = "controller.runtime.pages"
AGAIN_S = 1.0
UP_S = 20.0


class Front:
    """One process of pages at a time. `options`: of the descriptor of its end of the line."""

    def __init__(self, listening: socket.socket, options: Callable[[int], Options]) -> None:
        self._listening = listening
        self._options = options
        self._process: asyncio.subprocess.Process | None = None
        self._near: socket.socket | None = None
        self._keeping: asyncio.Task[None] | None = None
        self._stopping = False

    async def spawn(self) -> None:
        """Start it; it waits for `serve`, and needs its time to be ready."""
        self._near, far = socket.socketpair()
        self._near.setblocking(False)
        with far:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", PAGES, self._options(far.fileno()).text(),
                stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL,
                pass_fds=(far.fileno(), self._listening.fileno()),
            )  # fmt: skip

    async def _spawn_again(self) -> bool:
        """Whether the machine had room for it."""
        try:
            await self.spawn()
        except OSError as error:
            log.warning("display: the process of the pages cannot be started: %s", error.strerror)
            if self._near is not None:
                self._near.close()
            return False
        return True

    async def serve(self, source: DisplaySource) -> None:
        """Returns when pages are served; ServerError where they are not."""
        hatch = Hatch(source)
        self._keeping = asyncio.ensure_future(self._keep(source, hatch))
        self._keeping.add_done_callback(heard)
        up = asyncio.ensure_future(hatch.up.wait())
        await asyncio.wait((up, self._keeping), timeout=UP_S, return_when=asyncio.FIRST_COMPLETED)
        if not up.done():
            up.cancel()
            raise ServerError("display: the process of the pages does not start; the lines above say why")

    async def _keep(self, source: DisplaySource, hatch: Hatch) -> None:
        await self._answer(hatch)
        while hatch.up.is_set() and not self._stopping:
            log.warning("display: the process of the pages has ended; starting it again")
            await asyncio.sleep(AGAIN_S)
            hatch = Hatch(source)
            hatch.up.set()
            if await self._spawn_again():
                await self._answer(hatch)

    async def _answer(self, hatch: Hatch) -> None:
        """Until that process has ended."""
        near, self._near = self._near, None
        if near is None or self._process is None:
            raise RuntimeError("the pages were to be answered before they were started")
        reader, writer = await asyncio.open_connection(sock=near, limit=LONGEST_QUESTION)
        try:
            await hatch.serve(reader, writer)
        except Stuck as error:
            log.warning("display: the process of the pages %s", error)
        finally:
            await self._end(self._process)

    async def _end(self, process: asyncio.subprocess.Process) -> None:
        """The line is shut; what does not end by itself is killed."""
        try:
            async with asyncio.timeout(STOP_S):
                await process.wait()
        except TimeoutError:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def stop(self) -> None:
        """Streams end, and the process has ended when this returns."""
        self._stopping = True
        if self._keeping is not None:
            self._keeping.cancel()
            with suppress(asyncio.CancelledError):
                await self._keeping
        if self._near is not None:
            self._near.close()
        if self._process is not None and self._process.returncode is None:
            await self._end(self._process)
