"""Rounds of a journal, read while a daemon runs: all of them, the newest first, or the timeline of one.

A record is read as it was stored and signed at the end of its round; `crisscross verify` shows that a replay
of the rows gives the same. Rounds without a stored record are replayed: those after the last signature, and
those older than the seal. This module never writes, and never returns a round that has not ended.
"""

from __future__ import annotations

import sqlite3
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pydantic import ValidationError

from controller.game.model.effects import CorrectRecord, WriteRecord
from controller.game.model.names import Phase
from controller.game.model.record import NamedCorrection, RoundRecord
from controller.game.model.state import TableState
from controller.game.phases.record import with_correction
from controller.record.journal.codec import adapter
from controller.record.journal.files import reading
from controller.record.journal.replay import Replayed, beginning, replayed_events
from controller.record.journal.round_summary import (
    RoundSummary,
    has_current_shape,
    parse_summary,
    summary_of,
    with_corrections,
)
from controller.record.journal.rows import (
    MAX_SEQ,
    RECORD_ERRORS,
    ResultHead,
    read_body,
    read_corrections,
    read_decisions,
    read_result_heads,
    read_settings,
    read_snapshots,
    readable_rows,
)
from controller.record.journal.search import corpus
from controller.record.timeline.entries import RoundTimeline
from controller.record.timeline.fold import round_of, story
from controller.record.timeline.luck import Luck
from controller.record.timeline.round_filters import Zoned


@dataclass(frozen=True, slots=True)
class Start:
    """Point from which a replay may start. `seq`: last row before it; `round`: last round before it; `state`:
    state of the table there, None for an empty journal."""

    round: int
    seq: int
    state: TableState | None


class Archive:
    """Rounds of one journal. Every call raises JournalError if the journal cannot be read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.luck = Luck(path)

    @contextmanager
    def rounds(self) -> Iterator[Rounds]:
        """Yield the rounds that have ended, readable while the context is open."""
        with reading(self.path) as db:
            yield Rounds(db)

    def story(self, number: int) -> RoundTimeline | None:
        """Return the timeline of a round, or None if there is none of that number or it has not ended."""
        with reading(self.path) as db:
            mark = _nearest(db, number)
            if mark.round >= number:
                return None  # the round began before the journal's beginning, so it is in an archive
            return story(number, _replayed(db, mark), read_corrections(db, number))

    def round_in_play(self) -> int | None:
        """Return the number of the round in play, or None."""
        with reading(self.path) as db:
            mark = next(_starts(db, MAX_SEQ))
            last = mark.state
            for done in _replayed(db, mark):
                last = done.after
        if last is None or last.round is None or last.play_phase is Phase.CLEARING:
            return None
        return last.round.number


class Rounds:
    """Rounds of an open journal that have ended, with all their corrections."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        kept = read_result_heads(db)
        first, last = (kept[0].seq, kept[-1].seq) if kept else (0, 0)
        self._records = {each.round: each for each in reversed(kept) if each.kind == "record"}
        self._zones = [(each.seq, each.zone()) for each in read_settings(db)]
        self._late: dict[int, list[NamedCorrection]] = defaultdict(list)
        self._ends: dict[int, int] = {}
        """Round by the row at which it ended, for rounds whose record is replayed."""
        self._before = self._rounds_ended(self._older(first - 1))
        for each in kept:
            if each.kind == "correction":
                self._late[each.round].append(read_body(db, each))
        mark = next(_starts(db, last))
        self._after = self._rounds_ended(done for done in _replayed(db, mark) if done.seq > last)

    def __len__(self) -> int:
        return len(self._after) + len(self._records) + len(self._before)

    def lines(self) -> Iterator[RoundSummary]:
        """Yield the summary of each round, the newest first."""
        for own in self._lines():
            with RECORD_ERRORS:
                story = with_corrections(own, self._late[own.round]) if own.round in self._late else own
            yield story

    def decision_words(self) -> dict[int, str]:
        """Return the text of floor decisions by round, for a search: badge and reason of each."""
        found: dict[int, str] = defaultdict(str)
        rounds = self._ends | {each.seq: number for number, each in self._records.items()}
        ends = sorted(rounds)
        for seq, badge, reason in read_decisions(self._db):
            at = bisect_left(ends, seq)
            if at < len(ends):  # otherwise the round is still in play
                found[rounds[ends[at]]] += corpus(badge, reason)
        return found

    def record(self, number: int) -> RoundRecord:
        """Return the record of one round."""
        replayed = self._after | self._before
        record = replayed[number][0] if number in replayed else read_body(self._db, self._records[number])
        with RECORD_ERRORS:
            for entry in self._late.get(number, ()):
                record = with_correction(record, entry)
        return record

    def _lines(self) -> Iterator[RoundSummary]:
        yield from (summary_of(*each) for each in self._after.values())
        for kept in self._records.values():
            with RECORD_ERRORS:
                own = self._line(kept)
            yield own
        yield from (summary_of(*each) for each in self._before.values())

    def _line(self, head: ResultHead) -> RoundSummary:
        zone = self._zone(head.seq)
        own = (
            parse_summary(head.line, zone)
            if has_current_shape(head.line)
            else summary_of(read_body(self._db, head), zone)
        )
        datetime.fromisoformat(own.started)
        if own.round != head.round:
            raise ValueError(own.round)
        return own

    def _rounds_ended(self, replayed: Iterator[Replayed]) -> dict[int, Zoned]:
        """Return the records, with their time zones, of the rounds that end in these rows, the newest first.
        Corrections found in the rows are stored."""
        found: dict[int, Zoned] = {}
        for done in replayed:
            for effect in done.effects:
                if isinstance(effect, WriteRecord):
                    found[effect.record["round"]] = (effect.record, done.context.settings.zone)
                    self._ends[done.seq] = effect.record["round"]
                elif isinstance(effect, CorrectRecord):
                    self._late[effect.round].append(effect.entry)
        return dict(reversed(found.items()))

    def _older(self, until: int) -> Iterator[Replayed]:
        """Yield the events before the first stored record; only a journal older than the seal has any."""
        begin = _beginning(self._db)
        if self._records and min(self._records) > max(1, begin.round):
            yield from _replayed(self._db, begin, until)

    def _zone(self, seq: int) -> str:
        """Return the time zone of the table file that applied at that row."""
        return next((zone for since, zone in reversed(self._zones) if since <= seq), "")


def _replayed(db: sqlite3.Connection, mark: Start, until: int = MAX_SEQ) -> Iterator[Replayed]:
    return replayed_events(read_settings(db), readable_rows(db, mark.seq, until), mark.state)


def _nearest(db: sqlite3.Connection, number: int) -> Start:
    """Return the last point before the round from which a replay can start. Later snapshots are not read,
    because a long journal has many."""
    ended = (kept.seq for kept in read_result_heads(db) if kept.kind == "record" and kept.round >= number - 1)
    marks = _starts(db, min(ended, default=MAX_SEQ))
    return next((mark for mark in marks if mark.round < number), _beginning(db))


def _starts(db: sqlite3.Connection, until: int) -> Iterator[Start]:
    """Yield the points up to row `until` from which this version can start a replay, the newest first. The
    last one is the journal's beginning."""
    for seq, text in read_snapshots(db, until=until):
        try:
            yield _start(seq, adapter(TableState).validate_json(text))
        except ValidationError:
            continue
    yield _beginning(db)


def _beginning(db: sqlite3.Connection) -> Start:
    return _start(*beginning(db))


def _start(seq: int, state: TableState | None) -> Start:
    if state is None:
        return Start(0, seq, state)
    # the round in play at the snapshot began before it
    return Start(round_of(state) + (state.round is not None), seq, state)
