"""A process beside the daemon verifies old rows after the start, and damage raises an alert for the
technician."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.game.model.events import Stamp
from controller.record.audit import examine
from controller.record.journal.files import default_keys, reading
from controller.record.journal.history import ARCHIVED, append_act
from controller.record.journal.journal import Journal, JournalEntry
from controller.table.daemon import journal_examiner
from controller.table.daemon.journal_examiner import NOT_YET, Examiner
from tests.runtime.child import run_arguments, started, table_file
from tests.trials.edits.box import Box
from tests.trials.edits.play import played


@pytest.fixture(scope="module")
def played_box(tmp_path_factory: pytest.TempPathFactory) -> Box:
    return played(tmp_path_factory.mktemp("examine") / "box", 3, 8)


@pytest.fixture
def box(played_box: Box, tmp_path: Path) -> Box:
    return played_box.copy_journal(tmp_path / "box")


def examined(box: Box, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    capsys.readouterr()
    return examine.main([str(box.journal), str(box.keys)]), capsys.readouterr().out


def changed(journal: Path, change: str) -> None:
    with closing(sqlite3.connect(journal)) as db, db:
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
        db.execute(change)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examine, "_NICENESS", 0)
    monkeypatch.setattr(examine, "PAUSE_S", 0.0)
    monkeypatch.setattr(journal_examiner, "START_DELAY_S", 0.0)
    monkeypatch.setattr(journal_examiner, "_RETRY_DELAY_S", 0.0)


def test_no_fault_is_found_in_an_intact_journal(box: Box, capsys: pytest.CaptureFixture[str]) -> None:
    assert examined(box, capsys) == (examine.VERIFIED, "")


CHANGES = {
    "row 9 is": "UPDATE events SET utc = '2026-01-01T00:00:00.000Z' WHERE seq = 9",
    "row 1 of the settings is": "UPDATE settings SET pack = replace(pack, '1', '2')",
    "the figures of hour:": "UPDATE figures SET sums = '{}' WHERE key LIKE 'hour:%'",
    "line 1 is not the one of its round": "UPDATE lines SET line = replace(line, '\"', '') WHERE n = 1",
    "the snapshot at row": "DELETE FROM snapshots WHERE seq = (SELECT min(seq) FROM snapshots)",
    "the round of the checkpoint": "UPDATE checkpoints SET round = 99 WHERE number = 1",
    "differ from what the table signed": "UPDATE checkpoints SET note = replace(note, 'crisscross', 'other')",
}


@pytest.mark.parametrize(("words", "change"), CHANGES.items())
def test_damage_is_reported_in_one_line(
    box: Box, words: str, change: str, capsys: pytest.CaptureFixture[str]
) -> None:
    changed(box.journal, change)
    status, output = examined(box, capsys)
    assert status == examine.DAMAGED
    assert words in output
    assert output.count("\n") == 1


def test_missing_rows_are_found(box: Box, capsys: pytest.CaptureFixture[str]) -> None:
    with reading(box.journal) as db:
        rows = db.execute("SELECT max(seq) FROM events").fetchone()[0]
    Path(f"{box.journal}.lock").write_text(f"{rows + 5:<31}\n", encoding="ascii")
    assert (
        f"5 rows that were there are gone: journal shortened: it ends at row {rows} and had {rows + 5}"
        in (examined(box, capsys)[1])
    )


def test_an_archive_being_cut_is_not_damage(box: Box, capsys: pytest.CaptureFixture[str]) -> None:
    """The archive is already written, but the older rows are not removed from the journal yet."""
    with closing(sqlite3.connect(box.journal)) as db, db:
        (seq,) = db.execute("SELECT max(seq) FROM snapshots").fetchone()
        size, frontier = db.execute("SELECT size, frontier FROM checkpoints ORDER BY size DESC").fetchone()
        append_act(db, ARCHIVED, "", "", seq, {"frontier": frontier, "number": 9})
        db.execute("INSERT INTO base VALUES (?, ?, ?, 9)", (seq, size, frontier))
    assert examined(box, capsys) == (examine.LATER, "")


@pytest.mark.serial
async def test_the_result_is_available_when_the_process_has_ended(box: Box) -> None:
    async def result(journal: Path) -> tuple[str | None, str | None, str | None]:
        found = Examiner(journal, default_keys(journal))
        before = found.words(reported=True)
        found.start()
        assert found._task is not None
        await found._task
        return before, found.damage, found.words(reported=True)

    assert await result(box.journal) == (NOT_YET, "", None)
    changed(box.journal, "DELETE FROM opened WHERE period = 0")
    _, damage, words = await result(box.journal)
    assert damage == words
    assert "row 0 of the opened is missing" in str(damage)


async def test_stopping_the_table_ends_the_process(box: Box) -> None:
    found = Examiner(box.journal, box.keys)
    found.start()
    await asyncio.sleep(0)
    await found.stop()
    assert found.damage is None


async def test_a_process_that_ends_while_the_table_stops_is_no_error(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Ending:
        """Process whose end the event loop has noticed, but whose output it has not read yet."""

        def __init__(self) -> None:
            self.reading, self.waited = asyncio.Event(), False

        async def communicate(self) -> None:
            self.reading.set()
            await asyncio.get_running_loop().create_future()

        def kill(self) -> None:
            raise ProcessLookupError

        async def wait(self) -> None:
            self.waited = True

    process = Ending()

    async def start(*_command: str, **_streams: int) -> Ending:
        return process

    monkeypatch.setattr(asyncio, "create_subprocess_exec", start)
    found = Examiner(box.journal, box.keys)
    found.start()
    await process.reading.wait()
    await found.stop()
    assert process.waited


@pytest.mark.serial
async def test_a_daemon_reports_it_on_every_page_and_plays_on(tmp_path: Path) -> None:
    """The table starts, because the damaged row is before the last checkpoint. The technician must be
    notified nevertheless."""
    file, journal = table_file(tmp_path, method="hand", shoe=None), tmp_path / "journal.db"
    async with started(tmp_path, run_arguments(file)) as child:
        await child.ready()
        await child.end()
    with closing(Journal(journal)) as signed:
        signed.append([JournalEntry(None)], signed.last_stamp() or Stamp(0, ""))
        signed.sign()
    changed(journal, "UPDATE events SET utc = '2026-01-01T00:00:00.000Z' WHERE seq = 1")
    async with started(tmp_path, run_arguments(file)) as child:
        await child.ready()
        await child.until(lambda view: "journal_damaged" in str(view["alerts"]))
        devices, view = await child.get("/api/devices"), await child.get("/api/view")
        await child.end()
    damage, phase = devices["machine"]["journal"], view["phase"]
    assert "row 1 is not as it was written" in damage
    assert phase == "closed"
