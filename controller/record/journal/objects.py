"""Check of a journal's database for foreign objects: only the schema's own tables and triggers may exist.

A view, trigger or index that no version of this program created, or a table under another table's name, can
change the rows that a reader sees. A missing trigger is allowed: it changes nothing that was written.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path

from controller.record.journal.files import closing_on_error
from controller.record.journal.schema import SCHEMA, SEAL, VERSION, Damaged, in_file, read_of

ARCHIVE_MARK = "CREATE TABLE archive (size INTEGER NOT NULL) STRICT"
"""Empty table in a file made by `crisscross archive`. It proves nothing: the user names the archives to
`verify`."""
MAX_NAME = 40


def foreign_object(db: sqlite3.Connection, *, archive: bool = False) -> str | None:
    """Return a text about the first foreign object, or None. `archive`: whether the user named the file as an
    archive."""
    with read_of("the tables"):
        found = db.execute("SELECT type, name, sql FROM sqlite_master ORDER BY rowid").fetchall()
        sealed = db.execute("PRAGMA user_version").fetchone()[0] == VERSION
    for kind, name, sql in found:
        if (name, _plain(sql)) in _known(sealed=True) or (archive and _plain(sql) == ARCHIVE_MARK):
            continue
        if _plain(sql) == ARCHIVE_MARK:
            return "it bears the mark of an archive: no table plays in one, and `verify --archive` reads it"
        return f"it has the {kind} {ascii(name)[:MAX_NAME]}, which this program did not create"
    here, own = {name for _, name, _ in found}, _tables(sealed=sealed)
    if lacking := sorted(own - here):
        return f"the table {lacking[0]} is missing"
    if more := sorted(here & (_tables(sealed=True) - own)):
        return f"it has the table {more[0]}, and is marked as a journal without a seal"
    return None


def check_objects(path: Path, db: sqlite3.Connection) -> None:
    """Check the objects at a start. Raises NotOurJournal, with the database closed, if one is foreign."""
    with closing_on_error(path, db), in_file(path):
        if (strange := foreign_object(db)) is not None:
            db.close()
            raise Damaged(strange)


@cache
def _known(*, sealed: bool) -> frozenset[tuple[str, str]]:
    """Return (name, SQL) of every object that a version of this program creates in a journal. `sealed`: a
    journal with a seal, which has more tables."""
    found: set[tuple[str, str]] = set()
    with closing(sqlite3.connect(":memory:")) as db:
        for script in (SCHEMA, SEAL) if sealed else (SCHEMA,):
            db.executescript(script)
            rows = db.execute("SELECT name, sql FROM sqlite_master").fetchall()
            found |= {(name, _plain(sql)) for name, sql in rows}
    return frozenset(found)


@cache
def _tables(*, sealed: bool) -> frozenset[str]:
    """Return the tables that every journal must have. Later versions added others, which may be missing.
    `sealed`: a journal with a seal."""
    names = {name for name, sql in _known(sealed=sealed) if sql.startswith("CREATE TABLE")}
    return frozenset(names - {"figures", "lines", "history"})


def _plain(sql: str | None) -> str:
    """Return the SQL with single spaces; "" for an index implied by a primary key."""
    return " ".join((sql or "").split())
