"""Hundreds of power cuts from one boot: the journal's partition after each cut, examined on this machine.

After every cut ext4 recovers by itself, `e2fsck` finds no further fault, `crisscross verify` succeeds, and
the daemon's own code restores the table. Everything that was acknowledged to the shoe or shown to a person
before is there.
"""

from __future__ import annotations

import io
import sqlite3
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from controller.cli import main
from controller.record.journal.journal import Journal
from controller.record.journal.replay import restore_table, rules_in_force
from controller.record.journal.schema import JournalError
from tests.ended import read_rounds
from tests.trials.image.cuts import SECTOR, Replay
from tests.trials.image.machine import Disk
from tests.trials.same_records.differing import difference

Record = Mapping[str, Any]
MISSED = (AssertionError, JournalError, OSError, sqlite3.Error, subprocess.CalledProcessError)


@dataclass(frozen=True, slots=True)
class Promised:
    """Facts that must survive every power cut: acknowledgements to the shoe and records that people saw, each
    with the length of the log at that time."""

    marks: Sequence[tuple[int, str]]
    records: Sequence[tuple[int, Record]]


@dataclass(slots=True)
class Sum:
    """Counts over all cuts. `rows`: rows verified and restored; `promises`: acknowledgements and records
    found again."""

    cuts: int = 0
    torn: int = 0
    """Number of cuts at which some writes had not been flushed, so that they could be lost."""
    begun: int = 0
    """Number of cuts at which a journal was already on the disk."""
    rows: int = 0
    promises: int = 0
    missed: int = 0
    """Number of cuts after which a check failed."""

    def __str__(self) -> str:
        return (
            f"{self.cuts} cuts, {self.torn} with writes not flushed, {self.begun} with a journal: "
            f"{self.rows:,} rows verified and restored, {self.promises:,} promises kept"
        )


class Cuts:
    """Power cuts taken from one log of writes, each followed by all checks. With `lies` the disk loses that
    many flushes each time: the checks must then fail, which proves that they detect a loss."""

    def __init__(
        self, disk: Disk, log: Path, promised: Promised, folder: Path, seed: int, lies: int = 0
    ) -> None:
        first, size = disk.part("journal")
        self._whole = disk.read("journal", folder / "flushed.part")
        self._replay = Replay(log, self._whole, first // SECTOR, size // SECTOR)
        self._promised = promised
        self._folder, self._lies = folder, lies
        self._dice = Random(f"replayed {seed}")
        self.sum = Sum()

    def apart(self, disk: Disk) -> int:
        """Compare the disk that QEMU left with a copy to which the whole log was applied. Returns the number
        of sectors that differ."""
        left, made = disk.read("journal", self._folder / "left.part"), self._folder / "made.part"
        subprocess.run(["cp", "--sparse=always", self._whole, made], check=True)
        whole = self._replay.entries
        self._replay.put(made, [(entry, range(entry.count)) for entry in whole])
        with left.open("rb") as one, made.open("rb") as other:
            blocks = iter(lambda: (one.read(SECTOR), other.read(SECTOR)), (b"", b""))
            return sum(first != second for first, second in blocks)

    def run(self, count: int) -> None:
        """Check `count` random moments of the log, and note each failure with its moment."""
        length = len(self._replay.entries)
        for moment in sorted(self._dice.randint(0, length) for _ in range(count)):
            waiting = self._replay.to(moment, lies=self._lies)
            part = self._folder / "cut.part"
            subprocess.run(["cp", "--sparse=always", self._whole, part], check=True)
            words = self._replay.cut(part, waiting, self._dice)
            end = self._replay.entries[moment - 1].end if moment else 0
            self.sum.cuts += 1
            self.sum.torn += bool(waiting)
            try:
                self._look(part, end)
            except MISSED as error:
                if not self._lies:
                    raise AssertionError(f"cut at {moment} of {length} ({words}): {error}") from error
                self.sum.missed += 1

    def _look(self, part: Path, end: int) -> None:
        marks = [mark for at, mark in self._promised.marks if at <= end]
        records = [record for at, record in self._promised.records if at <= end]
        with mounted(part, self._folder / "cut") as place:
            wrong = self._wrong(place / "journal.db", marks, records)
        _hold(wrong is None, wrong or "")
        done = subprocess.run(["e2fsck", "-f", "-n", part], capture_output=True, text=True, check=False)
        _hold(done.returncode == 0, f"e2fsck: {done.stdout}")

    def _wrong(self, journal: Path, marks: Sequence[str], records: Sequence[Record]) -> str | None:
        """Return the reason why a check failed, or None. It is returned as text because an exception would
        keep files open, and the copy could not be unmounted."""
        try:
            if _begun(journal):
                self._journal(journal, marks, records)
            else:  # the first start was interrupted, and the next one begins anew
                _hold(not marks and not records, "promises, and no journal")
                Journal(journal).close()
        except MISSED as error:
            return str(error)
        return None

    def _journal(self, journal: Path, marks: Sequence[str], records: Sequence[Record]) -> None:
        _verified(journal)
        own = Journal(journal)
        try:
            rules = rules_in_force(own)
            restore_table(own, rules.pack, rules.settings)
            kept = iter(row.mark for row in own.rows() if row.mark)
            lost = [mark for mark in marks if mark not in kept]
            _hold(not lost, f"acknowledged and not in the journal: {lost}")
            self.sum.rows += own.head
        finally:
            own.close()
        _verified(journal)
        replayed_records = {record["round"]: record for record in read_rounds(journal)}
        for record in records:
            apart = difference(replayed_records.get(record["round"]), record)
            _hold(apart is None, f"round {record['round']} is not as it was reported: {apart}")
        self.sum.begun += 1
        self.sum.promises += len(marks) + len(records)


def _begun(journal: Path) -> bool:
    """Return whether the journal was begun: it has rows, or the rules under which the first row will be
    written."""
    if not journal.exists():
        return False
    with closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as db:
        try:
            tables = db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'settings'").fetchone()[0]
            return bool(tables and db.execute("SELECT count(*) FROM settings").fetchone()[0])
        except sqlite3.OperationalError as error:
            if error.sqlite_errorname != "SQLITE_READONLY_ROLLBACK":
                raise
            return False  # SQLite keeps a rollback file only while it creates the journal


def _verified(journal: Path) -> None:
    words = io.StringIO()
    with redirect_stdout(words), redirect_stderr(words):
        status = main(["verify", str(journal)])
    _hold(status == 0, f"verify: {words.getvalue()}")


@contextmanager
def mounted(part: Path, place: Path) -> Iterator[Path]:
    """Mount a copy of a partition; ext4 replays its own log."""
    place.mkdir(exist_ok=True)
    subprocess.run(["mount", "-o", "loop", part, place], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", place], check=True)


def _hold(condition: bool, words: str) -> None:
    if not condition:
        raise AssertionError(words)
