"""Tries edits on journals that were played for the trial, and returns which of them `verify` named."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from controller.cli import main
from controller.record.audit.proof.sealed import Trust
from tests.trials.edits.box import Box, named, trusted
from tests.trials.edits.edits import EDITS
from tests.trials.edits.generated import done, made, observed


@dataclass(frozen=True, slots=True)
class Tried:
    """One edit and its result. `reported`: the fault that `verify` names, "" if none."""

    kind: str
    row: int
    reported: str
    same: bool = False
    """Whether every reader returns the same as before, for an edit that `verify` does not name."""


def played(folder: Path, rounds: int, seed: int) -> Box:
    """Play a table and return its machine."""
    folder.mkdir()
    box = Box(folder)
    quick = ["mock", "--no-wires", "--headless", "--speed", "max", "--clumsy", "0.1"]
    status = main([*quick, "--rounds", str(rounds), "--seed", str(seed), "--journal", str(box.journal)])
    if status:
        raise RuntimeError(f"the table could not be played: status {status}")
    return box


def tries(folder: Path, count: int, seed: int, rounds: int) -> Iterator[Tried]:
    """Try each edit on a fresh copy of the undamaged journal."""
    box, other = played(folder / "box", rounds, seed), played(folder / "other", rounds, seed + 1)
    trust = trusted(box)
    _whole(box, trust)
    dice = random.Random(seed)
    for number in range(count):
        edit = EDITS[number % len(EDITS)]
        spoilt = box.copy_journal(folder / "spoilt")
        row = edit(dice, spoilt, other)
        yield Tried(edit.__name__, row, named(spoilt, trust))


def schema_tries(box: Box, trust: Trust, folder: Path, turns: int, seed: int) -> Iterator[Tried]:
    """Try every edit that the schema allows (generated.py) `turns` times, each on an undamaged copy."""
    _whole(box, trust)
    before = observed(box.copy_journal(folder / "observed"))
    with closing(sqlite3.connect(box.journal)) as db:
        edits = list(made(db))
    for number, edit in enumerate(edits * turns):
        spoilt = box.copy_journal(folder / "spoilt")
        if done(edit, random.Random(f"{seed} {number}"), spoilt):
            reported = named(spoilt, trust)
            yield Tried(edit.name, 0, reported, same=not reported and observed(spoilt) == before)


def _whole(box: Box, trust: Trust) -> None:
    reported = named(box, trust)
    if reported:
        raise RuntimeError(f"it is not whole before it was edited: {reported}")
