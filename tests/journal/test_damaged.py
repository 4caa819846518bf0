"""An error about a damaged journal is one line with the file and the row, and contains no content of a row.

A row may contain a card that has not been shown, so an error must not quote it.
"""

from __future__ import annotations

import gzip
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from shutil import copytree

import pytest

from controller.cli import main
from controller.game.model.events import KeyPressed, Stamp
from controller.game.model.names import Key
from controller.game.model.state import TableSettings
from controller.record.audit.integrity import verify_journal
from controller.record.journal.journal import Journal, JournalEntry
from controller.record.journal.replay import restore_table
from controller.record.journal.schema import JournalError, NotOurJournal
from controller.rules.packs.loader import find_pack, load_pack
from tests.ended import read_rounds

FIXTURE = Path(__file__).with_name("fixtures") / "pennsylvania.db.gz"
PAGE = 4096
STAMP = Stamp(1000, "2026-11-20T20:31:07.123Z")
Damage = Callable[[random.Random, bytes], bytes]


def flipped(dice: random.Random, whole: bytes) -> bytes:
    at = dice.randrange(len(whole))
    return whole[:at] + bytes((whole[at] ^ 1 << dice.randrange(8),)) + whole[at + 1 :]


def cut(dice: random.Random, whole: bytes) -> bytes:
    return whole[: dice.randrange(1, len(whole))]


def a_page_gone(dice: random.Random, whole: bytes) -> bytes:
    at = dice.randrange(len(whole) // PAGE) * PAGE
    return whole[:at] + bytes(PAGE) + whole[at + PAGE :]


def rubbish(dice: random.Random, whole: bytes) -> bytes:
    at = dice.randrange(len(whole))
    return whole[:at] + dice.randbytes(12) + whole[at + 12 :]


@pytest.fixture(scope="module")
def whole() -> bytes:
    return gzip.decompress(FIXTURE.read_bytes())


def error_message(work: Callable[[], object]) -> str:
    """Return the text of the JournalError that `work` raises. Any other exception is a defect and fails the
    test."""
    try:
        work()
    except JournalError as error:
        return str(error)
    return ""


@pytest.mark.slow
@pytest.mark.parametrize("damage", [flipped, cut, a_page_gone, rubbish])
def test_any_damage_gives_one_line_without_content_of_a_row(
    damage: Damage, whole: bytes, tmp_path: Path
) -> None:
    pack, dice, named = load_pack(find_pack("pennsylvania")), random.Random(7), 0
    for number in range(15):
        file = tmp_path / f"{number}.db"
        file.write_bytes(damage(dice, whole))

        def start(file: Path = file) -> None:
            with closing(Journal(file)) as journal:
                restore_table(journal, pack, TableSettings())

        read = error_message(lambda file=file: (read_rounds(file), verify_journal(file)))  # type: ignore[misc]
        for message in (read, error_message(start)):
            named += bool(message)
            assert "\n" not in message
            assert not message or message.startswith(f"journal {file}: ")
            assert '"' not in message
            assert "{" not in message
    assert named


def test_a_lost_page_is_named_at_the_start(whole: bytes, tmp_path: Path) -> None:
    file = tmp_path / "journal.db"
    for at in range(0, len(whole), PAGE):
        file.write_bytes(whole[:at] + bytes(PAGE) + whole[at + PAGE :])
        with pytest.raises(NotOurJournal) as caught:
            Journal(file)
        assert "\n" not in str(caught.value), at // PAGE


@pytest.mark.parametrize(("rows", "status"), [("", 0), ("events", 2)])
def test_a_journal_without_its_identity_is_one_line_or_has_no_rounds(
    rows: str, status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A daemon that ends before it has drawn the identity leaves a journal without rows, which is no
    damage."""
    file = tmp_path / "journal.db"
    played(file)
    with closing(sqlite3.connect(file)) as db:
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
        for table in {"identity", "events", "snapshots"} - {rows}:
            db.execute(f"DELETE FROM {table}")  # noqa: S608  # one of the names above
        db.commit()
    assert main(["rounds", "list", "--journal", str(file)]) == status
    assert capsys.readouterr().err.count("\n") == 1


def test_a_row_that_is_not_text_is_named_only_by_its_number(whole: bytes, tmp_path: Path) -> None:
    """The error text of SQLite contains the row with its faces, so it must not be shown."""
    file = tmp_path / "journal.db"
    file.write_bytes(whole)
    with closing(sqlite3.connect(file)) as db:
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
        (seq,) = db.execute("SELECT min(seq) FROM events WHERE kind = 'CardLeftShoe'").fetchone()
        db.execute("UPDATE events SET body = CAST(body || x'ff' AS TEXT) WHERE seq = ?", (seq,))
        db.commit()
    with pytest.raises(NotOurJournal) as caught:
        read_rounds(file)
    assert str(caught.value) == (
        f"journal {file}: is damaged: the row after row {seq - 1} cannot be read (no text); "
        "keep it, and put back a copy"
    )
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_a_row_that_cannot_be_replayed_is_named(
    whole: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game's error text could contain a face, so only the kind of the error is reported."""
    file = tmp_path / "journal.db"
    file.write_bytes(whole)

    def stumble(*_: object) -> None:
        raise KeyError("TD")

    monkeypatch.setattr("controller.game.table.Table.handle", stumble)
    with pytest.raises(NotOurJournal) as caught:
        read_rounds(file)
    assert str(caught.value) == (
        f"journal {file}: is damaged: row 1 cannot be replayed (KeyError); keep it, and put back a copy"
    )


def test_an_undecodable_name_gives_one_line(whole: bytes, tmp_path: Path) -> None:
    """SQLite quotes the name in an error text that Python then cannot decode."""
    file = tmp_path / "journal.db"
    broken = whole.replace(b"CREATE TABLE snapshots", b"CREATE TABLX snapshots", 1)
    file.write_bytes(broken.replace(b"tablesnapshots", b"table\xc1napshots", 1))
    with closing(sqlite3.connect(file)) as db, pytest.raises(UnicodeDecodeError):
        db.execute("SELECT count(*) FROM events")
    for message in (
        error_message(lambda: verify_journal(file)),
        error_message(lambda: Journal(file).close()),
    ):
        assert message.startswith(f"journal {file}: ")
        assert "\n" not in message


# ---------------------------------------------------------------------- a file that lost its end


def played(path: Path) -> None:
    """Write a journal of five rows and close it cleanly."""
    journal = Journal(path)
    journal.append([JournalEntry(KeyPressed(Key.CONFIRM))] * 5, STAMP)
    journal.checkpoint_wal()
    journal.close()


@pytest.mark.parametrize("loss", ["removed", "emptied", "shorter"])
def test_a_table_with_a_lost_journal_starts_no_new_one_by_itself(tmp_path: Path, loss: str) -> None:
    path = tmp_path / "journal.db"
    played(path)
    if loss == "removed":
        path.unlink()
    elif loss == "emptied":
        path.write_bytes(b"")
    else:
        with closing(sqlite3.connect(path)) as db:
            db.execute("DROP TRIGGER events_DELETE")
            db.execute("DELETE FROM events WHERE seq > 3")
            db.execute("DELETE FROM leaves WHERE n > 2")
            db.commit()
    with pytest.raises(NotOurJournal, match=r"had 5 rows: put back the file and its -wal"):
        Journal(path)


@pytest.mark.parametrize("kept", [0, 3, 4])
def test_a_lost_end_in_mid_round_is_reported(tmp_path: Path, kept: int) -> None:
    """No round has ended yet, and the disk lost rows that it had reported as written."""
    path = tmp_path / "journal.db"
    copied = tmp_path / "copy"
    copied.mkdir()
    with closing(Journal(path)) as journal:
        for number in range(5):
            if number == kept:
                for file in tmp_path.glob("journal.db*"):
                    if file.is_file():
                        (copied / file.name).write_bytes(file.read_bytes())
                copytree(f"{path}.keys", copied / "journal.db.keys")
            journal.append([JournalEntry(KeyPressed(Key.CONFIRM))], STAMP)
        note = tmp_path / "journal.db.lock"
        (copied / note.name).write_bytes(note.read_bytes())
    with pytest.raises(NotOurJournal, match=f"ends at row {kept} and had 5 rows"):
        Journal(copied / "journal.db")


def test_the_tables_are_in_the_file_itself_from_the_start(tmp_path: Path) -> None:
    """A young journal whose -wal file is lost is empty, but the file beside it still states the number of
    missing rows."""
    path = tmp_path / "journal.db"
    journal = Journal(path)
    journal.append([JournalEntry(KeyPressed(Key.CONFIRM))] * 5, STAMP)
    journal.checkpoint_wal()
    copied = tmp_path / "copy"
    copied.mkdir()
    for name in ("journal.db", "journal.db.lock"):
        (copied / name).write_bytes((tmp_path / name).read_bytes())
    copytree(f"{path}.keys", copied / "journal.db.keys")
    journal.close()
    with pytest.raises(NotOurJournal, match="ends at row 0 and had 5 rows"):
        Journal(copied / "journal.db")


def test_a_file_without_tables_is_not_taken_for_a_new_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode=WAL").fetchall()
    assert path.stat().st_size
    with pytest.raises(NotOurJournal, match="has no tables"):
        Journal(path)


def test_the_daemon_ends_with_status_2_and_is_not_restarted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from tests.runtime.child import table_file

    file = table_file(tmp_path, method="hand", shoe=None)
    played(tmp_path / "journal.db")
    (tmp_path / "journal.db").unlink()
    assert main(["run", "--config", str(file)]) == 2
    assert "had 5 rows" in capsys.readouterr().err
