"""If pages run as a process that connects to the daemon's socket, play continues when either process ends,
hangs or is replaced."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.other_users import UNPRIVILEGED_UID, let_in, needs_shared_python, run_as
from tests.runtime.child import PATIENCE_S, ROOT, USER, Child, run_arguments, started, table_file
from tests.runtime.test_waiting import FULL
from tests.serving import get_page

pytestmark = pytest.mark.serial


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def arguments(folder: Path, **more: Any) -> list[str]:
    """Return the arguments of a daemon that leaves its pages to another process."""
    display = {"port": free_port(), "port_file": "port", "user": USER, **more}
    file = table_file(folder, display=display)
    return [*run_arguments(file), "--pages", str(folder / "socket"), "--pages-user", str(os.geteuid())]


@asynccontextmanager
async def pages(folder: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run `crisscross pages` and yield the process, which is killed at the end."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "controller", "pages", str(folder / "socket"),
        cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def soon(holds: Callable[[], bool]) -> None:
    """Wait until the check holds. It is made fifty times a second; more checks would keep the tested
    processes busy."""
    pause = threading.Event()
    async with asyncio.timeout(PATIENCE_S):
        while not await asyncio.to_thread(holds):
            await asyncio.to_thread(pause.wait, 0.02)


def shows(child: Child) -> Callable[[], bool]:
    """Return a function that checks whether the pages show this table."""

    def look() -> bool:
        try:
            status, body = get_page(f"http://127.0.0.1:{child.port}/api/view")
        except OSError:
            return False
        return status == 200 and json.loads(body)["table"] == "T-1"

    return look


async def test_the_table_is_ready_without_pages_which_may_be_killed_or_replaced(tmp_path: Path) -> None:
    async with started(tmp_path, arguments(tmp_path)) as child:
        await child.ready()
        assert not shows(child)()
        async with pages(tmp_path) as first:
            await soon(shows(child))
            assert await child.touch(do="sign_on", number="D7") == (200, {"ok": True})
            assert (await child.get("/api/view"))["dealer"] == "D7"
            first.kill()
            await first.wait()
        async with pages(tmp_path) as second:
            await soon(shows(child))
            second.send_signal(signal.SIGSTOP)
            async with pages(tmp_path) as third:
                # The hung process keeps the port until it runs again and notices that its connection is
                # closed.
                second.send_signal(signal.SIGCONT)
                await second.wait()
                # the port was still in use, so the unit of the process restarts it
                if third.returncode is not None:
                    assert third.returncode == 1
            async with pages(tmp_path):
                await soon(shows(child))
        assert await child.end() == 0
        words = await child.words()
    assert "display: http://127.0.0.1:" in words
    assert "the page process has ended; the next one is answered in 1 s" in words
    assert "the page process is replaced by a newer one" in words


async def test_a_hanging_page_process_does_not_prevent_the_start_of_a_daemon(tmp_path: Path) -> None:
    """The page process and not the daemon has the port, so a hung page process cannot keep a daemon from
    starting."""
    command = arguments(tmp_path)
    async with pages(tmp_path) as hanging:
        async with started(tmp_path, command) as child:
            await child.ready()
            await soon(shows(child))
            hanging.send_signal(signal.SIGSTOP)
            await child.kill()
        async with started(tmp_path, command) as again:
            await again.ready()
            assert await again.end() == 0


async def test_pages_stop_with_their_daemon_and_wait_for_the_next(tmp_path: Path) -> None:
    command = arguments(tmp_path)
    async with pages(tmp_path) as process:
        async with started(tmp_path, command) as child:
            await child.ready()
            await soon(shows(child))
            await child.kill()
        async with asyncio.timeout(PATIENCE_S):
            assert await process.wait() == 0
    async with pages(tmp_path) as process:
        assert process.stderr is not None
        assert b"waiting for the daemon" in await process.stderr.readline()
        async with started(tmp_path, command) as child:
            await child.ready()
            await soon(shows(child))
            assert await child.end() == 0


async def test_on_a_full_disk_the_pages_show_the_reason(tmp_path: Path) -> None:
    (tmp_path / "full").touch()
    command = arguments(tmp_path, language="es")
    async with started(tmp_path, ["-c", FULL, *command[2:]]) as child:
        await child.notified(b"the disk is full")
        port = json.loads((tmp_path / "table.yaml").read_text().partition("port: ")[2].split()[0])
        async with pages(tmp_path) as process:
            await soon(lambda: shows_text(port, "EL DISCO ESTÁ LLENO"))
            (tmp_path / "full").unlink()
            await child.ready()
            async with asyncio.timeout(PATIENCE_S):
                assert await process.wait() == 0
        async with pages(tmp_path):
            await soon(shows(child))
        assert await child.end() == 0


def shows_text(port: int, words: str) -> bool:
    try:
        status, body = get_page(f"http://127.0.0.1:{port}/")
    except OSError:
        return False
    return status == 503 and words in body


@needs_shared_python
async def test_a_page_process_of_another_user_is_refused_with_one_line(tmp_path: Path) -> None:
    connect = (
        "import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); print(s.recv(99))"
    )

    async def run() -> str:
        async with started(let_in(tmp_path), arguments(tmp_path)) as child:
            await child.ready()
            (tmp_path / "socket").chmod(0o666)
            for _ in range(3):
                run = await asyncio.to_thread(run_as, UNPRIVILEGED_UID, "-c", connect, tmp_path / "socket")
                assert run.stdout in ("b''\n", ""), "no option, no view"
            async with pages(tmp_path):
                await soon(shows(child))
            assert await child.end() == 0
            return await child.words()

    words = await run()
    assert words.count(f"a connection of user {UNPRIVILEGED_UID} is refused") == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("--pages", "/nowhere/socket"), "pages: socket /nowhere/socket: No such file or directory"),
        (("--pages-user", "crisscross-none"), "--pages-user: this machine has no user crisscross-none"),
    ],
)
async def test_an_unavailable_socket_or_user_gives_one_line(
    tmp_path: Path, change: tuple[str, str], words: str
) -> None:
    command = arguments(tmp_path)
    command[command.index(change[0]) + 1] = change[1]
    async with started(tmp_path, command) as child:
        status, output = await child.ended(), await child.words()
    assert status in (1, 2)
    assert words in output
    assert "Traceback" not in output


async def test_a_page_process_in_a_unit_without_a_network_gives_one_line(tmp_path: Path) -> None:
    """An older version's drop-in of the unit names no socket for the pages."""
    none = """import errno, os, socket, sys
made = socket.socket
class Refusing(made):
    def __init__(self, family=-1, *more, **named):
        if family == socket.AF_INET:
            raise OSError(errno.EAFNOSUPPORT, os.strerror(errno.EAFNOSUPPORT))
        super().__init__(family, *more, **named)
socket.socket = Refusing
from controller.cli import main
sys.exit(main(sys.argv[1:]))
"""
    command = run_arguments(table_file(tmp_path))
    async with started(tmp_path, ["-c", none, *command[2:]]) as child:
        status, output = await child.ended(), await child.words()
    assert (status, output.count("\n")) == (1, 1)
    assert "Address family not supported by protocol; this process may not have it" in output
    assert "(run --pages)" in output
