"""Retention of a pit's events: how long they are kept, for ever or for a number of days. Figures are always
kept.

When the retention period is over, the oldest events of a stream are dropped, complete rounds at a time. The
frontier of the dropped events' tree is kept, so that the root of all events can still be sent. Age is counted
back from the table's last event or from now, whichever is earlier, so that no event is dropped early if a
clock runs ahead or a table is switched off. An event that is dated later than both is as old as the next
event that is not, so that it keeps no later one. This module must never drop an event that is missing from
the figures; both are written in one transaction (store.py). With an archive (archive.py), it must never drop
an event that is not in it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from math import inf
from typing import Protocol

from controller.common.clock import parse_utc, utc_text
from controller.common.tlog.merkle import Frontier, leaf_hash
from controller.floor.pit.database import BATCH_SIZE, Database

log = logging.getLogger("crisscross.pit")
DAY_S = 86_400
RETENTION_INTERVAL_S = 600
"""Seconds between two passes over all tables."""


class ArchiveError(Exception):
    """Raised if the archive cannot be read or written. The message is one line: the fault and its remedy."""


class EventArchive(Protocol):
    """Archive that receives events before they are dropped."""

    def reach(
        self, database: Database, table: str, stream: str, gone: Frontier, before: float,
        latest: float = inf,
    ) -> int:  # fmt: skip
        """Return the number of the last archived event of the stream, at least `gone.size`. If no event after
        `gone` is archived yet, archive those that are older than `before` (POSIX seconds) first; `latest`: as
        in `events_after`. Raises ArchiveError.
        """


@dataclass(frozen=True, slots=True)
class Gone:
    """Events of a stream that were dropped. `tree`: their tree; `round`: their last round; `at`: time of the
    last one (UTC)."""

    tree: Frontier
    round: int
    at: str


def gone_of(database: Database, table: str, stream: str) -> Gone | None:
    """Return the dropped events of a stream, or None if none was dropped."""
    query = "SELECT frontier, round, at FROM dropped WHERE name = ? AND stream = ?"
    found = database.rows(query, (table, stream))
    return Gone(Frontier.parse(found[0][0]), int(found[0][1]), found[0][2]) if found else None


def is_gone(database: Database, table: str, stream: str, number: int) -> bool:
    """Return whether a round of a stream may have been dropped."""
    gone = gone_of(database, table, stream)
    return gone is not None and number <= gone.round


def kept_since(database: Database, table: str, stream: str) -> str | None:
    """Return the time of the last dropped event of a stream (UTC), or None if none was dropped."""
    gone = gone_of(database, table, stream)
    return gone.at if gone else None


def streams_of(database: Database, table: str) -> Iterator[str]:
    """Yield the names of a table's streams of which at least one event is stored, in alphabetical order."""
    stream = ""
    query = "SELECT MIN(stream) FROM events WHERE name = ? AND stream > ?"
    while (found := database.rows(query, (table, stream))[0][0]) is not None:
        yield (stream := str(found))


def events_after(
    database: Database, table: str, stream: str, after: int, most: int, latest: float
) -> list[tuple[int, str, int, str]]:
    """Return the next events of a stream as (number, time, round, body). An event that is dated after
    `latest` (POSIX seconds), which a clock that runs ahead makes, has the time of the next one that is not.
    """
    query = """SELECT sequence, at, round, body FROM events
      WHERE name = ? AND stream = ? AND sequence > ? ORDER BY sequence LIMIT ?"""
    rows = database.rows(query, (table, stream, after, most))
    if all(parse_utc(row[1]) <= latest for row in rows):
        return rows
    query = """SELECT at FROM events
      WHERE name = ? AND stream = ? AND sequence > ? AND at <= ? ORDER BY sequence LIMIT 1"""
    follows = database.rows(query, (table, stream, rows[-1][0], utc_text(latest)))
    time, found = str(follows[0][0]) if follows else "", []
    for number, at, round_, body in reversed(rows):
        time = at if parse_utc(at) <= latest or not time else time
        found.append((number, time, round_, body))
    return found[::-1]


def drop_before(
    database: Database, table: str, stream: str, before: float, archive: EventArchive | None = None,
    latest: float = inf,
) -> int:  # fmt: skip
    """Drop the oldest rounds of a stream that ended before `before` (POSIX seconds); return the number of
    events. With an archive, only events that are in it are dropped. `latest`: as in `events_after`.

    One call drops some hundred events at most. Raises ArchiveError; then nothing is dropped.
    """
    gone = gone_of(database, table, stream) or Gone(Frontier(), 0, "")
    rows = events_after(database, table, stream, gone.tree.size, BATCH_SIZE, latest)
    old = whole_rounds(rows, before, BATCH_SIZE)
    if old and archive is not None:
        last = archive.reach(database, table, stream, gone.tree, before, latest)
        old = [row for row in old if row[0] <= last]
    if not old:
        return 0
    last, at, *_ = old[-1]
    tree = gone.tree.extend(leaf_hash(str(body).encode()) for *_, body in old)
    number = max(gone.round, *(int(each[2]) for each in old))
    with database.transaction():
        statement = "DELETE FROM events WHERE name = ? AND stream = ? AND sequence <= ?"
        database.each(statement, [(table, stream, last)])
        database.each(PUT, [(table, stream, tree.text(), number, at)])
    return len(old)


PUT = """INSERT INTO dropped VALUES (?, ?, ?, ?, ?) ON CONFLICT (name, stream) DO UPDATE SET
  frontier = excluded.frontier, round = excluded.round, at = excluded.at"""


def whole_rounds(
    rows: Sequence[tuple[int, str, int, str]], before: float, most: int
) -> list[tuple[int, str, int, str]]:
    """Return the oldest rows that may be dropped: those older than `before` (POSIX seconds), without the last
    round if it may continue after them. `rows`: (number, time, round, body) of at most `most` events. A round
    with more events is returned in parts.
    """
    old = list(takewhile(lambda row: parse_utc(row[1]) < before, rows))
    going_on = rows[len(old)][2] if len(old) < len(rows) else old[-1][2] if old else None
    whole = list(takewhile(lambda row: row[2] != going_on, old))
    return old if not whole and len(old) == most else whole


class RetentionJob:
    """Drops a few expired events after each write of the pit. `days`: retention period; None for ever.
    `archive`: archive to which the events are written before; None without."""

    def __init__(self, days: int | None, archive: EventArchive | None = None) -> None:
        self._days, self._archive = days, archive
        self._left: list[tuple[str, str | None]] = []
        """Tables not yet checked in this pass, with the time of their last event."""
        self._looked: float | None = None
        self._failed = ""
        """Fault of the archive in the present pass over the tables; "" if none has occurred."""
        self.fault = ""
        """Fault of the archive; "" after a complete pass without a fault."""

    def step(self, database: Database, tables: Sequence[tuple[str, str | None]], now: float) -> int:
        """Drop expired events of one table; return their number. Raises StoreError.

        `tables`: all tables, each with the time of its last event (UTC); `now`: POSIX seconds. If the archive
        cannot be written, nothing of that table is dropped before the next pass.
        """
        if self._days is None:
            return 0
        if not self._left:
            if self._looked is not None and 0 <= now - self._looked < RETENTION_INTERVAL_S:
                return 0
            self._looked, self._left, self._failed = now, list(tables), ""
        if not self._left:
            return 0
        table, word = self._left[-1]
        last = min(now, parse_utc(word)) if word else now
        went = self._drop(database, table, last - self._days * DAY_S, last)
        if not went:
            self._left.pop()
        if not self._left:
            self.fault = self._failed
        return went

    def _drop(self, database: Database, table: str, before: float, latest: float) -> int:
        try:
            return sum(
                drop_before(database, table, stream, before, self._archive, latest)
                for stream in streams_of(database, table)
            )
        except ArchiveError as error:
            if str(error) != self.fault:
                words = "%s; its events are not dropped, and it is tried again every %d minutes"
                log.warning(words, error, RETENTION_INTERVAL_S // 60, extra={"event": "archive_failed"})
            self.fault = self._failed = str(error)
            return 0
