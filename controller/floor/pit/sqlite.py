"""A pit's store in a file of SQLite, behind the port of database.py."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from controller.common.files.file_lock import AlreadyLocked, lock, lock_path
from controller.common.files.open_files import OpenFiles, log_paths
from controller.common.files.secret_file import make_private
from controller.common.files.transaction import transaction
from controller.floor.pit.database import (
    BATCH_ROWS,
    JOB_RUNS,
    PIT_RUNS,
    REPLACED,
    DatabaseRow,
    StoreError,
    StoreReplaced,
    StoreTaken,
)
from controller.record.journal.schema import error_text

APPLICATION_ID = 0x43435450
PRIVATE = 0o600
"""Mode of the store's files and of copies beside it: the audit trail names people."""
NAMES = "has {} names (hard links), and two pits could write it; delete the others, or name another store"
BUSY_S = 5.0
"""Seconds that SQLite waits for the lock of another program."""


class SQLite:
    """A pit's database in a file of this machine. Each commit is fsynced."""

    def __init__(
        self, path: Path, *, writing: bool, create: bool = True, same_as: OpenFiles | None = None
    ) -> None:
        """Open the file. `same_as`: files of another connection, to which `path` must lead too. Raises
        StoreError, StoreReplaced or StoreTaken."""
        self._path, self._place = path, f"store {path}"
        self._writing, create = writing, create and writing
        self._logs = log_paths(path)
        self._files = OpenFiles(path, self._logs[0])
        if writing and not create and not path.exists():
            raise StoreReplaced(f"{self._place}: {REPLACED}")
        self._check_path(same_as)
        self._lock = _locked(path, self._place) if writing else None
        try:
            if self._lock is not None:
                self._files.hold(lock_path(path), self._lock)
                self._check_names(create=create)
            with self._errors_named():
                how = "rwc" if create else "rw"
                address = f"{path.absolute().as_uri()}?mode={how}"
                self._db = sqlite3.connect(
                    address, uri=True, isolation_level=None, timeout=BUSY_S, check_same_thread=False
                )
            try:
                self._begin(create=create)
                self.check_files()
                self._check_path(same_as)
            except StoreError:
                self._db.close()
                raise
        except StoreError:
            self._unlock()
            raise

    def _check_names(self, *, create: bool) -> None:
        """Check that the file has one name only. `create`: make a missing file, readable by its owner alone.
        Raises StoreError if either fails."""
        try:
            if create and not self._path.exists():
                # SQLite gives -wal and -shm the same mode
                os.close(os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE))
            names = self._path.stat().st_nlink
        except OSError as error:
            raise StoreError(f"{self._place}: cannot be opened: {error.strerror}") from error
        if names > 1:
            raise StoreError(f"{self._place}: {NAMES.format(names)}")

    def _make_private(self) -> None:
        """Remove other users' access, also to a store that an earlier version created."""
        try:
            make_private(self._path, *self._logs, lock_path(self._path))
        except OSError as error:
            message = f"others may read {error.filename}; chmod 600 {error.filename}"
            raise StoreError(f"{self._place}: {message} ({error.strerror})") from error

    def _begin(self, *, create: bool) -> None:
        with self._errors_named():
            if create and self._db.execute("PRAGMA schema_version").fetchone()[0] == 0:
                self._db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            if self._db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                raise StoreError(f"{self._place}: is another program's database; name another file")
            if self._writing:
                self._db.execute("PRAGMA journal_mode=WAL").fetchall()
            # readers and the writer do not wait for each other; a commit is on the disk before it is
            # acknowledged
            self._db.execute("PRAGMA synchronous=FULL")
        if self._writing:
            self._make_private()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self.check_files()  # if the files were replaced, the lock on the path may be another program's now
        with self._errors_named(), transaction(self._db):
            yield
        self.check_files()  # a commit into a deleted file must never be acknowledged

    def nested(self) -> AbstractContextManager[None]:
        return nullcontext() if self._db.in_transaction else self.transaction()

    def check_files(self) -> None:
        if self._files.changed() is not None:
            raise StoreReplaced(f"{self._place}: {REPLACED}")

    def _check_path(self, same_as: OpenFiles | None) -> None:
        """Raise StoreReplaced if the path leads to another file, or to none."""
        if same_as is not None and not same_as.leads_to(self._path):
            raise StoreReplaced(f"{self._place}: {REPLACED}")

    def reader(self) -> SQLite:
        return SQLite(self._path, writing=False, same_as=self._files)

    def reopened(self) -> SQLite:
        self.close()
        return SQLite(self._path, writing=True, create=False)

    def lock_writes(self, table: str = "events") -> None:
        """Do nothing: SQLite has one writer at a time, from the start of its transaction."""

    @contextmanager
    def alone(self, job: str) -> Iterator[None]:
        handle = _locked(self._path.with_name(f"{self._path.name}.{job}"), self._place, JOB_RUNS.format(job))
        try:
            yield
        finally:
            os.close(handle)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        with self._errors_named():
            self._db.execute("BEGIN")
            try:
                yield
            finally:
                self._db.rollback()
        self.check_files()  # a copy of a deleted file is not a copy of the store

    def batches(self, query: str) -> Iterator[list[DatabaseRow]]:
        with self._errors_named():
            cursor = self._db.execute(query)
            while rows := cursor.fetchmany(BATCH_ROWS):
                yield rows

    def rows(self, query: str, values: Sequence[object] = ()) -> list[DatabaseRow]:
        with self._errors_named():
            return self._db.execute(query, values).fetchall()

    def each(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        with self._errors_named():
            self._db.executemany(statement, rows)

    def has(self, table: str) -> bool:
        return bool(self.rows("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)))

    # `tables` is not used: the whole file is copied
    def copy_beside(self, version: int, tables: Sequence[str]) -> str:
        whole_copy = self._path.with_name(f"{self._path.name}.version-{version}")
        part = whole_copy.with_name(f"{whole_copy.name}.part")
        try:
            part.unlink(missing_ok=True)
            part.touch(PRIVATE)
            self.rows("VACUUM INTO ?", (str(part),))
            part.rename(whole_copy)
        except OSError as error:
            raise StoreError(f"{self._place}: {whole_copy}: {error.strerror}") from error
        return str(whole_copy)

    def close(self) -> None:
        self._db.close()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    @contextmanager
    def _errors_named(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            name = getattr(error, "sqlite_errorname", "") or ""
            damaged = name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT"))
            message = (
                "is damaged, or no store; put back a copy or name another file"
                if damaged
                else error_text(error)
            )
            raise StoreError(f"{self._place}: {message}") from error


def _locked(path: Path, place: str, taken: str = PIT_RUNS) -> int:
    """Lock a file beside the database until its handle is closed. SQLite's own locks are released between
    two transactions."""
    try:
        return lock(path)
    except AlreadyLocked as error:
        raise StoreTaken(f"{place}: {taken}") from error
    except OSError as error:
        raise StoreError(f"{place}: cannot be opened: {error.strerror}") from error
