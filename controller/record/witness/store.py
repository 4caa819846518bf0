"""Store of a witness, in SQLite, in which it keeps what it has signed: the last cosigned note of each log,
and the evidence that a table showed two histories (fork).

Notes are on stable storage before an answer is sent. Check and write are one transaction, so that of two
concurrent requests only one can extend the tree. A store has a random identity, which `bound_store.py`
writes beside the key. A store that was deleted or replaced while it is open gives no answer.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from controller.common.files.open_files import OpenFiles, log_paths
from controller.common.files.transaction import transaction
from controller.common.tlog.note import BadNote, Note
from controller.record.journal.schema import error_text

_APPLICATION_ID = 0x43435457
BEGIN_NEW = "keep it as it is; begin a new one, and with a new key"
PUT_BACK = "put back the store that its key was used with, or begin a new one, and with a new key"
MAX_FORKS = 1000
"""Maximum number of proven forks stored for one log, and of unproven ones, whose oldest are deleted. The
limits are separate, so no sender can fill the disk or displace proven forks.
"""
STORE_SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE latest (origin TEXT PRIMARY KEY, note TEXT NOT NULL) STRICT;
CREATE TABLE forks (
  n INTEGER PRIMARY KEY, origin TEXT NOT NULL, posix INTEGER NOT NULL, proven INTEGER NOT NULL,
  kept TEXT NOT NULL, asked TEXT NOT NULL, UNIQUE (origin, asked, proven)) STRICT;
PRAGMA application_id = {_APPLICATION_ID};
COMMIT;
"""

IDENTITY = "CREATE TABLE IF NOT EXISTS identity (value TEXT NOT NULL) STRICT"
DELETE_OLDEST = """
DELETE FROM forks WHERE origin = ? AND NOT proven AND n NOT IN (
  SELECT n FROM forks WHERE origin = ? AND NOT proven ORDER BY n DESC LIMIT ?)
"""


class StoredTree(NamedTuple):
    """Evidence of a fork: two notes signed by the same log. `proven`: whether they cannot belong to one
    history."""

    origin: str
    posix: int
    proven: bool
    kept: Note
    asked: Note


class StoreError(Exception):
    """Raised if the store cannot be opened or written. The message is one line: the fault and its remedy."""


class Store:
    """Store of one witness, opened by one process. Call `close` at the end."""

    def __init__(self, path: Path, identity: str | None = None) -> None:
        """Open the store. `identity`: the identity that it must have; None to accept any store and to create
        a missing one. Raises StoreError."""
        self._path = path
        self._files = OpenFiles(path, log_paths(path)[0])
        create = os.O_CREAT if identity is None else 0
        try:
            os.close(os.open(path, os.O_RDWR | create | os.O_CLOEXEC, 0o600))
            self._db = sqlite3.connect(path, isolation_level=None, timeout=1.0)
        except OSError as error:
            if identity is not None and isinstance(error, FileNotFoundError):
                raise StoreError(f"store {path}: is missing; {PUT_BACK}") from error
            raise StoreError(f"store {path}: cannot be opened: {error.strerror}") from error
        try:
            self.identity = self._prepare(identity)
            self.check_files()
        except StoreError:
            self._db.close()
            raise

    def _prepare(self, identity: str | None) -> str:
        """Return the identity of the store, which is made if the store has none."""
        with self._errors_named():
            if self._db.execute("PRAGMA schema_version").fetchone()[0] == 0:
                if identity is not None:
                    raise StoreError(f"store {self._path}: is empty; {PUT_BACK}")
                self._db.executescript(STORE_SCHEMA)
            if self._db.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION_ID:
                raise StoreError(f"store {self._path}: is another program's database; name another file")
            self._db.execute("PRAGMA journal_mode=WAL").fetchall()
            self._db.execute("PRAGMA synchronous=FULL")
            found = self._identify(create=identity is None)
        if identity is not None and found != identity:
            raise StoreError(f"store {self._path}: is not the one that its key was used with; {PUT_BACK}")
        return found

    def _identify(self, *, create: bool) -> str:
        """Return the identity, or "" if there is none and `create` is false."""
        if not create:
            has = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'identity'"
            if self._db.execute(has).fetchone() is None:
                return ""
            return str(self._db.execute("SELECT value FROM identity").fetchone()[0])
        with transaction(self._db):
            self._db.execute(IDENTITY)
            new = "INSERT INTO identity SELECT ? WHERE NOT EXISTS (SELECT 1 FROM identity)"
            self._db.execute(new, (secrets.token_hex(16),))
            return str(self._db.execute("SELECT value FROM identity").fetchone()[0])

    def check_files(self) -> None:
        """Raise StoreError if the path no longer leads to the open store."""
        if self._files.changed() is not None:
            raise StoreError(
                f"store {self._path}: was deleted, moved or replaced while open; {PUT_BACK}, and restart"
            )

    def close(self) -> None:
        self._db.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run one transaction, which is on the disk at its end. Raises StoreError if the path does not lead
        to the open store before or after it."""
        self.check_files()
        with self._errors_named(), transaction(self._db):
            yield
        self.check_files()

    def latest(self, origin: str) -> Note | None:
        self.check_files()
        with self._errors_named():
            row = self._db.execute("SELECT note FROM latest WHERE origin = ?", (origin,)).fetchone()
        try:
            return None if row is None else Note.parse(row[0])
        except BadNote as error:
            raise StoreError(f"store {self._path}: is damaged: {error}; {BEGIN_NEW}") from None

    def keep(self, origin: str, note: Note) -> None:
        self._db.execute("INSERT OR REPLACE INTO latest VALUES (?, ?)", (origin, str(note)))

    def store_fork(self, origin: str, posix: int, kept: Note, asked: Note, *, proven: bool) -> bool:
        """Store both notes, each with the signature of the log's own key, which no one else can make.
        Returns False if this fork is stored already, or the limit is reached."""
        if proven and self._count(origin) >= MAX_FORKS:
            return False
        row = (origin, posix, proven, str(kept), str(asked))
        done = self._db.execute(
            "INSERT OR IGNORE INTO forks (origin, posix, proven, kept, asked) VALUES (?, ?, ?, ?, ?)", row
        )
        self._db.execute(DELETE_OLDEST, (origin, origin, MAX_FORKS))
        return done.rowcount == 1

    def _count(self, origin: str) -> int:
        query = "SELECT count(*) FROM forks WHERE origin = ? AND proven"
        return int(self._db.execute(query, (origin,)).fetchone()[0])

    def forks(self) -> list[StoredTree]:
        """Return the forks, the oldest first."""
        query = "SELECT origin, posix, proven, kept, asked FROM forks ORDER BY n"
        with self._errors_named():
            rows = self._db.execute(query).fetchall()
        return [
            StoredTree(origin, posix, bool(proven), Note.parse(kept), Note.parse(asked))
            for origin, posix, proven, kept, asked in rows
        ]

    @contextmanager
    def _errors_named(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            name = getattr(error, "sqlite_errorname", "") or ""
            damaged = name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT"))
            reason = f"is damaged, or no store; {BEGIN_NEW}" if damaged else error_text(error)
            raise StoreError(f"store {self._path}: {reason}") from error
