"""Start on a full disk: the daemon waits for free space, and the display shows why.

The journal has not been opened yet, so there is no table to show: every request gets the same page (503),
which reloads by itself. The daemon must never begin a journal that it may be unable to write.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from functools import partial
from html import escape
from pathlib import Path
from typing import TypeAlias

from controller.common.process.sd_notify import Notifier

log = logging.getLogger("crisscross")

NEEDED_MIB = 1
"""Free space in MiB for the writes of a start: SQLite's log and index beside the journal, frames sent by the
shoe meanwhile, a snapshot, a signature. A new table takes 150 KiB.
"""
DISK_POLL_S = 1.0
REPORT_TIMEOUT_S = 10.0
"""Seconds without a report after which systemd may end the daemon."""
_REQUEST_TIMEOUT_S = 1.0
"""Timeout in seconds for reading a request."""
_HEAD = """HTTP/1.1 503 Service Unavailable\r
Content-Type: text/html; charset=utf-8\r
Content-Length: {length}\r
Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'\r
Cache-Control: no-store\r
Retry-After: 2\r
Connection: close\r
\r
"""
PAGE = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta http-equiv="refresh" content="2">
<title>{no_room}</title>
<style>
  body {{ margin: 0; min-height: 100vh; box-sizing: border-box; padding: 2vw;
    display: grid; place-content: center; gap: 4vh; text-align: center;
    background: #000; color: #f2f4f6; border: 1.5vw solid #ff5f57;
    font: 600 min(2.8vw, 4.6vh)/1.25 system-ui, sans-serif; }}
  h1 {{ margin: 0; font-size: 2.2em; line-height: 1; color: #ff5f57; }}
  p {{ margin: 0; }}
</style>
</head>
<body><h1>{no_room}</h1><p>{no_room_what}</p><p>{no_room_do}</p><p>{back}</p></body>
</html>
"""
TEXTS = ("no_room", "no_room_what", "no_room_do", "back")


ServePage: TypeAlias = Callable[[bytes], AbstractAsyncContextManager[object]]
"""Function that answers every request with the given bytes until the end of a block."""


async def wait_for_room(journal: Path, notifier: Notifier, shown: ServePage, language: str) -> None:
    """Wait until the disk has enough free space, reporting to systemd meanwhile.

    Returns at once if the free space is unknown; opening the journal then reports the cause.
    """
    if (missing := _missing_space(journal)) is None:
        return
    log.warning("%s", missing)
    async with shown(waiting_page(language)):
        while _missing_space(journal) is not None:
            notifier.starting(missing, REPORT_TIMEOUT_S)
            await asyncio.sleep(DISK_POLL_S)
    log.info("there is room: starting")


def _missing_space(journal: Path) -> str | None:
    """Return one line about the missing space, or None if there is enough or the free space is unknown."""
    try:
        free = shutil.disk_usage(journal.parent).free
    except OSError:
        return None
    if free >= NEEDED_MIB * 2**20:
        return None
    return f"journal {journal}: the disk is full: make room; a start waits for {NEEDED_MIB} MiB"


# ------------------------------------------------------------------ the page


def waiting_page(language: str) -> bytes:
    """Return the HTTP response (head and page) to every request: a page that says that the disk is full."""
    # imported here, because only a waiting table needs texts in this module
    from controller.common.texts.catalogue import catalogue

    texts = {name: escape(catalogue(language).plain(f"start.{name}")) for name in TEXTS}
    body = PAGE.format(language=language, **texts).encode()
    return _HEAD.format(length=len(body)).encode("ascii") + body


@asynccontextmanager
async def answering(listening: socket.socket, response: bytes) -> AsyncIterator[None]:
    """Answer every request at a listening socket with the bytes `response`, until the end of the block."""
    server = await asyncio.start_server(partial(_answer, response), sock=listening.dup())
    async with server:
        yield


async def _answer(response: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        async with asyncio.timeout(_REQUEST_TIMEOUT_S):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(response)
            await writer.drain()
    writer.close()
