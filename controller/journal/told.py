"""Compares the rows of a journal with their leaves. It reads, and says the first difference in words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from controller.journal.base import base_of
from controller.journal.history import has_history
from controller.journal.leaves import COLUMNS, hash_of
from controller.journal.schema import read_of

GROWING = ("events", "settings", "results", "opened", "history")
"""Tables that lose no row; a leaf of theirs has its row."""
LEAVING = ("events", "results")
"""But for those that go into an archive. There are few rows in the others, and all are looked at."""


def first_unlike(db: sqlite3.Connection, since: int = 0) -> str | None:
    """The first row that is not as it was when it was written, among those whose leaf's number is `since` or
    later; None where all are. Nothing is known of what lies in an archive."""
    base = base_of(db)
    whole = since <= base.tree.size
    since = max(since, base.tree.size)
    with read_of("the leaves"):
        gap = _gap(db, since)
        if gap is not None:
            return f"leaf {gap} of the seal is missing"
        for table in GROWING:
            for wrong in _growing(db, table, 0 if whole and table not in LEAVING else since):
                return wrong
        for wrong in _replaced(db, since, base.seq if whole else None):
            return wrong
    return None


def _gap(db: sqlite3.Connection, since: int) -> int | None:
    """The first number that is missing among the leaves."""
    count, last = db.execute("SELECT count(*), max(n) FROM leaves WHERE n >= ?", (since,)).fetchone()
    if not count or last - since + 1 == count:
        return None
    for at, (n,) in enumerate(db.execute("SELECT n FROM leaves WHERE n >= ? ORDER BY n", (since,)), since):
        if n != at:
            return at
    return None


def _growing(db: sqlite3.Connection, table: str, since: int) -> Iterator[str]:
    if table == "history" and not has_history(db):
        if db.execute("SELECT count(*) FROM leaves WHERE what = 'history'").fetchone()[0]:
            yield "the history is missing"
        return
    own = ", ".join(f"t.{column.strip()}" for column in COLUMNS[table].split(","))
    query = f"""
        SELECT l.seq, l.hash, t.rowid, {own} FROM leaves l LEFT JOIN {table} t ON t.rowid = l.seq
        WHERE l.what = ? AND l.n >= ? ORDER BY l.n
    """  # noqa: S608
    for seq, hashed, rowid, *row in db.execute(query, (table, since)):
        if rowid is None:
            yield f"{_name(table, seq)} is missing"
        elif hash_of(table, tuple(row)) != hashed:
            yield f"{_name(table, seq)} is not as it was written"
    newest = "SELECT seq FROM leaves WHERE what = ? ORDER BY n DESC LIMIT 1"
    last = (db.execute(newest, (table,)).fetchone() or (-1,))[0]
    more = db.execute(f"SELECT min(rowid) FROM {table} WHERE rowid > ?", (last,)).fetchone()[0]  # noqa: S608
    if more is not None:
        yield f"{_name(table, more)} was not written by the table"


def _replaced(db: sqlite3.Connection, since: int, base: int | None) -> Iterator[str]:
    """Snapshots and figures: what is there has to be what was written last in its place. `base`: the row
    before which the journal knows nothing; None where what is older than `since` is not looked at."""
    query = "SELECT seq, hash, max(n) FROM leaves WHERE what = 'snapshots' AND n >= ? GROUP BY seq"
    told = {seq: hashed for seq, hashed, _ in db.execute(query, (since,))}
    if told and not db.execute("SELECT count(*) FROM snapshots WHERE seq = ?", (max(told),)).fetchone()[0]:
        yield f"the snapshot at row {max(told)} is missing"
    for seq, state in db.execute("SELECT seq, state FROM snapshots ORDER BY seq").fetchall():
        if (base is not None or seq in told) and told.get(seq) != hash_of("snapshots", (seq, state)):
            yield f"the snapshot at row {seq} is not as it was written"
    if db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'archive'").fetchone()[0]:
        return  # figures go on with the journal
    query = "SELECT what, hash, max(n) FROM leaves WHERE what LIKE 'figures %' AND n >= ? GROUP BY what"
    sums = {what: hashed for what, hashed, _ in db.execute(query, (since,))}
    for row in db.execute("SELECT key, seq, sums FROM figures ORDER BY key").fetchall():
        told_now = sums.pop(f"figures {row[0]}", None)
        known = told_now is not None or (base is not None and row[1] > base)
        if known and told_now != hash_of("figures", row):
            yield f"the figures of {row[0]} are not as they were written"
    for what in sums:
        yield f"the {what} are missing"


def _name(table: str, number: int) -> str:
    return f"row {number}" if table == "events" else f"row {number} of the {table}"
