"""Win against expectation (luck) by day and dealer, from the records of a journal; for the page of figures.

A round of six seats takes seconds on a Raspberry Pi, so each request computes only a few rounds, the newest
first, and each round is computed once in the reader's lifetime. It returns sums of ended rounds and no card.
Rounds that cannot be computed are counted by reason and are in no sum; they are never taken as zero or
estimated.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from typing import Any

from controller.common.files.mistakes import Mistakes
from controller.game.model.record import RoundRecord
from controller.record.journal.codec import rules_of
from controller.record.journal.files import reading
from controller.record.journal.round_summary import summary_of
from controller.record.journal.rows import RECORD_ERRORS, read_body, read_result_heads, read_settings
from controller.record.timeline.round_filters import day
from controller.rules.odds import odds_files
from controller.rules.odds.expected import Expected, NotComputable, PackFigures, expected_of_round
from controller.rules.odds.pack import Odds, odds_of

DAYS = 14
"""Number of days of play that are returned one by one, the newest."""
MAX_CONCURRENT = 4
"""Maximum number of rounds computed for one request; the others wait for later requests."""
MIN_ROUNDS = 50
"""Minimum number of rounds for a z-value: the variance of fewer is not known well enough."""
NO_ODDS = "no_odds"
"""Reason: no file has the odds of the pack (controller/rules/odds/ODDS.md)."""


@dataclass(frozen=True, slots=True)
class Round:
    """Money of one settled round in cents. `corrected`: cents that players received by corrections signed in
    the round; `win` is what the house won after them. `expected`: None if it could not be computed; `why` is
    then the reason."""

    day: str
    dealer: str
    wagered: int
    win: int
    corrected: int
    expected: Expected | None
    why: str = ""


WAITING = Round("", "", 0, 0, 0, None)


@dataclass
class Sum:
    """Sums over rounds, money in cents. `rounds`: number of rounds in the sums; `unknown`: number of rounds
    that could not be computed, by reason."""

    rounds: int = 0
    wagered: int = 0
    win: int = 0
    expected: float = 0.0
    luck: float = 0.0
    variance: float = 0.0
    unknown: Counter[str] = field(default_factory=Counter)

    def add(self, each: Round, later: int) -> None:
        """Add a round. `later`: cents that players received by corrections signed after it. A correction is
        not luck, so it changes the win and the expected win by the same amount."""
        if each.expected is None:
            self.unknown[each.why] += 1
            return
        self.rounds += 1
        self.wagered += each.wagered
        self.win += each.win - later
        self.expected += each.expected.win - each.corrected - later
        self.luck += each.expected.luck
        self.variance += each.expected.variance

    def results(self) -> dict[str, Any]:
        known = self.rounds >= MIN_ROUNDS and self.variance > 0
        return {
            "rounds": self.rounds, "wagered": self.wagered, "win": self.win,
            "expected": round(self.expected) if self.rounds else None,
            "z_hundredths": round(100 * self.luck / sqrt(self.variance)) if known else None,
            "unknown": dict(self.unknown),
        }  # fmt: skip


class Luck:
    """Win and expected win of one journal. Every call raises JournalError if the journal cannot be read."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._rounds: dict[int, Round | None] = {}
        """Rounds computed so far, by number; None for a void one."""
        self._figures: dict[str, PackFigures | None] = {}
        """Figures by digest of the rule pack; None if its odds are not known."""

    def results(self) -> dict[str, Any]:
        """Return sums as data: `days` by day and dealer, the newest day first; `all` of all these rounds;
        `waiting` whether older rounds are not computed yet, so that another request gives more."""
        sums: dict[str, dict[str, Sum]] = {}
        whole, waiting = Sum(), False
        with reading(self._journal) as db:
            later = _later_corrections(db)
            for number, each in self._newest(db):
                waiting = each is WAITING
                if waiting or (each.day not in sums and len(sums) == DAYS):
                    break
                day_of = sums.setdefault(each.day, {})
                for one in (whole, day_of.setdefault(each.dealer, Sum())):
                    one.add(each, later[number])
        return {"days": list(_days(sums)), "all": whole.results(), "waiting": waiting}

    def _newest(self, db: sqlite3.Connection) -> Iterator[tuple[int, Round]]:
        """Yield numbers of settled rounds with their money, the newest first. Computes at most MAX_CONCURRENT
        of them; `WAITING` in place of a round means that the next request continues there."""
        left = MAX_CONCURRENT
        for kept in reversed(read_result_heads(db)):
            if kept.kind != "record":
                continue
            number = kept.round
            if number not in self._rounds:
                if not left:
                    yield number, WAITING
                    return
                left -= 1
                with RECORD_ERRORS:
                    self._rounds[number] = self._compute(db, read_body(db, kept))
            if (found := self._rounds[number]) is not None:
                yield number, found

    def _compute(self, db: sqlite3.Connection, record: RoundRecord) -> Round | None:
        if record["outcome"] == "void":
            return None
        figures = self._figures_of(db, record["rules_digest"])
        found, why = None, NO_ODDS
        if figures is not None:
            try:
                found, why = expected_of_round(figures, record), ""
            except NotComputable as error:
                why = error.why
        own = summary_of(record, _zone(db))
        win = own.taken - own.paid - own.corrected
        return Round(
            day(own).isoformat(), record["dealer"] or "", own.wagered, win, own.corrected, found, why
        )

    def _figures_of(self, db: sqlite3.Connection, digest: str) -> PackFigures | None:
        """Return the odds of the pack with that digest, as it was when the rounds were played; None if no
        file has them."""
        if digest not in self._figures:
            packs = (rules_of(settings.pack) for settings in read_settings(db))
            pack = next((pack for pack in packs if pack.digest == digest), None)
            self._figures[digest] = None
            if pack is not None:
                odds = odds_of(pack)
                known = _known(odds, self._journal.absolute().parent)
                self._figures[digest] = PackFigures(odds, known) if known else None
        return self._figures[digest]


def _days(sums: Mapping[str, Mapping[str, Sum]]) -> Iterator[dict[str, Any]]:
    for on, dealers in sums.items():
        for dealer, found in sorted(dealers.items()):
            yield {"day": on, "dealer": dealer or None, **found.results()}


def _later_corrections(db: sqlite3.Connection) -> Counter[int]:
    """Return the cents that players received by later corrections, by round."""
    found: Counter[int] = Counter()
    for kept in read_result_heads(db):
        if kept.kind == "correction":
            with RECORD_ERRORS:
                found[kept.round] += read_body(db, kept)["cents"]
    return found


def _zone(db: sqlite3.Connection) -> str:
    """Return the time zone of the table clock, "" if the table file names none."""
    settings = read_settings(db)
    return settings[-1].zone() if settings else ""


def _known(odds: Odds, folder: Path) -> odds_files.CountedOdds | None:
    """Return the odds of a pack from a file, or None if no file has them or the file is malformed. `folder`:
    folder of the table, in which a file may be."""
    try:
        return odds_files.find_odds(odds, [folder])
    except Mistakes:
        return None
