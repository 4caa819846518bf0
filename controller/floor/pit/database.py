"""The two databases for a pit's store, behind one port: SQLite in a file, PostgreSQL by URL.

The queries are the store's own (store.py) and the same for both: `?` marks a value. One pit writes to a
store; a second is refused at its start. A database's error message becomes one line.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias
from urllib.parse import parse_qs

from controller.common.files.file_lock import AlreadyLocked, lock
from controller.common.files.open_files import OpenFiles
from controller.common.files.transaction import transaction
from controller.record.journal.schema import words

if TYPE_CHECKING:
    import psycopg

DatabaseRow: TypeAlias = tuple[Any, ...]
APPLICATION_ID = 0x43435450
POSTGRESQL = ("postgresql://", "postgres://")
LOCK = 0x4343_5054
"""Number of PostgreSQL's advisory lock that a pit holds while it writes."""
JOB_LOCKS = {"refold": LOCK + 1}
"""Number of the advisory lock of each job that must not run twice at once."""
APPLICATION_NAME = "crisscross pit"
CONNECT_S, STATEMENT_MS, LOCK_MS = 5, 30_000, 2_000
LOCK_NOT_AVAILABLE = "55P03"
"""PostgreSQL's code (Appendix A of its manual) for a lock that was not granted in time."""
BUSY_S = 5.0
"""Seconds that SQLite waits for the lock of another program."""
PIT_RUNS = "another pit writes to it; end that, or name another store"
REPLACED = (
    "is not the store with which this pit was started: it was deleted, moved, replaced or unmounted; put it "
    "back, or restart the pit with the store that is there now"
)
JOB_RUNS = "another {0} of it runs; wait until that has ended, then start this {0} again"
BATCH_SIZE = 500
"""Maximum number of events that are written, dropped or folded at once."""
BATCH_ROWS = 2000
"""Number of rows that a copy reads at once."""
ALLOWED_STORES = "allowed: the path of a file, or postgresql://USER@HOST/DATABASE"
SEEN_BY_ALL = (
    "every user of this machine sees a password there; write it into ~/.pgpass (chmod 600), or into a file "
    "that PGPASSFILE in the environment or ?passfile= in the address names"
)


class StoreError(Exception):
    """Raised if the store cannot be opened, read or written. The message is one line: the fault and its
    remedy.
    """

    fault = "cannot be written"
    """Fault of the store in the words of `/readyz`."""


class StoreTaken(StoreError):
    """Raised if another pit writes to the store; retrying is useless while that pit runs."""


class StoreReplaced(StoreError):
    """Raised if the store is no longer the one that was opened; nothing may be acknowledged by it."""

    fault = "was deleted, moved or replaced"


class Database(Protocol):
    """An open connection, used by one thread at a time. Every method may raise StoreError."""

    def transaction(self) -> Any:  # noqa: ANN401  # a context manager of nothing
        """Return a context manager for one transaction. At its end everything is on stable storage, or
        nothing is.
        """

    def nested(self) -> Any:  # noqa: ANN401  # a context manager of nothing
        """Return a context manager for one transaction. Inside a transaction it does nothing."""

    def lock_writes(self, table: str = "events") -> None:
        """Inside a transaction, make every other writer of a table wait until its end."""

    def alone(self, job: str) -> Any:  # noqa: ANN401  # a context manager of nothing
        """Return a context manager with the store's lock for `job`. Raises StoreTaken if another process has
        it."""

    def snapshot(self) -> Any:  # noqa: ANN401  # a context manager of nothing
        """Return a context manager in which every query reads the store as it was at the first one."""

    def batches(self, query: str) -> Iterator[list[DatabaseRow]]:
        """Yield the rows of a query in parts of some thousand, inside `snapshot`."""

    def rows(self, query: str, values: Sequence[object] = ()) -> list[DatabaseRow]:
        """Return the rows that a query finds; none for a statement without a result."""

    def each(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        """Execute a statement once for each row."""

    def has(self, table: str) -> bool:
        """Return whether the store has this table."""

    def copy_beside(self, version: int, tables: Sequence[str]) -> str:
        """Copy a store of this version in place of an earlier copy, and return the place of the copy.

        SQLite: the whole file, as `STORE.version-N`. PostgreSQL: `tables`, as `version_N_TABLE`.
        """

    def check_files(self) -> None:
        """Raise StoreReplaced if a file of the open store was deleted, moved or replaced."""

    def reopened(self) -> Database:
        """Close a writer's connection and return a new one. Raises StoreReplaced if the file is missing."""

    def close(self) -> None:
        """Close the connection and release its lock."""


def open_database(url: str, *, writing: bool) -> Database:
    """Open a store. `url`: a path, or a URL of PostgreSQL. `writing`: True for the one pit that writes, False
    for a reader.

    Raises StoreTaken if another pit writes to the store, and StoreError for a URL with a password.
    """
    check_url(url)
    if url.startswith(POSTGRESQL):
        return PostgreSQL(url, writing=writing)
    if "://" in url or not url:
        raise StoreError(f"store {url}: no store is kept there; {ALLOWED_STORES}")
    return SQLite(Path(url), writing=writing)


def check_url(url: str) -> None:
    """Raise StoreError for a URL of PostgreSQL with a password."""
    who = url.partition("://")[2].rpartition("@")[0]
    query = parse_qs(url.rpartition("?")[2], keep_blank_values=True)
    if url.startswith(POSTGRESQL) and (":" in who or {"password", "sslpassword"} & query.keys()):
        raise StoreError(f"store {without_password(url)}: {SEEN_BY_ALL}")


class SQLite:
    """A database in a file of this machine, synced at every commit."""

    def __init__(self, path: Path, *, writing: bool, create: bool = True) -> None:
        self._path, self._place = path, f"store {path}"
        self._writing, create = writing, create and writing
        self._files = OpenFiles(path, path.with_name(f"{path.name}-wal"))
        if writing and not create and not path.exists():
            raise StoreReplaced(f"{self._place}: {REPLACED}")
        self._lock = _locked(path, self._place) if writing else None
        try:
            with self._errors_named():
                how = "rwc" if create else "rw"
                address = f"{path.absolute().as_uri()}?mode={how}"
                self._db = sqlite3.connect(
                    address, uri=True, isolation_level=None, timeout=BUSY_S, check_same_thread=False
                )
            try:
                self._begin(create=create)
                self.check_files()
            except StoreError:
                self._db.close()
                raise
        except StoreError:
            self._unlock()
            raise

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

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self._errors_named(), transaction(self._db):
            yield
        self.check_files()  # a commit into a deleted file must never be acknowledged

    def nested(self) -> AbstractContextManager[None]:
        return nullcontext() if self._db.in_transaction else self.transaction()

    def check_files(self) -> None:
        if self._writing and not self._files.are_there():
            raise StoreReplaced(f"{self._place}: {REPLACED}")

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
                "is damaged, or no store; put back a copy or name another file" if damaged else words(error)
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


class PostgreSQL:
    """A database by URL. psycopg comes with the extra `pit` and is imported when a URL needs it."""

    def __init__(self, url: str, *, writing: bool) -> None:
        try:
            import psycopg
        except ImportError as error:
            raise StoreError("store: PostgreSQL needs psycopg; pip install 'psycopg[binary]'") from error
        self._errors, self._url = psycopg.Error, url
        self._place = f"store {without_password(url)}"
        options = f"-c statement_timeout={STATEMENT_MS} -c synchronous_commit=on"
        with self._errors_named():
            self._db: psycopg.Connection[DatabaseRow] = psycopg.connect(
                url, autocommit=True, connect_timeout=CONNECT_S, options=options,
                application_name=APPLICATION_NAME,
            )  # fmt: skip
        if writing:
            self._lock()

    def _lock(self) -> None:
        """Lock the store, waiting at most LOCK_MS. After the end of a pit the server keeps its session, and
        so its lock, for a moment."""
        try:
            self.rows(f"SET lock_timeout = {LOCK_MS}")
            self.rows(f"SELECT pg_advisory_lock({LOCK})")
            self.rows("RESET lock_timeout")
        except StoreError as error:
            self._db.close()
            if getattr(error.__cause__, "sqlstate", None) != LOCK_NOT_AVAILABLE:
                raise
            raise StoreTaken(f"{self._place}: {PIT_RUNS}") from error

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self._errors_named(), self._db.transaction():
            yield

    def nested(self) -> AbstractContextManager[None]:
        is_idle = self._db.info.transaction_status.name == "IDLE"
        return self.transaction() if is_idle else nullcontext()

    def lock_writes(self, table: str = "events") -> None:
        self.rows("SET LOCAL statement_timeout = 0")
        self.rows(f"LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE")

    @contextmanager
    def alone(self, job: str) -> Iterator[None]:
        if not self.rows("SELECT pg_try_advisory_lock(?)", (JOB_LOCKS[job],))[0][0]:
            raise StoreTaken(f"{self._place}: {JOB_RUNS.format(job)}")
        try:
            yield
        finally:
            with suppress(StoreError):  # the end of a lost connection has released it
                self.rows("SELECT pg_advisory_unlock(?)", (JOB_LOCKS[job],))

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        with self.transaction():
            self.rows("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            self.rows("SET LOCAL statement_timeout = 0")
            yield

    def batches(self, query: str) -> Iterator[list[DatabaseRow]]:
        with self._errors_named(), closing(self._db.cursor("copy")) as cursor:
            cursor.execute(_query(query))
            while rows := cursor.fetchmany(BATCH_ROWS):
                yield rows

    def rows(self, query: str, values: Sequence[object] = ()) -> list[DatabaseRow]:
        with self._errors_named(), closing(self._db.cursor()) as cursor:
            cursor.execute(_query(query), values)
            return cursor.fetchall() if cursor.description else []

    def each(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        with self._errors_named(), closing(self._db.cursor()) as cursor:
            cursor.executemany(_query(statement), rows)

    def has(self, table: str) -> bool:
        return self.rows("SELECT to_regclass(?)", (table,))[0][0] is not None

    def copy_beside(self, version: int, tables: Sequence[str]) -> str:
        prefix = f"version_{version}_"
        with self.transaction():
            self.rows("SET LOCAL statement_timeout = 0")
            for table in tables:
                self.rows(f"DROP TABLE IF EXISTS {prefix}{table}")
                self.rows(f"CREATE TABLE {prefix}{table} AS TABLE {table}")
        return f"tables {prefix}* of the same database"

    def check_files(self) -> None:
        """Do nothing: the files are the server's."""

    def reopened(self) -> PostgreSQL:
        self.close()
        return PostgreSQL(self._url, writing=True)

    def close(self) -> None:
        self._db.close()

    @contextmanager
    def _errors_named(self) -> Iterator[None]:
        try:
            yield
        except self._errors as error:
            message = " ".join(str(error).split()) or type(error).__name__
            raise StoreError(f"{self._place}: {message}") from error


def _query(query: str) -> bytes:
    return query.replace("?", "%s").encode()


def without_password(url: str) -> str:
    """Return the URL without its password, for messages."""
    scheme, _, rest = url.partition("://")
    who, at, where = rest.rpartition("@")
    return f"{scheme}://{who.partition(':')[0]}{at}{where}".partition("?")[0]
