"""Events received from tables: accepted or refused completely, and acknowledged once they are on the disk.

A batch is one transaction. An event is accepted if it is the next of its table; any other is refused,
reported in one line per hour for each table and reason, and answered with the last stored event, from which
the table continues. A wrong payload is refused alone. Nothing here reads a clock or a socket.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from controller.common.tlog.merkle import Frontier
from controller.floor.pit.contained import contained
from controller.floor.pit.database import StoreError
from controller.floor.pit.expected_win import Known
from controller.floor.pit.figure_increments import as_text, hour_of, parse, sums_of
from controller.floor.pit.refusals import Refusals
from controller.floor.pit.store import Store, StoredEvents, StreamHead, Trouble
from controller.floor.pit.tile import Tile, after
from controller.floor.uplink.wire import Event, InvalidPayload, journal_of, leaf_of, read_event

log = logging.getLogger("crisscross.pit")
ACCEPT = "if the table has a new journal, type crisscross pit --accept"
ANOTHER_HISTORY = (
    "event {number} came again with other content; the first one stays: from there on the table tells "
    "another history than the one kept; nothing of it is taken in this stream, and the table starts a new "
    "one; if it does not, its program is older: bring it up to date, or look at who writes for this table"
)
"""Message for all events of one fork."""


@dataclass(frozen=True, slots=True)
class Payload:
    """Payload from the topic of a table's events."""

    table: str
    payload: bytes
    previous: bytes | None = None
    """Root of the stream's tree before the event, if the publisher sent one."""


@dataclass
class Taken:
    """Result of a batch.

    `kept`: stored events in order. `answer`: tables that must be sent the last stored event. `forks`: the
    first event of another history, by (table, stream).
    """

    kept: list[StoredEvents] = field(default_factory=list)
    answer: set[str] = field(default_factory=set)
    forks: dict[tuple[str, str], int] = field(default_factory=dict)
    here: int = 0
    refused: int = 0


@dataclass
class _Batch:
    events: list[StoredEvents] = field(default_factory=list)
    stand: dict[str, StreamHead] = field(default_factory=dict)
    tiles: dict[str, Tile] = field(default_factory=dict)
    sums: Counter[tuple[str, str, str, str]] = field(default_factory=Counter)


class Intake:
    """Writes the events of all tables.

    `zone`: the pit's time zone. `utc`: returns the time for refusals. `packs`: packs with known odds.
    `refusals`: those of a previous intake, whose store was reopened.
    """

    def __init__(
        self, store: Store, zone: str, utc: Callable[[], str], packs: Known,
        refusals: Refusals | None = None,
    ) -> None:  # fmt: skip
        self._store, self._zone, self._utc, self._packs = store, zone, utc, packs
        self.tiles = {name: tile_of(each.picture) for name, each in store.tables.items()}
        self._refusals = refusals or Refusals(utc)

    def stands(self, table: str) -> StreamHead | None:
        return self._store.tables.get(table)

    def take(self, payloads: Iterable[Payload]) -> Taken:
        """Store the events of a batch. Raises StoreError; then nothing of it is stored or acknowledged."""
        batch, taken = _Batch(), Taken()
        for each in payloads:
            try:
                with contained(partial(self._unexpected, taken, each), StoreError, InvalidPayload):
                    self._one(batch, taken, each)
            except InvalidPayload as error:
                taken.refused += 1
                self.refuse(each.table, error.reason, str(error))
        if batch.events:
            self._store.keep(batch.events, batch.stand, batch.sums)
            self.tiles.update(batch.tiles)
            for table, stream in {(one.table, one.stream) for one in batch.events}:
                if (table, stream) not in taken.forks:
                    self._store.proven(table, stream)
        taken.kept = batch.events
        return taken

    def _unexpected(self, taken: Taken, each: Payload, words: str) -> None:
        taken.refused += 1
        self.refuse(each.table, "unexpected", f"events: {words}")

    def _one(self, batch: _Batch, taken: Taken, each: Payload) -> None:
        event = read_event(each.payload, each.table)
        number, body = int(event.subject.removeprefix("round/")), each.payload.decode()
        kept = StoredEvents(event.table, event.stream, event.number, event.kind, event.time, number, body)
        self._sort(batch, taken, event, kept, each.previous)

    def _sort(
        self, batch: _Batch, taken: Taken, event: Event, kept: StoredEvents, previous: bytes | None
    ) -> None:  # fmt: skip
        """Handle one event by its fate."""
        fate = self._store.fate(kept, batch.stand, previous)
        if fate == "stranger" and event.table not in batch.stand and self._turned(event.table, event.stream):
            fate = self._store.fate(kept, batch.stand, previous)
        if fate == "here" and any(_name(e) == _name(kept) and e.body != kept.body for e in batch.events):
            fate = "other"  # two different events of this batch have the same number: the second is refused
        if fate == "stranger" and (event.table, event.stream) in self._store.former:
            fate = "other" if self._store.differs(kept) else fate
        if fate in ("kept", "here", "gap"):
            taken.answer.add(event.table)
        if fate == "kept":
            self._add(batch, kept, event)
        elif fate == "here":
            taken.here += 1
            if self._store.forks.get((event.table, event.stream)) == kept.sequence:
                self._store.proven(event.table, event.stream)
        elif fate in ("other", "fork"):
            self._another_history(taken, kept)
        else:
            taken.refused += 1
            if fate == "stranger" or (event.table, event.stream) not in self._store.forks:
                self.refuse(event.table, fate, self._why(fate, event, batch))

    def _another_history(self, taken: Taken, kept: StoredEvents) -> None:
        """Refuse an event of another history than the stored one, with one line for all that follow it."""
        key = (kept.table, kept.stream)
        taken.refused += 1
        taken.forks[key] = min(kept.sequence, taken.forks.get(key, kept.sequence))
        if self._store.forked(*key, kept.sequence, self._utc()):
            self.refuse(kept.table, "other", ANOTHER_HISTORY.format(number=kept.sequence))
        else:
            self._refusals.add(kept.table, "other")

    def _why(self, fate: str, event: Event, batch: _Batch) -> str:
        stand = batch.stand.get(event.table) or self._store.tables.get(event.table)
        if fate == "gap":
            upto = stand.upto if stand else 0
            return f"event {event.number} came after {upto}; it is asked for again from {upto + 1} on"
        return _stranger(event.table, event.stream, stand.stream if stand else "")

    def is_of(self, table: str, stream: str) -> bool:
        """Return whether the stream is the table's; if no person accepted it, refuse it in the log."""
        known = self.stands(table)
        if known is None or known.stream == stream or self._turned(table, stream):
            return True
        self.refuse(table, "stranger", _stranger(table, stream, known.stream))
        return False

    def _turned(self, table: str, stream: str) -> bool:
        if not self._store.turn_to(table, stream, self._worked_out, self._utc()):
            return False
        self.tiles[table] = Tile()
        for reason in ("stranger", "other"):
            self._refusals.over(table, reason)
        log.info("table %s: goes on with stream %s, as was accepted", table, stream)
        return True

    def _worked_out(self, table: str, stream: str) -> dict[int, str]:
        """Return the contribution of each event of a stream, for events that version 2 of the store kept."""
        tile, found = Tile(), {}
        for kept in self._store.events(table, stream):
            tile, found[kept.sequence] = self._folded(kept, kept.data, tile)
        return found

    def _folded(
        self, kept: StoredEvents, told: Callable[[], dict[str, Any]], before: Tile
    ) -> tuple[Tile, str]:
        """Return the tile after an event, and the event's contribution to the figures.

        A valid event that raises an error here is stored, so that its table can go on, and counted as
        refused.
        """

        def report(words: str) -> None:
            stays = f"event {kept.sequence} is kept, and in no figure"
            self.refuse(kept.table, "unfolded", f"{kept.kind}: {words}; {stays}")

        with contained(report):
            data = told()
            tile = after(before, kept.kind, kept.at, data)
            return tile, self._adds(kept.kind, kept.at, data, before)
        return replace(before, at=kept.at), ""

    def _adds(self, kind: str, utc: str, data: dict[str, Any], before: Tile) -> str:
        """Return an event's contribution to the figures in the store's form."""
        sums = sums_of(kind, data, before, self._packs)
        return as_text(hour_of(utc, self._zone), _dealer(kind, data, before), sums)

    def _add(self, batch: _Batch, kept: StoredEvents, event: Event) -> None:
        name = event.table
        stand = batch.stand.get(name) or self._store.tables.get(name) or StreamHead(event.stream, Frontier())
        before = batch.tiles.get(name) or self.tiles.get(name) or Tile()
        tile, adds = self._folded(kept, lambda: event.data, before)
        tree = stand.tree.add(leaf_of(kept.body.encode()))
        batch.tiles[name], batch.stand[name] = tile, StreamHead(event.stream, tree, tile.text())
        batch.sums.update({(name, *key): amount for key, amount in parse(adds)})
        batch.events.append(replace(kept, adds=adds))

    def refuse(self, table: str, reason: str, words: str) -> None:
        """Count a refusal; log and store it once an hour."""
        if not self._refusals.add(table, reason):
            return
        log.warning("table %s: %s", table, words)
        try:
            self._store.note(Trouble(self._utc(), table, reason, words))
        except StoreError as error:
            log.warning("%s", str(error))


def tile_of(text: str) -> Tile:
    """Return the stored tile, or an empty one with a warning if another program wrote it."""
    try:
        return Tile.parse(text)
    except (ValueError, TypeError, AttributeError):
        log.warning("the picture of a table cannot be read and begins anew")
        return Tile()


def _stranger(table: str, stream: str, known: str) -> str:
    why = " --reason WHY" if journal_of(stream) == journal_of(known) else ""
    return (
        f"its name is spoken by stream {stream}, and the pit keeps {known}; nothing of it is taken; "
        f"{ACCEPT} {table} {stream}{why}"
    )


def _name(event: StoredEvents) -> tuple[str, str, int]:
    return event.table, event.stream, event.sequence


def _dealer(kind: str, data: Mapping[str, Any], before: Tile) -> str:
    """Return the dealer to whose figures an event belongs, or "" if unknown."""
    if kind == "record":
        return str(data["record"]["dealer"] or "")
    return before.dealer or ""
