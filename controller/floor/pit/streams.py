"""Streams of a table: the current one, the former ones of older journals, and how a person joins a new one
to them.

A stream contains the events of one journal after one row (`row_before`). A new stream of the same journal may
repeat events of former streams. When a person joins it, the repeated events stay readable, are marked, and
are removed from the figures, so that each round counts once. Streams of another journal keep their figures.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from controller.common.tlog.merkle import Frontier, leaf_hash
from controller.floor.pit import figure_increments as added
from controller.floor.pit.database import Database
from controller.floor.pit.retention import gone_of, is_gone
from controller.floor.uplink.stream_names import JOURNAL_DIGITS, journal_of, row_before

IncrementCounter: TypeAlias = Counter[tuple[str, str, str, str]]
"""Amounts to add to the figures: (table, hour, dealer, name) -> whole number."""
WorkedOut: TypeAlias = Callable[[str, str], Mapping[int, str]]
"""Function from (table, stream) to each event's contribution to the figures by sequence, in the form of
`figure_increments.as_text`; for events that version 2 of the store wrote.
"""


@dataclass(frozen=True, slots=True)
class Former:
    """Stream that was replaced as a table's current one.

    `tree`: tree of its events. `cut`: number of its first event that does not count in the figures; None if
    all count.
    """

    tree: Frontier
    cut: int | None = None

    @property
    def upto(self) -> int:
        return self.tree.size


@dataclass(frozen=True, slots=True)
class Join:
    """Decision of a person that made another stream the table's current one.

    `previous`: the stream before it. `who`, `reason`: as typed; `at`: UTC. `taken_out`: rounds and cents that
    were taken out of the figures.
    """

    at: str
    stream: str
    previous: str
    who: str
    reason: str
    taken_out: Mapping[str, int]


def former_streams(database: Database) -> dict[tuple[str, str], Former]:
    """Return the former streams of all tables, by (table, stream)."""
    rows = database.rows("SELECT name, stream, frontier, cut FROM former")
    return {(name, stream): Former(Frontier.parse(tree), cut) for name, stream, tree, cut in rows}


def forks_of(database: Database) -> dict[tuple[str, str], int]:
    """Return for each (table, stream) the number of the first event that belongs to another history."""
    rows = database.rows("SELECT name, stream, sequence FROM forks")
    return {(name, stream): int(sequence) for name, stream, sequence in rows}


def joins_of(database: Database, table: str) -> list[Join]:
    """Return the joins of a table, the newest first."""
    query = (
        "SELECT at, stream, previous, who, reason, taken_out FROM joins WHERE name = ? ORDER BY number DESC"
    )
    rows = database.rows(query, (table,))
    return [Join(at, new, old, who, why, json.loads(out)) for at, new, old, who, why, out in rows]


def streams(database: Database, table: str) -> dict[str, int | None]:
    """Return the streams of a table, the current one first, each with its first event that is not in the
    figures, or None.
    """
    current = database.rows("SELECT stream FROM tables WHERE name = ?", (table,))
    rest = database.rows("SELECT stream, cut FROM former WHERE name = ? ORDER BY stream", (table,))
    return {**{row[0]: None for row in current}, **dict(rest)}


def short(stream: str) -> str:
    """Return a stream's name for people: eight digits of its journal, six of its root, its first row."""
    root = stream.partition("-")[0][JOURNAL_DIGITS:]
    return stream[:8] + (f"/{root[:6]}" if root else "") + (f"-{row}" if (row := row_before(stream)) else "")


def holds_round(database: Database, table: str, stream: str, number: int) -> bool:
    """Return whether a stream has, or had before retention, events of a round."""
    query = "SELECT 1 FROM events WHERE name = ? AND stream = ? AND round = ? LIMIT 1"
    found = database.rows(query, (table, stream, number))
    return bool(found) or is_gone(database, table, stream, number)


def round_at(database: Database, table: str, stream: str, sequence: int) -> int:
    """Return the round of an event, 0 if the event is not stored."""
    query = "SELECT round FROM events WHERE name = ? AND stream = ? AND sequence = ?"
    found = database.rows(query, (table, stream, sequence))
    return int(found[0][0]) if found else 0


def tree_at(database: Database, table: str, stream: str, size: int) -> Frontier | None:
    """Return the tree of the first `size` events, or None if more events were dropped."""
    gone = gone_of(database, table, stream)
    tree = gone.tree if gone else Frontier()
    if size < tree.size:
        return None
    query = """SELECT body FROM events
      WHERE name = ? AND stream = ? AND sequence > ? AND sequence <= ? ORDER BY sequence"""
    bodies = database.rows(query, (table, stream, tree.size, size))
    return tree.extend(leaf_hash(str(body).encode()) for (body,) in bodies)


# ------------------------------------------------------------------ joining


def cuts(
    database: Database, table: str, stream: str, former: Mapping[str, Former]
) -> dict[str, tuple[int | None, int | None]]:
    """Return the streams whose `cut` changes when `stream` becomes the current one, each with the values
    before and after.

    `former`: the table's former streams; also the one that is current now, and `stream` itself if it was
    current before.
    """
    changes: dict[str, tuple[int | None, int | None]] = {}
    for name, each in former.items():
        after = None if name == stream else each.cut
        if name != stream and journal_of(name) == journal_of(stream):
            first = _first_behind(database, table, name, each.upto, row_before(stream))
            after = min(each.cut or first, first)
            after = after if after <= each.upto else None
        if after != each.cut:
            changes[name] = (each.cut, after)
    return changes


def _first_behind(database: Database, table: str, stream: str, upto: int, row: int) -> int:
    """Return the number of a stream's first event that comes from a row after `row` of the journal, or `upto`
    + 1 if there is none.

    Rows never decrease along a stream, so bisection needs some twenty reads for a million events.
    """
    gone = gone_of(database, table, stream)
    low, high = (gone.tree.size if gone else 0) + 1, upto + 1
    query = "SELECT body FROM events WHERE name = ? AND stream = ? AND sequence = ?"
    while low < high:
        middle = (low + high) // 2
        (body,) = database.rows(query, (table, stream, middle))[0]
        if json.loads(body)["row"] > row:
            high = middle
        else:
            low = middle + 1
    return low


def share(
    database: Database, table: str, stream: str, first: int, last: int, worked_out: WorkedOut
) -> IncrementCounter:
    """Return the amounts that the events from `first` to `last` of a stream add to the figures."""
    query = """SELECT sequence, adds FROM events
      WHERE name = ? AND stream = ? AND sequence >= ? AND sequence <= ? ORDER BY sequence"""
    rows = database.rows(query, (table, stream, first, last))
    again = worked_out(table, stream) if any(adds is None for _, adds in rows) else {}
    found: IncrementCounter = Counter()
    for sequence, adds in rows:
        for (hour, dealer, what), amount in added.parse(again[sequence] if adds is None else adds):
            found[table, hour, dealer, what] += amount
    return found


def moved(
    database: Database, table: str, former: Mapping[str, Former],
    changes: Mapping[str, tuple[int | None, int | None]], worked_out: WorkedOut,
) -> IncrementCounter:  # fmt: skip
    """Return the amounts by which the figures change when cuts of former streams change. `changes`: (cut
    before, cut after) by stream."""
    total: IncrementCounter = Counter()
    for stream, (before, after) in changes.items():
        end = former[stream].upto + 1
        old, new = before or end, after or end
        part = share(database, table, stream, min(old, new), max(old, new) - 1, worked_out)
        for key, amount in part.items():
            total[key] += amount if new > old else -amount
    return total


def figures_of(sums: IncrementCounter) -> dict[str, int]:
    """Return the rounds, wagers and win (cents) in `sums`, for display."""
    found: Counter[str] = Counter()
    for (_, _, _, what), amount in sums.items():
        if what in (added.ROUNDS, added.WAGERED, added.WIN):
            found[what] -= amount
    return dict(found)


def put(database: Database, table: str, former: Mapping[str, Former], join: Join) -> None:
    """Write the join of a stream and the table's former streams, inside the caller's transaction.

    The acceptance is deleted: to return to the previous stream, a person has to accept that one again.
    """
    database.each("DELETE FROM former WHERE name = ?", [(table,)])
    rows = [(table, stream, each.tree.text(), each.cut) for stream, each in former.items()]
    database.each("INSERT INTO former VALUES (?, ?, ?, ?)", rows)
    number = int(database.rows("SELECT coalesce(max(number), 0) FROM joins")[0][0]) + 1
    taken_out = json.dumps(join.taken_out, sort_keys=True, separators=(",", ":"))
    row = (number, join.at, table, join.stream, join.previous, join.who, join.reason, taken_out)
    database.each("INSERT INTO joins VALUES (?, ?, ?, ?, ?, ?, ?, ?)", [row])
    database.each("DELETE FROM accepted WHERE name = ?", [(table,)])
