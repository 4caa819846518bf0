"""Verification of a journal's old rows while the daemon runs: `python -m controller.record.audit.examine
JOURNAL KEYS`.

A start compares the newest rows with their leaves (record/journal/leaf_check.py). This process makes the
remaining checks of `crisscross verify`, except the replay: every page, row, leaf, signature, line and
count. It reads in small slices with pauses, so that no card waits for it, and never writes. Exit status 0:
no fault found; 1: damage, one line on standard output; 3: an archive is being cut, retry later.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import time
from contextlib import suppress
from pathlib import Path

from controller.common.process.garbage_collection import collect_rarely
from controller.record.audit.integrity import check_file
from controller.record.audit.proof.sealed import Trust, check_seal
from controller.record.journal.beginning import beginning_of
from controller.record.journal.completeness import missing, read_counts
from controller.record.journal.files import has_seal, reading
from controller.record.journal.round_summary import has_other_shape, summary_text
from controller.record.journal.rows import RECORD_ERRORS
from controller.record.journal.schema import Damaged, JournalError
from controller.record.seal.keys import verifier

VERIFIED, DAMAGED, LATER = 0, 1, 3
SLICE_OPERATIONS = 2000
"""Operations of SQLite's virtual machine between two pauses: about a hundred rows."""
PAUSE_S = 0.004
_NICENESS = 19


class ArchiveInProgress(Exception):
    """Raised if an archive is being cut: rows are leaving the journal while it is read."""


def main(arguments: list[str] | None = None) -> int:
    if arguments is None:
        collect_rarely()
    journal, keys = sys.argv[1:] if arguments is None else arguments
    with suppress(OSError):
        os.nice(_NICENESS)  # the service may forbid a lower priority; the pauses still apply
    try:
        examine(Path(journal), Path(keys))
    except ArchiveInProgress:
        return LATER
    except JournalError as error:
        sys.stdout.write(f"{error}\n")
        return DAMAGED
    return VERIFIED


def examine(path: Path, keys: Path) -> None:
    """Verify the journal. Raises JournalError for the first damage, ArchiveInProgress if an archive is
    being cut."""
    counts = read_counts(path, keys)
    with reading(path) as db:
        db.set_progress_handler(_pause, SLICE_OPERATIONS)
        if _is_archiving(db):
            raise ArchiveInProgress
        check_file(path, db)
        check_seal(db, Trust(verifier(keys)))
        _check_lines(db)
        lack = missing(db, counts)
    if lack is not None:
        raise JournalError(lack.advice(path))


def _pause() -> int:
    time.sleep(PAUSE_S)
    return 0


def _is_archiving(db: sqlite3.Connection) -> bool:
    """Return whether rows are being moved to an archive. The journal's beginning is set first, and the
    checkpoints and snapshots before it are removed last (record/backup/archive.py): while some of them
    remain, the move is unfinished."""
    beginning = beginning_of(db)
    if not beginning.seq:
        return False
    query = """
        SELECT EXISTS (SELECT 1 FROM checkpoints WHERE size <= ?)
        OR EXISTS (SELECT 1 FROM snapshots WHERE seq < ?) OR (SELECT count(*) FROM base) > 1
    """
    return bool(db.execute(query, (beginning.tree.size, beginning.seq)).fetchone()[0])


def _check_lines(db: sqlite3.Connection) -> None:
    """Compare each summary line with one made from its record. Lines of other versions are skipped. Raises
    Damaged for the first difference."""
    if not has_seal(db):
        return
    for n, line, body in db.execute("SELECT n, line, body FROM lines JOIN results USING (n) ORDER BY n"):
        with RECORD_ERRORS:
            same = has_other_shape(line) or line == summary_text(json.loads(body))
        if not same:
            raise Damaged(f"line {n} is not the one of its round")


if __name__ == "__main__":
    sys.exit(main())
