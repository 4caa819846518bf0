"""One practice: drill after drill at one table, dealt by a person, with simulated players and floorperson.

It lays the cards and the wagers of each drill, carries out the acts in its file, watches the round, and
writes the trainee's book. The practice must never do the dealer's work.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

from controller.common.texts.catalogue import catalogue
from controller.game.model import events
from controller.mock.bench.bench import Bench, Record, ViewData
from controller.mock.bench.device_requests import FaultRequest
from controller.mock.felt_page.hands import FeltHands
from controller.mock.people.dealer import Floorperson
from controller.mock.people.opening import is_open
from controller.mock.scenario.people import ScenarioPlayers
from controller.mock.scenario.round import lay_wagers, load_cards
from controller.mock.scenario.run import move_chips
from controller.mock.scenario.steps import Action
from controller.practice import plot, words
from controller.practice.book import Book, book_entry
from controller.practice.examiner import Examiner
from controller.practice.marks import DrillMarks, Watcher
from controller.practice.themes import Course, Drill
from controller.record.journal.rows import read_rows

OVER = ("shuffle", "betting", "opening", "closed")
"""Phases after the round, when its cards have left the table."""
FLOORS = {events.FloorDecided, events.FloorOnTheWay, events.RoundCorrected}
TOUCHES = {kind.__name__ for kind in get_args(events.PeopleEvent) if kind not in FLOORS}
"""Kinds of event in the journal that are the dealer's own touches and keys."""
SCREEN_POLL_S = 0.5


class Session:
    """One practice at a mock table, shown beside the felt as its `Lesson`. `utc`: returns the time for the
    trainee's book. `write`: prints a line on the terminal."""

    def __init__(
        self,
        hands: FeltHands,
        course: Course,
        book: Book,
        journal: Path,
        utc: Callable[[], str],
        write: Callable[[str], None],
        *,
        trainee: str,
        rounds: int | None = None,
        exam: bool = False,
    ) -> None:
        """Prepare a practice; `run` deals it. With `exam`, results are shown only after the last drill."""
        self._hands = hands
        self._bench: Bench = hands.bench
        self._course = course
        self._book = book
        self._journal = journal
        self._utc = utc
        self._write = write
        self._trainee = trainee
        self._drills = in_order(course.drills, rounds or len(course.drills), course.options.seed)
        self._began = utc()
        self._number = 0
        self._dealt: DrillMarks | None = None
        self._exam = exam
        self._all: list[DrillMarks] = []
        self._read = asyncio.Event()

    def state(self, language: str) -> Mapping[str, Any]:
        """Return the state of the practice. It contains the name and section of a drill only after the drill
        has been dealt, and those of an exam only after the last one."""
        drill, dealt = self._drills[max(0, self._number - 1)], self._dealt
        shown, texts = None if self._exam else dealt, catalogue(language)
        return {
            "trainee": self._trainee,
            "title": words.course_title(self._course, texts),
            "about": "" if self._exam else words.course_about(self._course, texts),
            "number": self._number,
            "of": len(self._drills),
            "exam": self._exam,
            "dealt": dealt is not None,
            "drill": words.drill_name(drill.name, texts) if shown else "",
            "section": words.cited(drill.section, texts) if shown else [],
            "result": words.result(shown, texts) if shown else None,
            "report": [words.result(each, texts) for each in self._all] if self._examined() else None,
        }

    def _examined(self) -> bool:
        return self._exam and len(self._all) == len(self._drills)

    def plot(self, language: str) -> str:
        return plot.svg(plot.sessions(self._book.entries), catalogue(language))

    def go_on(self, language: str) -> str:
        """Begin, or continue with the next drill; do nothing during a drill. Returns the text for the
        page."""
        texts = catalogue(language)
        if self._number and self._dealt is None:
            return texts.plain("practice.not_over")
        self._read.set()
        if self._number < len(self._drills):
            return ""
        return texts.text("practice.over", {"file": self._book.path}) or ""

    async def run(self) -> None:
        """Deal every drill. The first starts when the person begins, the next when they have read the result.
        The table must be open for bets."""
        await self._read.wait()
        for number, drill in enumerate(self._drills, 1):
            self._number, self._dealt = number, None
            self._read.clear()
            dealt = await self._deal(drill)
            course = self._course
            facts = (self._utc(), self._began, self._trainee, course.theme, course.options.rules)
            self._book.add(book_entry(dealt, *facts, exam=self._exam))
            self._all.append(dealt)
            self._print(number, dealt)
            self._dealt = dealt
            await self._read.wait()

    def _print(self, number: int, dealt: DrillMarks) -> None:
        """Print the result of a drill on the terminal; in an exam, print all results after the last drill."""
        of = len(self._drills)
        if not self._exam:
            self._write(words.line(number, of, dealt))
        elif not self._examined():
            self._write(f"{number} of {of}  dealt")
        else:
            self._write("\n".join(words.line(at, of, each) for at, each in enumerate(self._all, 1)))

    async def _deal(self, drill: Drill) -> DrillMarks:
        await self._prepare(drill)
        seen, chips = last_row(self._journal), self._hands.chips_moved
        floor = Examiner() if self._exam else Floorperson()
        await self._hands.crowd.sit_down(ScenarioPlayers(drill.round.seats), floor)
        try:
            watcher, record = await self._watch(drill)
        finally:
            await self._hands.crowd.leave()
            self._clean(drill)
        return watcher.dealt(record, touches_since(self._journal, seen), self._hands.chips_moved - chips)

    async def _prepare(self, drill: Drill) -> None:
        """Load the shoe and lay the wagers once bets are open."""
        bench = self._bench
        while not is_open(view := bench.view()):
            await bench.wait_for_view(view["version"], SCREEN_POLL_S)
        bench.records()
        for action in drill.before:
            await self._happen(action)
        load_cards(bench, drill.round)
        lay_wagers(bench.felt, drill.round)

    async def _watch(self, drill: Drill) -> tuple[Watcher, Record]:
        """Watch the round until it has a record and is off the table; return the watcher and the record."""
        bench, watcher, record = self._bench, Watcher(drill, exam=self._exam), None
        waiting = list(drill.meanwhile)
        while True:
            view: ViewData = bench.view()
            watcher.see(view, round(bench.seconds() * 1000))
            if view["phase"] == drill.round.until:
                while waiting:
                    await self._happen(waiting.pop(0))
            record = next(iter(bench.records()), record)
            if record is not None and view["phase"] in OVER:
                return watcher, record
            await bench.wait_for_view(view["version"], SCREEN_POLL_S)

    async def _happen(self, action: Action) -> None:
        bench = self._bench
        if action.chips is not None:
            move_chips(bench.felt, action.chips)
        elif action.shoe is not None:
            bench.arrange(action.shoe)
        elif action.fault is not None:
            bench.fault(action.fault)
        elif action.clock is not None:
            await bench.clock(action.clock.both_ms, action.clock.utc_ms)

    def _clean(self, drill: Drill) -> None:
        """Remove chips and faults of this drill before the next one."""
        bench = self._bench
        for circle in sorted(bench.felt.circles):
            bench.felt.clear(circle)
        for action in (*drill.before, *drill.meanwhile):
            if action.fault is not None:
                bench.fault(FaultRequest(action.fault.circle, "clear"))


def in_order(drills: Sequence[Drill], rounds: int, seed: int) -> list[Drill]:
    """Return `rounds` drills: all of them in their order, then all in a new random order, repeatedly."""
    found = list(drills)
    while len(found) < rounds:
        again = list(drills)
        random.Random(f"{seed}:{len(found)}").shuffle(again)
        found += again
    return found[:rounds]


def _rows(journal: Path, after: int) -> list[tuple[int, str]]:
    with closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True, isolation_level=None)) as db:
        return [(row.seq, row.kind) for row in read_rows(db, after)]


def last_row(journal: Path) -> int:
    return max((seq for seq, _ in _rows(journal, 0)), default=0)


def touches_since(journal: Path, after: int) -> int:
    """Return the number of touches and keys that the table accepted after row `after` of the journal, which
    does not contain refused ones."""
    return sum(kind in TOUCHES for _, kind in _rows(journal, after))
