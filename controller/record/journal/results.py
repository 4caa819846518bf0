"""Results of the rounds, kept beside the rows that they follow from: one round can be proven alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from controller.game.model.effects import CorrectRecord, Effect, WriteRecord
from controller.record.journal.round_summary import text_of


@dataclass(frozen=True, slots=True)
class Result:
    """Result of a round, as `crisscross rounds export` prints it: its record, or a correction of it."""

    seq: int
    """The row that brought it about."""
    round: int
    kind: str
    """``record`` or ``correction``."""
    body: str
    line: str = ""
    """Line of a record, for lists (lines.py); empty where none was kept."""


def results_of(seq: int, effects: Iterable[Effect]) -> Iterator[Result]:
    """Yield the results that the event of row `seq` had for rounds."""
    for effect in effects:
        if isinstance(effect, WriteRecord):
            record = effect.record
            yield Result(seq, record["round"], "record", json.dumps(record), text_of(record))
        elif isinstance(effect, CorrectRecord):
            yield Result(seq, effect.round, "correction", json.dumps(effect.entry))
