"""Tables (SQL) of the journal, of which no row can be changed or deleted, and the texts of its errors. This
module opens no file.

`events` and `settings` only grow: triggers prevent changes and deletions. `snapshots` and `figures` only make
a start faster, since a replay of `events` gives their content too. `results` are the records and corrections
of rounds, `opened` the keys of the faces of ended rounds, `history` the acts on the journal itself. Rows of
these seven are leaves of the seal (sealing.py): `leaves` holds their hashes, `checkpoints` the signed roots,
`identity` the journal's identifier. `lines` only make a list faster, since they repeat facts of the results;
their `n` is that of the result.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

APPLICATION_ID = 0x43435442
VERSION, BEFORE_THE_SEAL = 2, 1
READABLE = (BEFORE_THE_SEAL, VERSION)

_TRIGGERS = "".join(
    f"CREATE TRIGGER {table}_{verb} BEFORE {verb} ON {table} "
    "BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;\n"
    for table in ("events", "settings")
    for verb in ("UPDATE", "DELETE")
)

LATER = """
CREATE TABLE IF NOT EXISTS figures (key TEXT PRIMARY KEY, seq INTEGER NOT NULL, sums TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS lines (n INTEGER PRIMARY KEY, line TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS history (
  n INTEGER PRIMARY KEY, act TEXT NOT NULL, utc TEXT NOT NULL, who TEXT NOT NULL, seq INTEGER NOT NULL,
  body TEXT NOT NULL) STRICT;
"""
"""Tables of later versions, also created in a journal that lacks them."""

_ROWS_STAY = """
DROP TRIGGER IF EXISTS events_DELETE;
CREATE TRIGGER events_DELETE BEFORE DELETE ON events
WHEN OLD.seq > (SELECT coalesce(max(seq), 0) FROM base)
BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
"""
"""Rows can be deleted only before the journal's beginning, where they are in an archive."""

SEAL = f"""
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS identity (id TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS leaves (
  n INTEGER PRIMARY KEY, what TEXT NOT NULL, seq INTEGER NOT NULL, hash BLOB NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS results (
  n INTEGER PRIMARY KEY, seq INTEGER NOT NULL, round INTEGER NOT NULL, kind TEXT NOT NULL,
  body TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS checkpoints (
  size INTEGER PRIMARY KEY, round INTEGER NOT NULL, note TEXT NOT NULL, seal TEXT NOT NULL,
  frontier TEXT NOT NULL, number INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS opened (period INTEGER PRIMARY KEY, key TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS base (
  seq INTEGER PRIMARY KEY, size INTEGER NOT NULL, frontier TEXT NOT NULL, number INTEGER NOT NULL) STRICT;
{_ROWS_STAY}
PRAGMA user_version = {VERSION};
COMMIT;
"""
"""Tables of the seal. `n` of a leaf counts from 0; `number` of a checkpoint is the number of its ratchet key.
`base` states where the journal begins after its older rows were archived (archive.py)."""

SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE events (
  seq INTEGER PRIMARY KEY, ms INTEGER NOT NULL, utc TEXT NOT NULL,
  kind TEXT NOT NULL, body TEXT NOT NULL, mark TEXT) STRICT;
CREATE TABLE settings (
  seq INTEGER NOT NULL, utc TEXT NOT NULL,
  digest TEXT NOT NULL, pack TEXT NOT NULL, settings TEXT NOT NULL) STRICT;
CREATE TABLE snapshots (seq INTEGER PRIMARY KEY, state TEXT NOT NULL) STRICT;
{LATER}
{_TRIGGERS}
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {BEFORE_THE_SEAL};
COMMIT;
"""

_WORDS = {
    "SQLITE_FULL": "the disk is full; make room on it and start again",
    "SQLITE_READONLY": "cannot be written; give the table's user the right to write there",
    "SQLITE_CANTOPEN": "cannot be opened; the folder must be there and the table's user may write in it",
    "SQLITE_NOTADB": "is no journal (not an SQLite database); name another file",
    "SQLITE_CORRUPT": "is damaged; keep the file, put back a copy or name another file",
    "SQLITE_IOERR": "the disk reports an error on reading or writing; look at the disk",
    "SQLITE_BUSY": "another program has it open for writing; end that first",
    "SQLITE_CONSTRAINT": "refuses the row; another program wrote to it",
}


class JournalError(Exception):
    """Raised if the journal cannot be opened or read. The message is one line: the fault and its remedy."""


class NotOurJournal(JournalError):
    """Raised if the file is not a journal, is damaged, or has a newer version, so that retrying is
    useless."""


class Damaged(NotOurJournal):
    """Raised if a part of the journal cannot be read or replayed. The message names the row and never quotes
    it, because a row may hold a face-down card. `in_file` adds the file's name."""


class JournalFault(JournalError):
    """Raised if the journal cannot be written now. The events of that write have no effect."""


@contextmanager
def in_file(path: Path) -> Iterator[None]:
    """Add the path to a Damaged error and raise it as NotOurJournal."""
    try:
        yield
    except Damaged as error:
        raise NotOurJournal(f"journal {path}: is damaged: {error}; keep it, and put back a copy") from None


@contextmanager
def read_of(what: str) -> Iterator[None]:
    """Convert SQLite's errors while `what` is read, without quoting a row. Raises JournalError in their
    place."""
    try:
        yield
    except sqlite3.Error as error:
        raise reading_error(what, error) from None


def reading_error(what: str, error: sqlite3.Error) -> JournalError:
    if _is_hopeless(error):
        return Damaged(f"{what} cannot be read ({_name(error) or 'no text'})")
    return JournalError(f"journal: {what}: {error_text(error)}")


def opening_error(place: str, error: sqlite3.Error) -> JournalError:
    """Return the error for a file that SQLite could not open. `place`: the file, as the message names it."""
    return (NotOurJournal if _is_hopeless(error) else JournalError)(f"{place}: {error_text(error)}")


def error_text(error: sqlite3.Error) -> str:
    """Return what is wrong with the file and what to do about it, in words for a person."""
    name = _name(error)
    for start, text in _WORDS.items():
        if name.startswith(start):
            return f"{text} ({name})"
    if not name:
        # Python's own error about a value that is not text; its message quotes the value
        return _WORDS["SQLITE_CORRUPT"]
    return f"cannot be used: {error} ({name})"


def _is_hopeless(error: sqlite3.Error) -> bool:
    return _name(error).startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")) or not _name(error)


def _name(error: sqlite3.Error) -> str:
    return getattr(error, "sqlite_errorname", "") or ""
