"""Restores the table: the newest snapshot, then every event after it, handled once more.

Effects are not carried out again: commands do not outlive a restart, and the table decides anew when its
devices answer. It must never skip an event that it cannot read.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from pydantic import ValidationError

from controller.game.model.effects import CorrectRecord, Effect, WriteRecord
from controller.game.model.events import Event, Stamp
from controller.game.model.record import Correction, RoundRecord
from controller.game.model.rules import RulePack
from controller.game.model.state import Context, TableSettings, TableState
from controller.game.table import Table
from controller.record.journal.base import base_of
from controller.record.journal.codec import CodecError, adapter, plain_rules, rules_of
from controller.record.journal.journal import Journal
from controller.record.journal.rows import Row, Settings, read_snapshots
from controller.record.journal.schema import Damaged, in_file

log = logging.getLogger("crisscross")

OnRecord: TypeAlias = Callable[[RoundRecord, TableState], None]
OnCorrection: TypeAlias = Callable[[int, Correction], None]

UNPLAYABLE = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""Errors that a row which was altered may cause in the game. Their words may hold a face."""


def _unheard(_round: int, _entry: Mapping[str, Any]) -> None:
    """Not needed for the state alone."""


def _unseen(_done: Replayed) -> None:
    """Not needed for the state alone."""


def snapshot(state: TableState) -> str:
    """The whole state as JSON."""
    return adapter(TableState).dump_json(state).decode()


def restore(
    journal: Journal, pack: RulePack, settings: TableSettings, on_turn: Callable[[Replayed], None] = _unseen
) -> Table:
    """The table as the journal has it, under today's rules and settings. `on_turn` is told what is replayed.
    NotOurJournal names the row that this program cannot replay."""
    with in_file(journal.path):
        at, state = _newest(journal)
        for done in replaying(journal.settings(), journal.rows(at), state):
            state = done.after
            on_turn(done)
    return Table(pack, settings, state)


@dataclass(frozen=True, slots=True)
class Replayed:
    """One event handled once more: the table before and after it, and what it had done."""

    seq: int
    event: Event
    before: TableState
    after: TableState
    context: Context
    effects: Sequence[Effect]


def replaying(
    history: Iterable[Settings], rows: Iterable[Row], state: TableState | None
) -> Iterator[Replayed]:
    """Every row handled under the rules that applied when it was written. NotOurJournal names the row that
    this program cannot replay."""
    ahead = list(history)
    table: Table | None = None
    for row in rows:
        while ahead and ahead[0].seq <= row.seq:
            in_force = ahead.pop(0)
            if not ahead or ahead[0].seq > row.seq:
                table = _table(in_force, table.state if table else state)
        if table is None:
            raise Damaged(f"row {row.seq} has no rules before it")
        event = _event(row)
        if event is not None:
            before = table.state
            effects = _handled(table, event, row)
            yield Replayed(row.seq, event, before, table.state, table.context(row.stamp), effects)


def replay(
    history: Iterable[Settings], rows: Iterable[Row], state: TableState | None, on_record: OnRecord,
    on_correction: OnCorrection = _unheard,
) -> TableState | None:  # fmt: skip
    """Handle every row; the state after the last one, None where there is none. `on_correction` is told the
    number of a closed round and its correction."""
    after = state
    for done in replaying(history, rows, state):
        after = done.after
        for effect in done.effects:
            if isinstance(effect, WriteRecord):
                on_record(effect.record, done.before)
            elif isinstance(effect, CorrectRecord):
                on_correction(effect.round, effect.entry)
    return after


def beginning(db: sqlite3.Connection) -> tuple[int, TableState | None]:
    """The last row that is not there, and the state after it: nothing before the first row, or the snapshot
    with which it begins since there is an archive. `Damaged` where this program cannot read it."""
    base = base_of(db)
    if not base.seq:
        return 0, None
    for seq, text in read_snapshots(db):
        if seq == base.seq:
            try:
                return seq, adapter(TableState).validate_json(text)
            except ValidationError:
                break
    raise Damaged(f"the snapshot at row {base.seq}, where it begins, cannot be read by this program")


def _event(row: Row) -> Event | None:
    try:
        return row.event()
    except CodecError as error:
        raise Damaged(f"row {row.seq}: {error}") from None


def _handled(table: Table, event: Event, row: Row) -> list[Effect]:
    try:
        return table.handle(event, row.stamp)
    except UNPLAYABLE as error:
        raise Damaged(f"row {row.seq} cannot be replayed ({type(error).__name__})") from None


def _newest(journal: Journal) -> tuple[int, TableState | None]:
    """The newest snapshot that this version can read; the very beginning if there is none."""
    for seq, text in journal.snapshots():
        try:
            return seq, adapter(TableState).validate_json(text)
        except ValidationError as error:
            log.warning("snapshot at row %s is of another version (%s places)", seq, error.error_count())
    return 0, None


# ---------------------------------------------------------------------- rules and settings in the journal


def keep_settings(journal: Journal, stamp: Stamp, pack: RulePack, settings: TableSettings) -> None:
    """Write them down if they have changed: a replay needs the rules of its day."""
    table = _canonical(plain_settings(settings))
    journal.keep_settings(stamp, pack.digest, _canonical(plain_rules(pack)), table)


def plain_settings(settings: TableSettings) -> dict[str, Any]:
    """As they are kept: the same in every process, whatever the order of a set."""
    table: dict[str, Any] = adapter(TableSettings).dump_python(settings, mode="json")
    return {**table, "fitted": sorted(table["fitted"])}


def in_force(journal: Journal) -> Table:
    """The rules and settings that the journal has last."""
    with in_file(journal.path):
        return _table(journal.settings()[-1], None)


def _canonical(plain: Mapping[str, object]) -> str:
    """The same text for the same value in every process."""
    return json.dumps(plain, sort_keys=True, separators=(",", ":"))


def _as_of_its_day(settings: TableSettings) -> TableSettings:
    """Return the settings as of their day: where a table file named no floorperson, any badge decided."""
    return settings if settings.floorpersons else replace(settings, floorpersons=None)


def _table(in_force: Settings, state: TableState | None) -> Table:
    try:
        pack = rules_of(in_force.pack)
        settings = _as_of_its_day(adapter(TableSettings).validate_json(in_force.settings))
    except ValidationError as error:
        fields = ", ".join(sorted({".".join(map(str, each["loc"])) for each in error.errors()}))
        raise Damaged(f"the rules at row {in_force.seq} cannot be read: {fields}") from None
    return Table(pack, settings, state)
