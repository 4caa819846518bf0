"""Somebody has the machine, its journal and all its keys of today: whatever they change is named.

`python -m tests.edits` does the same a thousand times (tests/EVIDENCE.md).
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from controller.audit.proof.sealed import Trust
from tests.edits import flips
from tests.edits.box import Box, named, trusted
from tests.edits.edits import EDITS, Edit, flipped, keys_of_today, put_in, row, row_signed_anew, tail
from tests.edits.flips import Torn, silent
from tests.edits.play import played

Machine = tuple[Box, Box, Trust]


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """A table that has played, another journal of it, and what others know of the first."""
    folder = tmp_path_factory.mktemp("edits")
    box, other = played(folder / "box", 3, 5), played(folder / "other", 2, 6)
    return box, other, trusted(box)


def said(
    machine: Machine, folder: Path, edit: Edit, seed: int, trust: Trust | None = None
) -> tuple[int, str]:
    box, other, whole = machine
    spoilt = box.copied(folder / "spoilt")
    edited = edit(random.Random(seed), spoilt, other)
    return edited, named(spoilt, trust or whole)


def test_a_journal_that_nobody_touched_is_whole(machine: Machine, tmp_path: Path) -> None:
    box, _, trust = machine
    assert named(box.copied(tmp_path / "copy"), trust) == ""


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_every_edit_is_named(machine: Machine, tmp_path: Path, edit: Edit) -> None:
    for seed in range(4):
        _, words = said(machine, tmp_path, edit, seed)
        assert words.startswith("journal "), seed
        assert "\n" not in words


@pytest.mark.parametrize("edit", [row, flipped, put_in], ids=lambda edit: edit.__name__)
def test_a_row_is_named_by_its_number(machine: Machine, tmp_path: Path, edit: Edit) -> None:
    for seed in range(4):
        number, words = said(machine, tmp_path, edit, seed)
        assert f"row {number} " in words or f"row after row {number - 1} " in words


def test_one_that_was_signed_anew_is_named_with_its_round(machine: Machine, tmp_path: Path) -> None:
    """The leaves fit the row again; the seal of that round's day does not."""
    _, words = said(machine, tmp_path, row_signed_anew, 1)
    assert "round" in words or "elsewhere" in words


@pytest.mark.parametrize("edit", [keys_of_today, tail], ids=lambda edit: edit.__name__)
def test_what_only_others_can_know_is_not_known_without_them(
    machine: Machine, tmp_path: Path, edit: Edit
) -> None:
    """A cut that begins at a checkpoint and keys that were exchanged are whole to whoever trusts the machine:
    this is what the public key, the first key and a witness are for."""
    alone = [said(machine, tmp_path, edit, seed, Trust())[1] for seed in range(12)]
    assert not all(alone)


# ---------------------------------------------------------------------- bytes, by nobody's intention


def test_a_bit_that_is_turned_is_named_or_means_nothing(machine: Machine, tmp_path: Path) -> None:
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


def test_a_last_record_that_is_torn_is_said(machine: Machine, tmp_path: Path) -> None:
    end = Torn(machine[0], tmp_path)
    for at in [*end.record[:: max(1, len(end.record) // 12)], end.record[-1]]:
        assert end.cut_at(at).startswith("journal "), at
        assert end.turned_at(at) != "rows are gone, and it is not said", at
