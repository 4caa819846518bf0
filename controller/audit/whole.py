"""Whether a journal is whole: the file as SQLite checks it, its seal, rows in order, and that replaying them
gives the rounds and snapshots that are kept beside them.

It never writes, and says of a row its number alone.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from controller.audit.proof.sealed import Proven, Trust, check_seal
from controller.game.model.state import TableState
from controller.journal.codec import adapter
from controller.journal.files import reading
from controller.journal.lines import known
from controller.journal.replay import Replayed, beginning, replaying
from controller.journal.results import Result, results_of
from controller.journal.rows import Row, read_results, read_settings, read_snapshots, told_rows
from controller.journal.schema import Damaged, JournalError


@dataclass(frozen=True, slots=True)
class Whole:
    """What is known of a journal that is whole."""

    rows: int
    rounds: int
    sealed: int
    """Rows at the end that hold cards of the round in play, whose key is not here: not replayed."""
    proven: Proven | None
    until: str
    """UTC of the last row: what happened later is not in it."""


def check_whole(path: Path, trust: Trust | None = None) -> Whole:
    """JournalError says what is wrong, and where."""
    with reading(path) as db:
        said = db.execute("PRAGMA integrity_check").fetchone()[0]
        if said != "ok":
            first = next(line for line in said.splitlines() if not line.startswith("***"))
            raise JournalError(f"journal {path}: is damaged: {first}; keep it, and put back a copy")
        proven = check_seal(db, trust or Trust())
        count, last = db.execute("SELECT count(*), max(seq) FROM events").fetchone()
        replayed = _Replay(db)
        sealed = int(last or 0) - replayed.run()
        told = db.execute("SELECT utc FROM events ORDER BY seq DESC LIMIT 1").fetchone()
        return Whole(int(count), replayed.rounds, max(0, sealed), proven, str(told[0]) if told else "")


class _Replay:
    """Every row handled once more, held against what is kept beside the rows."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.rounds = 0
        self._db = db
        self._read, self._state = beginning(db)
        self._snapshots = dict(read_snapshots(db))
        self._kept = read_results(db)

    def run(self) -> int:
        """The last row that can be read."""
        first = self._kept[0].seq if self._kept else 0
        for done in replaying(read_settings(self._db), self._in_order(), self._state):
            for result in results_of(done.seq, done.effects):
                self.rounds += result.kind == "record"
                if self._kept and done.seq >= first:
                    self._compare(result)
            self._look(done)
        if self._kept and self._kept[0].seq <= self._read:
            raise Damaged(f"what is kept of round {self._kept[0].round} does not come of the rows")
        return self._read

    def _in_order(self) -> Iterator[Row]:
        last_ms = 0
        for row in told_rows(self._db, self._read):
            self._read += 1
            if row.seq != self._read:
                raise Damaged(f"row {self._read} is missing")
            if row.stamp.ms < last_ms:
                raise Damaged(f"row {row.seq} is earlier than the one before it")
            last_ms = row.stamp.ms
            yield row

    def _compare(self, result: Result) -> None:
        """A newer program may say more of a round, never anything else."""
        kept = self._kept.pop(0)
        told, now = json.loads(kept.body), json.loads(result.body)
        same = all(now.get(key) == value for key, value in told.items())
        same &= kept.line == result.line or not known(kept.line)
        if (kept.seq, kept.round, kept.kind) != (result.seq, result.round, result.kind) or not same:
            raise Damaged(f"row {result.seq}: what is kept of round {kept.round} does not come of the rows")

    def _look(self, done: Replayed) -> None:
        """A snapshot of another version is not held against the replay, and never begun from."""
        text = self._snapshots.pop(done.seq, None)
        if text is None:
            return
        try:
            kept = adapter(TableState).validate_json(text)
        except ValidationError:
            return
        if kept != done.after:
            raise Damaged(f"the snapshot at row {done.seq} does not come of the rows")
