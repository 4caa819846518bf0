"""A file of another journal is refused even if it has the name or the form of one of the journal's own
files."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.cli import main
from controller.common.tlog.merkle import Frontier
from controller.record.audit.integrity import verify_journal
from controller.record.backup.archive import MIN_DAYS, removable
from controller.record.journal.files import reading
from controller.record.journal.journal import Journal
from controller.record.journal.leaves import hash_of
from controller.record.journal.schema import JournalError
from tests.keeping.test_archive import after, cut
from tests.trials.edits.box import Box, named, trusted
from tests.trials.edits.play import played

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def boxes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Box, Box]:
    folder = tmp_path_factory.mktemp("identity")
    return played(folder / "box", 4, 4), played(folder / "other", 4, 5)


@pytest.fixture
def box(boxes: tuple[Box, Box], tmp_path: Path) -> Box:
    return boxes[0].copy_journal(tmp_path / "box")


@pytest.fixture
def other(boxes: tuple[Box, Box], tmp_path: Path) -> Box:
    return boxes[1].copy_journal(tmp_path / "other")


def raise_a_payout(box: Box) -> None:
    """Alter the stored rules and their leaf, and let the tree begin after this leaf."""
    with box.open() as db:
        tree = Frontier.of([db.execute("SELECT hash FROM leaves WHERE n = 0").fetchone()[0]])
        seq, utc, digest, pack, table = db.execute("SELECT * FROM settings").fetchone()
        rules = json.loads(pack)
        rules["bet_pays"]["royal_flush"] *= 3
        row = (seq, utc, digest, json.dumps(rules, sort_keys=True, separators=(",", ":")), table)
        db.execute("UPDATE settings SET pack = ?", (row[3],))
        db.execute("UPDATE leaves SET hash = ? WHERE n = 0", (hash_of("settings", row),))
        db.execute("INSERT INTO base VALUES (0, 1, ?, 0)", (tree.text(),))


def test_a_tree_that_begins_later_than_the_rows_is_refused(box: Box) -> None:
    trust = trusted(box)
    raise_a_payout(box)
    assert "where it begins is not as it was written" in named(box, trust)
    with pytest.raises(JournalError, match="where it begins"):
        Journal(box.journal)


def other_signatures(box: Box) -> None:
    with box.open() as db:
        for size, note in db.execute("SELECT size, note FROM checkpoints").fetchall():
            text = note[:-12] + ("A" if note[-12] != "A" else "B") + note[-11:]
            db.execute("UPDATE checkpoints SET note = ? WHERE size = ?", (text, size))


def test_verify_does_not_report_a_signature_that_it_could_not_verify(
    box: Box, capsys: pytest.CaptureFixture[str]
) -> None:
    other_signatures(box)
    shutil.rmtree(box.keys)
    capsys.readouterr()
    assert main(["verify", str(box.journal)]) == 0
    output = capsys.readouterr().out
    assert "no signature was verified" in output
    assert "signed by" not in output


def test_a_journal_with_other_signatures_is_not_backed_up(
    box: Box, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other_signatures(box)
    assert main(["backup", str(box.journal), str(tmp_path / "copy.db")]) == 2
    assert "differ from what the table signed" in capsys.readouterr().err


def test_a_copy_of_another_journal_is_not_restored(
    box: Box, other: Box, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy.db"
    assert main(["backup", str(other.journal), str(copy)]) == 0
    box.journal.unlink()
    assert main(["restore", str(copy), str(box.journal)]) == 2
    assert "differ from what the table signed" in capsys.readouterr().err
    assert not box.journal.exists()


@pytest.mark.parametrize("ending", ["-wal", "-journal"])
@pytest.mark.parametrize("command", ["backup", "restore"])
def test_pages_of_another_database_do_not_become_part_of_a_copy(
    box: Box, tmp_path: Path, command: str, ending: str, capsys: pytest.CaptureFixture[str]
) -> None:
    old, to = tmp_path / "old.db", tmp_path / "copy.db"
    with closing(sqlite3.connect(old, isolation_level=None)) as db:
        db.execute(f"PRAGMA journal_mode = {'WAL' if ending == '-wal' else 'PERSIST'}")
        db.execute("CREATE TABLE x (a)")
        shutil.copy(f"{old}{ending}", f"{to}{ending}")
    assert main([command, str(box.journal), str(to)]) == 2
    assert f"{to}{ending}" in capsys.readouterr().err
    assert not to.exists()


def test_a_shorter_archive_under_the_name_of_a_longer_one_removes_no_row(box: Box) -> None:
    folder = box.journal.parent
    short, name = (
        cut(box.copy_journal(folder / "short"), 0.4),
        cut(box.copy_journal(folder / "long"), 0.9).name,
    )
    assert short.name != name
    shutil.copy(short, folder / name)
    rows = verify_journal(box.journal).rows
    with pytest.raises(JournalError, match="is not an archive of"):
        cut(box, 0.9)
    assert verify_journal(box.journal).rows == rows


def test_archives_of_another_table_are_not_removed(box: Box, other: Box) -> None:
    folder = box.journal.parent
    own, foreign = cut(box), cut(other)
    shutil.copy(foreign, folder / f"other-{foreign.name}")
    assert list(removable(box.journal, folder, after(box, 200), MIN_DAYS, 2**60)) == [own]


def test_deleted_figures_are_reported_by_name_although_an_archive_has_them(
    box: Box, capsys: pytest.CaptureFixture[str]
) -> None:
    file = cut(box, 0.99)
    with reading(box.journal) as db:
        query = "SELECT key FROM figures WHERE 'figures ' || key NOT IN (SELECT what FROM leaves)"
        keys = [key for (key,) in db.execute(query)]
    assert keys
    with box.open() as db:
        db.execute("DELETE FROM figures WHERE key = ?", (keys[-1],))
    assert main(["verify", str(box.journal), "--archive", str(file)]) == 1
    assert f"the figures {keys[-1]} are missing" in capsys.readouterr().err


@pytest.mark.parametrize("forged", ["{}", "[]", "5", "{", '{"snapshots": 5}', "[" * 5000])
def test_an_inventory_forged_with_its_leaf_is_reported_in_one_line(box: Box, forged: str) -> None:
    trust = trusted(box)
    with box.open() as db:
        (seq,) = db.execute("SELECT seq FROM figures WHERE key = 'inventory'").fetchone()
        last = "(SELECT max(n) FROM leaves WHERE what = 'figures inventory')"
        hashed = hash_of("figures", ("inventory", seq, forged))
        db.execute("UPDATE figures SET sums = ? WHERE key = 'inventory'", (forged,))
        db.execute(f"UPDATE leaves SET hash = ? WHERE n = {last}", (hashed,))  # noqa: S608
    assert "the figures of inventory are not as they were written" in named(box, trust)
