"""The rounds of a journal by number, read beside a running daemon: a line of each, and any of them whole.

A journal is read once, in pieces; what comes later is read on. States are remembered every few rounds, so
that one round is told without going through all. It never writes, and never tells of a round that has not
ended.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from pydantic import ValidationError

from controller.audit.story.entries import Story
from controller.audit.story.fold import round_of, story
from controller.audit.story.lines import Line, line, line_corrected
from controller.audit.story.luck import Luck
from controller.game.model.effects import CorrectRecord, WriteRecord
from controller.game.model.events import RoundCorrected
from controller.game.model.names import Phase
from controller.game.model.state import TableState
from controller.journal.codec import adapter
from controller.journal.files import reading
from controller.journal.replay import Replayed, beginning, replaying
from controller.journal.rows import Row, read_rows, read_settings, read_snapshots, told_rows

ROUNDS_A_MARK = 20
_ALL = 2**63
"""More rounds than there are."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A state to begin from: of `seq` rows, with `round` the next to be told."""

    round: int
    seq: int
    state: TableState | None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the journal has been read, in rows."""

    read: int
    of: int

    @property
    def done(self) -> bool:
        return self.read >= self.of


class Archive:
    """The rounds of one journal. JournalError, from every call, says what cannot be read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.luck = Luck(path)
        self._lines: dict[int, Line] = {}
        self._marks: list[Mark] = []
        self._read = 0
        self._state: TableState | None = None

    def lines(self) -> list[Line]:
        """Of every round read so far, the oldest first."""
        return list(self._lines.values())

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with reading(self.path) as db:
            if not self._marks:
                self._read, self._state = beginning(db)
                self._marks.append(_mark(self._read, self._state))
            yield db

    def read_on(self, most: int | None = None) -> Progress:
        """Read `most` rows further, or to the end."""
        with self._open() as db:
            head = int(db.execute("SELECT max(seq) FROM events").fetchone()[0] or 0)
            # rows are counted, not events: a row without an event gives none
            last = head if most is None else min(head, self._read + most)
            rows = islice(told_rows(db, self._read), last - self._read)
            for done in replaying(read_settings(db), self._counted(rows), self._state):
                self._keep(done)
        return Progress(last, head)

    def _counted(self, rows: Iterator[Row]) -> Iterator[Row]:
        for row in rows:
            yield row
            self._read = row.seq

    def _keep(self, done: Replayed) -> None:
        number = round_of(done.before)
        if done.before.round is None and number >= self._marks[-1].round + ROUNDS_A_MARK:
            self._marks.append(Mark(number, done.seq - 1, done.before))
        self._state = done.after
        for effect in done.effects:
            if isinstance(effect, WriteRecord):
                self._lines[effect.record["round"]] = line(effect.record, done.context.settings.zone)
            elif isinstance(effect, CorrectRecord) and effect.round in self._lines:
                self._lines[effect.round] = line_corrected(self._lines[effect.round], effect.entry)

    def is_near(self, number: int) -> bool:
        """Whether that round can be told without going through much of the journal first."""
        with self._open() as db:
            return number < self._nearest(db, number).round + 2 * ROUNDS_A_MARK

    # ------------------------------------------------------------------ one round

    def story(self, number: int) -> Story | None:
        """A round whole; None where there is none of that number, or it has not ended."""
        with self._open() as db:
            mark = self._nearest(db, number)
            if mark.round >= number:
                return None  # it began before the journal does: it lies in an archive
            later = read_rows(db, mark.seq, RoundCorrected.__name__)
            return story(number, replaying(read_settings(db), told_rows(db, mark.seq), mark.state), later)

    def on_the_table(self) -> int | None:
        """The number of the round that is on and has not ended."""
        with self._open() as db:
            mark = self._nearest(db, _ALL)
            last = mark.state
            for done in replaying(read_settings(db), told_rows(db, mark.seq), mark.state):
                last = done.after
        if last is None or last.round is None or last.stands is Phase.CLEARING:
            return None
        return last.round.number

    def _nearest(self, db: sqlite3.Connection, number: int) -> Mark:
        """The last state of an earlier round: one of our own, or one that the journal keeps."""
        earlier = [mark for mark in self._marks if mark.round < number]
        own = max(earlier, key=lambda mark: mark.seq, default=self._marks[0])
        kept = (_kept(seq, text) for seq, text in read_snapshots(db) if seq > own.seq)
        return next((mark for mark in kept if mark is not None and mark.round < number), own)


def _kept(seq: int, text: str) -> Mark | None:
    """Of a snapshot; None where another version wrote it."""
    try:
        state = adapter(TableState).validate_json(text)
    except ValidationError:
        return None
    return _mark(seq, state)


def _mark(seq: int, state: TableState | None) -> Mark:
    if state is None:
        return Mark(0, seq, state)
    # a round that is on when it was kept began before it
    return Mark(round_of(state) + (state.round is not None), seq, state)
