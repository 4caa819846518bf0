"""A practice on real wires with a simulated trainee, for the tests, as fast as the devices answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from controller.game.model.names import SEATS
from controller.mock.bench.bench import Hands, Pace, Person, ViewData, play
from controller.mock.bench.layout import Felt
from controller.mock.bench.wired import WiresBench
from controller.mock.felt_page.crowd import Crowd
from controller.mock.felt_page.hands import FeltHands
from controller.mock.people.opening import open_table
from controller.practice.book import Book
from controller.practice.session import Session
from controller.practice.themes import Course

Folds = Callable[[ViewData, int], bool]
Ready = Callable[[ViewData, Felt], bool]
Trainee = Callable[[Folds, Ready], Person]
NOW = "2026-11-22T14:00:00.000Z"


def practise(
    course: Course,
    trainee: Trainee,
    folder: Path,
    rounds: int | None = None,
    pace: float | None = None,
    *,
    exam: bool = False,
    seen: Callable[[Session, WiresBench], None] = lambda _session, _bench: None,
) -> Book:
    """Play every drill; return the book. `pace`: pace of the trainee; other people do not wait. `seen`:
    called with the session and the bench at each view of the trainee."""
    book = Book(folder / "book.jsonl")

    async def main() -> None:
        bench = WiresBench(replace(course.options, exam=exam))
        await bench.start()
        try:
            await open_table(Hands(bench))
            crowd = Crowd(bench, Hands(bench), 1, tuple(SEATS))
            sessions: list[Session] = []

            def go_on(_line: str) -> None:
                """Continue as soon as the session waits for the trainee."""
                asyncio.get_running_loop().call_soon(sessions[0].go_on, "en")

            session = Session(
                FeltHands(bench, crowd), course, book, bench.config.journal, lambda: NOW, go_on,
                trainee="Ana", rounds=rounds, exam=exam,
            )  # fmt: skip
            sessions.append(session)
            assert session.go_on("en") == ""
            await _dealt(Hands(bench, Pace(pace)), session, trainee(_folds(crowd), _ready), seen, bench)
        finally:
            await bench.stop()

    asyncio.run(main())
    return book


def _folds(crowd: Crowd) -> Folds:
    return lambda view, seat: crowd.gestures(view).get(seat) == "folds"


def _ready(_view: ViewData, felt: Felt) -> bool:
    """Return whether a drill's wagers are laid."""
    return bool(felt.circles)


async def _dealt(
    hands: Hands,
    session: Session,
    trainee: Person,
    seen: Callable[[Session, WiresBench], None],
    bench: WiresBench,
) -> None:
    lessons = asyncio.create_task(session.run())
    dealing = asyncio.create_task(
        play(hands, (trainee,), lambda _view: False, on_view=lambda _view: seen(session, bench))
    )
    done, pending = await asyncio.wait({lessons, dealing}, return_when=asyncio.FIRST_COMPLETED)
    for task in pending:
        task.cancel()
    await asyncio.gather(*pending, return_exceptions=True)
    for task in done:
        task.result()
