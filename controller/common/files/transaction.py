"""One transaction of SQLite: on the disk when it ends, or not at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """`db` has `isolation_level=None`. Raises sqlite3.Error, and whatever is raised inside; then nothing of
    it is kept."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            with suppress(sqlite3.Error):
                db.rollback()
