"""Restores the table: the newest snapshot, then every event after it, handled once more.

Effects are not carried out again: commands do not outlive a restart, and the table decides anew when its
devices answer. It must never skip an event that it cannot read.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from pydantic import ValidationError

from controller.game.model.effects import CorrectRecord, WriteRecord
from controller.game.model.events import Stamp
from controller.game.model.rules import RulePack
from controller.game.model.state import TableSettings, TableState
from controller.game.table import Table
from controller.journal.codec import CodecError, adapter
from controller.journal.journal import Journal, Row, Settings
from controller.journal.schema import NotOurJournal

log = logging.getLogger("crisscross")

OnRecord: TypeAlias = Callable[[Mapping[str, Any], TableState], None]
OnCorrection: TypeAlias = Callable[[int, Mapping[str, Any]], None]


def _unheard(_round: int, _entry: Mapping[str, Any]) -> None:
    """Not needed for the state alone."""


def snapshot(state: TableState) -> str:
    """The whole state as JSON."""
    return adapter(TableState).dump_json(state).decode()


def restore(journal: Journal, pack: RulePack, settings: TableSettings) -> Table:
    """The table as the journal has it, under today's rules and settings. NotOurJournal names the row that
    this program cannot replay."""
    at, state = _newest(journal)
    state = replay(journal.settings(), journal.rows(at), state, lambda _record, _before: None) or state
    return Table(pack, settings, state)


def replay(
    history: Iterable[Settings], rows: Iterable[Row], state: TableState | None, on_record: OnRecord,
    on_correction: OnCorrection = _unheard,
) -> TableState | None:  # fmt: skip
    """Handle every row under the rules that applied when it was written. `on_correction` is told the number
    of a closed round and its correction."""
    ahead = list(history)
    table: Table | None = None
    for row in rows:
        while ahead and ahead[0].seq <= row.seq:
            in_force = ahead.pop(0)
            if not ahead or ahead[0].seq > row.seq:
                table = _table(in_force, table.state if table else state)
        if table is None:
            raise NotOurJournal(f"journal: row {row.seq} has no rules before it; the file is not whole")
        _handle(table, row, on_record, on_correction)
    return table.state if table else None


def _handle(table: Table, row: Row, on_record: OnRecord, on_correction: OnCorrection) -> None:
    try:
        event = row.event()
    except CodecError as error:
        raise NotOurJournal(f"journal: row {row.seq}: {error}") from error
    if event is None:
        return
    before = table.state
    for effect in table.handle(event, row.stamp):
        if isinstance(effect, WriteRecord):
            on_record(effect.record, before)
        elif isinstance(effect, CorrectRecord):
            on_correction(effect.round, effect.entry)


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
    journal.keep_settings(stamp, pack.digest, _canonical(RulePack, pack), _canonical(TableSettings, settings))


def _canonical(kind: type, value: object) -> str:
    """The same text for the same value in every process: a set has no order of its own."""
    plain = adapter(kind).dump_python(value, mode="json")
    if "fitted" in plain:
        plain["fitted"] = sorted(plain["fitted"])
    return json.dumps(plain, sort_keys=True, separators=(",", ":"))


def _table(in_force: Settings, state: TableState | None) -> Table:
    try:
        pack = adapter(RulePack).validate_json(in_force.pack)
        settings = adapter(TableSettings).validate_json(in_force.settings)
    except ValidationError as error:
        fields = ", ".join(sorted({".".join(map(str, each["loc"])) for each in error.errors()}))
        raise NotOurJournal(f"journal: the rules at row {in_force.seq} cannot be read: {fields}") from None
    return Table(pack, settings, state)
