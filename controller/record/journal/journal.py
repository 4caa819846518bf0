"""The journal: every event, on stable storage before it has any effect. The database's settings (SQLite,
WAL, synchronous FULL) make each commit an fsync to the disk.

One daemon writes it, secured by a lock file; others may read it at any time. Rows are appended in one commit
per batch and never change. The journal never interprets an event and never drops one: a write that fails
raises JournalFault, and `recover` finds out whether it is on the disk anyway.
"""

from __future__ import annotations

import logging
import shutil
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from controller.common.tlog.note import Note
from controller.game.model.events import Event, Stamp
from controller.record.journal.beginning import beginning_of
from controller.record.journal.codec import encode_event
from controller.record.journal.completeness import Missing, missing, read_counts, record_loss
from controller.record.journal.files import (
    check_pages,
    closing_on_error,
    connect,
    default_keys,
    last_seq,
)
from controller.record.journal.history import CUTS, FOUND, append_act, read_acts
from controller.record.journal.leaf_check import (
    INVENTORY,
    beginning_contradiction,
    present_inventory,
    stored_inventory,
)
from controller.record.journal.leaves import about_event, about_snapshot, holds_face
from controller.record.journal.lock import JournalLock
from controller.record.journal.objects import check_objects
from controller.record.journal.results import RoundResult
from controller.record.journal.rows import (
    NOTHING,
    Row,
    Settings,
    opener,
    read_last_mark,
    read_rows,
    read_settings,
    read_snapshots,
)
from controller.record.journal.schema import (
    Damaged,
    JournalError,
    JournalFault,
    NotOurJournal,
    error_text,
    in_file,
    read_of,
)
from controller.record.journal.sealing import ORIGIN, Growth, Seal, seal_of
from controller.record.seal.faces import ROW_STEP, SNAPSHOT_STEP
from controller.record.seal.keys import KeysError

log = logging.getLogger("crisscross")

MAX_SNAPSHOTS = 12
DELETE_OLD_SNAPSHOTS = """
DELETE FROM snapshots WHERE seq NOT IN (SELECT seq FROM snapshots ORDER BY seq DESC LIMIT ?)
AND seq NOT IN (
  SELECT min(s.seq) FROM snapshots s JOIN events e ON e.seq = s.seq GROUP BY substr(e.utc, 1, 10))
AND seq NOT IN (SELECT seq FROM base)
"""
"""Deletes old snapshots except the first one of each day, at which an archive can end."""
PUT_BACK = "end this program, and put back the file and its -wal"
COMMITS_PER_CHECKPOINT = 400
"""Number of commits after which `checkpoint_wal` checkpoints the WAL between rounds, so that SQLite need
not do it during one."""


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """Entry to be written: an event, and the mark of the shoe's frame that reported it. `event` is None for a
    frame without an event, of which only the mark is written."""

    event: Event | None
    mark: str | None = None


class Journal:
    """Journal open for writing. Only one object at a time may have the file open."""

    def __init__(
        self, path: Path, *, durable: bool = True, keys: Path | None = None, origin: str = ORIGIN,
        lock: JournalLock | None = None,
    ) -> None:  # fmt: skip
        """Open or create the journal. Raises JournalError, with a message of one line, if that fails.

        `durable`: a commit waits until it is on the disk; False only for a journal that is discarded with its
        process. `keys`: folder of its keys, if not beside it. `origin`: name of the table in its checkpoints.
        `lock`: the journal's lock, if the caller has taken it already; `close` releases it.
        """
        self.path = path
        self._durable = durable
        self._keys = keys or default_keys(path)
        self._origin = origin
        self._commits = 0
        self._replaceable: int | None = None
        """Row of the newest snapshot if the next snapshot replaces it, else None."""
        self._lock = lock or JournalLock(path, self._keys)
        try:
            self._db = connect(path, durable=durable)
            self._lock.check()
            check_objects(path, self._db)
            check_pages(path, self._db)
            self.head = last_seq(path, self._db)
            lack = self._accepted_loss()
            self.lost_rows = lack.rows[1] - lack.rows[0] if lack else 0
            """Number of lost rows at the end, as a technician confirmed."""
            self._seal = self._sealed()
            self._lock.lock_keys()
            self._record(lack)
            self._record_beginning()
        except JournalError:
            self._lock.close()
            raise

    def _sealed(self) -> Seal:
        try:
            with in_file(self.path):
                return seal_of(self._db, self.path, self._keys, self._origin, durable=self._durable)
        except JournalError:
            self._db.close()
            raise

    def _accepted_loss(self) -> Missing | None:
        """Return the loss that a technician confirmed, or None if nothing is missing.

        Raises NotOurJournal if the confirmed loss differs from the actual one.
        """
        with closing_on_error(self.path, self._db), in_file(self.path):
            lack = missing(self._db, read_counts(self.path, self._keys))
        if lack is not None and lack.accepted is None:
            self._db.close()
            raise NotOurJournal(lack.advice(self.path))
        return lack

    def _record(self, lack: Missing | None) -> None:
        """Write a confirmed loss into the history, if `crisscross journal shortened` could not because the
        file was missing or had no seal yet."""
        if lack is not None and lack.accepted is not None:
            with self._commit():
                record_loss(self._db, lack, *lack.accepted)

    def _record_beginning(self) -> None:
        """Record the beginning of a journal that was archived by a version without a history. Raises
        NotOurJournal if the beginning contradicts the history, because this program then did not archive the
        rows."""
        with closing_on_error(self.path, self._db), in_file(self.path):
            wrong, beginning = beginning_contradiction(self._db), beginning_of(self._db)
            known = not beginning.seq or any(act.act in CUTS for act in read_acts(self._db))
            if wrong is None and not known and stored_inventory(self._db) is not None:
                wrong = f"it begins after row {beginning.seq}, and its history says nothing of an archive"
            if wrong is not None:
                raise Damaged(wrong)
        if not known:
            facts = {"frontier": beginning.tree.text(), "number": beginning.number}
            with self._commit():
                append_act(self._db, FOUND, "", "", beginning.seq, facts)

    # ------------------------------------------------------------------ writing

    def append(self, entries: Sequence[JournalEntry], stamp: Stamp) -> None:
        """Write the entries in one commit; they are on stable storage on return. Raises JournalFault if that
        fails; call `recover` before the next write."""
        rows = [self._row(self.head + at, stamp, entry) for at, entry in enumerate(entries, start=1)]
        with self._commit() as growth:
            self._db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", rows)
            for row in rows:
                growth.add("events", row[0], row)
        self.head += len(rows)
        self._lock.write_head(self.head)

    def _row(self, seq: int, stamp: Stamp, entry: JournalEntry) -> tuple[int, int, str, str, str, str | None]:
        kind, body = encode_event(entry.event) if entry.event else (NOTHING, "{}")
        if holds_face(kind):
            about = about_event(self._seal.journal, seq, stamp.ms, stamp.utc, kind, entry.mark)
            body = self._seal.period.seal(body, about, ROW_STEP)
        return seq, stamp.ms, stamp.utc, kind, body, entry.mark

    def store_settings(self, stamp: Stamp, digest: str, pack: str, settings: str) -> None:
        """Write rules and settings if they differ from the last ones; they apply from the next event on."""
        last = self.settings()
        if last and (last[-1].digest, last[-1].pack, last[-1].settings) == (digest, pack, settings):
            return
        row = (self.head + 1, stamp.utc, digest, pack, settings)
        with self._commit() as growth:
            kept = self._db.execute("INSERT INTO settings VALUES (?, ?, ?, ?, ?)", row).lastrowid
            growth.add("settings", kept or 0, row)

    def store_snapshot(
        self, state: str, figures: Mapping[str, str] | None = None, *, passing: bool = False
    ) -> None:
        """Store the complete state after the last row, and the figures of the rounds so far. Deletes old
        snapshots. `passing`: the snapshot is within a round, and the next one replaces it."""
        about = about_snapshot(self._seal.journal, self.head)
        row = (self.head, self._seal.period.seal(state, about, SNAPSHOT_STEP))
        sums = [(key, self.head, text) for key, text in (figures or {}).items()]
        with self._commit() as growth:
            self._db.executemany("INSERT OR REPLACE INTO figures VALUES (?, ?, ?)", sums)
            self._db.execute("DELETE FROM snapshots WHERE seq = ?", (self._replaceable,))
            self._db.execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?)", row)
            self._db.execute(DELETE_OLD_SNAPSHOTS, (MAX_SNAPSHOTS,))
            sums.append((INVENTORY, self.head, present_inventory(self._db)))
            self._db.execute("INSERT OR REPLACE INTO figures VALUES (?, ?, ?)", sums[-1])
            for figure in sums:
                growth.add(f"figures {figure[0]}", self.head, figure)
            growth.add("snapshots", self.head, row)
        self._replaceable = self.head if passing else None

    def sign(self, results: Sequence[RoundResult] = ()) -> None:
        """Write a checkpoint that signs all rows so far. `results`: results of rounds that have ended or were
        corrected. With results, the key of their faces is stored too, unless faces of the next round have
        been sealed with the same key.
        """
        with self._commit() as growth:
            opens = bool(results) and not self._faces_after(results[-1].seq)
            self._seal.write_checkpoint(growth, results, open_faces=opens)
        try:
            self._seal.advance_keys(growth, opened=opens)
        except KeysError as error:
            log.warning("%s; the key is written with the next round", error)

    def _faces_after(self, seq: int) -> bool:
        query = "SELECT count(*) FROM events WHERE seq > ? AND body GLOB '[0-9]*'"
        return bool(self._db.execute(query, (seq,)).fetchone()[0])

    def checkpoint_wal(self) -> None:
        """Checkpoint the WAL at a time when no acknowledgement is due."""
        if self._commits >= COMMITS_PER_CHECKPOINT:
            self._commits = 0
            with self._faults():
                self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    @contextmanager
    def _commit(self) -> Iterator[Growth]:
        """Yield an object for the leaves of one commit. The caller writes its rows and adds each to it; at
        the end rows and leaves are committed together. Raises JournalFault if that fails."""
        with self._faults():
            self._lock.check()  # a commit into a deleted file must never be acknowledged
            try:
                self._db.execute("BEGIN IMMEDIATE")
                growth = self._seal.growth()
                yield growth
                self._seal.write(growth)
                self._db.execute("COMMIT")
            except sqlite3.Error:
                with suppress(sqlite3.Error):
                    self._db.rollback()
                raise
        self._seal.advance(growth)
        self._commits += 1

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise JournalFault(f"journal {self.path}: {error_text(error)}") from error
        except JournalFault:
            raise
        except JournalError as error:
            raise JournalFault(str(error)) from error

    def recover(self) -> bool:
        """Reopen the same file after a fault. Returns True if it contains the failed commit after all; the
        commit is then forced to the disk and counts as written."""
        with self._faults():
            self._lock.check()
            self._lock.reopening()
            self._db.close()
            self._db = connect(self.path, durable=self._durable, create=False)
            head = last_seq(self.path, self._db)
            if head < self.head:
                raise JournalFault(f"journal {self.path}: ends at row {head} and had {self.head}; {PUT_BACK}")
            stands = head > self.head
            if stands:
                self._db.execute("PRAGMA wal_checkpoint(FULL)").fetchall()
                self.head = head
            self._seal = self._sealed()
        return stands

    # ------------------------------------------------------------------ reading

    def last_stamp(self) -> Stamp | None:
        with read_of("the last row"):
            row = self._db.execute("SELECT ms, utc FROM events ORDER BY seq DESC LIMIT 1").fetchone()
        return None if row is None else Stamp(row[0], row[1])

    def last_mark(self) -> str | None:
        """Return the mark of the shoe's last frame on stable storage."""
        return read_last_mark(self._db)

    def rows(self, after: int = 0) -> Iterator[Row]:
        yield from read_rows(self._db, after, opened=opener(self._db, self._seal.keys.faces))

    def settings(self) -> list[Settings]:
        return read_settings(self._db)

    def snapshots(self) -> Iterator[tuple[int, str]]:
        """Yield (seq, state) of the stored snapshots, the newest first. `state`: JSON, decrypted."""
        return read_snapshots(self._db, opener(self._db, self._seal.keys.faces))

    def last_result(self) -> int:
        """Return the row that caused the last stored result; 0 if there is none."""
        with read_of("the results"):
            return int(self._db.execute("SELECT max(seq) FROM results").fetchone()[0] or 0)

    def signed_size(self) -> int:
        """Return the number of leaves of the newest checkpoint, 0 if there is none."""
        with read_of("the checkpoints"):
            return int(self._db.execute("SELECT max(size) FROM checkpoints").fetchone()[0] or 0)

    def signed_text(self, size: int) -> str | None:
        """Return the text of the checkpoint of that size, or None."""
        with read_of("the checkpoints"):
            found = self._db.execute("SELECT note FROM checkpoints WHERE size = ?", (size,)).fetchone()
        return None if found is None else Note.parse(found[0]).text

    def figures(self) -> tuple[int, dict[str, str]]:
        """Return the row of the newest figures and the figures by key; (0, {}) if the last snapshot is of a
        program that stores none."""
        query = "SELECT key, seq, sums FROM figures WHERE key <> ?"
        rows = self._db.execute(query, (INVENTORY,)).fetchall()
        newest = self._db.execute("SELECT max(seq) FROM snapshots").fetchone()[0] or 0
        seq = max((seq for _, seq, _ in rows), default=0)
        return (seq, {key: sums for key, _, sums in rows}) if seq >= newest else (0, {})

    def check_files(self) -> None:
        """Raise JournalFault if a file of the journal was deleted, moved or replaced since it was opened."""
        self._lock.check()

    def free_bytes(self) -> int:
        return shutil.disk_usage(self.path.parent).free

    def close(self) -> None:
        self._db.close()
        self._lock.close()
