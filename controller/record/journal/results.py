"""Results of the rounds, stored beside the rows that caused them, so that one round can be proven alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from controller.game.model.effects import CorrectRecord, Effect, WriteRecord
from controller.record.journal.round_summary import summary_text


@dataclass(frozen=True, slots=True)
class RoundResult:
    """Result of a round, as printed by `crisscross rounds export`: its record, or a correction of it."""

    seq: int
    """Number of the row whose event caused the result."""
    round: int
    kind: str
    """``record``, or ``correction`` of an earlier record."""
    body: str
    line: str = ""
    """Summary line of a record, for lists (round_summary.py); "" if none was stored."""


def results_of(seq: int, effects: Iterable[Effect]) -> Iterator[RoundResult]:
    """Yield the results of rounds among the effects of the event in row `seq`."""
    for effect in effects:
        if isinstance(effect, WriteRecord):
            record = effect.record
            yield RoundResult(seq, record["round"], "record", json.dumps(record), summary_text(record))
        elif isinstance(effect, CorrectRecord):
            yield RoundResult(seq, effect.round, "correction", json.dumps(effect.entry))
