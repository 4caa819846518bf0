"""A practice with a simulated trainee, for tests: on real wires as fast as the devices answer, or without
wires."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from controller.game.model.names import SEATS
from controller.mock.bench.bench import Bench, Hands, Pace, Person, ViewData, play
from controller.mock.bench.in_process import DirectBench
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
STEP_S = 0.05


class SteppedBench(DirectBench):
    """Table without wires for several simulated people who wait at once. The others see the table before each
    act and at each step of time."""

    async def elapse(self, seconds: float) -> None:
        await super().elapse(seconds)
        await asyncio.sleep(0)

    async def wait_for_view(self, since: int, seconds: float) -> ViewData:
        limit = self.seconds() + seconds
        self._pump()
        while self.view()["version"] <= since and self.seconds() < limit:
            await self.elapse(STEP_S)
            self._pump()
        return self.view()


def practise(
    course: Course,
    trainee: Trainee,
    folder: Path,
    rounds: int | None = None,
    pace: float | None = None,
    *,
    wires: bool = True,
    exam: bool = False,
    seen: Callable[[Session, Bench], None] = lambda _session, _bench: None,
) -> Book:
    """Play every drill; return the book. `pace`: pace of the trainee; other people do not wait. `wires`:
    whether a daemon of its own runs on wires. `seen`: function called with the session and the bench at each
    view of the trainee."""
    book = Book(folder / "book.jsonl")

    async def main() -> None:
        options = replace(course.options, exam=exam, wires=wires)
        bench = WiresBench(options) if wires else SteppedBench(options)
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
            await _dealt(
                Hands(bench, Pace(pace, bench.elapse)), session, trainee(_folds(crowd), _ready), seen, bench
            )
        finally:
            await bench.stop()

    asyncio.run(main())
    return book


def _folds(crowd: Crowd) -> Folds:
    return lambda view, seat: crowd.gestures(view).get(seat) == "folds"


def _ready(_view: ViewData, felt: Felt) -> bool:
    """Return whether the wagers of a drill are laid."""
    return bool(felt.circles)


async def _dealt(
    hands: Hands,
    session: Session,
    trainee: Person,
    seen: Callable[[Session, Bench], None],
    bench: Bench,
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
