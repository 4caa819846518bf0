"""Restoration after a restart or a power cut: how the table comes back in the state after the last event of
its journal. The table takes the newest snapshot and replays every later event.

Effects are not executed again: commands do not survive a restart, and the table decides again when its
devices answer. This module must never skip an event that it cannot read.
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
from controller.record.journal.beginning import beginning_of
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
"""Errors that the game may raise if a row was altered. Their messages are not shown, because they may contain
a face."""


def _ignore_correction(_round: int, _entry: Mapping[str, Any]) -> None:
    """Do nothing, for a caller that needs only the state."""


def _ignore_turn(_done: Replayed) -> None:
    """Do nothing, for a caller that needs only the state."""


def snapshot(state: TableState) -> str:
    """Return the complete state as JSON."""
    return adapter(TableState).dump_json(state).decode()


def restore_table(
    journal: Journal,
    pack: RulePack,
    settings: TableSettings,
    on_turn: Callable[[Replayed], None] = _ignore_turn,
) -> Table:
    """Return the table after the journal's last row, under the current rules and settings. `on_turn` is
    called for each replayed event. Raises NotOurJournal, naming the row, if one cannot be replayed.
    """
    with in_file(journal.path):
        at, state = _newest(journal)
        for done in replayed_events(journal.settings(), journal.rows(at), state):
            state = done.after
            on_turn(done)
    return Table(pack, settings, state)


@dataclass(frozen=True, slots=True)
class Replayed:
    """A replayed event. `seq`: its row. `before`, `after`: state of the table. `context`: rules and settings
    in force. `effects`: effects that the event had, which are not executed again."""

    seq: int
    event: Event
    before: TableState
    after: TableState
    context: Context
    effects: Sequence[Effect]


def replayed_events(
    history: Iterable[Settings], rows: Iterable[Row], state: TableState | None
) -> Iterator[Replayed]:
    """Replay every row under the rules in force when it was written. Raises Damaged, naming the row, if one
    cannot be replayed."""
    ahead = list(history)
    table: Table | None = None
    for row in rows:
        while ahead and ahead[0].seq <= row.seq:
            rules_in_force = ahead.pop(0)
            if not ahead or ahead[0].seq > row.seq:
                table = _table(rules_in_force, table.state if table else state)
        if table is None:
            raise Damaged(f"row {row.seq} has no rules before it")
        event = _event(row)
        if event is not None:
            before = table.state
            effects = _handle(table, event, row)
            yield Replayed(row.seq, event, before, table.state, table.context(row.stamp), effects)


def replay(
    history: Iterable[Settings], rows: Iterable[Row], state: TableState | None, on_record: OnRecord,
    on_correction: OnCorrection = _ignore_correction,
) -> TableState | None:  # fmt: skip
    """Replay every row and return the state after the last one, or None without rows. `on_correction` gets
    the number of a closed round and its correction."""
    after = state
    for done in replayed_events(history, rows, state):
        after = done.after
        for effect in done.effects:
            if isinstance(effect, WriteRecord):
                on_record(effect.record, done.before)
            elif isinstance(effect, CorrectRecord):
                on_correction(effect.round, effect.entry)
    return after


def beginning(db: sqlite3.Connection) -> tuple[int, TableState | None]:
    """Return the row and the state from which a replay of the whole file starts: (0, None), or the snapshot
    at which a journal with an archive begins. Raises Damaged if this program cannot read that snapshot."""
    beginning = beginning_of(db)
    if not beginning.seq:
        return 0, None
    for seq, text in read_snapshots(db):
        if seq == beginning.seq:
            try:
                return seq, adapter(TableState).validate_json(text)
            except ValidationError:
                break
    raise Damaged(f"the snapshot at row {beginning.seq}, where it begins, cannot be read by this program")


def _event(row: Row) -> Event | None:
    try:
        return row.event()
    except CodecError as error:
        raise Damaged(f"row {row.seq}: {error}") from None


def _handle(table: Table, event: Event, row: Row) -> list[Effect]:
    try:
        return table.handle(event, row.stamp)
    except UNPLAYABLE as error:
        raise Damaged(f"row {row.seq} cannot be replayed ({type(error).__name__})") from None


def _newest(journal: Journal) -> tuple[int, TableState | None]:
    """Return row and state of the newest readable snapshot, or (0, None) without one."""
    for seq, text in journal.snapshots():
        try:
            return seq, adapter(TableState).validate_json(text)
        except ValidationError as error:
            log.warning("snapshot at row %s is of another version (%s places)", seq, error.error_count())
    return 0, None


# ---------------------------------------------------------------------- rules and settings in the journal


def store_settings(journal: Journal, stamp: Stamp, pack: RulePack, settings: TableSettings) -> None:
    """Store rules and settings if they have changed: a replay needs the rules of its time."""
    table = _canonical(plain_settings(settings))
    journal.store_settings(stamp, pack.digest, _canonical(plain_rules(pack)), table)


def plain_settings(settings: TableSettings) -> dict[str, Any]:
    """Return the settings in the form in which a journal stores them. A set becomes a sorted list, so that
    every process gives the same text."""
    table: dict[str, Any] = adapter(TableSettings).dump_python(settings, mode="json")
    return {**table, "fitted": sorted(table["fitted"])}


def rules_in_force(journal: Journal) -> Table:
    """Return a table under the last rules and settings of the journal."""
    with in_file(journal.path):
        return _table(journal.settings()[-1], None)


def _canonical(plain: Mapping[str, object]) -> str:
    """Return JSON that is the same for equal values in every process."""
    return json.dumps(plain, sort_keys=True, separators=(",", ":"))


def _with_former_meaning(settings: TableSettings) -> TableSettings:
    """Return stored settings with the meaning that they had when they were written: if the table file named
    no floorperson, any badge could decide."""
    return settings if settings.floorpersons else replace(settings, floorpersons=None)


def rules_and_settings(rules_in_force: Settings) -> tuple[RulePack, TableSettings]:
    """Parse a stored rule pack and its table settings. Raises Damaged, naming the row, if they cannot be
    read."""
    try:
        pack = rules_of(rules_in_force.pack)
        settings = _with_former_meaning(adapter(TableSettings).validate_json(rules_in_force.settings))
    except ValidationError as error:
        fields = ", ".join(sorted({".".join(map(str, each["loc"])) for each in error.errors()}))
        raise Damaged(f"the rules at row {rules_in_force.seq} cannot be read: {fields}") from None
    return pack, settings


def _table(rules_in_force: Settings, state: TableState | None) -> Table:
    return Table(*rules_and_settings(rules_in_force), state)
