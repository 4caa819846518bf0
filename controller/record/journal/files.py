"""Opens a journal's file: file modes, identity, damage.

Each failure is a JournalError of one line. A journal is only created if there is no file or an empty one:
another program's database is refused and left unchanged, and so is the journal of a newer version.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from controller.common.files import file_lock
from controller.common.files.open_files import log_paths
from controller.common.files.read_errors import read_error
from controller.common.files.secret_file import make_private
from controller.record.journal.schema import (
    APPLICATION_ID,
    LATER,
    READABLE,
    SCHEMA,
    SEAL,
    VERSION,
    JournalError,
    NotOurJournal,
    in_file,
    opening_error,
)  # fmt: skip

NAMED_BY = "name a journal that you may read, as the key journal of the table file does"
"""Remedy for a path at which no file can be read."""
WAL_PAGES = 8000
"""Size of the WAL, in pages, at which SQLite checkpoints it by itself."""
LOSS_AT = 32
"""Offset of a confirmed loss in `.lock` (completeness.py), after the number of rows."""
BUSY_TIMEOUT_S = 10.0
"""Timeout for another program's commit, in seconds."""


@contextmanager
def writing(path: Path) -> Iterator[sqlite3.Connection]:
    """Open an existing journal to append an act (history.py), and commit it. Raises JournalError if that
    fails."""
    check_one_name(path)
    try:
        with (
            in_file(path),
            closing(sqlite3.connect(path, isolation_level=None, timeout=BUSY_TIMEOUT_S)) as db,
        ):
            db.executescript(LATER)
            db.execute("BEGIN IMMEDIATE")
            yield db
            db.execute("COMMIT")
    except sqlite3.Error as error:
        raise opening_error(f"journal {path}", error) from error


def check_one_name(path: Path) -> None:
    """Raise NotOurJournal if the file has several names (hard links): the lock and SQLite's log belong to one
    name, so two programs could write. A missing or unreadable file raises nothing here; opening it does."""
    with suppress(OSError):
        if (names := path.stat().st_nlink) > 1:
            raise NotOurJournal(
                f"journal {path}: has {names} names (hard links), and two programs could write it; delete "
                f"the others, which `find / -xdev -samefile {path}` prints"
            )


def is_locked(path: Path) -> bool:
    """Return whether a daemon has this journal open. It changes no file. Raises JournalError if the lock file
    cannot be read."""
    try:
        return file_lock.is_locked(path)
    except OSError as error:
        raise JournalError(f"journal {path}: {os_words(error)}") from error


def connect(path: Path, *, durable: bool, create: bool = True) -> sqlite3.Connection:
    """Open for writing; an empty file gets the schema. `durable`: commits wait for the disk; `create`: a
    missing file is created. Raises JournalError."""
    try:
        if create:
            # created here to be private from the start; SQLite gives -wal and -shm the same mode
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        uri = f"{path.absolute().as_uri()}?mode=rw"
        db = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=1.0)
    except OSError as error:
        raise JournalError(f"journal {path}: {os_words(error)}") from error
    except sqlite3.Error as error:
        raise opening_error(f"journal {path}", error) from error
    return _prepare(path, db, durable=durable)


def check_pages(path: Path, db: sqlite3.Connection) -> None:
    """Check every page at a start: half a second for a million rows. Otherwise a snapshot would hide that
    earlier rows are unreadable. SQLite's messages name pages and never quote a row. Raises NotOurJournal."""
    with closing_on_error(path, db):
        found = [str(row[0]) for row in db.execute("PRAGMA quick_check(3)")]
        if found != ["ok"]:
            what = "; ".join(line for text in found for line in text.splitlines() if "***" not in line)
            raise NotOurJournal(f"journal {path}: is damaged: {what}; keep it, and put back a copy")
        for table, column in LONG_COLUMNS:
            # the last page of a long text links to no other page, so SQLite finds no fault in one that was
            # overwritten with zeros
            ends = f"SELECT count(*) FROM {table} WHERE substr(CAST({column} AS BLOB), -1) = x'00'"  # noqa: S608
            if db.execute(ends).fetchone()[0]:
                raise NotOurJournal(
                    f"journal {path}: is damaged: {table} lack their end; keep it, and put back a copy"
                )


LONG_COLUMNS = (("settings", "pack"), ("settings", "settings"), ("snapshots", "state"))
"""Columns that fill more than one page. No event does: a person's input is limited to 4 KiB."""


@contextmanager
def closing_on_error(path: Path, db: sqlite3.Connection) -> Iterator[None]:
    """Close the database if reading it fails. Raises JournalError in that case."""
    try:
        yield
    except sqlite3.Error as error:
        db.close()
        raise opening_error(f"journal {path}", error) from error
    except UnicodeDecodeError:
        db.close()
        raise _undecodable(path) from None
    except JournalError:
        db.close()
        raise


def _undecodable(path: Path) -> NotOurJournal:
    """Return the error for a journal in whose damaged tables a name is not text: SQLite's message quotes the
    name, and Python cannot decode it."""
    return NotOurJournal(f"journal {path}: is damaged: a name in it is no text; keep it, and put back a copy")


def last_seq(path: Path, db: sqlite3.Connection) -> int:
    """Return the number of the last row, 0 if there is none."""
    with closing_on_error(path, db):
        return int(db.execute("SELECT max(seq) FROM events").fetchone()[0] or 0)


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a read-only view of the present moment, also while a daemon writes. Raises JournalError for an
    unreadable file, also during the caller's reads."""
    if (why := read_error(path)) is not None:
        raise JournalError(f"journal {path}: {why}; {NAMED_BY}")
    try:
        uri = f"{path.absolute().as_uri()}?mode=ro"
        with in_file(path), closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as db:
            db.execute("BEGIN")  # one transaction, so that rows, results and checkpoints match
            _check_identity(path, db)
            yield db
    except sqlite3.Error as error:
        raise _reading_error(path, error) from error
    except UnicodeDecodeError:
        raise _undecodable(path) from None


def _reading_error(path: Path, error: sqlite3.Error) -> JournalError:
    """Return the error for a journal that cannot be read. SQLite needs two files beside it, and must be able
    to create them if they are missing."""
    if (getattr(error, "sqlite_errorname", "") or "").startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN")):
        copy = "a copy of it and its -wal in a folder of your own"
        if os.statvfs(path.parent).f_flag & os.ST_RDONLY:
            return JournalError(f"journal {path}: cannot be read on a read-only file system; read {copy}")
        return JournalError(
            f"journal {path}: cannot be read by a user who may not write in its folder; "
            f"read it as the table's user, or {copy}"
        )
    return opening_error(f"journal {path}", error)


def _make_private(path: Path) -> None:
    """Remove other users' access to the journal, also if it was restored from a copy that all could read."""
    try:
        make_private(path, *log_paths(path), file_lock.lock_path(path))
    except OSError as error:
        raise JournalError(
            f"journal {error.filename}: others may read it; chmod 600 ({error.strerror})"
        ) from error


def _prepare(path: Path, db: sqlite3.Connection, *, durable: bool) -> sqlite3.Connection:
    try:
        empty = db.execute("PRAGMA schema_version").fetchone()[0] == 0
        if empty and path.stat().st_size:
            raise NotOurJournal(f"journal {path}: has no tables; put back the -wal file that belongs to it")
        db.execute(f"PRAGMA synchronous={'FULL' if durable else 'OFF'}")
        if empty:
            # before WAL mode, so that the tables are in the file itself and not only in its -wal
            db.executescript(SCHEMA + SEAL)
        _check_identity(path, db)
        db.execute("PRAGMA journal_mode=WAL").fetchall()
        _make_private(path)
        db.execute(f"PRAGMA wal_autocheckpoint={WAL_PAGES}").fetchall()
        db.execute("PRAGMA journal_size_limit=4194304").fetchall()
        db.executescript(LATER)
        if not has_seal(db):
            db.executescript(SEAL)
    except UnicodeDecodeError:
        db.close()
        raise _undecodable(path) from None
    except (sqlite3.Error, JournalError) as error:
        db.close()
        raise _as_journal_error(path, error) from error
    return db


def default_keys(path: Path) -> Path:
    """Return the default folder of a journal's keys; the table file may name another."""
    return Path(f"{path}.keys")


def path_of(db: sqlite3.Connection) -> Path:
    """Return the path of the journal that is open on this connection."""
    return Path(db.execute("PRAGMA database_list").fetchone()[2])


def has_seal(db: sqlite3.Connection) -> bool:
    """Return whether a program with seals has written to the journal."""
    return bool(db.execute("PRAGMA user_version").fetchone()[0] == VERSION)


def _check_identity(path: Path, db: sqlite3.Connection) -> None:
    identity = db.execute("PRAGMA application_id").fetchone()[0]
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if identity != APPLICATION_ID:
        what = "is another program's database" if path.stat().st_size else "is empty"
        raise NotOurJournal(f"journal {path}: {what}; name another file")
    if version not in READABLE:
        raise NotOurJournal(
            f"journal {path}: has schema {version}, this program reads {VERSION}; use the one that wrote it"
        )


def _as_journal_error(path: Path, error: sqlite3.Error | JournalError) -> JournalError:
    if isinstance(error, JournalError):
        return error
    return opening_error(f"journal {path}", error)


def os_words(error: OSError) -> str:
    """Return a text about a file that cannot be opened, with its remedy."""
    return f"cannot be opened: {error.strerror}; the folder must be there, writable, and not full"
