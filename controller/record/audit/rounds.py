"""Rounds rebuilt from the journal: every record is computed from its events each time.

A journal can be read while a daemon runs. This module must never write, and never return a round that does
not follow from the events. Source: controller/COMMANDS.md, `rounds` and `verify`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from controller.game.model.effects import CorrectRecord, WriteRecord
from controller.game.phases.record import with_correction
from controller.record.journal.files import reading
from controller.record.journal.replay import beginning, replayed_events
from controller.record.journal.rows import Row, read_settings, readable_rows
from controller.record.timeline.round_filters import Zoned

ROWS_PER_REPORT = 1000


def _ignore_progress(_row: int) -> None:
    """Do nothing, for a caller that shows no progress."""


def read_zoned(path: Path, on_row: Callable[[int], None] = _ignore_progress) -> list[Zoned]:
    """Return every record, each with the time zone that the table file named at that time, and with its later
    corrections. `on_row` is called at intervals with the number of the row that was read last."""
    found: dict[int, Zoned] = {}
    with reading(path) as db:
        seq, state = beginning(db)
        for done in replayed_events(read_settings(db), _with_progress(readable_rows(db, seq), on_row), state):
            for effect in done.effects:
                if isinstance(effect, WriteRecord):
                    found[effect.record["round"]] = effect.record, done.context.settings.zone
                elif isinstance(effect, CorrectRecord) and effect.round in found:
                    record, zone = found[effect.round]
                    found[effect.round] = with_correction(record, effect.entry), zone
    return list(found.values())


def _with_progress(rows: Iterator[Row], on_row: Callable[[int], None]) -> Iterator[Row]:
    for row in rows:
        if row.seq % ROWS_PER_REPORT == 0:
            on_row(row.seq)
        yield row
