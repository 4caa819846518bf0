"""`crisscross practice`: the table, the felt and the drills, until the last result has been read or the user
stops.

It ends cleanly on Ctrl-C and SIGTERM: all dealt drills are in the book, and no process or file is left.
"""

from __future__ import annotations

import asyncio
import signal
from dataclasses import dataclass
from pathlib import Path

from controller.common.clock import utc_now
from controller.common.files.mistakes import Mistakes
from controller.common.http.server import ServerError
from controller.common.texts.catalogue import FIRST_LANGUAGE, catalogue
from controller.game.model.names import SEATS
from controller.mock.bench.bench import Hands, Pace, TableStopped
from controller.mock.bench.layout import BankEmpty
from controller.mock.bench.wired import WiresBench
from controller.mock.felt_page.crowd import Crowd
from controller.mock.felt_page.hands import FeltHands
from controller.mock.felt_page.page import FeltPage
from controller.mock.people.opening import open_table
from controller.mock.progress import RoundCounter
from controller.practice.book import Book
from controller.practice.session import Session
from controller.practice.themes import Course
from controller.practice.words import course_about, course_title

OPENING = "Opening the table: its decks are inspected and shuffled."
WELCOME = """\
{title}: {about}
Open {felt} in a browser. You are the dealer; players and floorperson are there by themselves.
Deal each round as the screen says. What came of it is shown when the table is clear, and kept in
{book}
Ctrl-C ends the practice."""
EXAM = """\
{title}: an exam. The table is silent: no prompt, no lamp, no alert.
Open {felt} in a browser. You are the dealer; players and floorperson are there by themselves.
Deal each round as you know it; FLOOR ends one that you cannot go on with, and counts as an error.
What was wrong is shown after the last round, and kept in
{book}
Ctrl-C ends the exam."""


@dataclass(frozen=True, slots=True)
class PracticeOptions:
    """Options of `crisscross practice` from the command line."""

    course: Course
    trainee: str
    book: Path
    rounds: int | None = None
    felt_page_port: int = 0


async def open_for(bench: WiresBench) -> None:
    """Open the table at the pace of people, because a key pressed at the moment its prompt appears has no
    effect."""
    await open_table(Hands(bench, Pace(bench.options.speed)))


async def _practise(wanted: PracticeOptions, bench: WiresBench, book: Book) -> None:
    write = RoundCounter().announce
    write(OPENING)
    await open_for(bench)
    pace = wanted.course.options.speed
    crowd = Crowd(bench, Hands(bench, Pace(pace)), wanted.course.options.seed, tuple(SEATS))
    hands = FeltHands(bench, crowd)
    session = Session(
        hands, wanted.course, book, bench.config.journal, utc_now, write,
        trainee=wanted.trainee, rounds=wanted.rounds, exam=wanted.course.options.exam,
    )  # fmt: skip
    page = FeltPage(hands, session)
    port = await page.start(wanted.felt_page_port)
    course, felt = wanted.course, f"http://127.0.0.1:{port}/"
    english = catalogue(FIRST_LANGUAGE)
    write(
        (EXAM if course.options.exam else WELCOME).format(
            title=course_title(course, english),
            about=course_about(course, english),
            felt=felt,
            book=book.path,
        )
    )
    try:
        await session.run()
    finally:
        await page.stop()


async def _until_over(wanted: PracticeOptions, book: Book) -> int:
    """Run the practice until its end, SIGINT or SIGTERM, and return its exit status."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    for number in (signal.SIGINT, signal.SIGTERM):
        if task is not None:
            loop.add_signal_handler(number, task.cancel)
    bench = WiresBench(wanted.course.options)
    try:
        await bench.start()
        await _practise(wanted, bench, book)
    except asyncio.CancelledError:
        RoundCounter().write("stopped")
    except (TableStopped, BankEmpty, ServerError, Mistakes) as error:
        lines = error.lines if isinstance(error, Mistakes) else [str(error)]
        RoundCounter().write("\n".join(f"crisscross practice: {line}" for line in lines))
        return 1
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
        await bench.stop()
    return 0


def run(wanted: PracticeOptions) -> int:
    """Run the practice until it is over and return its exit status. Raises Mistakes if the book cannot be
    read."""
    book = Book(wanted.book)
    return asyncio.run(_until_over(wanted, book))
