"""If the disk is full at the start, the daemon waits, shows the reason, and starts when the disk has room."""

from __future__ import annotations

import asyncio
import shutil
import signal
import socket
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from controller.common.http.server import open_socket
from controller.common.process.sd_notify import Notifier
from controller.common.texts.catalogue import catalogue, languages
from controller.pages.page_process.wait_for_disk import TEXTS, answering, wait_for_room, waiting_page
from tests.runtime.child import USER, Child, run_arguments, started, table_file
from tests.serving import get_page

FULL = """
import os, shutil, sys
real_usage = shutil.disk_usage
def disk_usage(place):
    return real_usage(place)._replace(free=0) if os.path.exists("full") else real_usage(place)
shutil.disk_usage = disk_usage
from controller.cli import main
sys.exit(main(sys.argv[1:]))
"""
"""Program that runs the daemon on a disk that is full as long as a file named `full` exists."""


def waiting(folder: Path, **display: Any) -> AbstractAsyncContextManager[Child]:
    """Run a daemon on a full disk."""
    (folder / "full").touch()
    file = table_file(folder, display={"port": 0, "port_file": "port", "user": USER, **display})
    return started(folder, ["-c", FULL, *run_arguments(file)[2:]])


@pytest.mark.serial
async def test_the_daemon_shows_the_reason_and_starts_when_there_is_room(tmp_path: Path) -> None:
    with open_socket("127.0.0.1", 0) as found:
        port = found.getsockname()[1]
    async with waiting(tmp_path, port=port, language="es") as child:
        await child.notified(b"the disk is full: make room; a start waits for 1 MiB")
        for path in ("/", "/floor", "/api/live"):
            status, body = await asyncio.to_thread(get_page, f"http://127.0.0.1:{port}{path}")
            assert (status, "EL DISCO ESTÁ LLENO" in body) == (503, True)
        assert not (tmp_path / "journal.db").exists()
        (tmp_path / "full").unlink()
        await child.ready()
        assert (await child.get("/api/view"))["table"] == "T-1"
        assert await child.end() == 0
        words = await child.words()
    assert words.count("the disk is full") == 1, words
    assert "there is room: starting" in words


@pytest.mark.serial
async def test_the_daemon_can_be_stopped_while_it_waits(tmp_path: Path) -> None:
    async with waiting(tmp_path) as child:
        await child.notified(b"the disk is full")
        assert await child.end() == -signal.SIGTERM


async def test_clients_with_no_or_too_long_requests_do_not_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = shutil.disk_usage(tmp_path)
    free = [0]
    monkeypatch.setattr(shutil, "disk_usage", lambda _place: room._replace(free=free[-1]))
    with open_socket("127.0.0.1", 0) as listening:
        start = asyncio.ensure_future(
            wait_for_room(tmp_path / "journal.db", Notifier(None), partial(answering, listening), "en")
        )
        answers = [await answer(listening, asks) for asks in REQUESTS]
        free.append(room.free)
        await start
    assert answers == [b"", b"", waiting_page("en")]


REQUESTS = (b"", b"x" * 100_000, b"GET / HTTP/1.1\r\n\r\n")


async def answer(listening: socket.socket, asks: bytes) -> bytes:
    reader, writer = await asyncio.open_connection(*listening.getsockname())
    try:
        writer.write(asks)
        return await reader.read()
    except ConnectionError:
        return b""
    finally:
        writer.close()


def test_the_waiting_page_has_all_texts_in_each_language() -> None:
    for language in languages():
        head, _, body = waiting_page(language).decode().partition("\r\n\r\n")
        assert f"Content-Length: {len(body.encode())}" in head
        assert all(catalogue(language).plain(f"start.{name}") in body for name in TEXTS)
