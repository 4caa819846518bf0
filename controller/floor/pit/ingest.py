"""Events received in the messages of tables: each is accepted or refused (rejected) completely, and
acknowledged once it is on the disk.

A batch is one transaction. An event is accepted if it is the next of its table; any other is refused,
reported in one line per hour for each table and reason, and answered with the last stored event, from which
the table continues. An invalid payload does not affect the rest of its batch. This module reads no clock and
no socket.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from controller.common.tlog.merkle import Frontier
from controller.floor.pit.catch_all import contained
from controller.floor.pit.database import StoreError
from controller.floor.pit.expected_win import Known
from controller.floor.pit.figure_increments import contribution, parse
from controller.floor.pit.refusals import Refusals
from controller.floor.pit.store import Store, StoredEvent, StreamHead, Trouble
from controller.floor.pit.tile import Tile, after
from controller.floor.uplink.stream_names import journal_of
from controller.floor.uplink.wire import Event, InvalidPayload, leaf_of, read_event

log = logging.getLogger("crisscross.pit")
ACCEPT = "if the table has a new journal, type crisscross pit --accept"
ANOTHER_HISTORY = (
    "event {number} came again with other content; the first one stays: from there on the table tells "
    "another history than the one kept; nothing of it is taken in this stream, and the table starts a new "
    "one; if it does not, its program is older: bring it up to date, or look at who writes for this table"
)
"""Message about the first event of another history; the events after it are refused without a message."""


@dataclass(frozen=True, slots=True)
class Payload:
    """Message received on the topic of a table's events, not yet verified. `table`: name of the table in the
    topic."""

    table: str
    payload: bytes
    previous: bytes | None = None
    """Root of the stream's tree before the event, if the publisher sent one."""


@dataclass
class Taken:
    """Result of writing a batch.

    `stored`: stored events in order. `answer`: tables that must be sent the number of their last stored
    event. `forks`: number of the first event of another history, by (table, stream). `duplicates`, `refused`:
    numbers of events.
    """

    stored: list[StoredEvent] = field(default_factory=list)
    answer: set[str] = field(default_factory=set)
    forks: dict[tuple[str, str], int] = field(default_factory=dict)
    duplicates: int = 0
    refused: int = 0


@dataclass
class _Batch:
    events: list[StoredEvent] = field(default_factory=list)
    heads: dict[str, StreamHead] = field(default_factory=dict)
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

    def head_of(self, table: str) -> StreamHead | None:
        return self._store.tables.get(table)

    def take(self, payloads: Iterable[Payload]) -> Taken:
        """Store the events of a batch and return the result. Raises StoreError; then no event of the batch is
        stored or acknowledged.
        """
        batch, taken = _Batch(), Taken()
        for each in payloads:
            try:
                with contained(partial(self._unexpected, taken, each), StoreError, InvalidPayload):
                    self._one(batch, taken, each)
            except InvalidPayload as error:
                taken.refused += 1
                self.refuse(each.table, error.reason, str(error), error.number)
        if batch.events:
            self._store.keep(batch.events, batch.heads, batch.sums)
            self.tiles.update(batch.tiles)
            for table, stream in {(one.table, one.stream) for one in batch.events}:
                if (table, stream) not in taken.forks:
                    self._store.clear_fork(table, stream)
        taken.stored = batch.events
        return taken

    def _unexpected(self, taken: Taken, each: Payload, words: str) -> None:
        taken.refused += 1
        self.refuse(each.table, "unexpected", f"events: {words}")

    def _one(self, batch: _Batch, taken: Taken, each: Payload) -> None:
        event = read_event(each.payload, each.table)
        number, body = int(event.subject.removeprefix("round/")), each.payload.decode()
        stored = StoredEvent(event.table, event.stream, event.number, event.kind, event.time, number, body)
        self._sort(batch, taken, event, stored, each.previous)

    def _sort(
        self, batch: _Batch, taken: Taken, event: Event, stored: StoredEvent, previous: bytes | None
    ) -> None:  # fmt: skip
        """Add one event to the batch, ignore or refuse it, as `Store.classify` decides."""
        outcome = self._store.classify(stored, batch.heads, previous)
        if (
            outcome == "stranger"
            and event.table not in batch.heads
            and self._switched(event.table, event.stream)
        ):
            outcome = self._store.classify(stored, batch.heads, previous)
        if outcome == "duplicate" and any(
            _name(e) == _name(stored) and e.body != stored.body for e in batch.events
        ):
            outcome = (
                "other"  # two different events of this batch have the same number, so the second is refused
            )
        if outcome == "stranger" and (event.table, event.stream) in self._store.former:
            outcome = "other" if self._store.differs(stored) else outcome
        if outcome in ("new", "duplicate", "gap"):
            taken.answer.add(event.table)
        if outcome == "new":
            self._add(batch, stored, event)
        elif outcome == "duplicate":
            taken.duplicates += 1
            if self._store.forks.get((event.table, event.stream)) == stored.sequence:
                self._store.clear_fork(event.table, event.stream)
        elif outcome in ("other", "fork"):
            self._another_history(taken, stored)
        else:
            taken.refused += 1
            if outcome == "stranger" or (event.table, event.stream) not in self._store.forks:
                self.refuse(event.table, outcome, self._why(outcome, event, batch), event.number)

    def _another_history(self, taken: Taken, stored: StoredEvent) -> None:
        """Refuse an event of another history than the stored one. One line in the log covers all later events
        of it.
        """
        key = (stored.table, stored.stream)
        taken.refused += 1
        taken.forks[key] = min(stored.sequence, taken.forks.get(key, stored.sequence))
        if self._store.note_fork(*key, stored.sequence, self._utc()):
            self.refuse(
                stored.table, "other", ANOTHER_HISTORY.format(number=stored.sequence), stored.sequence
            )
        else:
            self._refusals.add(stored.table, "other")

    def _why(self, outcome: str, event: Event, batch: _Batch) -> str:
        heads = batch.heads.get(event.table) or self._store.tables.get(event.table)
        if outcome == "gap":
            upto = heads.upto if heads else 0
            return f"event {event.number} came after {upto}; it is asked for again from {upto + 1} on"
        return _unaccepted_stream_words(event.table, event.stream, heads.stream if heads else "")

    def is_of(self, table: str, stream: str) -> bool:
        """Return whether the stream is the table's current one. If it is not and no person has accepted it, a
        refusal is logged."""
        known = self.head_of(table)
        if known is None or known.stream == stream or self._switched(table, stream):
            return True
        self.refuse(table, "stranger", _unaccepted_stream_words(table, stream, known.stream))
        return False

    def _switched(self, table: str, stream: str) -> bool:
        if not self._store.switch_stream(table, stream, self._contributions, self._utc()):
            return False
        self.tiles[table] = Tile()
        for reason in ("stranger", "other"):
            self._refusals.over(table, reason)
        words = "table %s: goes on with stream %s, as was accepted"
        log.info(words, table, stream, extra={"table": table, "event": "joined"})
        return True

    def _contributions(self, table: str, stream: str) -> dict[int, str]:
        """Return by sequence what each event of a stream adds to the figures. It is computed again for events
        that version 2 of the store wrote without this text."""
        tile, found = Tile(), {}
        for stored in self._store.events(table, stream):
            tile, found[stored.sequence] = self._folded(stored, stored.data, tile)
        return found

    def _folded(
        self, stored: StoredEvent, read_data: Callable[[], dict[str, Any]], before: Tile
    ) -> tuple[Tile, str]:
        """Return the tile after an event, and the text of what the event adds to the figures.

        If this fails for a valid event because of a fault of the program, the event is stored all the same,
        so that its table can continue, and a refusal is counted.
        """

        def report(words: str) -> None:
            stays = f"event {stored.sequence} is kept, and in no figure"
            self.refuse(stored.table, "unfolded", f"{stored.kind}: {words}; {stays}", stored.sequence)

        with contained(report):
            data = read_data()
            tile = after(before, stored.kind, stored.at, data)
            return tile, contribution(stored.kind, stored.at, data, before, self._zone, self._packs)
        return replace(before, at=stored.at), ""

    def _add(self, batch: _Batch, stored: StoredEvent, event: Event) -> None:
        name = event.table
        heads = batch.heads.get(name) or self._store.tables.get(name) or StreamHead(event.stream, Frontier())
        before = batch.tiles.get(name) or self.tiles.get(name) or Tile()
        tile, adds = self._folded(stored, lambda: event.data, before)
        tree = heads.tree.add(leaf_of(stored.body.encode()))
        batch.tiles[name], batch.heads[name] = tile, StreamHead(event.stream, tree, tile.text())
        batch.sums.update({(name, *key): amount for key, amount in parse(adds)})
        batch.events.append(replace(stored, adds=adds))

    def refuse(
        self, table: str, reason: str, words: str, sequence: int | None = None, number: int = 1
    ) -> None:
        """Count `number` refusals. Log and store them, at most once an hour for each table and reason.
        `sequence`: number of the event, if it is known.
        """
        if self._refusals.add(table, reason, number):
            self.report(table, reason, words, sequence)

    def report(self, table: str, reason: str, words: str, sequence: int | None = None) -> None:
        """Log a message about a table and store it for the page. `reason`: its kind in one word; `sequence`:
        number of the event concerned."""
        number = {} if sequence is None else {"sequence": sequence}
        log.warning("table %s: %s", table, words, extra={"table": table, "event": reason, **number})
        try:
            self._store.note(Trouble(self._utc(), table, reason, words))
        except StoreError as error:
            log.warning("%s", str(error), extra={"event": "store_failed"})


def tile_of(text: str) -> Tile:
    """Return the stored tile, or an empty one with a warning if another program wrote it."""
    try:
        return Tile.parse(text)
    except (ValueError, TypeError, AttributeError):
        log.warning("the picture of a table cannot be read and begins anew", extra={"event": "picture"})
        return Tile()


def _unaccepted_stream_words(table: str, stream: str, known: str) -> str:
    why = " --reason WHY" if journal_of(stream) == journal_of(known) else ""
    return (
        f"its name is spoken by stream {stream}, and the pit keeps {known}; nothing of it is taken; "
        f"{ACCEPT} {table} {stream}{why}"
    )


def _name(event: StoredEvent) -> tuple[str, str, int]:
    return event.table, event.stream, event.sequence
