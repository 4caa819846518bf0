"""Port of the databases for a pit's store: SQLite in a file (sqlite.py), PostgreSQL by URL (postgresql.py).

The queries are the store's own (store.py) and the same for both: `?` marks a value. One pit writes to a
store; a second is refused at its start. A database's error message becomes one line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeAlias
from urllib.parse import parse_qs

DatabaseRow: TypeAlias = tuple[Any, ...]
POSTGRESQL = ("postgresql://", "postgres://")
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
    """Text of this fault in the answer of `/readyz`."""


class StoreTaken(StoreError):
    """Raised if another pit writes to the store; retrying is useless while that pit runs."""


class StoreReplaced(StoreError):
    """Raised if the store is no longer the one that was opened; nothing may be acknowledged by it."""

    fault = "was deleted, moved or replaced"


class Database(Protocol):
    """An open connection to a database that has a pit's store. One thread at a time may use it. Every method
    may raise StoreError."""

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

    def reader(self) -> Database:
        """Return another connection to the same store, without its lock. Any thread may call it, also after
        `close`. Raises StoreReplaced if the store's files were exchanged for others."""

    def reopened(self) -> Database:
        """Close a writer's connection and return a new one. Raises StoreReplaced if the file is missing."""

    def close(self) -> None:
        """Close the connection and release its lock."""


def check_url(url: str) -> None:
    """Raise StoreError for a URL of PostgreSQL with a password."""
    who = url.partition("://")[2].rpartition("@")[0]
    query = parse_qs(url.rpartition("?")[2], keep_blank_values=True)
    if url.startswith(POSTGRESQL) and (":" in who or {"password", "sslpassword"} & query.keys()):
        raise StoreError(f"store {without_password(url)}: {SEEN_BY_ALL}")


def without_password(url: str) -> str:
    """Return the URL without its password, for messages."""
    scheme, _, rest = url.partition("://")
    who, at, where = rest.rpartition("@")
    return f"{scheme}://{who.partition(':')[0]}{at}{where}".partition("?")[0]
