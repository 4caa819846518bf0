"""Evidence of journals, kept up to date while their tables play.

Only rounds that have ended are read, and nothing is written. No transaction stays open while evidence is
computed, so the daemon's journal is never held back.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
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
from controller.record.journal.files import reading
from controller.record.journal.rows import read_settings
from controller.record.journal.schema import JournalError
from controller.record.timeline.archive import Archive
from controller.record.timeline.round_filters import day
from controller.rules.odds.pack import odds_of

MAX_READ = 500
"""Maximum number of rounds read from a journal at once."""
Ended = tuple[int, RoundRecord]
"""Index of a journal in the list of journals, and one of its rounds."""
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Chosen:
    """Rounds to read. `dealer`: number of the dealer who began each round; `since`: first day."""

    journals: Sequence[Path]
    dealer: str | None = None
    since: date | None = None


class Follower:
    """Running evidence. `faults`: one line for each journal that cannot be read, by the journal's index."""

    def __init__(self, chosen: Chosen) -> None:
        self._chosen = chosen
        self._last = [0] * len(chosen.journals)
        self._packs: dict[str, PackValues] = {}
        self.sittings = Sittings(self._packs)
        self.faults: dict[int, str] = {}

    def read(self) -> list[Ended]:
        """Return the rounds that ended since the last call, in the order of their ends, at most MAX_READ from
        each journal. Sets `faults`."""
        every = [self._read(at) for at in range(len(self._last))]
        return list(merge(*every, key=lambda each: each[1]["ended"]))

    def _read(self, at: int) -> list[Ended]:
        try:
            found = list(closed_rounds(self._chosen, at, self._last[at]))
        except JournalError as error:
            self.faults[at] = str(error)
            return []
        self.faults.pop(at, None)
        self._last[at] = max([self._last[at], *(record["round"] for _, record in found)])
        dealer = self._chosen.dealer
        return [each for each in found if dealer is None or _began(each[1]) == dealer]

    def learn(self, ended: Iterable[Ended], progress: Progress = lambda done, of: None) -> None:
        """Compute or load the values of the packs that these rounds were played by; computing those of an
        unknown pack takes minutes. Raises JournalError."""
        for at, digest in {(at, record["rules_digest"]) for at, record in ended}:
            if digest not in self._packs:
                self._packs.update(_packs(self._chosen.journals[at], digest, progress))

    def read_all(self, progress: Progress = lambda done, of: None) -> None:
        """Add the evidence of all rounds that have ended. Raises JournalError, also if `faults` has a
        journal."""
        while ended := self.read():
            self.learn(ended, progress)
            for each in ended:
                self.add(each)
        self.check()

    def check(self) -> None:
        """Raise JournalError if a journal cannot be read."""
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


def _began(record: RoundRecord) -> str | None:
    """Return the number of the dealer who began the round. The time of a relief may depend on its cards,
    because a settlement that pays takes long."""
    return record["dealers"][0]["number"] if record["dealers"] else None


def _packs(journal: Path, digest: str, progress: Progress) -> dict[str, PackValues]:
    """Return the values of the pack with that digest, by digest; {} if the journal has no such pack."""
    with reading(journal) as db:
        stored = {rules_of(each.pack).digest: each.pack for each in read_settings(db)}
    if digest not in stored:
        return {}
    pack, rules = rules_of(stored[digest]), json.loads(stored[digest])
    odds = odds_of(pack)
    return {digest: PackValues(odds, first_tables(odds, progress), pack.adjacent_boxes, rules)}
