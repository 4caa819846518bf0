"""The process that serves the pages: `python -m controller.runtime.pages LINE`, started by the daemon
(`spawn.py`). LINE: the descriptor of the line to it.

It parses what comes from outside, so that the daemon need not: whatever is asked here, and however often, the
table's loop sees single questions of a known form. It ends when the daemon does.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys

from controller.runtime.page_rpc_client import MAX_MESSAGE_BYTES, PageRpcClient
from controller.runtime.spawn import told
from controller.runtime.thrift import spare
from drivers.json_lines import json_line

log = logging.getLogger("crisscross")

NICER = 5
"""The table's own process comes first where processors are few."""


def main(arguments: list[str] | None = None) -> int:
    """Until the daemon has gone."""
    (line,) = sys.argv[1:] if arguments is None else arguments
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    spare("uvicorn.error", "asyncio", log.name)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # meant for the daemon, whose end ends the line
    _stand_back()
    asyncio.run(_serve(socket.socket(fileno=int(line))))
    return 0


def _stand_back() -> None:
    try:
        os.nice(NICER)
    except PermissionError as error:
        # the unit's SystemCallFilter= may refuse it: then both have the same share
        log.debug("the pages keep their priority: %s", error)


async def _serve(line: socket.socket) -> None:
    # while these are imported the daemon reads its table file and opens its devices
    from controller.display.web import make_app
    from controller.runtime.connection_owner import owned_by, unavailable, user_ids
    from controller.runtime.server import PageServer

    to_serve = told(line)
    if to_serve is None:
        return
    listening, options = to_serve
    line.setblocking(False)
    reader, writer = await asyncio.open_connection(sock=line, limit=MAX_MESSAGE_BYTES)
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


if __name__ == "__main__":
    sys.exit(main())
