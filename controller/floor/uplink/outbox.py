"""The outbox: the events that a table keeps for the pits, in a file beside the journal.

Without a connection a table can keep any number of events, however many: they are numbered and kept until
every pit has acknowledged them; up to MAX_ACKNOWLEDGED acknowledged events are kept as well. The outbox can
be made again from the journal, byte for byte. So it may be lost, and must never be used instead of the
journal. It contains no unturned face.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Protocol

from controller.common.files.atomic_write import rename_into_place
from controller.common.files.transaction import transaction
from controller.common.tlog.merkle import BadFrontier, Frontier

APPLICATION_ID, VERSION = 0x43435455, 1
_SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE head (
  only INTEGER PRIMARY KEY CHECK (only = 0), stream TEXT NOT NULL, name TEXT NOT NULL, row INTEGER NOT NULL,
  sealed INTEGER NOT NULL, tree TEXT NOT NULL) STRICT;
CREATE TABLE events (
  sequence INTEGER PRIMARY KEY, row INTEGER NOT NULL, payload BLOB NOT NULL, root BLOB NOT NULL) STRICT;
CREATE TABLE felt (only INTEGER PRIMARY KEY CHECK (only = 0), payload BLOB NOT NULL) STRICT;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {VERSION};
COMMIT;
"""
ADDED = """
CREATE TABLE IF NOT EXISTS folded (
  only INTEGER PRIMARY KEY CHECK (only = 0), row INTEGER NOT NULL, tree TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS diverged (
  only INTEGER PRIMARY KEY CHECK (only = 0), stream TEXT NOT NULL, sequence INTEGER NOT NULL,
  low INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS chips (only INTEGER PRIMARY KEY CHECK (only = 0), payload BLOB NOT NULL) STRICT;
"""
"""Tables that an outbox of an earlier version may lack; the earlier version ignores them."""
MAX_ACKNOWLEDGED = 50_000
"""Maximum number of acknowledged events that a table keeps: some days of play, for a pit that has lost its
disk.
"""


class OutboxError(Exception):
    """Raised if the outbox cannot be opened, read or written. The message is one line."""


@dataclass(frozen=True, slots=True)
class Head:
    """Position up to which an outbox has been filled, in its stream and in the journal.

    `row`: last row of the journal whose events are in the outbox. `sealed`: size of the last checkpoint among
    them. `tree`: tree of all its events.
    """

    stream: str
    name: str
    row: int
    sealed: int
    tree: Frontier
    journal: Frontier | None = None
    """Tree of the journal up to the leaf of `row`, None if an earlier version wrote the outbox."""

    @property
    def sequence(self) -> int:
        return self.tree.size


@dataclass(frozen=True, slots=True)
class Ready:
    """Event in the outbox, ready to be sent. `row`: row of the journal that it comes from."""

    sequence: int
    row: int
    payload: bytes
    root: bytes
    """Root of the stream's tree up to and including this event."""
    previous: bytes | None = None
    """Root of the stream's tree before this event; None if it is no longer stored."""


@dataclass(frozen=True, slots=True)
class Diverged:
    """Note that a pit has another history of the stream.

    `sequence`: the first event that certainly differs. `low`: the last event that every pit has acknowledged
    by its root.
    """

    sequence: int
    low: int


class Events(Protocol):
    """Access of a publisher to an outbox, by file or by socket. Methods raise OutboxError if it fails."""

    @property
    def path(self) -> Path:
        """Path of the file or socket, for messages."""

    def head(self) -> Head | None: ...
    def events(self, after: int, most: int) -> list[Ready]: ...
    def first(self) -> int: ...
    def root(self, sequence: int) -> bytes | None: ...
    def felt(self) -> bytes | None: ...
    def chips(self) -> bytes | None: ...
    def forget(self, had: int) -> None: ...
    def diverge(self, stream: str, found: Diverged) -> None: ...


def outbox_path(journal: Path) -> Path:
    return journal.with_name(f"{journal.name}.uplink")


class Outbox:
    """Outbox in a file, open until `close`. One process writes; others may read at the same time."""

    def __init__(self, path: Path) -> None:
        """Open the outbox, or create it. Raises OutboxError."""
        self.path = path
        with self._errors_named():
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
            self._db = sqlite3.connect(path, isolation_level=None, timeout=5.0)
            if self._db.execute("PRAGMA schema_version").fetchone()[0] == 0:
                self._db.executescript(_SCHEMA)
            known = tuple(self._db.execute(f"PRAGMA {name}").fetchone()[0] for name in _IDENTITY)
            if known != (APPLICATION_ID, VERSION):
                self._db.close()
                raise OutboxError(f"outbox {path}: is not one of this program; {ANEW}")
            self._db.execute("PRAGMA journal_mode=WAL").fetchall()
            self._db.executescript(ADDED)
            self._db.execute("PRAGMA synchronous=NORMAL")

    def close(self) -> None:
        self._db.close()

    def head(self) -> Head | None:
        """Return the position of the outbox, or None if it has no stream yet."""
        with self._errors_named():
            found = self._db.execute("SELECT stream, name, row, sealed, tree FROM head").fetchone()
        if found is None:
            return None
        stream, name, row, sealed, tree = found
        with self._errors_named():
            folded = self._db.execute("SELECT tree FROM folded WHERE row = ?", (row,)).fetchone()
        try:
            journal = Frontier.parse(folded[0]) if folded else None
            return Head(stream, name, row, sealed, Frontier.parse(tree), journal)
        except BadFrontier:
            raise OutboxError(f"outbox {self.path}: is damaged; {ANEW}") from None

    def add(
        self, head: Head, events: Sequence[Ready], felt: bytes | None, chips: bytes | None = None
    ) -> None:
        """Add events, the new position, and the newest felt and chips if they changed, in one commit."""
        with self._errors_named(), transaction(self._db):
            rows = [(each.sequence, each.row, each.payload, each.root) for each in events]
            self._db.executemany("INSERT INTO events VALUES (?, ?, ?, ?)", rows)
            self._put(head)
            if felt is not None:
                self._db.execute("INSERT OR REPLACE INTO felt VALUES (0, ?)", (felt,))
            if chips is not None:
                self._db.execute("INSERT OR REPLACE INTO chips VALUES (0, ?)", (chips,))

    def _put(self, head: Head) -> None:
        self._db.execute(
            "INSERT OR REPLACE INTO head VALUES (0, ?, ?, ?, ?, ?)",
            (head.stream, head.name, head.row, head.sealed, head.tree.text()),
        )
        if head.journal is not None:
            folded = (head.row, head.journal.text())
            self._db.execute("INSERT OR REPLACE INTO folded VALUES (0, ?, ?)", folded)

    def begin_stream(self, head: Head) -> Path:
        """Begin another stream without events. Returns the path of a copy of the previous outbox.

        The copy may contain the only events of rounds that the journal has lost. Copy and new stream are on
        the disk before any event of the stream is published: an outbox that returned to the former stream
        would begin a third one, and a person would have accepted a stream that is published no more.
        """
        before = self.head()
        name = f"{self.path.name}.{before.stream if before else 'none'}"
        names = (self.path.with_name(name if n == 1 else f"{name}.{n}") for n in count(1))
        with self._errors_named():
            copy = next(each for each in names if not each.exists())
            part = self.path.with_name(f"{self.path.name}.part")
            part.unlink(missing_ok=True)
            self._db.execute("VACUUM INTO ?", (str(part),))
            part.chmod(0o600)
            rename_into_place(part, copy)
        with self._errors_named(), self._durable(), transaction(self._db):
            for table in ("events", "felt", "chips", "folded", "diverged"):
                self._db.execute(f"DELETE FROM {table}")  # noqa: S608  # one of these names
            self._put(head)
        return copy

    @contextmanager
    def _durable(self) -> Iterator[None]:
        """Make each commit of the block an fsync. Other commits need none: their events can be made again."""
        self._db.execute("PRAGMA synchronous=FULL")
        try:
            yield
        finally:
            self._db.execute("PRAGMA synchronous=NORMAL")

    def diverge(self, stream: str, found: Diverged) -> None:
        """Store the note that a pit has another history of `stream`, unless the stream has one already."""
        with self._errors_named(), transaction(self._db):
            self._db.execute("DELETE FROM diverged WHERE stream != ?", (stream,))
            row = (stream, found.sequence, found.low)
            self._db.execute("INSERT OR IGNORE INTO diverged VALUES (0, ?, ?, ?)", row)

    def diverged(self, stream: str) -> Diverged | None:
        """Return the note about another history of that stream, or None."""
        query = "SELECT sequence, low FROM diverged WHERE stream = ?"
        with self._errors_named():
            found = self._db.execute(query, (stream,)).fetchone()
        return Diverged(*found) if found else None

    def payloads_back(self, sequence: int) -> Iterator[bytes]:
        """Yield the payloads of the events up to `sequence`, the newest first."""
        query = "SELECT payload FROM events WHERE sequence <= ? ORDER BY sequence DESC"
        with self._errors_named():
            for (payload,) in self._db.execute(query, (sequence,)):
                yield bytes(payload)

    def events(self, after: int, most: int) -> list[Ready]:
        """Return at most `most` events after number `after`, in order."""
        query = """SELECT e.sequence, e.row, e.payload, e.root, p.root FROM events AS e
          LEFT JOIN events AS p ON p.sequence = e.sequence - 1
          WHERE e.sequence > ? ORDER BY e.sequence LIMIT ?"""
        with self._errors_named():
            found = [Ready(*row) for row in self._db.execute(query, (after, most))]
        first = Frontier().root()
        return [replace(each, previous=first) if each.sequence == 1 else each for each in found]

    def first(self) -> int:
        """Return the number of the oldest stored event, or that of the next one if none is stored."""
        with self._errors_named():
            found = self._db.execute("SELECT min(sequence) FROM events").fetchone()[0]
        head = self.head()
        return int(found) if found is not None else (head.sequence if head else 0) + 1

    def root(self, sequence: int) -> bytes | None:
        """Return the root of the first `sequence` events, or None if it is not stored."""
        if sequence == 0:
            return Frontier().root()
        with self._errors_named():
            found = self._db.execute("SELECT root FROM events WHERE sequence = ?", (sequence,)).fetchone()
        return None if found is None else bytes(found[0])

    def felt(self) -> bytes | None:
        return self._payload("SELECT payload FROM felt")

    def chips(self) -> bytes | None:
        return self._payload("SELECT payload FROM chips")

    def clear_chips(self) -> None:
        """Delete the stored chips: they are outdated until the end of the journal has been read."""
        with self._errors_named():
            self._db.execute("DELETE FROM chips")

    def _payload(self, query: str) -> bytes | None:
        with self._errors_named():
            found = self._db.execute(query).fetchone()
        return None if found is None else bytes(found[0])

    def forget(self, had: int) -> None:
        """Delete events that every pit acknowledged long ago. `had`: last event that every pit has
        acknowledged."""
        with self._errors_named():
            self._db.execute("DELETE FROM events WHERE sequence <= ?", (had - MAX_ACKNOWLEDGED,))

    @contextmanager
    def _errors_named(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise OutboxError(f"outbox {self.path}: {error}") from None


_IDENTITY = ("application_id", "user_version")
ANEW = "delete it and start again: it is made anew from the journal"
