"""A pit's store in PostgreSQL, behind the port of database.py. psycopg comes with the extra `pit`.

A session whose network fails ends on both sides within seconds: TCP reports it, and the client waits for no
statement longer than the server may take for it. A reopened writer ends its former session first, so that its
lock and an unfinished commit cannot outlast it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from datetime import datetime
from time import monotonic
from typing import Any, TypeAlias, TypeVar, cast

import psycopg
from psycopg.conninfo import make_conninfo

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
ANSWER_S, LONG_ANSWER_S = 35.0, 3600.0
"""Seconds after which a statement without an answer ends the session: of a statement that the server itself
ends after STATEMENT_MS, and of one without that limit."""
IDLE_S, PROBE_S, PROBES, UNACKNOWLEDGED_MS = 5, 2, 3, 10_000
"""TCP of both sides: seconds of silence before the first keepalive, seconds between two, number without an
answer that ends the session, and ms after which unacknowledged data end it."""
LOCK_NOT_AVAILABLE = "55P03"
"""PostgreSQL's code (Appendix A of its manual) for a lock that was not granted in time."""
OF_CLIENT = {
    "keepalives_idle": IDLE_S, "keepalives_interval": PROBE_S, "keepalives_count": PROBES,
    "tcp_user_timeout": UNACKNOWLEDGED_MS,
}  # fmt: skip
OF_SERVER = {
    "statement_timeout": STATEMENT_MS, "synchronous_commit": "on", "tcp_keepalives_idle": IDLE_S,
    "tcp_keepalives_interval": PROBE_S, "tcp_keepalives_count": PROBES, "tcp_user_timeout": UNACKNOWLEDGED_MS,
}  # fmt: skip
SESSION = "FROM pg_stat_activity"
ServerSession: TypeAlias = tuple[int, datetime]
"""Process number of a session on the server, and the time of its start."""
_T = TypeVar("_T")


class _Connection(psycopg.Connection[DatabaseRow]):
    """A connection that waits at most `answer_s` for the next part of an answer; None: without a limit."""

    answer_s: float | None = None

    def wait(self, gen: Generator[Any, Any, _T], *args: Any, **kwargs: Any) -> _T:  # noqa: ANN401  # psycopg's
        limited = gen if self.answer_s is None else self._limited(gen, self.answer_s)
        return super().wait(limited, *args, **kwargs)

    def _limited(self, gen: Generator[Any, Any, _T], answer_s: float) -> Generator[Any, Any, _T]:
        """Drive psycopg's generator `gen` as before, but limit its waiting: after `answer_s` seconds without
        data close the connection and raise OperationalError."""
        end = monotonic() + answer_s
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if ready:
                    end = monotonic() + answer_s
                elif monotonic() > end:
                    self.pgconn.finish()
                    raise psycopg.OperationalError(f"the server has not answered for {answer_s:.0f} s")
                wanted = gen.send(ready)
        except StopIteration as stop:
            return cast("_T", stop.value)


class PostgreSQL:
    """Store of a pit in PostgreSQL, through one connection. Use from one thread at a time. `writing`: lock
    the store for this pit; else it is only read."""

    def __init__(self, url: str, *, writing: bool, former: ServerSession | None = None) -> None:
        """`former`: an earlier session of this pit, which is ended if the server still has it."""
        self._url, self._session = url, former
        self._place = f"store {without_password(url)}"
        with self._errors_named():
            self._db = _Connection.connect(
                make_conninfo(url, **OF_CLIENT), autocommit=True, connect_timeout=CONNECT_S,
                options=" ".join(f"-c {name}={value}" for name, value in OF_SERVER.items()),
                application_name=APPLICATION_NAME,
            )  # fmt: skip
        self._db.answer_s = ANSWER_S
        if writing:
            self._take_over(former)

    def _take_over(self, former: ServerSession | None) -> None:
        """End the former session, lock the store and note the new session. Raises StoreError, with the
        connection closed."""
        try:
            if former is not None:
                ended = f"SELECT pg_terminate_backend(pid) {SESSION} WHERE pid = ? AND backend_start = ?"
                self.rows(ended, former)
            self._lock()
            found = self.rows(f"SELECT pid, backend_start {SESSION} WHERE pid = pg_backend_pid()")
        except StoreError:
            self._db.close()
            raise
        self._session = cast("ServerSession", found[0]) if found else None

    def _lock(self) -> None:
        """Lock the store, waiting at most LOCK_MS. After the end of a pit the server keeps its session, and
        so its lock, for a moment."""
        try:
            self.rows(f"SET lock_timeout = {LOCK_MS}")
            self.rows(f"SELECT pg_advisory_lock({LOCK})")
            self.rows("RESET lock_timeout")
        except StoreError as error:
            if getattr(error.__cause__, "sqlstate", None) != LOCK_NOT_AVAILABLE:
                raise
            raise StoreTaken(f"{self._place}: {PIT_RUNS}") from error

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self._errors_named():
            try:
                with self._db.transaction():
                    yield
            finally:
                self._db.answer_s = ANSWER_S

    def _unlimited(self) -> None:
        """Lift the server's time limit for the statements of this transaction, such as waiting for a lock."""
        self.rows("SET LOCAL statement_timeout = 0")
        self._db.answer_s = LONG_ANSWER_S

    def nested(self) -> AbstractContextManager[None]:
        is_idle = self._db.info.transaction_status.name == "IDLE"
        return self.transaction() if is_idle else nullcontext()

    def lock_writes(self, table: str = "events") -> None:
        self._unlimited()
        self.rows(f"LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE")

    @contextmanager
    def alone(self, job: str) -> Iterator[None]:
        if not self.rows("SELECT pg_try_advisory_lock(?)", (JOB_LOCKS[job],))[0][0]:
            raise StoreTaken(f"{self._place}: {JOB_RUNS.format(job)}")
        try:
            yield
        finally:
            with suppress(StoreError):  # a lost connection has released the lock by its end
                self.rows("SELECT pg_advisory_unlock(?)", (JOB_LOCKS[job],))

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        with self.transaction():
            self.rows("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            self._unlimited()
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
            self._unlimited()
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
        return PostgreSQL(self._url, writing=True, former=self._session)

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
