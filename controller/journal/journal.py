"""The journal: every event, on stable storage before anything acts on it. SQLite, WAL, synchronous FULL.

One daemon writes it, secured by a lock file; others may read it at any time. Rows are appended in one
commit per batch and never change. It never interprets an event and never drops one: a write that fails
is a `JournalFault`, and `recover` tells whether it is on the disk all the same.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from controller.game.model.events import Event, Stamp
from controller.journal.codec import decode, encode
from controller.journal.files import check_pages, connect, last_seq, lock_beside, note_head, noted_head
from controller.journal.schema import JournalError, JournalFault, NotOurJournal, read_of, reading_error, words

NOTHING = "Nothing"
"""A row without an event: a frame that the table cannot use, kept for its mark."""
SNAPSHOTS_KEPT = 12
OLDER_SNAPSHOTS_GO = """
DELETE FROM snapshots WHERE seq NOT IN (SELECT seq FROM snapshots ORDER BY seq DESC LIMIT ?)
"""
COMMITS_A_CHECKPOINT = 400
"""After so many commits `tidy` moves the log into the database between rounds, so that SQLite need not do
it during one."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What is to be written: an event (None: only the mark) and the mark of the shoe's frame it came in."""

    event: Event | None
    mark: str | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the journal."""

    seq: int
    stamp: Stamp
    kind: str
    body: str = field(repr=False)
    mark: str | None

    def event(self) -> Event | None:
        return None if self.kind == NOTHING else decode(self.kind, self.body)


@dataclass(frozen=True, slots=True)
class Settings:
    """The rule pack and the table's settings that apply from row `seq` on, as JSON."""

    seq: int
    digest: str
    pack: str
    settings: str


class Journal:
    """Open for writing; one per file."""

    def __init__(self, path: Path, *, forced: bool = True) -> None:
        """Created where there is none. JournalError says in one line why it cannot be opened. `forced`: a
        commit waits until it is on the disk; only a journal thrown away with its process need not."""
        self.path = path
        self._forced = forced
        self._commits = 0
        self._passing: int | None = None
        """The row of the newest snapshot, if the next one replaces it."""
        lock = lock_beside(path)
        self._lock: int | None = lock
        try:
            self._db = connect(path, forced=forced)
            check_pages(path, self._db)
            self.head = last_seq(path, self._db)
            self._check_head(noted_head(lock))
        except JournalError:
            os.close(lock)
            raise

    def _check_head(self, noted: int) -> None:
        """A table that had a journal never goes on with less of it unless somebody says so."""
        if self.head < noted:
            self._db.close()
            raise NotOurJournal(
                f"journal {self.path}: ends at row {self.head} and had {noted} rows: put back the file and "
                f"its -wal; if they are lost, delete {self.path}.lock to go on without them"
            )

    # ------------------------------------------------------------------ writing

    def append(self, entries: Sequence[Entry], stamp: Stamp) -> None:
        """Write them in one commit; they are on stable storage when this returns. After a JournalFault call
        `recover` first."""
        rows = [
            (self.head + at, stamp.ms, stamp.utc, *(encode(e.event) if e.event else (NOTHING, "{}")), e.mark)
            for at, e in enumerate(entries, start=1)
        ]
        with self._commit():
            self._db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", rows)
        self.head += len(rows)
        if self._lock is not None:
            note_head(self._lock, self.head)

    def keep_settings(self, stamp: Stamp, digest: str, pack: str, settings: str) -> None:
        """Write them if they differ from the last ones; they apply from the next event on."""
        last = self.settings()
        if last and (last[-1].digest, last[-1].pack, last[-1].settings) == (digest, pack, settings):
            return
        with self._commit():
            row = (self.head + 1, stamp.utc, digest, pack, settings)
            self._db.execute("INSERT INTO settings VALUES (?, ?, ?, ?, ?)", row)

    def keep_snapshot(
        self, state: str, figures: Mapping[str, str] | None = None, *, passing: bool = False
    ) -> None:
        """Keep the whole state after the last row, and what the rounds come to until then; the oldest
        snapshots are deleted, and so is the one before if that was `passing`."""
        sums = [(key, self.head, text) for key, text in (figures or {}).items()]
        with self._commit():
            self._db.executemany("INSERT OR REPLACE INTO figures VALUES (?, ?, ?)", sums)
            self._db.execute("DELETE FROM snapshots WHERE seq = ?", (self._passing,))
            self._db.execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?)", (self.head, state))
            self._db.execute(OLDER_SNAPSHOTS_GO, (SNAPSHOTS_KEPT,))
        self._passing = self.head if passing else None

    def tidy(self) -> None:
        """Move the log into the database, while nobody waits for an acknowledgement."""
        if self._commits >= COMMITS_A_CHECKPOINT:
            self._commits = 0
            with self._faults():
                self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    @contextmanager
    def _commit(self) -> Iterator[None]:
        with self._faults():
            try:
                self._db.execute("BEGIN IMMEDIATE")
                yield
                self._db.execute("COMMIT")
            except sqlite3.Error:
                with suppress(sqlite3.Error):
                    self._db.rollback()
                raise
        self._commits += 1

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise JournalFault(f"journal {self.path}: {words(error)}") from error
        except JournalFault:
            raise
        except JournalError as error:
            raise JournalFault(str(error)) from error

    def recover(self) -> bool:
        """After a fault: open the file again. True if the commit that reported an error is in it after all;
        then it is forced to the disk and counts as written."""
        with self._faults():
            self._db.close()
            self._db = connect(self.path, forced=self._forced)
            head = last_seq(self.path, self._db)
            stands = head > self.head
            if stands:
                self._db.execute("PRAGMA wal_checkpoint(FULL)").fetchall()
                self.head = head
        return stands

    # ------------------------------------------------------------------ reading

    def last_stamp(self) -> Stamp | None:
        with read_of("the last row"):
            row = self._db.execute("SELECT ms, utc FROM events ORDER BY seq DESC LIMIT 1").fetchone()
        return None if row is None else Stamp(row[0], row[1])

    def last_mark(self) -> str | None:
        """The mark of the shoe's last frame that is on stable storage."""
        return read_last_mark(self._db)

    def rows(self, after: int = 0) -> Iterator[Row]:
        yield from read_rows(self._db, after)

    def settings(self) -> list[Settings]:
        return read_settings(self._db)

    def snapshots(self) -> list[tuple[int, str]]:
        """(seq, state), the newest first."""
        return read_snapshots(self._db)

    def figures(self) -> tuple[int, dict[str, str]]:
        """What the rounds come to, and after which row that was. Nothing where a program that keeps none has
        written a snapshot since."""
        rows = self._db.execute("SELECT key, seq, sums FROM figures").fetchall()
        newest = self._db.execute("SELECT max(seq) FROM snapshots").fetchone()[0] or 0
        seq = max((seq for _, seq, _ in rows), default=0)
        return (seq, {key: sums for key, _, sums in rows}) if seq >= newest else (0, {})

    def free_bytes(self) -> int:
        return shutil.disk_usage(self.path.parent).free

    def close(self) -> None:
        self._db.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def read_rows(db: sqlite3.Connection, after: int = 0, kind: str | None = None) -> Iterator[Row]:
    """The rows after row `after`, in order; of one kind where it is named. `Damaged` names the first that
    cannot be read."""
    query = (
        "SELECT seq, ms, utc, kind, body, mark FROM events "
        "WHERE seq > ? AND (? IS NULL OR kind = ?) ORDER BY seq"
    )
    try:
        for seq, ms, utc, own, body, mark in db.execute(query, (after, kind, kind)):
            yield Row(seq, Stamp(ms, utc), own, body, mark)
            after = seq
    except sqlite3.Error as error:
        raise reading_error(f"the row after row {after}", error) from None


def read_snapshots(db: sqlite3.Connection) -> list[tuple[int, str]]:
    """(seq, state), the newest first."""
    with read_of("the snapshots"):
        return db.execute("SELECT seq, state FROM snapshots ORDER BY seq DESC").fetchall()


def read_settings(db: sqlite3.Connection) -> list[Settings]:
    """In the order in which they came to apply."""
    query = "SELECT seq, digest, pack, settings FROM settings ORDER BY rowid"
    with read_of("the rules in force"):
        return [Settings(*row) for row in db.execute(query)]


def read_last_mark(db: sqlite3.Connection) -> str | None:
    query = "SELECT mark FROM events WHERE mark IS NOT NULL ORDER BY seq DESC LIMIT 1"
    with read_of("the shoe's last mark"):
        row = db.execute(query).fetchone()
    return None if row is None else str(row[0])
