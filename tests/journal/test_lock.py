"""A journal is locked by its files and not by their names: a second program is refused under any name, and a
deleted, moved or replaced file is reported before the next commit."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from controller.cli import main
from controller.game.model.events import KeyPressed, Stamp
from controller.game.model.names import Key
from controller.record.backup.archive import archive_rows
from controller.record.backup.copying import copy_database
from controller.record.journal.files import is_locked, reading
from controller.record.journal.history import FOUND, append_act
from controller.record.journal.journal import COMMITS_PER_CHECKPOINT, Journal, JournalEntry
from controller.record.journal.schema import JournalError, JournalFault, NotOurJournal

STAMP = Stamp(1000, "2026-11-20T20:31:07.123Z")
PRESS = JournalEntry(KeyPressed(Key.CONFIRM))
HELD = "another daemon holds it; end that one first"
CHANGED = "was deleted, moved or replaced while this program has it open; put the same file back"
ENDINGS = ("", "-wal", "-shm", ".lock", ".keys")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "table"
    found.mkdir()
    return found


def rows_of(path: Path) -> int:
    with reading(path) as db:
        return int(db.execute("SELECT count(*) FROM events").fetchone()[0])


def exchanged(file: Path) -> None:
    """Move a file or folder away and put a copy in its place."""
    away = file.rename(file.with_name("away"))
    (shutil.copytree if away.is_dir() else shutil.copy2)(away, file)


def deleted(file: Path) -> None:
    shutil.rmtree(file) if file.is_dir() else file.unlink()


@pytest.mark.parametrize("change", [deleted, exchanged])
@pytest.mark.parametrize("ending", ENDINGS)
def test_nothing_is_written_after_a_file_was_deleted_or_replaced(
    folder: Path, ending: str, change: Callable[[Path], None]
) -> None:
    file = folder / f"journal.db{ending}"
    with closing(Journal(folder / "journal.db")) as journal:
        journal.append([PRESS], STAMP)
        change(file)
        writes: tuple[Callable[[], object], ...] = (
            lambda: journal.append([PRESS], STAMP), journal.sign, lambda: journal.store_snapshot("{}"),
            lambda: journal.store_settings(STAMP, "d", "p", "s"), journal.recover, journal.check_files,
        )  # fmt: skip
        for write in writes:
            with pytest.raises(JournalFault) as caught:
                write()
            assert str(caught.value).startswith(f"journal {folder / 'journal.db'}: {file} {CHANGED}")
        assert journal.head == 1
        assert file.exists() == (change is exchanged), "nothing is created in its place"


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_journal_can_be_written_again_when_the_same_file_is_back(folder: Path, ending: str) -> None:
    path = folder / "journal.db"
    file = Path(f"{path}{ending}")
    with closing(Journal(path)) as journal:
        journal.append([PRESS], STAMP)
        away = file.rename(folder / "away")
        with pytest.raises(JournalFault):
            journal.append([PRESS], STAMP)
        away.rename(file)
        assert journal.recover() is False
        journal.append([PRESS], STAMP)
        assert (journal.head, rows_of(path)) == (2, 2)
        with pytest.raises(JournalError, match=HELD):
            Journal(path)


def test_rows_of_a_deleted_log_are_in_the_journal_after_the_end(folder: Path) -> None:
    path = folder / "journal.db"
    with closing(Journal(path)) as journal:
        journal.append([PRESS, PRESS], STAMP)
        Path(f"{path}-wal").unlink()
        with pytest.raises(JournalFault):
            journal.append([PRESS], STAMP)
    with closing(Journal(path)) as journal:
        assert journal.head == 2


def test_the_end_leaves_the_files_of_another_journal_in_its_place(folder: Path) -> None:
    path, log = folder / "journal.db", folder / "journal.db-wal"
    with closing(Journal(path)) as journal:
        journal.append([PRESS], STAMP)
        path.unlink()
        log.unlink()
        path.write_bytes(b"another")
        log.write_bytes(b"its log")
    assert (path.read_bytes(), log.read_bytes()) == (b"another", b"its log")


def test_a_symbolic_link_leads_to_the_same_lock(folder: Path, tmp_path: Path) -> None:
    path, link = folder / "journal.db", tmp_path / "journal.db"
    with closing(Journal(path)):
        for ending in ("", ".keys"):
            Path(f"{link}{ending}").symlink_to(f"{path}{ending}")
        assert is_locked(link)
        with pytest.raises(JournalError, match=HELD):
            Journal(link)
    assert not Path(f"{link}.lock").exists()
    with closing(Journal(link)) as journal:
        journal.append([PRESS], STAMP)
        with pytest.raises(JournalError, match=HELD):
            Journal(path)
        journal.check_files()
        link.unlink()
        with pytest.raises(JournalFault, match=CHANGED):
            journal.append([PRESS], STAMP)


def test_the_key_folder_is_locked_for_other_programs_even_if_the_lock_was_deleted(folder: Path) -> None:
    path = folder / "journal.db"
    opening = f"from controller.record.journal.journal import Journal, Path\nJournal(Path({str(path)!r}))"
    with closing(Journal(path)) as journal:
        Path(f"{path}.lock").unlink()
        second = subprocess.run([sys.executable, "-c", opening], capture_output=True, text=True, check=False)
        assert f"JournalError: journal {path}: {HELD}" in second.stderr
        with pytest.raises(JournalFault, match=r"journal\.db\.lock was deleted"):
            journal.append([PRESS], STAMP)
    with closing(Journal(path)) as journal:
        assert journal.head == 0


def test_a_journal_with_two_names_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, second = folder / "journal.db", folder / "second.db"
    with closing(Journal(path)) as journal:
        journal.append([PRESS], STAMP)
    os.link(path, second)
    for name in (path, second):
        with pytest.raises(NotOurJournal, match=r"has 2 names \(hard links\)"):
            Journal(name, keys=Path(f"{path}.keys"))
        with pytest.raises(NotOurJournal, match="has 2 names"):
            archive_rows(name, folder, datetime(2030, 1, 1, tzinfo=UTC), 90)
    assert main(["journal", "shortened", str(path)]) == 2
    assert "delete the others" in capsys.readouterr().err
    second.unlink()
    Journal(path).close()


def test_commands_beside_a_running_table_are_no_fault(folder: Path, tmp_path: Path) -> None:
    """Copying, reading, archiving, an act of the history and SQLite's own checkpoints do not replace the
    journal's files."""
    path = folder / "journal.db"
    with closing(Journal(path)) as journal:
        for number in range(COMMITS_PER_CHECKPOINT + 1):
            journal.append([PRESS], STAMP)
            journal.checkpoint_wal()
            if number % 100 == 0:
                assert rows_of(path) == number + 1
        journal.sign()
        journal.store_snapshot("{}")
        copy_database(path, tmp_path / "copy.db")
        assert archive_rows(path, tmp_path, datetime(2026, 11, 21, tzinfo=UTC), 90) is None
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("BEGIN IMMEDIATE")
            append_act(db, FOUND, "", "", 0, {"frontier": "0", "number": 0})
            db.execute("COMMIT")
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        journal.append([PRESS], STAMP)
        assert journal.recover() is False
        journal.append([PRESS], STAMP)
        assert rows_of(path) == journal.head == COMMITS_PER_CHECKPOINT + 3
