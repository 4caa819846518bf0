"""An act on a journal itself is recorded as a leaf of its tree: an archive cut from it, a copy restored, or a
lost end."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.cli import main
from controller.common.files.account import account
from controller.game.model.events import KeyPressed, Stamp
from controller.game.model.names import Key
from controller.record.audit.integrity import verify_journal
from controller.record.journal.files import reading, writing
from controller.record.journal.history import RESTORED, SHORTENED, HistoryAct, append_act, read_acts
from controller.record.journal.journal import Journal, JournalEntry
from controller.record.journal.schema import JournalError, JournalFault
from tests.journal.test_shortened import shortened
from tests.trials.edits.box import Box
from tests.trials.edits.play import played

pytestmark = pytest.mark.slow

STAMP = Stamp(10**12, "2030-01-01T00:00:00.000Z")


@pytest.fixture(scope="module")
def played_box(tmp_path_factory: pytest.TempPathFactory) -> Box:
    return played(tmp_path_factory.mktemp("history") / "box", 3, 8)


@pytest.fixture
def box(played_box: Box, tmp_path: Path) -> Box:
    return played_box.copy_journal(tmp_path / "box")


def acts(file: Path) -> list[HistoryAct]:
    with reading(file) as db:
        return read_acts(db)


def goes_on(file: Path) -> None:
    """Start the journal again, so that the act becomes part of the tree and is signed with the new rows."""
    with closing(Journal(file)) as journal:
        journal.append([JournalEntry(KeyPressed(Key.FLOOR))], STAMP)
        journal.sign()
        assert journal.signed_size() > 0


def test_a_journal_without_acts_has_no_act_leaves(box: Box) -> None:
    assert acts(box.journal) == []


def test_a_restore_is_a_leaf_with_the_row_and_the_root(box: Box, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    assert main(["backup", str(box.journal), str(copy)]) == 0
    box.journal.unlink()
    assert main(["restore", str(copy), str(box.journal)]) == 0
    (act,) = acts(box.journal)
    with reading(box.journal) as db:
        rows = db.execute("SELECT max(seq) FROM events").fetchone()[0]
        leaves = db.execute("SELECT n FROM leaves WHERE what = 'history'").fetchall()
    assert (act.act, act.seq, act.who, act.body["file"]) == (RESTORED, rows, account(), "copy.db")
    assert leaves == [(act.body["size"],)]
    assert act.utc.endswith("Z")
    goes_on(box.journal)
    verify_journal(box.journal)


def test_a_confirmed_loss_is_a_leaf_with_the_counts(tmp_path: Path) -> None:
    path = shortened(tmp_path)
    assert main(["journal", "shortened", str(path)]) == 0
    (act,) = acts(path)
    assert (act.act, act.seq, act.body["rows"], act.who) == (SHORTENED, 3, 5, account())
    goes_on(path)
    assert acts(path) == [act]


def test_a_loss_that_had_no_journal_is_recorded_by_the_start(tmp_path: Path) -> None:
    path = shortened(tmp_path)
    path.unlink()
    assert main(["journal", "shortened", str(path)]) == 0
    for _ in range(2):
        with closing(Journal(path)) as journal:
            assert journal.lost_rows == 5
    (act,) = acts(path)
    assert (act.act, act.seq, act.body["rows"], act.who) == (SHORTENED, 0, 5, account())
    goes_on(path)


def test_a_restart_before_the_next_checkpoint_goes_on(box: Box) -> None:
    """A technician has confirmed the loss of checkpoints. Until the next round ends, the ratchet is still
    ahead of the journal."""
    before = box.journal.read_bytes()
    for _ in range(2):
        goes_on(box.journal)
    box.journal.write_bytes(before)
    assert main(["journal", "shortened", str(box.journal)]) == 0
    for _ in range(3):
        with closing(Journal(box.journal)) as journal:
            assert journal.lost_rows in {0, 2}
            journal.append([JournalEntry(KeyPressed(Key.FLOOR))], STAMP)
    goes_on(box.journal)
    verify_journal(box.journal, copying=True)
    with pytest.raises(JournalError, match=r"rows [0-9]+ to [0-9]+ were written and are lost: confirmed"):
        verify_journal(box.journal)


def test_an_act_beside_a_running_daemon_is_in_its_next_checkpoint(box: Box) -> None:
    with closing(Journal(box.journal)) as journal:
        journal.append([JournalEntry(KeyPressed(Key.FLOOR))], STAMP)
        with writing(box.journal) as db:
            append_act(db, RESTORED, STAMP.utc, "anna", 1, {})
        journal.append([JournalEntry(KeyPressed(Key.FLOOR))], STAMP)
        journal.sign()
    verify_journal(box.journal)
    assert [act.who for act in acts(box.journal)] == ["anna"]


def test_a_running_daemon_does_not_accept_a_leaf_that_is_not_an_act(box: Box) -> None:
    with closing(Journal(box.journal)) as journal:
        with writing(box.journal) as db:
            last = db.execute("SELECT max(n) + 1 FROM leaves").fetchone()[0]
            db.execute("INSERT INTO leaves VALUES (?, 'events', 99999, zeroblob(32))", (last,))
        with pytest.raises(JournalFault, match="another program wrote to it"):
            journal.append([JournalEntry(KeyPressed(Key.FLOOR))], STAMP)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE history SET who = 'nobody'", "UPDATE history SET body = '{}'", "DELETE FROM history",
        "DROP TABLE history", "INSERT INTO history VALUES (0, 'restored', '', '', 1, '{}')",
        "INSERT INTO history VALUES (9, 'restored', '', '', 1, '{}')",
    ],
)  # fmt: skip
def test_an_act_that_was_changed_is_named(box: Box, change: str) -> None:
    with writing(box.journal) as db:
        append_act(db, RESTORED, STAMP.utc, "anna", 1, {"file": "copy.db"})
    verify_journal(box.journal)
    with closing(sqlite3.connect(box.journal)) as db, db:
        db.execute(change)
    with pytest.raises(JournalError, match="history"):
        verify_journal(box.journal)


def test_an_unreadable_act_gives_one_line(box: Box) -> None:
    with writing(box.journal) as db:
        append_act(db, SHORTENED, STAMP.utc, "anna", 1, {})
        db.execute("UPDATE history SET body = ?", (json.dumps([1]),))
    with (
        pytest.raises(JournalError, match="row 1 of the history is not as it was written"),
        reading(box.journal) as db,
    ):
        read_acts(db)
