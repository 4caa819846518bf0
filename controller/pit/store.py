"""What a pit keeps: every event of every table once, in order and as it came, and what follows from them.

An event is taken when it is the next one of its table's stream, and is on stable storage before anybody is
told "have up to N". One that is here already is left alone; one of the same number with another content is
never written over the first. Figures and the picture of a table are kept in the same transaction as the
events that they follow from. It must never hold what did not come over the wire.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from controller.pit.ageing import Ageing, gone_of
from controller.pit.database import Database, StoreError
from controller.seal.merkle import BadFrontier, Frontier, leaf_hash

VERSION = 2
PROBE = 1 << 20
MOST_TROUBLES = 10_000
"""Refusals that are kept, the newest; nobody fills the store by being refused."""
Fate: TypeAlias = Literal["kept", "here", "gap", "other", "stranger"]
"""What became of an event: kept now, here already, after a gap, not what is here under its number, or of
another journal than the table's."""
Sums: TypeAlias = Mapping[tuple[str, str, str, str], int]
"""To add: (table, hour, dealer, name) -> whole number."""

SINCE_2 = (
    """CREATE TABLE dropped (
      name TEXT NOT NULL, stream TEXT NOT NULL, frontier TEXT NOT NULL, round BIGINT NOT NULL,
      at TEXT NOT NULL, PRIMARY KEY (name, stream))""",
    "CREATE INDEX events_kind ON events (name, kind, at, sequence)",
    "CREATE TABLE clock (zone TEXT NOT NULL)",
)
"""What a store of version 1 has not."""
SCHEMA = (
    "CREATE TABLE version (number BIGINT NOT NULL)",
    f"INSERT INTO version VALUES ({VERSION})",  # noqa: S608  # a number of this module
    """CREATE TABLE tables (
      name TEXT PRIMARY KEY, stream TEXT NOT NULL, upto BIGINT NOT NULL, frontier TEXT NOT NULL,
      picture TEXT NOT NULL)""",
    """CREATE TABLE events (
      name TEXT NOT NULL, stream TEXT NOT NULL, sequence BIGINT NOT NULL, kind TEXT NOT NULL,
      at TEXT NOT NULL, round BIGINT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (name, stream, sequence))""",
    "CREATE INDEX events_round ON events (name, round)",
    *SINCE_2,
    """CREATE TABLE accepted (
      name TEXT NOT NULL, stream TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (name, stream))""",
    """CREATE TABLE sums (
      name TEXT NOT NULL, hour TEXT NOT NULL, dealer TEXT NOT NULL, what TEXT NOT NULL,
      amount BIGINT NOT NULL, PRIMARY KEY (name, hour, dealer, what))""",
    "CREATE INDEX sums_hour ON sums (hour)",
    """CREATE TABLE troubles (
      number BIGINT PRIMARY KEY, at TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL,
      words TEXT NOT NULL)""",
)
ADD = """INSERT INTO sums VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (name, hour, dealer, what) DO UPDATE SET amount = sums.amount + excluded.amount"""
PUT = """INSERT INTO tables VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET stream = excluded.stream, upto = excluded.upto,
  frontier = excluded.frontier, picture = excluded.picture"""
KEEP = "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)"
READ = "SELECT name, stream, sequence, kind, at, round, body FROM events"


@dataclass(frozen=True, slots=True)
class Kept:
    """One event as it is kept. `body`: the payload, byte for byte as it came; `at`: when the table says that
    it was, in UTC; `round`: the one on the table then, or the one to come."""

    table: str
    stream: str
    sequence: int
    kind: str
    at: str
    round: int
    body: str

    def data(self) -> dict[str, Any]:
        """What it tells."""
        return dict(json.loads(self.body)["data"])


@dataclass(frozen=True, slots=True)
class Standing:
    """A table as the store has it: its stream, the tree of what is kept of that (its size is the number of
    the last event), and what follows from the events."""

    stream: str
    tree: Frontier
    picture: str = "{}"

    @property
    def upto(self) -> int:
        return self.tree.size


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that was refused."""

    at: str
    table: str
    kind: str
    words: str


class Store:
    """Over a database that is open for writing."""

    def __init__(self, database: Database) -> None:
        self._db = database
        begin(database)
        self.tables: dict[str, Standing] = standings(database)

    def close(self) -> None:
        self._db.close()

    def fate(self, event: Kept, after: Mapping[str, Standing] | None = None) -> Fate:
        """What would become of it now. `after`: tables that have got further in a batch."""
        known = (after or {}).get(event.table) or self.tables.get(event.table)
        if known is not None and known.stream != event.stream:
            return "stranger"
        upto = known.upto if known else 0
        if event.sequence > upto:
            return "kept" if event.sequence == upto + 1 else "gap"
        query = "SELECT body FROM events WHERE name = ? AND stream = ? AND sequence = ?"
        found = self._db.rows(query, (event.table, event.stream, event.sequence))
        return "other" if found and found[0][0] != event.body else "here"

    def keep(self, events: Sequence[Kept], stand: Mapping[str, Standing], sums: Sums) -> None:
        """In one commit: events that come next, their tables after them, what they add up to. `StoreError`:
        nothing of it is kept."""
        rows = [(e.table, e.stream, e.sequence, e.kind, e.at, e.round, e.body) for e in events]
        with self._db.alone():
            self._db.each(KEEP, rows)
            self._db.each(PUT, [_row(name, each) for name, each in sorted(stand.items())])
            self._db.each(ADD, sorted((*key, amount) for key, amount in sums.items() if amount))
        self.tables.update(stand)

    def turn_to(self, table: str, stream: str) -> bool:
        """Another stream is the table's from now on, if a person has accepted it; what is kept stays."""
        query = "SELECT 1 FROM accepted WHERE name = ? AND stream = ?"
        if not self._db.rows(query, (table, stream)):
            return False
        gone = gone_of(self._db, table, stream)
        tree = gone.tree if gone else Frontier()
        rest = events_of(self._db, table, stream, tree.size)
        stand = Standing(stream, tree.extend(leaf_hash(each.body.encode()) for each in rest))
        with self._db.alone():
            self._db.each(PUT, [_row(table, stand)])
            # taken back once followed: the stream before would have to be accepted anew
            self._db.rows("DELETE FROM accepted WHERE name = ?", (table,))
        self.tables[table] = stand
        return True

    def age(self, ageing: Ageing, words: Mapping[str, str | None], now: float) -> int:
        """Drops some of what is older than it is to be kept. `words`: when each table spoke last."""
        return ageing.step(self._db, sorted(words.items()), now)

    def clock(self, asked: str, machine: str) -> str:
        """As `clock_of`."""
        return clock_of(self._db, asked, machine)

    def probe(self) -> None:
        """Whether it can be written: `StoreError` where not. Of a full disk a small row would say nothing."""
        with self._db.alone():
            self._db.each("INSERT INTO accepted VALUES (?, ?, ?)", [("", "", " " * PROBE)])
            self._db.rows("DELETE FROM accepted WHERE name = ''")

    def note(self, trouble: Trouble) -> None:
        """A refusal, for whoever looks later."""
        with self._db.alone():
            top = int(self._db.rows("SELECT coalesce(max(number), 0) FROM troubles")[0][0])
            row = (top + 1, trouble.at, trouble.table, trouble.kind, trouble.words)
            self._db.each("INSERT INTO troubles VALUES (?, ?, ?, ?, ?)", [row])
            self._db.each("DELETE FROM troubles WHERE number <= ?", [(top + 1 - MOST_TROUBLES,)])


def _row(name: str, each: Standing) -> tuple[object, ...]:
    return name, each.stream, each.upto, each.tree.text(), each.picture


def accept(database: Database, table: str, stream: str, utc: str) -> None:
    """A person says that this stream is the table's; the pit that writes turns to it when it hears it."""
    with database.alone():
        database.each("INSERT INTO accepted VALUES (?, ?, ?) ON CONFLICT DO NOTHING", [(table, stream, utc)])


def begin(database: Database) -> None:
    """The tables, where there are none, or those that a store of version 1 has not; a store of a later
    program is refused."""
    if not database.has("version"):
        with database.alone():
            for statement in SCHEMA:
                database.rows(statement)
    number = database.rows("SELECT number FROM version")[0][0]
    if number == 1:
        with database.alone():
            for statement in (*SINCE_2, f"UPDATE version SET number = {VERSION}"):  # noqa: S608  # a number
                database.rows(statement)
        number = VERSION
    if number != VERSION:
        raise StoreError(
            f"store: is of version {number}; this program reads {VERSION}: use the later program"
        )


def clock_of(database: Database, asked: str, machine: str) -> str:
    """The zone by whose hours the figures of a store are counted, for ever: what is asked for when it begins,
    else the machine's. `StoreError` where another is asked for later."""
    found = database.rows("SELECT zone FROM clock")
    if not found:
        with database.alone():
            database.each("INSERT INTO clock VALUES (?)", [(asked or machine,)])
        return asked or machine
    zone = str(found[0][0])
    if asked not in ("", zone):
        words = f"start with --zone {zone}, or name another store"
        raise StoreError(f"store: its figures are counted by the clock of {zone}; {words}")
    return zone


# ------------------------------------------------------------------ reading


def standings(database: Database) -> dict[str, Standing]:
    """By the name of the table. `StoreError` where what was written is damaged."""
    rows = database.rows("SELECT name, stream, frontier, picture FROM tables ORDER BY name")
    try:
        return {name: Standing(stream, Frontier.parse(tree), picture) for name, stream, tree, picture in rows}
    except BadFrontier as error:
        raise StoreError(f"store: is damaged: {error}; put back a copy") from None


def events_of(database: Database, table: str, stream: str, after: int = 0) -> list[Kept]:
    """Every event of a stream behind one, in order."""
    query = f"{READ} WHERE name = ? AND stream = ? AND sequence > ? ORDER BY sequence"
    return [Kept(*row) for row in database.rows(query, (table, stream, after))]


def of_round(database: Database, table: str, number: int) -> list[Kept]:
    """What was told of one round, in order, and of every correction of it."""
    query = f"{READ} WHERE name = ? AND round = ? ORDER BY at, sequence"
    return [Kept(*row) for row in database.rows(query, (table, number))]


def of_kinds(database: Database, table: str, kinds: Sequence[str], most: int) -> list[Kept]:
    """The newest events of these kinds, the newest first; each kind in the order of the index."""
    query = f"{READ} WHERE name = ? AND kind = ? ORDER BY at DESC, sequence DESC LIMIT ?"
    found = [Kept(*row) for kind in kinds for row in database.rows(query, (table, kind, most))]
    return sorted(found, key=lambda each: (each.at, each.sequence), reverse=True)[:most]


def sums_between(database: Database, first: str, last: str) -> list[tuple[str, str, str, str, int]]:
    """(table, hour, dealer, name, amount) of the hours from `first` to `last`, both included."""
    query = "SELECT name, hour, dealer, what, amount FROM sums WHERE hour BETWEEN ? AND ? ORDER BY name, hour"
    return [(n, h, d, w, int(a)) for n, h, d, w, a in database.rows(query, (first, last))]


def troubles_of(database: Database, most: int) -> list[Trouble]:
    """The newest first."""
    query = "SELECT at, name, kind, words FROM troubles ORDER BY number DESC LIMIT ?"
    return [Trouble(*row) for row in database.rows(query, (most,))]
