"""If the journal of a running daemon is deleted, moved, replaced or opened by a second program, the daemon
acknowledges nothing more and the screen shows that records cannot be written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.runtime.child import run_arguments, started, table_file

pytestmark = pytest.mark.slow

JOURNAL = ("journal.db", "journal.db-wal", "journal.db-shm")


def faulty(view: Any) -> bool:
    return [alert["code"] for alert in view["alerts"]] == ["journal_fault"]


async def test_no_touch_is_acknowledged_after_the_journal_was_moved(tmp_path: Path) -> None:
    """The daemon notices the loss even while the table is idle. It creates no new journal, and play continues
    once the moved one is back."""
    async with started(tmp_path, run_arguments(table_file(tmp_path))) as child:
        await child.ready()
        (tmp_path / "away").mkdir()
        for name in JOURNAL:
            (tmp_path / name).rename(tmp_path / "away" / name)
        await child.until(faulty)
        status, answer = await child.touch(do="sign_on", number="D7")
        assert (status, answer["code"]) == (409, "journal_fault")
        assert (await child.get("/api/view"))["dealer"] is None
        assert not (tmp_path / "journal.db").exists()
        for name in JOURNAL:
            (tmp_path / "away" / name).rename(tmp_path / name)
        await child.until(lambda view: not view["alerts"])
        assert (await child.touch(do="sign_on", number="D7"))[0] == 200
        assert await child.end() == 0
        assert (
            "journal.db was deleted, moved or replaced while this program has it open" in await child.words()
        )
    async with started(tmp_path, run_arguments(table_file(tmp_path))) as child:
        await child.ready()
        assert (await child.get("/api/view"))["dealer"] == "D7"


@pytest.mark.parametrize("way", ["symbolic link", "deleted lock"])
async def test_a_second_program_is_refused_and_begins_no_journal(tmp_path: Path, way: str) -> None:
    first, other = tmp_path / "first", tmp_path / "other"
    first.mkdir()
    other.mkdir()
    async with started(first, run_arguments(table_file(first))) as child:
        await child.ready()
        if way == "deleted lock":
            (first / "journal.db.lock").unlink()
        for name in ("journal.db", "journal.db.keys"):
            (other / name).symlink_to(first / name)
        async with started(other, run_arguments(table_file(other))) as second:
            assert await second.ended() == 1
            assert "another daemon holds it; end that one first" in await second.words()
        status = (await child.touch(do="sign_on", number="D7"))[0]
        assert status == (409 if way == "deleted lock" else 200)


async def test_a_second_start_leaves_the_socket_of_the_pages(tmp_path: Path) -> None:
    display = {"port": 1, "user": "root"}
    file, socket = table_file(tmp_path, display=display), tmp_path / "socket"
    arguments = [*run_arguments(file), "--pages", str(socket), "--pages-user", str(os.geteuid())]
    async with started(tmp_path, arguments) as child:
        await child.ready()
        first = socket.stat().st_ino
        async with started(tmp_path, arguments) as second:
            assert await second.ended() == 1
            assert "another daemon holds it" in await second.words()
        assert socket.stat().st_ino == first
        other = tmp_path / "other"
        other.mkdir()
        arguments[arguments.index("--config") + 1] = str(table_file(other, display=display))
        async with started(other, arguments) as second:
            assert await second.ended() == 1
            assert (
                f"socket {socket}: a running program answers at it; end that one first"
                in await second.words()
            )
        assert socket.stat().st_ino == first
