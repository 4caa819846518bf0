"""Store of a pit: every event of every table once, in order and as received, with the figures.

An event is accepted if it is the next one of its table's stream, and is on stable storage before its
acknowledgement is sent. Duplicates are ignored; a gap in the numbers reveals a missing event. A stored event
is never replaced by another with the same number. Figures and tiles are written in the same transaction as
their events. The store must never contain anything that was not received from a table.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from controller.common.tlog.merkle import BadFrontier, Frontier
from controller.floor.pit import streams
from controller.floor.pit.database import Database, StoreError
from controller.floor.pit.retention import RetentionJob
from controller.floor.pit.schema import check_same, create_or_upgrade, identity_of
from controller.floor.pit.streams import Former, Join, WorkedOut

PROBE = 1 << 20
MAX_TROUBLES = 10_000
"""Maximum number of stored refusals; older ones are deleted, so that refusals cannot fill the store."""
Outcome: TypeAlias = Literal["new", "duplicate", "gap", "other", "fork", "stranger"]
"""Result of comparing an event with the store.

new: the next one, to be stored; duplicate: stored already; gap: an earlier event is missing; other: another
content is stored under its number; fork: the next number, but of another history; stranger: another stream
than the table's.
"""
FigureIncrements: TypeAlias = Mapping[tuple[str, str, str, str], int]
"""Amounts to add to the figures: (table, hour, dealer, name) -> whole number."""

ADD = """INSERT INTO sums VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (name, hour, dealer, what) DO UPDATE SET amount = sums.amount + excluded.amount"""
PUT = """INSERT INTO tables VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET stream = excluded.stream, upto = excluded.upto,
  frontier = excluded.frontier, picture = excluded.picture"""
KEEP = "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
READ = "SELECT name, stream, sequence, kind, at, round, body, adds FROM events"


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """One event in the store.

    `body`: the payload, byte for byte as received. `at`: the table's UTC time of the event. `round`: the
    round in play then, or the next one.
    """

    table: str
    stream: str
    sequence: int
    kind: str
    at: str
    round: int
    body: str
    adds: str | None = ""
    """Amounts that the event adds to the figures, as text (figure_increments.py); None if version 2 of the
    store wrote the event."""

    def data(self) -> dict[str, Any]:
        """Return the data of the event."""
        return dict(json.loads(self.body)["data"])


@dataclass(frozen=True, slots=True)
class StreamHead:
    """State of a table in the store: its current stream, the tree of the stored events, and its tile as text.

    The number of the last event is the size of the tree.
    """

    stream: str
    tree: Frontier
    picture: str = "{}"

    @property
    def upto(self) -> int:
        return self.tree.size


@dataclass(frozen=True, slots=True)
class Trouble:
    """Line of the page of refusals: a message that was refused. `kind`: the reason in one word; `words`: the
    reason as text."""

    at: str
    table: str
    kind: str
    words: str


class Store:
    """Read and write access to a store. One pit, one thread."""

    def __init__(self, database: Database, identity: str = "") -> None:
        """Create or upgrade the store and read its tables. Raises StoreError, with the database closed, if it
        is not a store of this program. With `identity` nothing is created: raises StoreReplaced if the store
        has another one."""
        self._db = database
        try:
            if not identity:
                create_or_upgrade(database)
            self._identity = identity or identity_of(database)
            self.check()
            self.tables: dict[str, StreamHead] = load_heads(database)
        except StoreError:
            database.close()
            raise
        self.former: dict[tuple[str, str], Former] = streams.former_streams(database)
        self.forks: dict[tuple[str, str], int] = streams.forks_of(database)
        """For each (table, stream), number of the first event that belongs to another history."""

    def close(self) -> None:
        self._db.close()

    def reopened(self) -> Store:
        """Close the store and return it opened again. Raises StoreError, StoreReplaced if another one is in
        its place."""
        return Store(self._db.reopened(), self._identity)

    def open_reader(self) -> Database:
        """Return another connection to the same store, for pages and for the audit trail; any thread may call
        it. Raises StoreReplaced if another store, or none, is in its place."""
        database = self._db.reader()
        try:
            check_same(database, self._identity)
        except StoreError:
            database.close()
            raise
        return database

    def classify(
        self,
        event: StoredEvent,
        after: Mapping[str, StreamHead] | None = None,
        previous: bytes | None = None,
    ) -> Outcome:
        """Compare an event with the stored ones and return the result; nothing is written.

        `after`: tables that have advanced in the same batch. `previous`: the root that the event carries, or
        None. After another history was found in a stream, an event without a root is refused, since its
        number does not show its history.
        """
        known = (after or {}).get(event.table) or self.tables.get(event.table)
        if known is not None and known.stream != event.stream:
            return "stranger"
        stand = known or StreamHead(event.stream, Frontier())
        if event.sequence <= stand.upto:
            return "other" if self.differs(event) else "duplicate"
        if event.sequence > stand.upto + 1:
            return "gap"
        unproven = previous is None and (event.table, event.stream) in self.forks
        return "fork" if unproven or previous not in (None, stand.tree.root()) else "new"

    def events(self, table: str, stream: str) -> list[StoredEvent]:
        """Return all stored events of a stream, in order."""
        return events_of(self._db, table, stream)

    def differs(self, event: StoredEvent) -> bool:
        """Return whether a different content is stored under the event's number in its stream."""
        query = "SELECT body FROM events WHERE name = ? AND stream = ? AND sequence = ?"
        found = self._db.rows(query, (event.table, event.stream, event.sequence))
        return bool(found) and found[0][0] != event.body

    def keep(
        self, events: Sequence[StoredEvent], stand: Mapping[str, StreamHead], sums: FigureIncrements
    ) -> None:
        """Store events, the new states of their tables, and the amounts that they add to the figures, in one
        commit. Raises StoreError; then nothing is stored."""
        rows = [(e.table, e.stream, e.sequence, e.kind, e.at, e.round, e.body, e.adds) for e in events]
        with self._db.transaction():
            self._db.each(KEEP, rows)
            self._db.each(PUT, [_row(name, each) for name, each in sorted(stand.items())])
            self._db.each(ADD, sorted((*key, amount) for key, amount in sums.items() if amount))
        self.tables.update(stand)

    def upto(self, table: str, stream: str) -> int:
        """Return the number of the last stored event of a stream, or 0 if none is stored."""
        stand = self.tables.get(table)
        if stand is not None and stand.stream == stream:
            return stand.upto
        return self.former.get((table, stream), Former(Frontier())).upto

    def trees(self, table: str, stream: str, sizes: Sequence[int]) -> list[Frontier]:
        """Return the tree of the first N events for each N in `sizes`; an N whose events were dropped is left
        out."""
        found = (streams.tree_at(self._db, table, stream, size) for size in sizes)
        return [tree for tree in found if tree is not None]

    def note_fork(self, table: str, stream: str, sequence: int, utc: str) -> bool:
        """Note that the table's history differs from event `sequence` on. Returns whether this is new."""
        known = self.forks.get((table, stream))
        if known is not None and known <= sequence:
            return False
        with self._db.transaction():
            statement = """INSERT INTO forks VALUES (?, ?, ?, ?)
              ON CONFLICT (name, stream) DO UPDATE SET sequence = excluded.sequence"""
            self._db.each(statement, [(table, stream, sequence, utc)])
        self.forks[table, stream] = sequence
        return known is None

    def clear_fork(self, table: str, stream: str) -> None:
        """Delete the note of another history, because the table has returned to the stored one."""
        if self.forks.pop((table, stream), None) is not None:
            self._db.each("DELETE FROM forks WHERE name = ? AND stream = ?", [(table, stream)])

    def switch_stream(
        self, table: str, stream: str, worked_out: WorkedOut = lambda _table, _stream: {}, utc: str = ""
    ) -> bool:
        """Make `stream` the table's current one if a person has accepted it. Returns whether it is the
        current one now.

        Events of former streams that the new stream contains again are taken out of the figures in the
        same commit; all events stay readable. The contributions are read under the lock of a refold's
        exchange (refold.py), which may have changed them.
        """
        query = "SELECT who, reason FROM accepted WHERE name = ? AND stream = ?"
        found = self._db.rows(query, (table, stream))
        if not found or table not in self.tables:
            return False
        before, known = self.tables[table], self.former.get((table, stream), Former(Frontier()))
        former = {name: each for (of, name), each in self.former.items() if of == table}
        former[before.stream] = Former(before.tree)
        who, reason = found[0]
        stand = StreamHead(stream, known.tree)
        with self._db.transaction():
            self._db.lock_writes()
            changes = streams.cuts(self._db, table, stream, former)
            sums = streams.moved(self._db, table, former, changes, worked_out)
            former = {
                name: Former(each.tree, changes.get(name, (0, each.cut))[1])
                for name, each in former.items() if name != stream
            }  # fmt: skip
            join = Join(utc, stream, before.stream, who, reason, streams.figures_of(sums))
            self._db.each(PUT, [_row(table, stand)])
            self._db.each(ADD, sorted((*key, amount) for key, amount in sums.items() if amount))
            streams.put(self._db, table, former, join)
        self.tables[table] = stand
        self.former = {key: each for key, each in self.former.items() if key[0] != table}
        self.former |= {(table, name): each for name, each in former.items()}
        return True

    def age(self, job: RetentionJob, words: Mapping[str, str | None], now: float) -> int:
        """Drop some of the events whose retention has ended. Returns their number. `words`: time (UTC) of
        each table's last event; `now`: POSIX seconds."""
        return job.step(self._db, sorted(words.items()), now)

    def clock(self, requested: str, machine: str) -> str:
        """Return the time zone of the figures (`clock_of`)."""
        return clock_of(self._db, requested, machine)

    def check(self) -> None:
        """Raise StoreError if the store does not answer, StoreReplaced if it is no longer the one that was
        opened."""
        check_same(self._db, self._identity)

    def probe(self) -> None:
        """Raise StoreError if the store cannot be written. Writes 1 MiB, since a small row may still fit on a
        full disk."""
        with self._db.transaction():
            self._db.each("INSERT INTO accepted (name, stream, at) VALUES (?, ?, ?)", [("", "", " " * PROBE)])
            self._db.rows("DELETE FROM accepted WHERE name = ''")

    def note(self, trouble: Trouble) -> None:
        """Store a refusal for the page, and drop the oldest above MAX_TROUBLES."""
        with self._db.transaction():
            top = int(self._db.rows("SELECT coalesce(max(number), 0) FROM troubles")[0][0])
            row = (top + 1, trouble.at, trouble.table, trouble.kind, trouble.words)
            self._db.each("INSERT INTO troubles VALUES (?, ?, ?, ?, ?)", [row])
            self._db.each("DELETE FROM troubles WHERE number <= ?", [(top + 1 - MAX_TROUBLES,)])


def _row(name: str, each: StreamHead) -> tuple[object, ...]:
    return name, each.stream, each.upto, each.tree.text(), each.picture


def accept(database: Database, table: str, stream: str, utc: str, who: str = "", reason: str = "") -> None:
    """Note that a person has accepted this stream for the table. A running pit switches to it when an event
    of it comes.
    """
    statement = """INSERT INTO accepted (name, stream, at, who, reason) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (name, stream) DO UPDATE SET
      at = excluded.at, who = excluded.who, reason = excluded.reason"""
    with database.transaction():
        database.each(statement, [(table, stream, utc, who, reason)])


def clock_of(database: Database, requested: str, machine: str) -> str:
    """Return the time zone by which a store's figures are counted, which never changes.

    It is `requested` when the store is created, by default the machine's. Raises StoreError if `requested`
    differs later.
    """
    found = database.rows("SELECT zone FROM clock")
    if not found:
        with database.transaction():
            database.each("INSERT INTO clock VALUES (?)", [(requested or machine,)])
        return requested or machine
    zone = str(found[0][0])
    if requested not in ("", zone):
        words = f"start with --zone {zone}, or name another store"
        raise StoreError(f"store: its figures are counted by the clock of {zone}; {words}")
    return zone


# ------------------------------------------------------------------ reading


def load_heads(database: Database) -> dict[str, StreamHead]:
    """Return the stored tables by name. Raises StoreError if their data are damaged."""
    rows = database.rows("SELECT name, stream, frontier, picture FROM tables ORDER BY name")
    try:
        return {
            name: StreamHead(stream, Frontier.parse(tree), picture) for name, stream, tree, picture in rows
        }
    except BadFrontier as error:
        raise StoreError(f"store: is damaged: {error}; put back a copy") from None


def events_of(database: Database, table: str, stream: str, after: int = 0) -> list[StoredEvent]:
    """Return the events of a stream after number `after`, in order."""
    query = f"{READ} WHERE name = ? AND stream = ? AND sequence > ? ORDER BY sequence"
    return [StoredEvent(*row) for row in database.rows(query, (table, stream, after))]


def of_round(database: Database, table: str, stream: str, number: int) -> list[StoredEvent]:
    """Return the events of one round of a stream, in order, corrections included."""
    query = f"{READ} WHERE name = ? AND stream = ? AND round = ? ORDER BY sequence"
    return [StoredEvent(*row) for row in database.rows(query, (table, stream, number))]


def of_kinds(
    database: Database, table: str, stream: str, kinds: Sequence[str], most: int
) -> list[StoredEvent]:
    """Return the newest `most` events of these kinds in a stream, the newest first."""
    query = f"{READ} WHERE name = ? AND stream = ? AND kind = ? ORDER BY sequence DESC LIMIT ?"
    found = [StoredEvent(*row) for kind in kinds for row in database.rows(query, (table, stream, kind, most))]
    return sorted(found, key=lambda each: each.sequence, reverse=True)[:most]


def irregularities_of(database: Database, most: int) -> list[Trouble]:
    """Return the newest refusals, the newest first."""
    query = "SELECT at, name, kind, words FROM troubles ORDER BY number DESC LIMIT ?"
    return [Trouble(*row) for row in database.rows(query, (most,))]
