"""Daemon's side of the pages if the page process is its child: starts it, answers it, and restarts it after
a crash.

The table plays on without it. The daemon must never wait for a page. A page process that breaks the protocol
is ended; the delay before a restart grows if it ends repeatedly.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from contextlib import AbstractAsyncContextManager, suppress

from controller.common.http.server import ServerError, address
from controller.common.process.fatal import report_task_error
from controller.pages.display.ports import DisplaySource
from controller.pages.page_process.requests import MAX_REQUEST_BYTES
from controller.pages.page_process.rpc_server import PageProcessError, PageRpcServer
from controller.pages.page_process.spawn import PageOptions, PagesProcess
from controller.pages.page_process.wait_for_disk import answering

log = logging.getLogger("crisscross")

RESTART_DELAY_S = 1.0
MAX_RESTART_DELAY_S = 30.0
STABLE_S = 60.0
"""Seconds of service after which a page process is restarted after RESTART_DELAY_S; otherwise the delay
doubles.
"""
START_TIMEOUT_S = 20.0
ENDED = "has ended"


class PageSupervisor:
    """Supervisor of one page process at a time; the first has been started already."""

    def __init__(self, listening: socket.socket, options: PageOptions, first: PagesProcess) -> None:
        self._listening = listening
        self._options = options
        self._process = self._with_options(first)
        self._keeping: asyncio.Task[None] | None = None

    @property
    def address(self) -> str:
        """Return the URL of the pages."""
        return address(self._listening)

    @property
    def port(self) -> int:
        return int(self._listening.getsockname()[1])

    def shown(self, words: bytes) -> AbstractAsyncContextManager[None]:
        """Answer every request with the bytes `words` until the end of a block, before there is a table to
        show.
        """
        return answering(self._listening, words)

    def _with_options(self, process: PagesProcess) -> PagesProcess:
        # if the process has ended, its connection shows that too
        with suppress(OSError):
            process.send_options(self._listening, self._options)
        return process

    def _respawn(self) -> bool:
        """Start another page process. Returns False if the machine has no resources for it."""
        try:
            self._process = self._with_options(PagesProcess())
        except OSError as error:
            log.warning("display: the process of the pages cannot be started: %s", error.strerror)
            return False
        return True

    async def serve(self, source: DisplaySource) -> None:
        """Start serving; return when pages are served. Raises ServerError if they are not within
        START_TIMEOUT_S.
        """
        up = asyncio.Event()
        self._keeping = asyncio.ensure_future(self._keep(source, up))
        self._keeping.add_done_callback(report_task_error)
        waiting = asyncio.ensure_future(up.wait())
        await asyncio.wait(
            (waiting, self._keeping), timeout=START_TIMEOUT_S, return_when=asyncio.FIRST_COMPLETED
        )
        if not waiting.done():
            waiting.cancel()
            raise ServerError("display: the process of the pages does not start; the lines above say why")

    async def _keep(self, source: DisplaySource, up: asyncio.Event) -> None:
        """Answer one page process after another. Returns if the first one ends by itself before it serves."""
        clock, delay = asyncio.get_running_loop().time, RESTART_DELAY_S
        while True:
            began = clock()
            why = await self._answer(PageRpcServer(source, up))
            if why == ENDED and not up.is_set():
                return
            delay = RESTART_DELAY_S if clock() - began >= STABLE_S else delay
            log.warning("display: the page process %s; restarting it in %.0f s", why, delay)
            spawned = False
            while not spawned:
                await asyncio.sleep(delay)
                delay = min(MAX_RESTART_DELAY_S, 2 * delay)
                spawned = self._respawn()

    async def _answer(self, server: PageRpcServer) -> str:
        """Serve the page process until it has ended. Returns the reason, without anything that it sent."""
        process = self._process
        process.line.setblocking(False)
        try:
            reader, writer = await asyncio.open_connection(sock=process.line, limit=MAX_REQUEST_BYTES)
            await server.serve(reader, writer)
        except PageProcessError as error:
            return str(error)
        finally:
            await asyncio.to_thread(process.end)
        return ENDED

    async def stop(self) -> None:
        """End the streams and the page process."""
        if self._keeping is not None:
            self._keeping.cancel()
            with suppress(asyncio.CancelledError):
                await self._keeping
        await asyncio.to_thread(self._process.end)
