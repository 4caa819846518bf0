"""Comparison of a journal's rows with their leaves. Functions return a text about the first difference, or
yield one for each, and never write."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from typing import Any

from controller.record.journal.beginning import Beginning, beginning_of
from controller.record.journal.history import CUTS, has_history, read_acts
from controller.record.journal.labels import FIRST_NUMBERS, NEVER_ARCHIVED, first_wrong_label
from controller.record.journal.leaves import COLUMNS, hash_of
from controller.record.journal.schema import Damaged, read_of

APPEND_ONLY = ("events", "settings", "results", "opened", "history")
"""Tables that only grow: each of their leaves has a row."""
INVENTORY, LINES = "inventory", "lines"
"""Key in `figures` of the inventory, which is stored with each snapshot: the snapshots in the file, the
number of the first summary line (LINES), and the last row of each table of NEVER_ARCHIVED."""
ALL_ROWS = 2**63 - 1

STRAY_LINE = "SELECT min(n) FROM lines WHERE n NOT IN (SELECT n FROM results WHERE kind = 'record')"
MISSING_LINE = """
SELECT min(n) FROM results WHERE kind = 'record' AND n >= ? AND n NOT IN (SELECT n FROM lines)
"""


def first_difference(db: sqlite3.Connection, since: int = 0) -> str | None:
    """Return a text about the first row that differs from its leaf, or None. Only leaves numbered `since` or
    later are compared, and none of archived rows."""
    since = max(since, beginning_of(db).tree.size)
    with read_of("the leaves"):
        gap = _gap(db, since)
        if gap is not None:
            return f"leaf {gap} of the seal is missing"
        for table in APPEND_ONLY:
            for wrong in _append_only(db, table, since):
                return wrong
        for wrong in _replaced(db, _start_of_snapshot(db, since), None):
            return wrong
    return None


def result_difference(db: sqlite3.Connection, since: int) -> str | None:
    """Return a text about the first stored result that differs from its leaf, is missing, or has no leaf, or
    None. Only leaves numbered `since` or later are compared."""
    with read_of("the results"):
        for wrong in _append_only(db, "results", max(since, beginning_of(db).tree.size)):
            return wrong
        for wrong in _without_leaf(db, "results"):
            return wrong
    return None


def _start_of_snapshot(db: sqlite3.Connection, since: int) -> int:
    """Return the first leaf to compare at a start: that of the commit with the newest snapshot and its
    figures, because a start uses them, or `since` if that is lower."""
    newest = "SELECT n FROM leaves WHERE what = 'snapshots' ORDER BY n DESC LIMIT 1"
    found = db.execute(newest).fetchone()
    if found is None:
        return since
    query = "SELECT n FROM leaves WHERE n < ? AND what NOT LIKE 'figures %' ORDER BY n DESC LIMIT 1"
    before = db.execute(query, found).fetchone()
    return min(since, int(before[0]) + 1 if before else int(found[0]))


def first_difference_anywhere(db: sqlite3.Connection, *, archive: bool = False) -> str | None:
    """Return a text about the first difference in the complete journal, or None. It includes checks that need
    every row and leaf. `archive`: whether the user named the file as an archive, which has no figures."""
    beginning = beginning_of(db)
    with read_of("the leaves"):
        gap = _gap(db, beginning.tree.size)
        if gap is not None:
            return f"leaf {gap} of the seal is missing"
        for wrong in _all_differences(db, beginning, archive=archive):
            return wrong
    return None


def _all_differences(db: sqlite3.Connection, beginning: Beginning, *, archive: bool) -> Iterator[str]:
    for table in APPEND_ONLY:
        yield from _append_only(db, table, 0 if table in NEVER_ARCHIVED else beginning.tree.size)
        yield from _without_leaf(db, table)
    if (wrong := first_wrong_label(db, beginning)) is not None:
        yield wrong
    if not archive:
        yield from _beginning_faults(db, beginning)
    yield from _replaced(db, beginning.tree.size, beginning, figures=not archive)
    if not archive:
        yield from _inventory(db, beginning)
    if db.execute("SELECT count(*) FROM identity").fetchone()[0] != 1:
        yield "it has not one identity"
    yield from _lines(db)


def _gap(db: sqlite3.Connection, since: int) -> int | None:
    """Return the first number from `since` on that no leaf has although a later leaf exists, or None."""
    count, last = db.execute("SELECT count(*), max(n) FROM leaves WHERE n >= ?", (since,)).fetchone()
    if not count or last - since + 1 == count:
        return None
    for at, (n,) in enumerate(db.execute("SELECT n FROM leaves WHERE n >= ? ORDER BY n", (since,)), since):
        if n != at:
            return at
    return None


def _append_only(db: sqlite3.Connection, table: str, since: int) -> Iterator[str]:
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
    yield from _last_row_differences(db, table, own)


def _last_row_differences(db: sqlite3.Connection, table: str, own: str) -> Iterator[str]:
    """Yield a text if the table's last row differs from the table's newest leaf, and if rows exist beyond the
    numbers of its leaves. This covers the rules in force too."""
    if db.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone() is None:  # noqa: S608
        return  # an empty table: the check of the leaves already reports each leaf without a row
    first = FIRST_NUMBERS.get(table, 1)
    seq, hashed = _newest_leaf(db, table) or (first - 1, b"")
    row = db.execute(f"SELECT {own} FROM {table} t WHERE t.rowid = ?", (seq,)).fetchone()  # noqa: S608
    if row is not None and hashed and hash_of(table, tuple(row)) != hashed:
        yield f"{_name(table, seq)} is not as it was written"
    outside = f"SELECT rowid FROM {table} WHERE rowid > ? OR rowid < ? ORDER BY rowid LIMIT 1"  # noqa: S608
    more = db.execute(outside, (seq, first)).fetchone()
    if more is not None:
        yield f"{_name(table, more[0])} was not written by the table"


def _newest_leaf(db: sqlite3.Connection, table: str) -> tuple[int, bytes] | None:
    """Return row number and hash of a table's newest leaf, or None. Rules rarely change, so their leaf can be
    far back: the search for it starts at the rows written since they came into force."""
    query = "SELECT seq, hash FROM leaves WHERE what = ? ORDER BY n DESC LIMIT 1"
    if table == "settings":
        beginning = beginning_of(db)
        rowid, seq = db.execute("SELECT rowid, seq FROM settings ORDER BY rowid DESC LIMIT 1").fetchone()
        near = "SELECT seq, hash FROM leaves WHERE n >= ? AND what = ? AND seq = ? LIMIT 1"
        after = max(0, beginning.tree.size + seq - 1 - beginning.seq) if seq > beginning.seq else 0
        found = db.execute(near, (after, table, rowid)).fetchone()
        if found is not None:
            return int(found[0]), bytes(found[1])
    found = db.execute(query, (table,)).fetchone()
    return None if found is None else (int(found[0]), bytes(found[1]))


def _without_leaf(db: sqlite3.Connection, table: str) -> Iterator[str]:
    """Yield a text about the first row of a table that has no leaf, if there is one. Such a row was added by
    another program, or was left by an archive that was interrupted."""
    if table == "history" and not has_history(db):
        return
    query = f"SELECT min(rowid) FROM {table} WHERE rowid NOT IN (SELECT seq FROM leaves WHERE what = ?)"  # noqa: S608
    (more,) = db.execute(query, (table,)).fetchone()
    if more is not None:
        yield f"{_name(table, more)} was not written by the table, or was to leave with an archive"


def _beginning_faults(db: sqlite3.Connection, beginning: Beginning) -> Iterator[str]:
    """Yield each contradiction between a journal's beginning and its history."""
    if (
        beginning.seq
        and db.execute("SELECT count(*) FROM base WHERE size <> ?", (beginning.tree.size,)).fetchone()[0]
    ):
        yield "an archive was interrupted; run `crisscross archive` again"
    if (wrong := beginning_contradiction(db)) is not None:
        yield wrong


def beginning_contradiction(db: sqlite3.Connection) -> str | None:
    """Compare the beginning with the last act about it in the history. Returns a text if they name different
    rows or trees, else None."""
    beginning, cuts = beginning_of(db), [act for act in read_acts(db) if act.act in CUTS]
    if not cuts:
        return None
    cut = cuts[-1].seq, cuts[-1].body.get("frontier"), cuts[-1].body.get("number")
    if cut == (beginning.seq, beginning.tree.text(), beginning.number):
        return None
    return f"it begins after row {beginning.seq}, and by its history after row {cuts[-1].seq}"


def _replaced(
    db: sqlite3.Connection, since: int, beginning: Beginning | None, *, figures: bool = True
) -> Iterator[str]:
    """Yield a text about each snapshot and figure that differs from the last leaf with its label, or is
    missing. `beginning`: None if only leaves from number `since` on are compared."""
    query = "SELECT seq, hash, max(n) FROM leaves WHERE what = 'snapshots' AND n >= ? GROUP BY seq"
    hashes = {seq: hashed for seq, hashed, _ in db.execute(query, (since,))}
    if (
        hashes
        and not db.execute("SELECT count(*) FROM snapshots WHERE seq = ?", (max(hashes),)).fetchone()[0]
    ):
        yield f"the snapshot at row {max(hashes)} is missing"
    for seq, state in db.execute("SELECT seq, state FROM snapshots ORDER BY seq").fetchall():
        if (beginning is not None or seq in hashes) and hashes.get(seq) != hash_of("snapshots", (seq, state)):
            yield f"the snapshot at row {seq} is not as it was written"
    if not figures:
        return
    query = "SELECT what, hash, max(n) FROM leaves WHERE what LIKE 'figures %' AND n >= ? GROUP BY what"
    sums = {what: hashed for what, hashed, _ in db.execute(query, (since,))}
    for row in db.execute("SELECT key, seq, sums FROM figures ORDER BY key").fetchall():
        recorded = sums.pop(f"figures {row[0]}", None)
        archived = beginning is None or 0 < row[1] <= beginning.seq
        if recorded != hash_of("figures", row) and not (recorded is None and archived):
            yield f"the figures of {row[0]} are not as they were written"
    for what in sums:
        yield f"the {what} are missing"


def _inventory(db: sqlite3.Connection, beginning: Beginning) -> Iterator[str]:
    """Yield a text about each snapshot and last row that the inventory names and the file does not have."""
    listed = _read_inventory(db)
    if listed is None:
        return  # an older program, which wrote no inventory, took the newest snapshot
    here = {seq for (seq,) in db.execute("SELECT seq FROM snapshots")}
    for seq in listed["snapshots"]:
        if seq >= beginning.seq and seq not in here:
            yield f"the snapshot at row {seq} is missing"
    for table in NEVER_ARCHIVED:
        if last_row(db, table) < listed[table]:
            yield f"row {listed[table]} of the {table} is missing"


def _read_inventory(db: sqlite3.Connection) -> dict[str, Any] | None:
    """Return the parsed inventory of the newest snapshot, or None if an older program wrote that snapshot.
    Raises Damaged if it is malformed: the signed roots are compared only later, so it may be forged."""
    found = stored_inventory(db)
    if found is None:
        return None
    try:
        listed = json.loads(found)
        last = {table: int(listed[table]) for table in NEVER_ARCHIVED}
        return {"snapshots": list(map(int, listed["snapshots"])), LINES: int(listed.get(LINES, -1)), **last}
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise Damaged("the figures of inventory are not as they were written") from None


def stored_inventory(db: sqlite3.Connection) -> str | None:
    """Return the inventory of the newest snapshot as text, or None if an older program, which writes none,
    stored that snapshot."""
    query = "SELECT sums FROM figures WHERE key = ? AND seq = (SELECT max(seq) FROM snapshots)"
    found = db.execute(query, (INVENTORY,)).fetchone()
    return None if found is None else str(found[0])


def present_inventory(db: sqlite3.Connection) -> str:
    """Return the inventory of the present file as text, to be written with a snapshot."""
    kept = [seq for (seq,) in db.execute("SELECT seq FROM snapshots ORDER BY seq")]
    first = db.execute("SELECT coalesce(min(n), -1) FROM lines").fetchone()[0]
    return json.dumps(
        {"snapshots": kept, LINES: first} | {table: last_row(db, table) for table in NEVER_ARCHIVED}
    )


def last_row(db: sqlite3.Connection, table: str) -> int:
    """Return the number of the last row of a table, -1 if it has none."""
    found = db.execute(f"SELECT max(rowid) FROM {table}").fetchone()[0]  # noqa: S608
    return -1 if found is None else int(found)


def _lines(db: sqlite3.Connection) -> Iterator[str]:
    """Yield a text about the first summary line without a record, and about the first record without a line
    after the first line."""
    first = listed[LINES] if (listed := _read_inventory(db)) is not None else -1
    if not db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'lines'").fetchone()[0]:
        if first != -1:
            yield "the lines are missing"
        return
    (here,) = db.execute("SELECT min(n) FROM lines").fetchone()
    starts = [n for n in (first, here) if n not in {-1, None}]
    for query, given, words in (
        (STRAY_LINE, (), "is of no round"), (MISSING_LINE, (min(starts, default=ALL_ROWS),), "is missing"),
    ):  # fmt: skip
        (found,) = db.execute(query, given).fetchone()
        if found is not None:
            yield f"line {found} {words}"


def _name(table: str, number: int) -> str:
    return f"row {number}" if table == "events" else f"row {number} of the {table}"
