"""Figures of the table (rounds, wagers and win), added up from round records as they are written: by shift
and hour, and the totals of the floor page.

A record is added once and never read again, so a query takes the same time after ten rounds as after ten
thousand. Changed sums are stored with each snapshot of the journal. A shift begins when the table is opened.
Money is whole cents. This module must never store a card, nor use any source except the records.
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Mapping
from typing import Any, TypeAlias

from controller.game.model.effects import CorrectRecord, WriteRecord
from controller.game.model.irregularities import Code
from controller.game.model.names import Phase
from controller.game.model.naming import entry_name
from controller.game.model.record import Correction, RoundRecord
from controller.game.model.state import TableState
from controller.record.journal.replay import Replayed

log = logging.getLogger("crisscross")

TallySums: TypeAlias = Counter[str]
"""Keys: rounds void players steps errors wagered win notice alert hold, and `code:NAME` per irregularity."""
TALLIED_GRADES = ("notice", "alert", "hold")
ALL, SHIFT, DEALERS = "all", "shift", "dealers"
HOUR = "hour:"
MAX_DEALERS = 500
"""Maximum number of stored dealers' turns, the newest ones."""
MAX_HOURS = 24 * 400
"""Maximum number of hours in memory; the journal has all."""


class Tally:
    """Figures of one table. `kept`: rows of figures stored in the journal up to its row `seq`."""

    def __init__(self, seq: int = 0, kept: Mapping[str, str] | None = None) -> None:
        self._seq = seq
        rows = {key: json.loads(text) for key, text in (kept or {}).items()}
        self.all = Span(rows.get(ALL))
        self.shift = Span(rows.get(SHIFT))
        hours = {key.removeprefix(HOUR): row for key, row in rows.items() if key.startswith(HOUR)}
        self.hours: dict[str, TallySums] = {hour: Counter(row) for hour, row in hours.items()}
        """Sums by hour in UTC: `2026-11-20T20`."""
        self.dealers: list[list[str]] = rows.get(DEALERS, [])
        """Dealers' turns, the oldest first: number of the dealer, start and end in UTC."""
        self._changed: set[str] = set()
        self._closed = not rows

    # ------------------------------------------------------------------ events and records

    def replayed(self, done: Replayed) -> None:
        """Add the rounds and corrections of one journal row that is replayed at a start. Do nothing if the
        stored figures include the row."""
        if done.seq <= self._seq:
            return
        for effect in done.effects:
            if isinstance(effect, WriteRecord):
                self.record(effect.record)
            elif isinstance(effect, CorrectRecord):
                self.correct(effect.round, effect.entry)
        self.note_state(done.after, done.context.utc)

    def note_state(self, state: TableState, utc: str) -> None:
        """Begin the total and, if the table opens, a shift. `state`: the table's state after an event at
        `utc`.
        """
        self.all.begin(utc)
        closed = state.phase is Phase.CLOSED
        if self._closed and not closed:
            self.shift = Span({"since": utc, "sums": {}})
        self._closed = closed

    def restore_phase(self, state: TableState) -> None:
        """Store the table's phase at a start, even if no row is replayed."""
        self._closed = self._closed or state.phase is Phase.CLOSED

    def record(self, record: RoundRecord, _before: object = None) -> None:
        """Add the record of a round that has ended."""
        self._add(sums_of(record), record["ended"])
        self._note_dealers(record)

    def correct(self, _round: int, entry: Correction) -> None:
        """Add a correction of a closed round; its money counts at the time of its signature."""
        self._add(Counter({"win": -entry["cents"]}), entry["when"])

    def _add(self, sums: TallySums, utc: str) -> None:
        hour = self.hours.setdefault(utc[:13], Counter())
        if len(self.hours) > MAX_HOURS:
            del self.hours[min(self.hours)]
        for total in (self.all.sums, self.shift.sums, hour):
            for name, count in sums.items():
                total[name] += count
        self._changed.add(utc[:13])

    def _note_dealers(self, record: RoundRecord) -> None:
        """Add the dealers of a round to the turns. A turn ends when another dealer deals."""
        turns = record["dealers"]
        for number, turn in enumerate(turns):
            until = turns[number + 1]["from"] if number + 1 < len(turns) else record["ended"]
            if self.dealers and self.dealers[-1][0] == turn["number"]:
                self.dealers[-1][2] = until
            else:
                self.dealers.append([turn["number"], turn["from"], until])
        del self.dealers[:-MAX_DEALERS]

    # ------------------------------------------------------------------ storage

    def unsaved(self) -> dict[str, str]:
        """Return the changed figures, to be stored with the next snapshot."""
        rows: dict[str, Any] = {ALL: self.all.plain(), SHIFT: self.shift.plain(), DEALERS: self.dealers}
        rows |= {f"{HOUR}{hour}": self.hours[hour] for hour in self._changed}
        return {key: json.dumps(row, separators=(",", ":")) for key, row in rows.items()}

    def saved(self) -> None:
        self._changed.clear()


def restore_tally(seq: int, rows: Mapping[str, str]) -> Tally:
    """Return the figures stored in the journal, or empty ones with a warning if they cannot be read."""
    try:
        return Tally(seq, rows)
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        log.warning("the figures of the journal cannot be read (%s) and begin anew", type(error).__name__)
        return Tally()


class Span:
    """Sums since a time. `since` is None if nothing has happened yet."""

    def __init__(self, row: Mapping[str, Any] | None) -> None:
        self.since: str | None = row["since"] if row else None
        self.sums: TallySums = Counter(row["sums"] if row else {})

    def begin(self, utc: str) -> None:
        self.since = self.since or utc

    def plain(self) -> dict[str, Any]:
        return {"since": self.since, "sums": self.sums}


def sums_of(record: RoundRecord) -> TallySums:
    """Return the sums of one round. The drop is not included, since the table does not see cash go into the
    box.
    """
    sums: TallySums = Counter(rounds=1, players=len(record["seats"]), steps=len(record["settlement_order"]))
    sums["void"] = int(record["outcome"] == "void")
    for seat in record["seats"]:
        sums["wagered"] += sum(w["amount"] for w in seat["wagers"].values() if w["result"] != "returned")
        sums["win"] += seat["taken"] - seat["paid"]
    sums["win"] -= sum(entry["cents"] for entry in record["corrections"])
    for entry in record["irregularities"]:
        kind = Code(entry["code"]).kind
        sums[kind.grade] += 1
        sums[f"code:{entry_name(entry)}"] += 1
        sums["errors"] += int(kind.mispay and entry["phase"] == Phase.SETTLEMENT)
    return sums
