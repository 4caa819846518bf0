"""A journal seals its rows while it is written: it adds leaves, signs checkpoints and encrypts faces."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from shutil import rmtree

import pytest

from controller.common.tlog.merkle import root
from controller.common.tlog.note import Checkpoint, Note
from controller.game.model.cards import DECK, Card
from controller.game.model.events import CardLeftShoe, Event, KeyPressed, Stamp
from controller.game.model.names import Key
from controller.record.journal.files import reading
from controller.record.journal.journal import Journal, JournalEntry
from controller.record.journal.leaves import COLUMNS, hash_of, holds_face
from controller.record.journal.results import RoundResult
from controller.record.journal.rows import StillSealed, read_results, read_rows, read_snapshots, readable_rows
from controller.record.journal.schema import Damaged, NotOurJournal
from controller.record.seal.keys import FACES, Keys

STAMP = Stamp(1000, "2026-11-20T20:31:07.123Z")
PRESS = JournalEntry(KeyPressed(Key.CONFIRM))
QUEEN = Card("QH")
RECORD = '{"round": 1, "face": "QH"}'


def card(number: int, face: Card | None = QUEEN) -> JournalEntry:
    return JournalEntry(CardLeftShoe(number, face))


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with closing(Journal(tmp_path / "journal.db")) as opened:
        yield opened


def everything(journal: Journal) -> bytes:
    """Return the content of every file of the journal except its keys."""
    return b"".join(file.read_bytes() for file in journal.path.parent.glob("journal.db*") if file.is_file())


def without_keys(journal: Journal) -> Path:
    """Return a copy of the journal without its keys, as a thief of the file would have it."""
    copy = journal.path.parent / "copy" / "copied.db"
    copy.parent.mkdir()
    with closing(sqlite3.connect(journal.path)) as db, closing(sqlite3.connect(copy)) as to:
        db.backup(to)
    return copy


def test_events_that_can_hold_a_face_are_known_by_their_types() -> None:
    kinds = {"CardLeftShoe", "FaceEntered", "Reported"}
    assert {kind for kind in (each.__name__ for each in _events()) if holds_face(kind)} == kinds


def _events() -> list[type[Event]]:
    from controller.record.journal.codec import EVENT_CLASSES

    return list(EVENT_CLASSES.values())


def test_until_its_round_ends_no_face_is_in_the_file(journal: Journal) -> None:
    journal.append([card(1), PRESS], STAMP)
    journal.store_snapshot('{"cards": ["QH"]}')
    assert b'"QH"' not in everything(journal)
    assert [row.event() for row in journal.rows()] == [CardLeftShoe(1, QUEEN), PRESS.event]
    assert list(journal.snapshots()) == [(2, '{"cards": ["QH"]}')]


def test_a_copy_without_the_keys_shows_only_ended_rounds(journal: Journal) -> None:
    journal.append([card(1), PRESS], STAMP)
    journal.sign([RoundResult(2, 1, "record", RECORD)])
    journal.append([PRESS, card(1), PRESS], STAMP)
    journal.store_snapshot("{}")
    with reading(without_keys(journal)) as db:
        assert [row.seq for row in readable_rows(db)] == [1, 2, 3]
        assert next(read_rows(db)).event() == CardLeftShoe(1, QUEEN)
        assert list(read_snapshots(db)) == []
        with pytest.raises(StillSealed, match="row 4 is sealed"):
            list(read_rows(db))


def test_a_key_is_not_stored_while_it_protects_cards_of_the_next_round(journal: Journal) -> None:
    """A card of the next round was stored in the same batch as the end of the round, so the key still
    protects it."""
    journal.append([card(1), PRESS, card(2)], STAMP)
    journal.sign([RoundResult(2, 1, "record", RECORD)])
    with reading(without_keys(journal)) as db:
        assert list(readable_rows(db)) == []
        assert len(read_results(db)) == 1
    journal.append([PRESS], STAMP)
    journal.sign([RoundResult(4, 2, "record", RECORD)])
    with reading(journal.path) as db:
        assert db.execute("SELECT count(*) FROM opened").fetchone()[0] == 1


@pytest.mark.parametrize("face", [*DECK[:3], None])
def test_rows_have_one_length_whatever_the_face(journal: Journal, face: Card | None) -> None:
    journal.append([card(1), card(2, face)], STAMP)
    with reading(journal.path) as db:
        first, other = (len(row[0]) for row in db.execute("SELECT body FROM events"))
    assert first == other


# ---------------------------------------------------------------------- the tree


def test_every_row_is_a_leaf_and_a_round_ends_with_a_signed_root(journal: Journal) -> None:
    journal.store_settings(STAMP, "sha256:1", "{}", "{}")
    journal.append([card(1), PRESS], STAMP)
    journal.store_snapshot("{}", {"all": "1"})
    journal.sign([RoundResult(2, 1, "record", RECORD)])
    with reading(journal.path) as db:
        leaves = db.execute("SELECT what, hash FROM leaves ORDER BY n").fetchall()
        rows = [
            hash_of(table, row)
            for table in ("settings", "events", "figures", "snapshots", "results", "opened")
            for row in db.execute(f"SELECT {COLUMNS[table]} FROM {table} ORDER BY rowid")  # noqa: S608
        ]
        note = Note.parse(db.execute("SELECT note FROM checkpoints").fetchone()[0])
    assert [hashed for _, hashed in leaves] == rows
    assert note.signed_by(Keys.read(journal.path.with_name("journal.db.keys")).signing.verifier())
    assert Checkpoint.parse(note.text) == Checkpoint("crisscross.invalid/table", len(rows), root(rows))


def test_a_tree_continues_after_a_start(journal: Journal) -> None:
    for _ in range(3):
        journal.append([card(1), PRESS], STAMP)
        journal.sign([RoundResult(journal.head, 1, "record", RECORD)])
    journal.close()
    with closing(Journal(journal.path)) as again:
        again.append([PRESS], STAMP)
        again.sign([RoundResult(7, 2, "correction", "{}")])
    with reading(journal.path) as db:
        hashes = [row[0] for row in db.execute("SELECT hash FROM leaves ORDER BY n")]
        note, number = db.execute("SELECT note, number FROM checkpoints ORDER BY size DESC").fetchone()
    assert Checkpoint.parse(Note.parse(note).text).root == root(hashes)
    assert number == 3


# ---------------------------------------------------------------------- start on a changed journal

WRONG = {
    "a face": "UPDATE events SET body = '3.AAAA' WHERE seq = 4",
    "a row": "UPDATE events SET kind = 'KeyPressed', body = '{\"key\":\"fold\"}' WHERE seq = 4",
    "a time": "UPDATE events SET ms = 5 WHERE seq = 4",
    "a row more": "INSERT INTO events VALUES (6, 1, '', 'KeyPressed', '{}', NULL)",
    "a row less": "DELETE FROM events WHERE seq = 4",
    "the settings": "UPDATE settings SET pack = '{\"ante\": 2}'",
    "a snapshot": "UPDATE snapshots SET state = '{}'",
    "a snapshot less": "DELETE FROM snapshots",
    "the figures": "UPDATE figures SET sums = '2'",
    "a leaf": "UPDATE leaves SET hash = x'00' WHERE n = (SELECT max(n) FROM leaves)",
    "a leaf less": "DELETE FROM leaves WHERE n = (SELECT max(n) - 1 FROM leaves)",
    "a checkpoint": "UPDATE checkpoints SET note = replace(note, 'crisscross', 'other')",
    "a checkpoint less": "DELETE FROM checkpoints",
}


@pytest.mark.parametrize("what", WRONG)
def test_changes_since_the_last_round_are_reported_at_the_start(journal: Journal, what: str) -> None:
    journal.append([card(1), PRESS], STAMP)
    journal.sign([RoundResult(2, 1, "record", RECORD)])
    journal.store_settings(STAMP, "sha256:1", "{}", "{}")
    journal.append([PRESS, card(2), PRESS], STAMP)
    journal.store_snapshot("{}", {"all": "1"})
    journal.close()
    changed(journal.path, WRONG[what])
    with pytest.raises(NotOurJournal) as caught:
        Journal(journal.path)
    assert str(caught.value).startswith(f"journal {journal.path}: ")
    assert "\n" not in str(caught.value)
    assert "QH" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("UPDATE settings SET pack = '[]'", "row 1 of the settings is not as it was written"),
        ("UPDATE snapshots SET state = '{}'", "the snapshot at row 2 is not as it was written"),
        ("DELETE FROM snapshots", "the snapshot at row 2 is missing"),
        (
            "UPDATE figures SET sums = '2' WHERE key = 'all'",
            "the figures of all are not as they were written",
        ),
        ("DELETE FROM figures", "the figures all are missing"),
        ("UPDATE figures SET seq = -1", "the figures of all are not as they were written"),
    ],
)
def test_rules_and_snapshot_are_compared_wherever_their_leaves_are(
    journal: Journal, change: str, words: str
) -> None:
    """A start reads rules and snapshot first. A checkpoint after their leaves proves the leaves, but not the
    rows."""
    journal.store_settings(STAMP, "sha256:1", "{}", "{}")
    journal.append([card(1), PRESS], STAMP)
    journal.store_snapshot("{}", {"all": "1"})
    journal.sign([RoundResult(2, 1, "record", RECORD)])
    journal.close()
    changed(journal.path, change)
    with pytest.raises(NotOurJournal, match=words):
        Journal(journal.path)


def changed(path: Path, statement: str) -> None:
    """Run an SQL statement on the file without its triggers, as an intruder could."""
    with closing(sqlite3.connect(path)) as db, db:
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
        db.execute(statement)


def test_a_journal_without_its_keys_is_not_continued(journal: Journal) -> None:
    journal.append([card(1)], STAMP)
    journal.close()
    rmtree(journal.path.with_name("journal.db.keys"))
    with pytest.raises(NotOurJournal, match=r"its keys are not in .*; put them back"):
        Journal(journal.path)


def test_the_keys_of_another_table_do_not_open_it(journal: Journal, tmp_path: Path) -> None:
    journal.append([card(1)], STAMP)
    journal.close()
    (tmp_path / "journal.db.keys" / FACES).write_text("00" * 32 + "\n")
    with (
        closing(Journal(journal.path)) as other,
        pytest.raises(Damaged, match="row 1 is not as it was written"),
    ):
        list(other.rows())


def test_a_restored_older_journal_is_not_continued(journal: Journal) -> None:
    """Journal and row count were both restored from a copy, but the ratchet cannot be set back."""
    journal.append([PRESS], STAMP)
    older = {file: file.read_bytes() for file in journal.path.parent.glob("journal.db*") if file.is_file()}
    for _ in range(2):
        journal.append([PRESS], STAMP)
        journal.sign([RoundResult(journal.head, 1, "record", RECORD)])
    journal.close()
    for file, content in older.items():
        file.write_bytes(content)
    with pytest.raises(NotOurJournal, match="has 0 checkpoints, and its keys have sealed 2"):
        Journal(journal.path)


def test_a_power_cut_between_checkpoint_and_ratchet_is_repaired(journal: Journal, tmp_path: Path) -> None:
    key = tmp_path / "journal.db.keys" / "ratchet.key"
    journal.append([PRESS], STAMP)
    before = key.read_text()
    journal.sign([RoundResult(1, 1, "record", RECORD)])
    after = key.read_text()
    journal.close()
    key.write_text(before)
    Journal(journal.path).close()
    assert key.read_text() == after != before
