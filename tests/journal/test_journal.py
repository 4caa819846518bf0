"""The journal stores each event once and in order, and reports each fault in one line."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from controller.game.model.cards import DECK
from controller.game.model.events import CardLeftShoe, KeyPressed, StackTaken, Stamp
from controller.game.model.names import Key
from controller.record.journal.files import reading
from controller.record.journal.journal import MAX_SNAPSHOTS, Journal, JournalEntry
from controller.record.journal.rows import read_rows
from controller.record.journal.schema import JournalError, JournalFault

STAMP = Stamp(1000, "2026-11-20T20:31:07.123Z")
PRESS = JournalEntry(KeyPressed(Key.CONFIRM))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    opened = Journal(path)
    yield opened
    opened.close()


def reopened(journal: Journal) -> Journal:
    journal.close()
    return Journal(journal.path)


def test_written_rows_survive_a_restart(journal: Journal) -> None:
    journal.append(
        [JournalEntry(CardLeftShoe(1, DECK[3]), "2A"), JournalEntry(StackTaken(), "2B"), PRESS], STAMP
    )
    again = reopened(journal)
    assert [row.event() for row in again.rows()] == [CardLeftShoe(1, DECK[3]), StackTaken(), PRESS.event]
    assert [row.seq for row in again.rows(after=1)] == [2, 3]
    assert (again.head, again.last_mark(), again.last_stamp()) == (3, "2B", STAMP)
    again.close()


def test_an_empty_journal_has_no_last_row_or_snapshot(journal: Journal) -> None:
    assert (journal.head, journal.last_mark(), journal.last_stamp()) == (0, None, None)
    assert list(journal.rows()) == []


def test_the_mark_of_an_unused_frame_is_stored(journal: Journal) -> None:
    journal.append([JournalEntry(None, "07")], STAMP)
    assert journal.last_mark() == "07"
    assert [row.event() for row in journal.rows()] == [None]


def test_the_repr_of_a_row_hides_its_body(journal: Journal) -> None:
    journal.append([JournalEntry(CardLeftShoe(1, DECK[3]), "2A")], STAMP)
    assert DECK[3] not in repr(next(journal.rows()))


CHANGES = ["UPDATE events SET body = '{}'", "DELETE FROM events", "DELETE FROM settings"]


@pytest.mark.parametrize("statement", CHANGES)
def test_rows_cannot_be_changed_or_deleted(journal: Journal, statement: str) -> None:
    journal.append([PRESS], STAMP)
    journal.store_settings(STAMP, "sha256:1", "{}", "{}")
    other = sqlite3.connect(journal.path)
    with pytest.raises(sqlite3.IntegrityError, match="only grows"):
        other.execute(statement)
    other.close()


def test_settings_are_stored_when_they_change(journal: Journal) -> None:
    for digest in ("a", "a", "b", "a"):
        journal.store_settings(STAMP, digest, "{}", "{}")
        journal.append([PRESS], STAMP)
    assert [(each.seq, each.digest) for each in journal.settings()] == [(1, "a"), (3, "b"), (4, "a")]


def test_only_the_newest_snapshots_stay(journal: Journal) -> None:
    for number in range(MAX_SNAPSHOTS + 5):
        journal.append([PRESS], STAMP)
        journal.store_snapshot(f'"{number}"')
    *kept, first = journal.snapshots()
    assert len(kept) == MAX_SNAPSHOTS
    assert first == (1, '"0"'), "the first of its day: an archive ends at one"
    assert kept[0] == (MAX_SNAPSHOTS + 5, f'"{MAX_SNAPSHOTS + 4}"')


def test_only_the_journal_s_user_may_read_it(journal: Journal) -> None:
    journal.append([PRESS], STAMP)
    for file in journal.path.parent.rglob("*"):
        assert stat.S_IMODE(file.stat().st_mode) == (0o700 if file.is_dir() else 0o600), file.name


def test_a_restored_journal_becomes_private_again(journal: Journal) -> None:
    for file in journal.path.parent.glob("journal.sqlite*"):
        file.chmod(0o755 if file.is_dir() else 0o644)
    reopened(journal).close()
    for file in journal.path.parent.glob("journal.sqlite*"):
        assert stat.S_IMODE(file.stat().st_mode) == (0o700 if file.is_dir() else 0o600), file.name


def test_a_reader_sees_a_running_journal_and_cannot_write(journal: Journal) -> None:
    journal.append([PRESS], STAMP)
    with reading(journal.path) as reader:
        assert reader.execute("SELECT count(*) FROM events").fetchone() == (1,)
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            reader.execute("INSERT INTO snapshots VALUES (1, '')")


def test_a_reader_sees_a_consistent_state_while_the_daemon_writes(journal: Journal) -> None:
    journal.append([PRESS], STAMP)
    count = "SELECT (SELECT count(*) FROM events), (SELECT count(*) FROM leaves)"
    with reading(journal.path) as reader:
        before = reader.execute(count).fetchone()
        journal.append([PRESS], STAMP)
        after = reader.execute(count).fetchone()
    assert after == before


# ---------------------------------------------------------------------- refused files


def refusal(path: Path) -> str:
    with pytest.raises(JournalError) as caught:
        Journal(path)
    line = str(caught.value)
    assert "\n" not in line
    assert str(path) in line
    return line


def test_a_second_daemon_is_refused(journal: Journal) -> None:
    assert "another daemon holds it" in refusal(journal.path)


def test_the_lock_is_released_after_a_refusal(path: Path) -> None:
    path.write_bytes(b"not a database, but long enough to look like a file of some other kind" * 20)
    refusal(path)
    path.unlink()
    Journal(path).close()


def test_a_file_that_is_not_a_database_is_refused(path: Path) -> None:
    path.write_bytes(b"x" * 5000)
    assert "not an SQLite database" in refusal(path)


def test_another_program_s_database_is_refused_unchanged(path: Path) -> None:
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE mine (a)")
    other.close()
    before = path.read_bytes()
    assert "another program's database" in refusal(path)
    assert path.read_bytes() == before


def test_a_journal_of_a_newer_version_is_refused(path: Path) -> None:
    Journal(path).close()
    other = sqlite3.connect(path)
    other.execute("PRAGMA user_version = 99")
    other.close()
    assert "has schema 99" in refusal(path)


def test_a_missing_folder_of_the_journal_is_reported(tmp_path: Path) -> None:
    assert "folder must be there" in refusal(tmp_path / "nowhere" / "journal.sqlite")


def test_a_folder_in_place_of_the_journal_is_refused(path: Path) -> None:
    path.mkdir()
    refusal(path)


def test_a_damaged_journal_is_reported(path: Path) -> None:
    filled = Journal(path)
    filled.append([PRESS] * 2000, STAMP)
    filled.close()
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(os.urandom(40_000))
    assert "damaged" in refusal(path)


def unread(path: Path) -> str:
    """Return the text of the error with which a reader of this journal is refused."""
    with pytest.raises(JournalError) as caught, reading(path) as reader:
        list(read_rows(reader))
    line = str(caught.value)
    assert line.startswith(f"journal {path}: ")
    assert "\n" not in line
    return line


def test_a_reader_of_a_missing_journal_is_refused(path: Path) -> None:
    assert "there is no such file" in unread(path)
    path.write_bytes(b"x" * 5000)
    assert "not an SQLite database" in unread(path)
    assert "is no file" in unread(path.parent)
    path.write_bytes(b"")
    assert "is empty; name another file" in unread(path)


def test_a_reader_reports_later_damage(path: Path) -> None:
    filled = Journal(path)
    filled.append([PRESS] * 2000, STAMP)
    filled.close()
    with path.open("r+b") as file:
        file.seek(8192)
        file.write(b"Z" * (path.stat().st_size - 8192))
    assert "damaged" in unread(path)


def refused_by_the_system(*_: object, **__: object) -> NoReturn:
    raise PermissionError(errno.EACCES, "Permission denied")


@pytest.mark.parametrize("step", ["is_file", "open"])
def test_a_reader_without_permission_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """The missing permission concerns either the journal's folder or its file."""
    Journal(path).close()
    monkeypatch.setattr(Path, step, refused_by_the_system)
    assert "cannot be read: Permission denied" in unread(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_reader_without_write_permission_in_the_folder_is_refused(path: Path) -> None:
    """To read a journal, SQLite must create two files in its folder."""
    Journal(path).close()
    path.parent.chmod(0o500)
    try:
        assert "may not write in its folder" in unread(path)
    finally:
        path.parent.chmod(0o700)


# ---------------------------------------------------------------------- a disk that fills up while running


def fill_up(journal: Journal) -> None:
    pages = journal._db.execute("PRAGMA page_count").fetchone()[0]
    journal._db.execute(f"PRAGMA max_page_count = {pages}").fetchall()


def test_a_batch_refused_by_a_full_disk_can_be_written_again(journal: Journal) -> None:
    journal.append([PRESS], STAMP)
    fill_up(journal)
    batch = [JournalEntry(KeyPressed(Key.FOLD))] * 2000
    with pytest.raises(JournalFault, match="disk is full"):
        journal.append(batch, STAMP)
    assert journal.head == 1, "nothing of it counts"
    assert not journal.recover()
    journal.append(batch, STAMP)
    assert journal.head == 2001
    again = reopened(journal)
    assert (again.head, sum(1 for _ in again.rows())) == (2001, 2001)
    again.close()


def test_a_commit_that_succeeded_despite_an_error_is_not_repeated(journal: Journal) -> None:
    journal.append([PRESS], STAMP)
    batch = [JournalEntry(StackTaken(), "11"), PRESS]
    journal.append(batch, STAMP)
    journal.head = 1  # pretends that the disk has failed the commit
    assert journal.recover()
    assert journal.head == 3
    assert [row.kind for row in journal.rows()] == ["KeyPressed", "StackTaken", "KeyPressed"]


def test_moving_the_log_into_the_database_loses_nothing(journal: Journal) -> None:
    for _ in range(450):
        journal.append([PRESS], STAMP)
    journal.checkpoint_wal()
    again = reopened(journal)
    assert again.head == 450
    again.close()


@pytest.mark.parametrize("lost", [1, 100, 4096, 5000, 20_000, 100_000])
def test_a_torn_tail_loses_only_whole_commits_from_the_end(tmp_path: Path, lost: int) -> None:
    """The power was cut during a write: the file ends with the beginning of the written data."""
    written = Journal(tmp_path / "journal.sqlite")
    for number in range(1, 41):
        written.append([JournalEntry(CardLeftShoe(number, DECK[0]), str(number)), PRESS], STAMP)
    (tmp_path / "torn").mkdir()
    for name in ("journal.sqlite", "journal.sqlite-wal"):
        shutil.copy(tmp_path / name, tmp_path / "torn" / name)
    shutil.copytree(tmp_path / "journal.sqlite.keys", tmp_path / "torn" / "journal.sqlite.keys")
    written.close()
    log = tmp_path / "torn" / "journal.sqlite-wal"
    os.truncate(log, max(0, log.stat().st_size - lost))
    torn = Journal(tmp_path / "torn" / "journal.sqlite")
    rows = list(torn.rows())
    assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
    assert len(rows) % 2 == 0, "both rows of a commit or none"
    assert len(rows) < 80
    assert torn.last_mark() == (str(len(rows) // 2) if rows else None)
    torn.append([PRESS], STAMP)
    torn.close()
