"""A pit's store in PostgreSQL, behind the port of database.py. psycopg comes with the extra `pit`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress

import psycopg

from controller.floor.pit.database import (
    BATCH_ROWS,
    JOB_RUNS,
    PIT_RUNS,
    DatabaseRow,
    StoreError,
    StoreTaken,
    without_password,
)

LOCK = 0x4343_5054
"""Number of PostgreSQL's advisory lock that a pit holds while it writes."""
JOB_LOCKS = {"refold": LOCK + 1}
"""Number of the advisory lock of each job that must not run twice at once."""
APPLICATION_NAME = "crisscross pit"
CONNECT_S, STATEMENT_MS, LOCK_MS = 5, 30_000, 2_000
LOCK_NOT_AVAILABLE = "55P03"
"""PostgreSQL's code (Appendix A of its manual) for a lock that was not granted in time."""


class PostgreSQL:
    """A database by URL."""

    def __init__(self, url: str, *, writing: bool) -> None:
        self._url = url
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

    def reader(self) -> PostgreSQL:
        return PostgreSQL(self._url, writing=False)

    def reopened(self) -> PostgreSQL:
        self.close()
        return PostgreSQL(self._url, writing=True)

    def close(self) -> None:
        self._db.close()

    @contextmanager
    def _errors_named(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as error:
            message = " ".join(str(error).split()) or type(error).__name__
            raise StoreError(f"{self._place}: {message}") from error


def _query(query: str) -> bytes:
    return query.replace("?", "%s").encode()
