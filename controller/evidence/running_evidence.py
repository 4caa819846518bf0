"""Evidence of journals, kept up to date while their tables play.

Only rounds that have ended are read, and nothing is written. No transaction stays open while evidence is
computed, so the daemon's journal is never held back.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from heapq import merge
from itertools import islice, takewhile
from pathlib import Path

from controller.evidence.hypotheses import PackValues
from controller.evidence.sittings import Sittings
from controller.evidence.tables import first_tables
from controller.game.model.record import RoundRecord
from controller.record.journal.codec import rules_of
from controller.record.journal.files import has_seal, reading
from controller.record.journal.leaf_check import result_difference
from controller.record.journal.rows import read_settings
from controller.record.journal.schema import Damaged, JournalError, read_of
from controller.record.timeline.archive import Archive
from controller.record.timeline.round_filters import day
from controller.rules.odds.pack import odds_of
from controller.rules.odds.solve import ReportProgress

MAX_READ = 500
"""Maximum number of rounds read from one journal at once."""
Ended = tuple[int, RoundRecord]
"""Index of a journal in the list of journals, and one of its rounds."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """Rounds that the user chose. `dealer`: only rounds that the dealer of this number began; `since`: only
    rounds from this day on; None for all. `seat`: the only seat whose evidence is computed, or None for all.
    """

    journals: Sequence[Path]
    dealer: str | None = None
    since: date | None = None
    seat: int | None = None


class RunningEvidence:
    """Evidence of several journals, which grows with each `read`, `learn` and `add`. `faults`: a message of
    one line for each journal that cannot be read, by the journal's index."""

    def __init__(self, chosen: Chosen) -> None:
        self._chosen = chosen
        self._last = [0] * len(chosen.journals)
        self._marks: list[tuple[int, int]] = [(0, 0)] * len(chosen.journals)
        """Numbers of the last row and the last leaf at the last read that reached the end of the journal, by
        journal. An unchanged journal is not read again."""
        self._checked = [0] * len(chosen.journals)
        """Number of the leaf up to which the stored results were compared with their leaves, by journal."""
        self._ahead: list[list[Ended]] = [[] for _ in chosen.journals]
        """Rounds that were read and wait, because another journal may still have older ones; by journal."""
        self._until = [""] * len(chosen.journals)
        """End time of the last round read, by journal, if the journal has unread rounds after it; else ""."""
        self._packs: dict[str, PackValues] = {}
        self.sittings = Sittings(self._packs, chosen.seat)
        self.faults: dict[int, str] = {}

    def read(self) -> list[Ended]:
        """Return rounds that ended since the last call, in the order of their ends, about MAX_READ from each
        journal; [] if there are none. A round waits while another journal may have an older one. Sets
        `faults`. Only one thread at a time may call this."""
        while True:
            for at, ahead in enumerate(self._ahead):
                if not ahead:
                    self._ahead[at] = self._read(at)
            until = min(filter(None, self._until), default="")
            ready = [self._take(at, until) for at in range(len(self._ahead))]
            if any(ready) or not until:
                return list(merge(*ready, key=lambda each: each[1]["ended"]))

    def _take(self, at: int, until: str) -> list[Ended]:
        """Remove and return the waiting rounds of a journal that ended at the time `until` or before; "" for
        all."""
        ahead = self._ahead[at]
        ready = list(takewhile(lambda each: not until or each[1]["ended"] <= until, ahead))
        self._ahead[at] = ahead[len(ready) :]
        return ready

    def _read(self, at: int) -> list[Ended]:
        try:
            mark = last_row_and_leaf(self._chosen.journals[at])
            found = [] if mark == self._marks[at] else self._closed(at, mark[1])
        except JournalError as error:
            self.faults = {**self.faults, at: str(error)}
            self._until[at] = ""
            return []
        self.faults = {other: why for other, why in self.faults.items() if other != at}
        more = len(found) >= MAX_READ
        self._until[at] = max(record["ended"] for _, record in found) if more else ""
        if not more:
            self._marks[at] = mark
        self._last[at] = max([self._last[at], *(record["round"] for _, record in found)])
        dealer = self._chosen.dealer
        return [each for each in found if dealer is None or _began(each[1]) == dealer]

    def _closed(self, at: int, leaf: int) -> list[Ended]:
        """Return the new ended rounds of a journal, after its stored results were compared with their leaves.
        `leaf`: number of the journal's last leaf."""
        if leaf > self._checked[at]:
            check_results(self._chosen.journals[at], self._checked[at])
            self._checked[at] = leaf
        return list(closed_rounds(self._chosen, at, self._last[at]))

    def learn(self, ended: Iterable[Ended], progress: ReportProgress = lambda done, of: None) -> None:
        """Compute or load the values of the packs that these rounds were played by; computing those of an
        unknown pack takes minutes. Raises JournalError."""
        for at, digest in {(at, record["rules_digest"]) for at, record in ended}:
            if digest not in self._packs:
                self._packs.update(_packs(self._chosen.journals[at], digest, progress))

    def read_all(self, progress: ReportProgress = lambda done, of: None) -> None:
        """Add the evidence of all rounds that have ended. Raises JournalError, also for a journal in
        `faults`, after all other rounds were added."""
        while ended := self.read():
            self.learn(ended, progress)
            for each in ended:
                self.add(each)
        self.check()

    def check(self) -> None:
        """Raise JournalError with the first fault if a journal could not be read."""
        for why in self.faults.values():
            raise JournalError(why)

    def add(self, ended: Ended) -> None:
        """Add the evidence of one round."""
        at, record = ended
        self.sittings.add(record, at)


def closed_rounds(chosen: Chosen, at: int, after: int) -> Iterator[Ended]:
    """Yield the oldest ended rounds of a journal whose numbers are above `after`, at most MAX_READ. Raises
    JournalError."""
    with Archive(chosen.journals[at]).rounds() as rounds:
        new = takewhile(lambda line: line.round > after, rounds.lines())
        lines = [line.round for line in new if chosen.since is None or day(line) >= chosen.since]
        for number in islice(reversed(lines), MAX_READ):
            yield at, rounds.record(number)


def last_row_and_leaf(journal: Path) -> tuple[int, int]:
    """Return the numbers of the last row and of the last leaf of a journal; 0 if there is none. Raises
    JournalError."""
    with reading(journal) as db, read_of("the last row"):
        row = db.execute("SELECT max(seq) FROM events").fetchone()[0]
        leaf = db.execute("SELECT max(n) FROM leaves").fetchone()[0] if has_seal(db) else 0
    return int(row or 0), int(leaf or 0)


def check_results(journal: Path, since: int) -> None:
    """Compare the stored results of a journal with their leaves from leaf `since` on. Raises JournalError if
    one is altered, missing or added. The signatures are not verified."""
    with reading(journal) as db:
        if has_seal(db) and (wrong := result_difference(db, since)) is not None:
            raise Damaged(f"{wrong}; crisscross verify {journal} says more")


def _began(record: RoundRecord) -> str | None:
    """Return the number of the dealer who began the round. The dealer who ended it is not used: a settlement
    that pays takes long, so the time of a relief may depend on the cards."""
    return record["dealers"][0]["number"] if record["dealers"] else None


def _packs(journal: Path, digest: str, progress: ReportProgress) -> dict[str, PackValues]:
    """Return {digest: values} for the pack with that digest; {} if the journal has no such pack."""
    with reading(journal) as db:
        stored = {rules_of(each.pack).digest: each.pack for each in read_settings(db)}
    if digest not in stored:
        return {}
    pack, rules = rules_of(stored[digest]), json.loads(stored[digest])
    odds = odds_of(pack)
    return {digest: PackValues(odds, first_tables(odds, progress), pack.adjacent_boxes, rules)}
