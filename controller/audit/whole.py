"""Whether a journal is whole: the file as SQLite checks it, events without a gap, times in order.

It proves nothing about who wrote it: chaining by hash is not built yet, and `verify` does not claim it.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from controller.journal.files import reading
from controller.journal.journal import read_rows
from controller.journal.schema import JournalError


def check_whole(path: Path) -> int:
    """How many events there are. JournalError says what is wrong, and where."""
    with reading(path) as db:
        said = db.execute("PRAGMA integrity_check").fetchone()[0]
        if said != "ok":
            first = next(line for line in said.splitlines() if not line.startswith("***"))
            raise JournalError(f"journal {path}: is damaged: {first}; keep it, and put back a copy")
        return _in_order(path, db)


def _in_order(path: Path, db: sqlite3.Connection) -> int:
    count, last_ms = 0, 0
    for row in read_rows(db):
        count += 1
        if row.seq != count:
            raise JournalError(f"journal {path}: row {count} is missing")
        if row.stamp.ms < last_ms:
            raise JournalError(f"journal {path}: row {row.seq} is earlier than the one before it")
        last_ms = row.stamp.ms
    return count
