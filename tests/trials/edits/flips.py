"""Damage to the bytes of a journal: a bit flipped anywhere, the end cut off anywhere.

`verify` or the start must name the damage unless all readable data are unchanged: some bytes have no meaning.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

from controller.game.model.events import KeyPressed, Stamp
from controller.game.model.names import Key
from controller.record.audit.proof.sealed import Trust
from controller.record.journal.journal import Journal, JournalEntry
from controller.record.journal.leaves import COLUMNS
from controller.record.journal.schema import JournalError
from tests.trials.edits.box import Box, named

ROWS_AT_THE_END = 3


def turned(whole: bytes, at: int) -> bytes:
    """Return the bytes with one bit of the byte at `at` flipped."""
    return whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :]


def silent(box: Box, folder: Path, trust: Trust, places: Iterable[int]) -> Iterator[int]:
    """Flip a bit at each of the places. Yields the places at which this changes data and `verify` names no
    fault."""
    whole, before = box.journal.read_bytes(), _content(box.journal)
    spoilt = box.copy_journal(folder / "spoilt")
    for at in places:
        spoilt.journal.write_bytes(turned(whole, at))
        if not named(spoilt, trust) and _content(spoilt.journal) != before:
            yield at


def _content(journal: Path) -> list[list[tuple[object, ...]]]:
    """Return the rows of all tables. A table that cannot be read counts as empty, and so as different."""
    with closing(sqlite3.connect(journal)) as db:
        db.text_factory = bytes
        tables = [f"SELECT {columns} FROM {table} ORDER BY 1" for table, columns in COLUMNS.items()]  # noqa: S608
        try:
            return [db.execute(query).fetchall() for query in tables]
        except sqlite3.Error:
            return []


class Torn:
    """Journal whose last rows are only in its write-ahead log. A power cut may damage or shorten that log."""

    def __init__(self, box: Box, folder: Path) -> None:
        self._box = box.copy_journal(folder / "torn")
        self._log = Path(f"{self._box.journal}-wal")
        journal = Journal(self._box.journal)
        self.rows = journal.head + ROWS_AT_THE_END
        before = self._log.stat().st_size
        last = journal.last_stamp() or Stamp(0, "")
        journal.append([JournalEntry(KeyPressed(Key.FLOOR))] * ROWS_AT_THE_END, last)
        files = (self._box.journal, self._log, Path(f"{self._box.journal}.lock"))
        self._files = {file: file.read_bytes() for file in files}
        journal.close()
        self.record = range(before, len(self._files[self._log]))
        """Range of the bytes of the last commit in the log."""

    def cut_at(self, at: int) -> str:
        """Shorten the log to `at` bytes and start. Returns the error of the start, or "" if all rows
        exist."""
        return self._error_of(self._files[self._log][:at])

    def turned_at(self, at: int) -> str:
        return self._error_of(turned(self._files[self._log], at))

    def _error_of(self, log: bytes) -> str:
        for file, content in self._files.items():
            file.write_bytes(log if file == self._log else content)
        Path(f"{self._box.journal}-shm").unlink(missing_ok=True)
        try:
            with closing(Journal(self._box.journal)) as journal:
                return "" if journal.head == self.rows else "rows are gone, and no error is reported"
        except JournalError as error:
            return str(error)
