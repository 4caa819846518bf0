"""If an owner of the machine edits the journal with all its present keys, `verify` names every change.

`python -m tests.trials.edits` makes a thousand such edits (tests/EVIDENCE.md).
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from controller.cli import main
from controller.record.audit.proof.sealed import Trust
from controller.record.journal.journal import Journal
from controller.record.journal.schema import NotOurJournal
from tests.trials.edits import flips
from tests.trials.edits.box import Box, named, trusted
from tests.trials.edits.edits import EDITS, Edit, flipped, keys_of_today, put_in, row, row_signed_anew, tail
from tests.trials.edits.flips import Torn, silent
from tests.trials.edits.generated import beheaded
from tests.trials.edits.play import played, schema_tries

pytestmark = pytest.mark.slow

WITHOUT_EFFECT = {"lines.line changed", "figures hidden", "snapshots hidden"}
"""Edits that `verify` need not name: a summary line written in another version's form, and a label that hides
the leaf of a row that was replaced since."""
Machine = tuple[Box, Box, Trust]


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """Return a table that has played, a second journal of this table, and the data that other parties have
    about the first."""
    folder = tmp_path_factory.mktemp("edits")
    box, other = played(folder / "box", 3, 5), played(folder / "other", 2, 6)
    return box, other, trusted(box)


def report_edit(
    machine: Machine, folder: Path, edit: Edit, seed: int, trust: Trust | None = None
) -> tuple[int, str]:
    box, other, whole = machine
    spoilt = box.copy_journal(folder / "spoilt")
    edited = edit(random.Random(seed), spoilt, other)
    return edited, named(spoilt, trust or whole)


def test_an_unchanged_journal_is_complete(machine: Machine, tmp_path: Path) -> None:
    box, _, trust = machine
    assert named(box.copy_journal(tmp_path / "copy"), trust) == ""


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_every_edit_is_named(machine: Machine, tmp_path: Path, edit: Edit) -> None:
    for seed in range(4):
        _, words = report_edit(machine, tmp_path, edit, seed)
        assert words.startswith("journal "), seed
        assert "\n" not in words


@pytest.mark.parametrize("edit", [row, flipped, put_in], ids=lambda edit: edit.__name__)
def test_a_row_is_named_by_its_number(machine: Machine, tmp_path: Path, edit: Edit) -> None:
    for seed in range(4):
        number, words = report_edit(machine, tmp_path, edit, seed)
        assert f"row {number} " in words or f"row after row {number - 1} " in words


def test_a_row_signed_again_is_named_with_its_round(machine: Machine, tmp_path: Path) -> None:
    """The owner changes a row and signs its leaves again, but the ratchet's seal of this round does not
    match."""
    _, words = report_edit(machine, tmp_path, row_signed_anew, 1)
    assert "round" in words or "elsewhere" in words


@pytest.mark.parametrize("edit", [keys_of_today, tail], ids=lambda edit: edit.__name__)
def test_some_edits_are_named_only_with_external_data(machine: Machine, tmp_path: Path, edit: Edit) -> None:
    """Without external data a journal verifies as complete if its keys were exchanged or its history begins
    at a checkpoint. The public key, the first key and a witness exist for this reason."""
    alone = [report_edit(machine, tmp_path, edit, seed, Trust())[1] for seed in range(12)]
    assert not all(alone)


# ---------------------------------------------------------------------- edits made from the schema


@pytest.mark.complete
def test_every_edit_that_the_schema_allows_is_named_or_has_no_effect(
    machine: Machine, tmp_path: Path
) -> None:
    """Each table and column is changed, removed, extended, hidden behind another label, or exchanged with
    another one."""
    found = list(schema_tries(machine[0], machine[2], tmp_path, 1, 11))
    assert len({each.kind.partition(" ")[0].partition(".")[0] for each in found}) > 12
    assert [each.kind for each in found if not each.reported and not each.same] == []
    assert {each.kind for each in found if not each.reported} <= WITHOUT_EFFECT
    assert [each.reported for each in found if "\n" in each.reported] == []


@pytest.mark.parametrize(
    "script",
    [
        "CREATE TABLE archive(x); UPDATE figures SET sums = '{}'",
        "CREATE VIEW archive AS SELECT 1; UPDATE figures SET sums = replace(sums, '1', '2')",
        "CREATE TABLE archive (size INTEGER NOT NULL) STRICT; DELETE FROM figures",
    ],
)
def test_a_table_named_archive_disables_no_check(machine: Machine, tmp_path: Path, script: str) -> None:
    spoilt = machine[0].copy_journal(tmp_path / "spoilt")
    with spoilt.open() as db:
        db.executescript(script)
    assert "'archive'" in (words := named(spoilt, machine[2])) or "the mark of an archive" in words
    with pytest.raises(NotOurJournal, match="archive"):
        Journal(spoilt.journal)


@pytest.mark.parametrize("lawful", [False, True])
def test_a_cut_off_beginning_is_named_with_its_rows(
    machine: Machine, tmp_path: Path, *, lawful: bool
) -> None:
    """The row in `base` is written alone or, as an archive writes it, together with an act in the history."""
    spoilt = machine[0].copy_journal(tmp_path / "spoilt")
    with spoilt.open() as db:
        beheaded(lawful=lawful)(random.Random(1), db)
        last = db.execute("SELECT min(seq) - 1 FROM events").fetchone()[0]
    words = f"begins after row {last}; rows 1 to {last} must be shown with --archive"
    assert words in named(spoilt, machine[2])
    assert main(["verify", str(spoilt.journal)]) == 1
    if not lawful:
        with pytest.raises(NotOurJournal, match="its history says nothing of an archive"):
            Journal(spoilt.journal)


def test_a_tail_hidden_behind_labels_is_named_without_a_witness(machine: Machine, tmp_path: Path) -> None:
    """Leaves name their rows by labels, which no signature covers. If the last rows are removed and their
    leaves get other labels, every root and cosignature still verifies."""
    spoilt = machine[0].copy_journal(tmp_path / "spoilt")
    with spoilt.open() as db:
        (n,) = db.execute("SELECT size FROM checkpoints ORDER BY size LIMIT 1").fetchone()
        for table in ("events", "results", "opened", "snapshots", "settings"):
            later = "SELECT seq FROM leaves WHERE what = ? AND n >= ?"
            db.execute(f"DELETE FROM {table} WHERE rowid IN ({later})", (table, n))  # noqa: S608
        db.execute("DELETE FROM lines WHERE n NOT IN (SELECT n FROM results)")
        db.execute("DELETE FROM figures")
        (head,) = db.execute("SELECT max(seq) FROM events").fetchone()
        db.execute("UPDATE leaves SET what = 'snapshots', seq = ? - 1 WHERE n >= ?", (head, n))
    assert named(spoilt, machine[2])


# ---------------------------------------------------------------------- accidental changes of bytes


def test_a_flipped_bit_is_named_or_has_no_effect(machine: Machine, tmp_path: Path) -> None:
    box, _, trust = machine
    places = random.Random(3).sample(range(box.journal.stat().st_size), 40)
    assert list(silent(box, tmp_path, trust, places)) == []


def test_a_search_for_silent_bits_finds_one(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    box, _, trust = machine
    monkeypatch.setattr(flips, "named", lambda *_: "")
    size = box.journal.stat().st_size
    assert list(silent(box, tmp_path, trust, random.Random(3).sample(range(size // 2), 12)))


def test_an_incomplete_last_record_is_reported(machine: Machine, tmp_path: Path) -> None:
    end = Torn(machine[0], tmp_path)
    for at in [*end.record[:: max(1, len(end.record) // 12)], end.record[-1]]:
        assert end.cut_at(at).startswith("journal "), at
        assert end.turned_at(at) != "rows are gone, and it is not said", at
