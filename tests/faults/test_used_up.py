"""If a resource of the machine is used up, the daemon plays on or ends with one line."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from json import JSONDecodeError
from pathlib import Path
from typing import NoReturn

import pytest

from controller import cli
from controller.record.journal.journal import Journal
from tests.repository.house import ROOT
from tests.runtime.child import PATIENCE_S, Child, run_arguments, started, table_file

pytestmark = pytest.mark.serial

LIMITED = """
import resource, sys
from controller.cli import main
resource.setrlimit(resource.RLIMIT_{0}, ({1}, {1}))
raise SystemExit(main(sys.argv[1:]))
"""


def descriptors(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def pages_of(pid: int) -> int:
    """Return the process number of the page process that the daemon has started, or 0 if none runs."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    found = [int(each) for each in children if b"controller.pages.page_process.main" in cmdline(int(each))]
    return found[0] if found else 0


def cmdline(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def rows(folder: Path) -> list[str]:
    journal = Journal(folder / "journal.db")
    try:
        return [row.kind for row in journal.rows()]
    finally:
        journal.close()


FEW = "{}: {} are allowed and this table needs {}; raise the limit in its unit"
NO_ROOM = "crisscross: no more room on the disk can be had; make room, and do it again"
NO_MEMORY = "crisscross: no more memory can be had; see what else runs, or raise the limit"


@pytest.mark.parametrize(
    ("limit", "most", "message"),
    [
        ("NOFILE", 8, FEW.format("open files", 8, 64)),
        ("NOFILE", 63, FEW.format("open files", 63, 64)),
        ("AS", 40 * 2**20, FEW.format("MiB of addresses", 40, 256)),
        ("AS", 255 * 2**20, FEW.format("MiB of addresses", 255, 256)),
    ],
)
async def test_a_start_without_resources_gives_one_line(
    tmp_path: Path, limit: str, most: int, message: str
) -> None:
    arguments = ["run", "--mock", "--config", str(table_file(tmp_path))]
    async with started(tmp_path, ["-c", LIMITED.format(limit, most), *arguments]) as child:
        status, lines = await child.ended(), (await child.words()).splitlines()
    assert status == 1
    assert lines == [message]


def test_a_command_without_memory_ends_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nothing_left(_given: object) -> NoReturn:
        raise MemoryError

    monkeypatch.setattr(cli, "parser_for", nothing_left)
    assert cli.main(["rules", "show", "pennsylvania"]) == 1
    assert capsys.readouterr().err.splitlines() == [NO_MEMORY]


def test_output_to_a_full_disk_ends_in_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "controller", "states"]
        done = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr.splitlines()) == (1, [NO_ROOM])


async def test_a_table_without_a_free_descriptor_plays_on(tmp_path: Path) -> None:
    async with started(tmp_path, run_arguments(table_file(tmp_path))) as child:
        await child.ready()
        pid = child.process.pid
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (descriptors(pid), 4096))
        for number in ("D1", "D2"):
            assert await child.touch(do="sign_on", number=number) == (200, {"ok": True})
        assert await child.end() == 0
    assert rows(tmp_path).count("DealerSignedOn") == 2


async def test_a_table_without_memory_ends_and_resumes_after_a_restart(tmp_path: Path) -> None:
    """The daemon never keeps running without its screen. Its supervisor restarts it, and no data is lost."""

    async def until_it_ends() -> tuple[int, int]:
        answered = 0
        async with started(tmp_path, ["-m", "tests.faults.starving", str(table_file(tmp_path))]) as child:
            await child.ready()
            child.process.send_signal(signal.SIGUSR1)
            for number in range(1000):
                if child.process.returncode is not None:
                    break
                # if the daemon is silent, the pages show no view, and its missing fields raise KeyError
                with suppress(ConnectionError, IndexError, JSONDecodeError, KeyError):
                    answered += (await child.touch(do="sign_on", number=f"D{number}"))[0] == 200
            return await child.ended(), answered

    async def again() -> None:
        async with started(tmp_path, run_arguments(table_file(tmp_path))) as child:
            await child.ready()
            assert await child.end() == 0

    status, answered = await until_it_ends()
    assert status == 1
    assert rows(tmp_path).count("DealerSignedOn") >= answered
    await again()


async def test_killed_pages_are_restarted_without_an_effect_on_the_game(tmp_path: Path) -> None:
    async def until(fits: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not fits():
                await asyncio.sleep(0)

    async def work(child: Child) -> None:
        pid = child.process.pid
        first = pages_of(pid)
        os.kill(first, signal.SIGKILL)
        await until(lambda: pages_of(pid) not in (0, first))
        assert (await child.get("/api/view"))["table"] == "T-1"

    async with started(tmp_path, run_arguments(table_file(tmp_path))) as child:
        await child.ready()
        await work(child)
        assert await child.end() == 0
    assert rows(tmp_path) == ["Started"]
