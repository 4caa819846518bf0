"""A copy of a journal, made while its table plays on, and put back whole or not at all.

A copy is one file, private, and verified before it gets its name. It holds no key: the cards of the round in
play stay closed in it.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from controller.audit.whole import Whole, check_whole
from controller.files.replacing import to_disk
from controller.journal.files import is_held, reading
from controller.journal.schema import JournalError, opening_error


def copied(journal: Path, to: Path) -> Whole:
    """The journal as it is now, in a file that is not there yet. JournalError."""
    _free(to)
    with half_of(to) as half:
        take(journal, half)
        whole = check_whole(half)
        put(half, to)
    return whole


def restored(copy: Path, journal: Path) -> Whole:
    """A copy in the place of a journal that is gone. Rows that it lacks are said at the start.
    JournalError."""
    _free(journal)
    if is_held(journal):
        raise JournalError(f"journal {journal}: a daemon has it open; end that one first")
    log, shared = Path(f"{journal}-wal"), Path(f"{journal}-shm")
    if log.exists() and log.stat().st_size:
        raise JournalError(f"journal {journal}: {log} has rows of the one that is gone; move it away first")
    for rest in (log, shared):
        rest.unlink(missing_ok=True)
    return copied(copy, journal)


def take(journal: Path, to: Path) -> None:
    """All of it as it is at one moment; whoever writes is not held up."""
    with reading(journal) as db, closing(sqlite3.connect(to)) as copy:
        db.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE").fetchall()


def put(half: Path, to: Path) -> None:
    """Give a finished file its name, on the disk."""
    to_disk(half)
    half.replace(to)
    to_disk(to.parent)


@contextmanager
def half_of(to: Path) -> Iterator[Path]:
    """A private file beside `to`, which is gone at the end. What goes wrong with it is a JournalError."""
    half = to.with_name(f".{to.name}.half")
    try:
        half.unlink(missing_ok=True)
        os.close(os.open(half, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        yield half
    except OSError as error:
        raise JournalError(f"{to}: cannot be written: {error.strerror}") from error
    except sqlite3.Error as error:
        raise opening_error(str(to), error) from error
    finally:
        half.unlink(missing_ok=True)


def _free(to: Path) -> None:
    if to.exists():
        raise JournalError(
            f"{to}: is there already, and nothing is written over; name another file or move it"
        )
