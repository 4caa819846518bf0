"""Daemon's side of the pages if another user runs the page process, which connects to a Unix socket.

That process binds the port of the pages itself (`crisscross pages`, systemd/crisscross-pages.service). The
table plays on without it. Only the newest connection is answered. A process that breaks the protocol is
disconnected, and the delay before the next one is answered grows. The daemon has no network, and must never
wait for a page.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any

from controller.common.http.server import ServerError, url
from controller.common.ipc.unix_socket import Admission, listen
from controller.common.process.fatal import report_task_error
from controller.pages.display.ports import DisplaySource
from controller.pages.page_process.requests import MAX_REQUEST_BYTES
from controller.pages.page_process.rpc_server import PageProcessError, PageRpcServer
from controller.pages.page_process.spawn import PageOptions, PageSocket
from controller.pages.page_process.supervisor import ENDED, MAX_RESTART_DELAY_S, RESTART_DELAY_S, STABLE_S

log = logging.getLogger("crisscross")


class PageListener:
    """Serves the page process of one other user whenever it connects."""

    def __init__(self, at: PageSocket, options: PageOptions) -> None:
        """Open the socket. Raises ServerError if it cannot be made."""
        try:
            self._listening = listen(at.path)
        except OSError as error:
            words = f"pages: socket {at.path}: {error.strerror}; see /usr/lib/tmpfiles.d/crisscross.conf"
            raise ServerError(words) from None
        self._listening.setblocking(False)
        self._admission = Admission(at.user)
        self._options = options
        self._keeping: asyncio.Task[None] | None = None

    @property
    def address(self) -> str:
        """Return the URL of the pages."""
        return url(self._options.host, self._options.port)

    @property
    def port(self) -> int:
        return self._options.port

    async def _accepted(self) -> socket.socket:
        """Return the next connection of the admitted user; others are refused and logged."""
        while True:
            try:
                connection, _ = await asyncio.get_running_loop().sock_accept(self._listening)
            except OSError as error:  # no file descriptor is free now; one may be later
                log.warning("pages: no connection can be accepted: %s", error.strerror)
                await asyncio.sleep(RESTART_DELAY_S)
                continue
            if (refusal := self._admission.refusal(connection)) is None:
                return connection
            if refusal:
                log.warning("pages: %s", refusal)
            connection.close()

    # ------------------------------------------------------------------ before there is a table to show

    @asynccontextmanager
    async def shown(self, words: bytes) -> AsyncIterator[None]:
        """Answer every request with the bytes `words` until the end of the block."""
        showing = asyncio.ensure_future(self._show(replace(self._options, waiting=words.decode())))
        try:
            yield
        finally:
            await _cancelled(showing)

    async def _show(self, options: PageOptions) -> None:
        connection: socket.socket | None = None
        try:
            while True:
                newest = await self._accepted()
                if connection is not None:
                    connection.close()
                connection = newest
                with suppress(OSError):
                    await asyncio.get_running_loop().sock_sendall(connection, options.line())
        finally:
            if connection is not None:
                connection.close()

    # ------------------------------------------------------------------ while the table plays

    async def serve(self, source: DisplaySource) -> None:
        """Start serving and return at once: pages are available as soon as their process connects."""
        self._keeping = asyncio.ensure_future(self._keep(source))
        self._keeping.add_done_callback(report_task_error)

    async def _keep(self, source: DisplaySource) -> None:
        clock, delay = asyncio.get_running_loop().time, RESTART_DELAY_S
        arriving = asyncio.ensure_future(self._accepted())
        try:
            while True:
                connection, began = await arriving, clock()
                arriving = asyncio.ensure_future(self._accepted())
                why = await self._answer_until(arriving, source, connection)
                delay = RESTART_DELAY_S if clock() - began >= STABLE_S else delay
                log.warning("pages: the page process %s; the next one is answered in %.0f s", why, delay)
                await asyncio.sleep(delay)
                delay = min(MAX_RESTART_DELAY_S, 2 * delay)
        finally:
            await _cancelled(arriving)
            if not arriving.cancelled():
                arriving.result().close()

    async def _answer_until(
        self, arriving: asyncio.Future[socket.socket], source: DisplaySource, connection: socket.socket
    ) -> str:
        """Answer one page process until it ends or another one connects. Returns the reason."""
        answering = asyncio.ensure_future(self._answer(source, connection))
        try:
            await asyncio.wait((answering, arriving), return_when=asyncio.FIRST_COMPLETED)
            return answering.result() if answering.done() else "is replaced by a newer one"
        finally:
            await _cancelled(answering)

    async def _answer(self, source: DisplaySource, connection: socket.socket) -> str:
        """Serve the page process until it has ended. Returns the reason, without anything that it sent."""
        try:
            reader, writer = await asyncio.open_connection(sock=connection, limit=MAX_REQUEST_BYTES)
            writer.write(self._options.line())
            await PageRpcServer(source, asyncio.Event()).serve(reader, writer)
        except PageProcessError as error:
            return str(error)
        finally:
            connection.close()
        return ENDED

    async def stop(self) -> None:
        """Close the connection, which ends the page process."""
        if self._keeping is not None:
            await _cancelled(self._keeping)
        self._listening.close()


async def _cancelled(task: asyncio.Future[Any]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
