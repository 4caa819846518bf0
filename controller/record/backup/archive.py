"""Archives: rows older than a journal has to hold are moved from it to a file of their own.

The archive ends with a signed checkpoint, and the journal begins with a snapshot before it: some rows are in
both files, none is missing, and each file can be verified alone. Rows of the last 90 days never leave the
journal, and an archive that holds any of them is never removed.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from controller.common.files.atomic_write import rename_into_place
from controller.record.audit.integrity import Verified, verify_archive
from controller.record.audit.proof.sealed import Trust
from controller.record.backup.copying import check_free, copy_database, partial_file
from controller.record.journal.beginning import Beginning, beginning_of
from controller.record.journal.completeness import missing, read_counts
from controller.record.journal.files import (
    BUSY_TIMEOUT_S,
    check_one_name,
    default_keys,
    has_seal,
    reading,
    writing,
)
from controller.record.journal.history import ARCHIVED, append_act
from controller.record.journal.leaf_check import APPEND_ONLY
from controller.record.journal.schema import LATER, JournalError, in_file, opening_error
from controller.record.seal.keys import verifier

MIN_DAYS = 90
BATCH_ROWS = 500
"""Number of rows deleted in one commit, few enough not to delay a card."""
PAUSE_S = 0.02
"""Pause between deletions in seconds, in which the table can write."""
ARCHIVED_LEAVES = "what NOT IN ('settings', 'opened', 'history')"
"""Condition for leaves to be moved. Settings, keys of past rounds and acts stay in the journal, with their
leaves."""
_NAME = re.compile(r".+-[0-9]{10}-[0-9]{10}\.db")


@dataclass(frozen=True, slots=True)
class Cut:
    """Place at which a journal is divided into an archive and a rest, which overlap."""

    beginning: Beginning
    end: int
    """Number of leaves in the archive and all older ones. The archive ends with the checkpoint of this
    size."""


def archive_rows(
    journal: Path, folder: Path, now: datetime, days: int, who: str = ""
) -> tuple[Path, Verified] | None:
    """Move the rows older than `days`, at least 90, into a new file in the folder. Returns the file and the
    result of its verification, or None if there are no such rows. The move is an act in the journal
    (history.py), by the account `who`. Raises JournalError if the archive cannot be made or verified."""
    check_one_name(journal)
    before = _text(now - timedelta(days=max(days, MIN_DAYS)))
    counts = read_counts(journal)
    with reading(journal) as db:
        lack, cut, beginning = missing(db, counts), _cut(db, before), beginning_of(db)
    if lack is not None and lack.accepted is None:
        raise JournalError(lack.advice(journal))
    if beginning.seq:
        _remove_older(journal, beginning)
    if cut is None:
        return None
    to = folder / f"{journal.stem}-{beginning.seq + 1:010}-{cut.beginning.seq:010}.db"
    trust = Trust(verifier(default_keys(journal)))
    if to.exists():
        verified = verify_archive(to, trust)  # exists if the power failed before the rows were deleted
        _check_same_leaves(journal, to, cut)
    else:
        check_free(to)
        with partial_file(to) as half:
            copy_database(journal, half)
            _truncate(half, cut.end)
            verified = verify_archive(half, trust)
            rename_into_place(half, to)
    _move_beginning(journal, cut.beginning, to, (_text(now), who))
    return to, verified


def _check_same_leaves(journal: Path, archive: Path, cut: Cut) -> None:
    """Raise JournalError if the existing archive does not have exactly the leaves to be moved."""
    found = []
    for file, query in ((journal, "n < ?"), (archive, "1 OR ?")):
        with reading(file) as db, in_file(file):
            beginning = beginning_of(db)
            leaves = db.execute(
                f"SELECT n, hash FROM leaves WHERE n >= {beginning.tree.size} AND ({query}) ORDER BY n",  # noqa: S608
                (cut.end,),
            )
            found.append((beginning.tree, leaves.fetchall()))
    if found[0] != found[1]:
        raise JournalError(f"{archive}: is not an archive of {journal}; move it, and archive again")


def _text(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _cut(db: sqlite3.Connection, before: str) -> Cut | None:
    """Return the latest possible cut, or None. The journal then begins with the newest snapshot that is older
    than the time `before` (UTC) and has a checkpoint after it."""
    beginning = beginning_of(db)
    query = """
        SELECT s.seq, max(l.n), e.utc FROM snapshots s JOIN events e ON e.seq = s.seq
        JOIN leaves l ON l.what = 'snapshots' AND l.seq = s.seq
        WHERE e.utc < ? AND s.seq > ? GROUP BY s.seq ORDER BY s.seq DESC
    """
    for seq, leaf, _utc in db.execute(query, (before, beginning.seq)).fetchall():
        end = db.execute("SELECT min(size), min(number) FROM checkpoints WHERE size > ?", (leaf,)).fetchone()
        if end[0] is not None:
            rows = db.execute(
                "SELECT hash FROM leaves WHERE n >= ? AND n < ? ORDER BY n", (beginning.tree.size, leaf)
            )
            return Cut(Beginning(seq, beginning.tree.extend(row[0] for row in rows), end[1]), end[0])
    return None


def _truncate(copy: Path, size: int) -> None:
    """Make a copy of the journal an archive: delete all leaves from number `size` on, their rows, and later
    checkpoints."""
    with closing(sqlite3.connect(copy, isolation_level=None)) as db:
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
        db.executescript(LATER)
        for table in (*APPEND_ONLY, "snapshots"):
            later = "SELECT seq FROM leaves WHERE what = ? AND n >= ?"
            db.execute(f"DELETE FROM {table} WHERE rowid IN ({later})", (table, size))  # noqa: S608
        db.execute("DELETE FROM figures")
        db.execute("DELETE FROM lines WHERE n NOT IN (SELECT n FROM results)")
        db.execute("DELETE FROM leaves WHERE n >= ?", (size,))
        db.execute("DELETE FROM checkpoints WHERE size > ?", (size,))
        db.execute("CREATE TABLE IF NOT EXISTS archive (size INTEGER NOT NULL) STRICT")
        # settings are identified by rowid; only the last ones were deleted, so VACUUM keeps their numbers
        db.execute("VACUUM")


def _move_beginning(journal: Path, beginning: Beginning, archive: Path, by: tuple[str, str]) -> None:
    """Record the act and the new beginning of the journal in one commit, then delete the rows before it.
    `by`: UTC and account."""
    facts = {"frontier": beginning.tree.text(), "number": beginning.number}
    facts |= {"file": archive.name, "sha256": _digest(archive)}
    with writing(journal) as db:
        append_act(db, ARCHIVED, *by, beginning.seq, facts)
        row = (beginning.seq, beginning.tree.size, beginning.tree.text(), beginning.number)
        db.execute("INSERT OR REPLACE INTO base VALUES (?, ?, ?, ?)", row)
    _remove_older(journal, beginning)


def _remove_older(journal: Path, beginning: Beginning) -> None:
    """Delete the rows before the journal's beginning in small steps, including those that an interrupted
    archive left."""
    size = beginning.tree.size
    try:
        with closing(sqlite3.connect(journal, isolation_level=None, timeout=BUSY_TIMEOUT_S)) as db:
            result = "SELECT coalesce(max(seq), 0) FROM leaves WHERE what = 'results' AND n < ?"
            last = db.execute(result, (size,)).fetchone()[0]
            older = (
                ("events", "seq <= ?", beginning.seq), ("results", "n <= ?", last),
                ("lines", "? AND n NOT IN (SELECT n FROM results)", 1),
                ("leaves", f"{ARCHIVED_LEAVES} AND n < ?", size), ("checkpoints", "size <= ?", size),
                ("snapshots", "seq < ?", beginning.seq), ("base", "seq < ?", beginning.seq),
            )  # fmt: skip
            for table, which, limit in older:
                some = f"SELECT rowid FROM {table} WHERE {which} LIMIT {BATCH_ROWS}"  # noqa: S608
                while db.execute(f"DELETE FROM {table} WHERE rowid IN ({some})", (limit,)).rowcount:  # noqa: S608
                    time.sleep(PAUSE_S)
    except sqlite3.Error as error:
        raise opening_error(f"journal {journal}", error) from error


def _digest(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def removable(
    journal: Path, folder: Path, now: datetime, days: int | None, free_bytes: int
) -> Iterator[Path]:
    """Yield the journal's archives to be removed, the oldest first: those whose last row is older than
    `days`, and more if less than `free_bytes` is free. Never yields one with a row of the last 90 days.
    `days`: None if age is no reason."""
    youngest = _text(now - timedelta(days=MIN_DAYS))
    too_old = "" if days is None else _text(now - timedelta(days=max(days, MIN_DAYS)))
    lacking = free_bytes - shutil.disk_usage(folder).free
    own = _identity(journal)
    named = [file for file in folder.iterdir() if _NAME.fullmatch(file.name)]
    for last, file in sorted((_last(file), file) for file in named if _identity(file) == own):
        if last < too_old or (lacking > 0 and last < youngest):
            lacking -= file.stat().st_size
            yield file


def _identity(file: Path) -> list[str]:
    """Return the identity that a journal shares with its archives: a list of one text; [] if the file has no
    seal."""
    with reading(file) as db, in_file(file):
        return [str(row[0]) for row in db.execute("SELECT id FROM identity")] if has_seal(db) else []


def _last(file: Path) -> str:
    """Return the time (UTC) of an archive's last row. Raises JournalError if it has no row."""
    with reading(file) as db, in_file(file):
        found = db.execute("SELECT utc FROM events ORDER BY seq DESC LIMIT 1").fetchone()
    if found is None:
        raise JournalError(f"{file}: an archive without a row; look at it, and move it away")
    return str(found[0])
