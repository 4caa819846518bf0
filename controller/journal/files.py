"""Opening a journal's file: the lock, the modes, the identity. One clear line for whatever is in the way.

It makes a journal only in an empty place: another program's database is refused untouched, and so
is the journal of a newer version.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from pathlib import Path

from controller.journal.schema import (
    APPLICATION_ID,
    SCHEMA,
    VERSION,
    JournalError,
    NotOurJournal,
    opening_error,
)  # fmt: skip

WAL_PAGES = 8000
"""The log is moved into the database by SQLite itself at this size, if nobody did it before."""


def lock_beside(path: Path) -> int:
    """The lock that keeps a second daemon out; it goes with the process, however that ends."""
    try:
        handle = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise JournalError(f"journal {path}: {_os_words(error)}") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(handle)
        raise JournalError(f"journal {path}: another daemon holds it; end that one first") from error
    return handle


def is_held(path: Path) -> bool:
    """Whether a daemon has this journal open now. Makes and changes nothing."""
    try:
        handle = os.open(f"{path}.lock", os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise JournalError(f"journal {path}: {_os_words(error)}") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False


def connect(path: Path, *, forced: bool) -> sqlite3.Connection:
    """For writing; the schema is made where the file is empty."""
    try:
        # made by hand so that it is private from its first instant; SQLite gives -wal and -shm the same mode
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        db = sqlite3.connect(path, isolation_level=None, timeout=1.0)
    except OSError as error:
        raise JournalError(f"journal {path}: {_os_words(error)}") from error
    except sqlite3.Error as error:
        raise opening_error(f"journal {path}", error) from error
    return _prepared(path, db, forced=forced)


def last_seq(path: Path, db: sqlite3.Connection) -> int:
    """The number of the last row, 0 for none; closes a database that cannot be read."""
    try:
        return int(db.execute("SELECT max(seq) FROM events").fetchone()[0] or 0)
    except sqlite3.Error as error:
        db.close()
        raise opening_error(f"journal {path}", error) from error


def open_reader(path: Path) -> sqlite3.Connection:
    """For reading only, beside a running daemon too."""
    if not path.is_file():
        raise JournalError(f"journal {path}: there is no such file")
    try:
        db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
    except sqlite3.Error as error:
        raise opening_error(f"journal {path}", error) from error
    try:
        _check_identity(path, db)
    except (sqlite3.Error, JournalError) as error:
        db.close()
        raise _as_journal_error(path, error) from error
    return db


def _prepared(path: Path, db: sqlite3.Connection, *, forced: bool) -> sqlite3.Connection:
    try:
        empty = db.execute("PRAGMA schema_version").fetchone()[0] == 0
        if not empty:
            _check_identity(path, db)
        db.execute("PRAGMA journal_mode=WAL").fetchall()
        db.execute(f"PRAGMA synchronous={'FULL' if forced else 'OFF'}")
        db.execute(f"PRAGMA wal_autocheckpoint={WAL_PAGES}").fetchall()
        db.execute("PRAGMA journal_size_limit=4194304").fetchall()
        if empty:
            db.executescript(SCHEMA)
    except (sqlite3.Error, JournalError) as error:
        db.close()
        raise _as_journal_error(path, error) from error
    return db


def _check_identity(path: Path, db: sqlite3.Connection) -> None:
    identity = db.execute("PRAGMA application_id").fetchone()[0]
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if identity != APPLICATION_ID:
        raise NotOurJournal(f"journal {path}: is another program's database; name another file")
    if version != VERSION:
        raise NotOurJournal(
            f"journal {path}: has schema {version}, this program reads {VERSION}; use the one that wrote it"
        )


def _as_journal_error(path: Path, error: sqlite3.Error | JournalError) -> JournalError:
    if isinstance(error, JournalError):
        return error
    return opening_error(f"journal {path}", error)


def _os_words(error: OSError) -> str:
    return f"cannot be opened: {error.strerror}; the folder must be there, writable, and not full"
