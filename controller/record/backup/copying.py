"""Copies of a journal, made while its table plays, and restored completely or not at all.

A copy is one file, private, and verified before it gets its name. It contains no key: the cards of the
round in play stay sealed in it.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from controller.common.files.atomic_write import rename_into_place
from controller.record.audit.integrity import Verified, verify_journal
from controller.record.audit.proof.sealed import Trust
from controller.record.journal.completeness import missing, read_counts
from controller.record.journal.files import default_keys, has_seal, is_locked, reading, writing
from controller.record.journal.history import RESTORED, append_act, facts_of, tree_of
from controller.record.journal.schema import JournalError, opening_error
from controller.record.seal.keys import verifier

LOGS = ("-wal", "-journal")
"""Endings of the files in which SQLite keeps pages of a database; those files do not name the database."""


def copy_journal(journal: Path, to: Path) -> Verified:
    """Copy the journal into a new file. Raises JournalError if that fails, or if the journal is incomplete,
    since its copy must not replace a better one."""
    return _copy(journal, to, journal)


def restore_journal(copy: Path, journal: Path, utc: str = "", who: str = "") -> Verified:
    """Restore a missing journal from a copy, and record that as an act in it (history.py), with time and
    account. Rows missing from the copy are reported at the start. Raises JournalError if that fails."""
    check_free(journal, "-journal")
    if is_locked(journal):
        raise JournalError(f"journal {journal}: a daemon has it open; end that one first")
    log, shared = Path(f"{journal}-wal"), Path(f"{journal}-shm")
    if log.exists() and log.stat().st_size:
        raise JournalError(f"journal {journal}: {log} has rows of the one that is gone; move it away first")
    for rest in (log, shared):
        rest.unlink(missing_ok=True)
    return _copy(copy, journal, journal, lambda half: _record(half, copy, utc, who))


def _copy(journal: Path, to: Path, of: Path, then: Callable[[Path], None] = lambda _half: None) -> Verified:
    """Copy the journal, verify the copy, and give it its name `to`. `of`: the journal whose public key, if it
    has one, must have signed the copy. `then`: called with the copy after it was verified, before it gets its
    name. Raises JournalError if the journal is incomplete or the copy has a fault."""
    check_free(to)
    counts = read_counts(journal)
    with partial_file(to) as half:
        copy_database(journal, half)
        with reading(half) as db:
            lack = missing(db, counts)
        if lack is not None and lack.accepted is None:
            raise JournalError(lack.advice(journal))
        verified = verify_journal(half, Trust(verifier(default_keys(of))), copying=True)
        then(half)
        rename_into_place(half, to)
    return verified


def _record(half: Path, copy: Path, utc: str, who: str) -> None:
    with reading(half) as db:
        if not has_seal(db):
            return
    with writing(half) as db:
        last = int(db.execute("SELECT max(seq) FROM events").fetchone()[0] or 0)
        append_act(db, RESTORED, utc, who, last, {"file": copy.name, **facts_of(tree_of(db))})


def copy_database(journal: Path, to: Path) -> None:
    """Copy the database as it is at one moment, without blocking its writer."""
    with reading(journal) as db, closing(sqlite3.connect(to)) as copy:
        db.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE").fetchall()


@contextmanager
def partial_file(to: Path) -> Iterator[Path]:
    """Yield a private file beside `to`, which is removed at the end. Raises JournalError if writing fails."""
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


def check_free(to: Path, *endings: str) -> None:
    """Raise JournalError if `to` exists, or if a log exists beside it that SQLite would apply to a new file
    of that name. `endings`: endings of the logs to check; none given means LOGS."""
    for file in (to, *(Path(f"{to}{ending}") for ending in endings or LOGS)):
        if os.path.lexists(file):
            raise JournalError(
                f"{file}: is there already, and nothing is written over; name another file or move it"
            )
