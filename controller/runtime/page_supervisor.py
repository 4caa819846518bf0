"""The daemon's side of the pages: starts their process, answers it, starts it again when it has ended.

The table plays on without it. It must never wait for a page.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from contextlib import suppress

from controller.display.ports import DisplaySource
from controller.runtime.fatal import heard
from controller.runtime.page_rpc_server import MAX_REQUEST_BYTES, PageRpcServer, Stuck
from controller.runtime.server import ServerError
from controller.runtime.spawn import Options, PagesProcess

log = logging.getLogger("crisscross")

RESTART_DELAY_S = 1.0
UP_S = 20.0


class PageSupervisor:
    """One process of pages at a time, the first of them started already."""

    def __init__(self, listening: socket.socket, options: Options, first: PagesProcess) -> None:
        self._listening = listening
        self._options = options
        self._process = self._told(first)
        self._keeping: asyncio.Task[None] | None = None
        self._stopping = False

    def _told(self, process: PagesProcess) -> PagesProcess:
        with suppress(OSError):  # it has ended: the line says so too
            process.tell(self._listening, self._options)
        return process

    def _spawn_again(self) -> bool:
        """Whether the machine had room for it."""
        try:
            self._process = self._told(PagesProcess())
        except OSError as error:
            log.warning("display: the process of the pages cannot be started: %s", error.strerror)
            return False
        return True

    async def serve(self, source: DisplaySource) -> None:
        """Returns when pages are served; ServerError where they are not."""
        server = PageRpcServer(source)
        self._keeping = asyncio.ensure_future(self._keep(source, server))
        self._keeping.add_done_callback(heard)
        up = asyncio.ensure_future(server.up.wait())
        await asyncio.wait((up, self._keeping), timeout=UP_S, return_when=asyncio.FIRST_COMPLETED)
        if not up.done():
            up.cancel()
            raise ServerError("display: the process of the pages does not start; the lines above say why")

    async def _keep(self, source: DisplaySource, server: PageRpcServer) -> None:
        await self._answer(server)
        while server.up.is_set() and not self._stopping:
            log.warning("display: the process of the pages has ended; starting it again")
            await asyncio.sleep(RESTART_DELAY_S)
            server = PageRpcServer(source)
            server.up.set()
            if self._spawn_again():
                await self._answer(server)

    async def _answer(self, server: PageRpcServer) -> None:
        """Until that process has ended."""
        process = self._process
        process.line.setblocking(False)
        reader, writer = await asyncio.open_connection(sock=process.line, limit=MAX_REQUEST_BYTES)
        try:
            await server.serve(reader, writer)
        except Stuck as error:
            log.warning("display: the process of the pages %s", error)
        finally:
            await asyncio.to_thread(process.end)

    async def stop(self) -> None:
        """Streams end, and the process has ended when this returns."""
        self._stopping = True
        if self._keeping is not None:
            self._keeping.cancel()
            with suppress(asyncio.CancelledError):
                await self._keeping
        await asyncio.to_thread(self._process.end)
