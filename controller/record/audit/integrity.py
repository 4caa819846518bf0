"""Verification of a journal's integrity: SQLite's check of the file for corruption, the seal, the order of
rows, and a replay that must give the stored rounds and snapshots.

This module never writes, and its errors name only the number of a row.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from controller.game.model.state import TableState
from controller.record.audit.proof.earlier_archives import (
    ArchiveProof,
    difference_from_archives,
    missing_archives,
    proof_by_archives,
)
from controller.record.audit.proof.sealed import ProofExtent, Trust, check_seal
from controller.record.journal.beginning import Beginning, beginning_of
from controller.record.journal.codec import adapter
from controller.record.journal.files import has_seal, reading
from controller.record.journal.history import ARCHIVED, SHORTENED, HistoryAct, read_acts
from controller.record.journal.replay import Replayed, beginning, replayed_events
from controller.record.journal.results import RoundResult, results_of
from controller.record.journal.round_summary import has_other_shape
from controller.record.journal.rows import Row, read_results, read_settings, read_snapshots, readable_rows
from controller.record.journal.schema import Damaged, JournalError


@dataclass(frozen=True, slots=True)
class Verified:
    """Result of a verification: extent and history of a journal that has no fault."""

    rows: int
    rounds: int
    sealed: int
    """Number of rows at the end that were not replayed, because they are sealed with the key of the round in
    play.
    """
    proven: ProofExtent | None
    until: str
    """UTC of the last row. The file proves nothing about later events."""
    first: int = 1
    """Number of the first row in the file."""
    last: int = 0
    acts: Sequence[HistoryAct] = ()
    """Restores from a copy, confirmed losses and archives, as the journal's history lists them."""


def verify_journal(path: Path, trust: Trust | None = None, *, copying: bool = False) -> Verified:
    """Verify a journal and the archives named by `trust`. `copying`: archived rows and rows reported as lost
    need not be present. Raises JournalError that names the fault and its place."""
    trust = trust or Trust()
    with reading(path) as db:
        beginning = beginning_of(db)
    before = proof_by_archives(trust.archives, beginning, lambda file, found: _archive(file, trust, found))
    verified = _verify(path, trust, before, archive=False)
    if not copying:
        _check_nothing_left_out(path, beginning, before, verified.acts)
    return verified


def verify_archives(trust: Trust) -> list[Verified]:
    """Verify archives without their journal. Raises JournalError for the first fault."""
    found: list[Verified] = []

    def check(file: Path, before: ArchiveProof) -> None:
        found.append(_archive(file, trust, before))

    proof_by_archives(trust.archives, None, check)
    return found


def verify_archive(file: Path, trust: Trust) -> Verified:
    """Verify one archive, without the earlier ones. Raises JournalError for the first fault."""
    return _archive(file, trust, ArchiveProof(tree=None))


def _archive(file: Path, trust: Trust, before: ArchiveProof) -> Verified:
    return _verify(file, trust, before, archive=True)


def _verify(path: Path, trust: Trust, before: ArchiveProof, *, archive: bool) -> Verified:
    with reading(path) as db:
        check_file(path, db)
        proven = check_seal(db, trust, archive=archive)
        beginning, acts = beginning_of(db), read_acts(db)
        if (
            proven
            and before.tree == beginning.tree
            and (wrong := difference_from_archives(db, beginning, before)) is not None
        ):
            raise Damaged(wrong)
        count, last = db.execute("SELECT count(*), max(seq) FROM events").fetchone()
        last = int(last or beginning.seq)
        replayed = _Replay(db)
        sealed = last - replayed.run()
        newest = db.execute("SELECT utc FROM events ORDER BY seq DESC LIMIT 1").fetchone()
        until = str(newest[0]) if newest else ""
        return Verified(
            int(count), replayed.rounds, max(0, sealed), proven, until, beginning.seq + 1, last, tuple(acts)
        )


def check_file(path: Path, db: sqlite3.Connection) -> None:
    """Check every page and index of the file. Raises JournalError if one is damaged."""
    result = db.execute("PRAGMA integrity_check").fetchone()[0]
    if result != "ok":
        first = next(line for line in result.splitlines() if not line.startswith("***"))
        raise JournalError(f"journal {path}: is damaged: {first}; keep it, and put back a copy")


def _check_nothing_left_out(
    path: Path, beginning: Beginning, before: ArchiveProof, acts: Sequence[HistoryAct]
) -> None:
    lacking = missing_archives(beginning, before) if beginning.seq else None
    if lacking is not None:
        cut = next((act for act in reversed(acts) if act.act == ARCHIVED), None)
        by = f" (archived {cut.utc} by {cut.who or 'an unnamed account'})" if cut else ""
        raise JournalError(f"journal {path}: {lacking}{by}")
    for act in acts:
        if act.act == SHORTENED:
            rows = f"rows {act.seq + 1} to {act.body.get('rows')}"
            lost = rows if act.body.get("rows") != act.seq else f"checkpoints after row {act.seq}"
            raise JournalError(
                f"journal {path}: {lost} were written and are lost: confirmed {act.utc} by {act.who}"
            )


class _Replay:
    """Replay of every row, compared with the stored results and snapshots."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.rounds = 0
        self._db = db
        self._read, self._state = beginning(db)
        self._snapshots = dict(read_snapshots(db))
        self._kept = read_results(db)

    def run(self) -> int:
        """Replay the rows and return the last readable one. Raises Damaged."""
        first = self._kept[0].seq if self._kept else self._first_sealed_row()
        for done in replayed_events(read_settings(self._db), self._rows_in_order(), self._state):
            for result in results_of(done.seq, done.effects):
                self.rounds += result.kind == "record"
                if self._kept and done.seq >= first:
                    self._compare(result)
                elif first and done.seq > first:
                    self._check_not_lost(result)
            self._compare_snapshot(done)
        if self._kept:
            self._check_unreadable(self._kept[0])
        return self._read

    def _first_sealed_row(self) -> int:
        """Return 1 if every round must have a stored result, because the journal has had a seal since its
        first settings; else 0.

        A journal with 0 may have been played without a seal at first, or begins after row 1.
        """
        if not has_seal(self._db):
            return 0
        found = self._db.execute("SELECT what FROM leaves WHERE n = 0").fetchone()
        return int(found is not None and found[0] == "settings" and self._read == 0)

    def _check_not_lost(self, result: RoundResult) -> None:
        """Raise Damaged if a result that the replay gives is not stored although a later checkpoint exists. A
        result is stored in the commit of the checkpoint that follows it, or of the next one after a fault."""
        query = """
            SELECT count(*) FROM leaves WHERE what = 'events' AND seq >= ?
            AND n < (SELECT max(size) FROM checkpoints)
        """
        if self._db.execute(query, (result.seq,)).fetchone()[0]:
            raise Damaged(f"row {result.seq}: what came of round {result.round} is not kept")

    def _check_unreadable(self, stored: RoundResult) -> None:
        """Check a stored result whose rows could not be unsealed, so that the replay did not reach it. Raises
        Damaged unless faces of the next round were sealed with the same key: only then may the key of an
        ended round be missing."""
        if stored.seq <= self._read:
            raise Damaged(f"what is kept of round {stored.round} does not come of the rows")
        query = "SELECT count(*) FROM events WHERE seq > ? AND body GLOB '[0-9]*'"
        if not self._db.execute(query, (stored.seq,)).fetchone()[0]:
            raise Damaged(f"the key of round {stored.round}, which has ended, is missing")

    def _rows_in_order(self) -> Iterator[Row]:
        last_ms = 0
        for row in readable_rows(self._db, self._read):
            self._read += 1
            if row.seq != self._read:
                raise Damaged(f"row {self._read} is missing")
            if row.stamp.ms < last_ms:
                raise Damaged(f"row {row.seq} is earlier than the one before it")
            last_ms = row.stamp.ms
            yield row

    def _compare(self, result: RoundResult) -> None:
        """Compare a result with the stored one. A newer program may add fields, but must not change one."""
        stored = self._kept.pop(0)
        before, now = json.loads(stored.body), json.loads(result.body)
        same = all(now.get(key) == value for key, value in before.items())
        same &= stored.line in {result.line, ""} or has_other_shape(stored.line)
        if (stored.seq, stored.round, stored.kind) != (result.seq, result.round, result.kind) or not same:
            raise Damaged(f"row {result.seq}: what is kept of round {stored.round} does not come of the rows")

    def _compare_snapshot(self, done: Replayed) -> None:
        """Compare a snapshot with the replay. A snapshot of an earlier version is compared only in the fields
        that it has. A snapshot that this version cannot read is skipped: no start uses it."""
        text = self._snapshots.pop(done.seq, None)
        if text is None:
            return
        try:
            stored = adapter(TableState).validate_json(text)
        except ValidationError:
            return
        if stored == done.after:
            return
        before, now = json.loads(text), json.loads(adapter(TableState).dump_json(done.after))
        if before.keys() == now.keys() or not _contains(now, before):
            raise Damaged(f"the snapshot at row {done.seq} does not come of the rows")


def _contains(now: object, stored: object) -> bool:
    """Return whether `now`, a value computed by this version, contains every value that an earlier version
    stored. Only additional keys of objects are allowed."""
    if isinstance(stored, dict) and isinstance(now, dict):
        return all(key in now and _contains(now[key], value) for key, value in stored.items())
    if isinstance(stored, list) and isinstance(now, list):
        return len(stored) == len(now) and all(map(_contains, now, stored))
    return bool(stored == now)
