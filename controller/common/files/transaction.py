"""Transaction of SQLite: complete on the disk at its end, or rolled back."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Run the block in one transaction of `db`, which has `isolation_level=None`. Raises sqlite3.Error if it
    cannot be committed. An exception in the block rolls it back and is raised again."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            with suppress(sqlite3.Error):
                db.rollback()
