"""The process that serves the pages, and parses all input from the network in place of the daemon.

On a real table it is a unit with its own user: `crisscross pages SOCKET` connects to the daemon
(`listener.py`) and binds the port itself. Elsewhere the daemon starts it as a child, `python -m
controller.pages.page_process.main LINE` (`spawn.py`); LINE is the descriptor of the connection to the daemon.
The process sends the daemon only requests of a known form, and few at a time. It ends when the daemon does.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
import time
from asyncio import StreamReader, StreamWriter
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeAlias

from controller.common.http.log_rate_limit import rate_limit
from controller.common.process.garbage_collection import collect_rarely
from controller.common.process.log_once import LogOnce
from controller.pages.page_process.spawn import MAX_MESSAGE_BYTES, PageOptions, receive_options
from drivers.json_lines import json_line

log = logging.getLogger("crisscross")

_NICENESS = 5
"""Niceness of the page process, so that the daemon has priority if processors are few."""
_RETRY_DELAY_S = 0.5
"""Seconds between two attempts to connect to a daemon that does not listen yet."""
Opened: TypeAlias = tuple[socket.socket, PageOptions, StreamReader, StreamWriter]
"""Listening socket of the pages, options, connection to the daemon."""


def main(arguments: list[str] | None = None) -> int:
    """Serve as the daemon's child process until the daemon has ended. Returns the exit status."""
    collect_rarely()
    (line,) = sys.argv[1:] if arguments is None else arguments
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # signals are for the daemon, whose end closes the connection
    return _run(_as_child(socket.socket(fileno=int(line))))


def serve_for(daemon: Path) -> int:
    """Serve as a separate user until the daemon at that socket has ended. Returns the exit status."""
    return _run(_as_user(daemon))


def _run(opened: Coroutine[Any, Any, Opened | None]) -> int:
    from controller.common.http.server import ServerError

    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    rate_limit("uvicorn.error", "asyncio", log.name)
    _lower_priority()
    try:
        asyncio.run(_serve(opened))
    except ServerError as error:
        log.error("%s", error)  # noqa: TRY400  # one line, no traceback
        return 1
    return 0


async def _as_child(connection: socket.socket) -> Opened | None:
    """Return the options and connections of a child, or None if the daemon ends before it serves."""
    found = receive_options(connection)
    if found is None:
        return None
    connection.setblocking(False)
    reader, writer = await asyncio.open_connection(sock=connection, limit=MAX_MESSAGE_BYTES)
    return found[0], found[1], reader, writer


async def _as_user(daemon: Path) -> Opened | None:
    """Return the options and connections of a separate user's process.

    Returns None if the daemon refuses this user or ends before it serves. Raises ServerError if the port is
    taken.
    """
    from controller.common.http.server import open_socket

    connection = _connected(daemon)
    connection.setblocking(False)
    reader, writer = await asyncio.open_connection(sock=connection, limit=MAX_MESSAGE_BYTES)
    try:
        found = PageOptions.read(await reader.readline())
    except (ConnectionError, ValueError):
        log.warning("%s: the daemon has closed the connection", daemon)
        writer.close()
        return None
    return open_socket(found.host, found.port), found, reader, writer


def _connected(daemon: Path) -> socket.socket:
    """Connect to the daemon's socket, retrying until the daemon listens; return the connection."""
    faults = LogOnce(log)
    while True:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connection.connect(str(daemon))
        except OSError as error:
            connection.close()
            faults.warn(f"{daemon}: {error.strerror}; waiting for the daemon")
            time.sleep(_RETRY_DELAY_S)
        else:
            return connection


def _lower_priority() -> None:
    try:
        os.nice(_NICENESS)
    except PermissionError as error:
        # the unit's SystemCallFilter= may forbid the change; both processes then have the same priority
        log.debug("the pages keep their priority: %s", error)


async def _serve(opened: Coroutine[Any, Any, Opened | None]) -> None:
    # imported here, while the daemon reads its table file and opens its devices
    from controller.common.http.connection_owner import owned_by, unavailable, user_ids
    from controller.common.http.server import PageServer
    from controller.pages.display.web import make_app
    from controller.pages.page_process.rpc_client import PageRpcClient

    found = await opened
    if found is None:
        return
    listening, options, reader, writer = found
    if options.waiting:
        await _show_waiting(listening, options.waiting, reader)
        return
    source = PageRpcClient(reader, writer)
    receiving, shown = asyncio.ensure_future(source.receive()), asyncio.ensure_future(source.shown())
    await asyncio.wait((receiving, shown), return_when=asyncio.FIRST_COMPLETED)
    if shown.done():
        if options.closed and (why := unavailable(options.user, listening)):
            log.warning("display: %s", why)
        app = make_app(
            source, options.language, options.hosts, framed_by=options.framed_by, zone=options.zone,
            touches=options.touches, closed=options.closed,
        )  # fmt: skip
        server = PageServer(app, listening, app.state.close, owned_by(user_ids(options.user)))
        await server.start()
        writer.write(json_line({"up": True}))
        await receiving
        await server.stop()
    shown.cancel()


async def _show_waiting(listening: socket.socket, words: str, reader: StreamReader) -> None:
    """Answer every request with the response `words` until the daemon closes the connection."""
    from controller.pages.page_process.wait_for_disk import answering

    async with answering(listening, words.encode()):
        await reader.read()


if __name__ == "__main__":
    sys.exit(main())
