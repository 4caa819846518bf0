"""In a practice an honest trainee has no errors, and each error of a clumsy trainee is reported.

Faults of devices and exams are played on wires. Drills that differ only in the rules need no wires.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from controller.common.texts.catalogue import catalogue
from controller.game.model.irregularities import UNFIT
from controller.game.model.names import Circle, Phase, Wager
from controller.game.showing.exam import ENTRY_PROMPTS
from controller.mock.bench.acts import Act, Press, SetChips
from controller.mock.bench.bench import Bench, ViewData
from controller.mock.bench.http import Client
from controller.mock.bench.layout import Felt
from controller.mock.bench.wired import WiresBench
from controller.mock.felt_page.felt_view import moving
from controller.mock.people.dealer import Dealer, at
from controller.mock.people.erring_dealer import ErringDealer
from controller.practice.book import Book
from controller.practice.plot import sessions, svg
from controller.practice.run import open_for
from controller.practice.session import Session
from controller.practice.themes import Course, of_theme, themes
from tests.game.every_phase import AT
from tests.mock.practising import Folds, Ready, practise

pytestmark = pytest.mark.serial

ERROR_NAMES = catalogue("en").texts["practice"]["error_names"]
SCRIPTED = {
    "A late ante at an empty box": {"late_bet"},
    "An ante taken back after the close": {"bet_changed"},
    "The shoe jams at a seat's stack": {"shoe_fault"},
    "A circle that cannot be read": {"reader_lost"},
    "Antes that are not equal": {"unequal_antes"},
    "A bonus at a seat without antes": {"bonus_without_antes"},
    "A bonus above its limit": {"bet_out_of_range"},
    "A bonus laid after the close": {"late_bet"},
    # the table names it at once, or on a busy machine only when the settlement reaches the circle
    "An ante raised after the close": {"bet_changed", "late_bet", "wrong_circle"},
    "A bet taken down after it counted": {"bet_changed"},
}
"""Drills whose file causes a fault that remains until a person corrects it, with the codes that the table may
name."""
PACE = 24.0
"""Pace of play, as a multiple of a person's. At a higher pace, acts of players would not be visible before
the next key press."""
MENDED = {"ante_down": 1000, "five_card_bonus": 0, "across": 1000}
"""Right amounts, in cents, in the circles that the drills of `SCRIPTED` leave wrong."""


class Honest(Dealer):
    """A trainee without errors who also corrects wrong wagers of players for which no alert states the right
    amount."""

    def mend(self, view: ViewData, felt: Felt) -> Iterator[Act]:
        yield from super().mend(view, felt)
        for alert in view["alerts"]:
            if alert["code"] in UNFIT and alert["should"] is None and alert["wager"] in MENDED:
                yield SetChips(Circle(alert["seat"], Wager(alert["wager"])), MENDED[alert["wager"]])

    def ask(self, view: ViewData, felt: Felt, prompt: ViewData) -> Iterator[Act]:
        if prompt["code"] == "bet_out_of_range":
            yield SetChips(at(prompt), MENDED["across"])
        else:
            yield from super().ask(view, felt, prompt)


def honest(folds: Folds, ready: Ready) -> Honest:
    return Honest("honest", folds, ready)


def check_honest(course: Course, book: Book) -> None:
    """Check that each drill was played without an error of the trainee and ended as its file requires."""
    assert [entry.drill for entry in book.entries] == [drill.name for drill in course.drills]
    assert [(entry.drill, item) for entry in book.entries for item in entry.errors] == []
    for entry in book.entries:
        named = {item.code for item in entry.noticed}
        assert entry.drill not in SCRIPTED or SCRIPTED[entry.drill] & named, entry
        assert entry.outcome == ("void" if "jams" in entry.drill else "settled")
        assert entry.touches > 0
        assert entry.total_ms > 0
        assert set(entry.phases_ms) >= {"betting"}


@pytest.mark.parametrize("theme", themes())
def test_an_honest_trainee_deals_every_drill_without_an_error(theme: str, tmp_path: Path) -> None:
    course = of_theme(theme, "pennsylvania", None, seed=1)
    check_honest(course, practise(course, honest, tmp_path, wires=False))


def test_an_honest_trainee_deals_the_drills_with_faults_of_devices_on_wires(tmp_path: Path) -> None:
    whole = of_theme("irregularities", "pennsylvania", None, seed=1)
    faulty = tuple(drill for drill in whole.drills if any(each.fault for each in drill.meanwhile))
    course = replace(whole, drills=faulty)
    assert {"shoe_fault", "reader_lost"} <= {code for drill in faulty for code in SCRIPTED[drill.name]}
    check_honest(course, practise(course, honest, tmp_path, pace=PACE))


def test_each_error_of_a_trainee_is_listed_with_seat_wager_section_and_amount(tmp_path: Path) -> None:
    course = of_theme("pushes", "pennsylvania", None, seed=1)
    clumsy: list[ErringDealer] = []

    def trainee(folds: Folds, ready: Ready) -> ErringDealer:
        clumsy.append(ErringDealer("clumsy", folds, ready, 0.5))
        return clumsy[0]

    book = practise(course, trainee, tmp_path, rounds=3, wires=False)
    assert len(book.entries) == 3
    made = [error for error in clumsy[0].account.made() if error.circle is not None]
    reported = [item for entry in book.entries for item in entry.errors]
    assert len(made) > 2
    where = Counter((item.seat, item.wager) for item in reported)
    assert all(where[error.circle.seat, error.circle.wager] for error in made if error.circle), (
        made,
        reported,
    )
    assert {item.kind for item in reported} <= set(ERROR_NAMES)
    paid = [item for item in reported if item.kind == "push_paid"]
    assert paid
    assert all((item.cents or 0) > 0 for item in paid)
    assert all(item.citation.startswith("58 Pa. Code") for item in paid)
    plot = ET.fromstring(svg(sessions(book.entries), catalogue("en")))  # noqa: S314  # our own
    assert len([node for node in plot.iter() if node.tag.endswith("rect")]) == 1


# ------------------------------------------------------------------ the exam


class Unteachable(ErringDealer):
    """A trainee who errs and corrects nothing."""

    def mend(self, view: ViewData, felt: Felt) -> Iterator[Act]:
        yield from ()


def silent(bench: Bench) -> None:
    """Fail if the data of the pages or of the felt contains a due amount, an error or a lit lamp."""
    shown = bench.shown()
    assert shown["prompt"] is None or shown["prompt"]["kind"] in ("exam", *ENTRY_PROMPTS)
    assert not (
        shown["alerts"] or shown["hold"] or shown["due"] or shown["marked"] or shown["next"] or shown["dark"]
    )
    assert all(shown["keys"].values()) and shown["shines"] == []
    for seat in shown["seats"]:
        assert set(seat["hands"].values()) == {None}
        for circle in seat["circles"].values():
            assert (circle["lamp"], circle["due"], circle["should"], circle["result"]) == (
                "off",
                None,
                None,
                None,
            )
    felt = moving(bench, {})
    assert (felt["asked"], felt["next"], felt["lit"]) == (None, None, {})
    assert set(felt["lamps"].values()) <= {"off"}


def test_an_exam_shows_no_answer_and_marks_each_error_at_the_end(tmp_path: Path) -> None:
    course = of_theme("pushes", "pennsylvania", None, seed=1)
    clumsy: list[ErringDealer] = []
    states: list[dict[str, Any]] = []

    def trainee(folds: Folds, ready: Ready) -> ErringDealer:
        clumsy.append(Unteachable("clumsy", folds, ready, 0.5))
        return clumsy[0]

    def seen(session: Session, bench: Bench) -> None:
        silent(bench)
        states.append(dict(session.state("en")))

    book = practise(course, trainee, tmp_path, rounds=3, exam=True, seen=seen)
    assert len(book.entries) == 3
    assert all(each.exam for each in book.entries)
    made = [error for error in clumsy[0].account.made() if error.circle is not None]
    reported = {(item.seat, item.wager) for entry in book.entries for item in entry.errors}
    assert made
    assert all((error.circle.seat, error.circle.wager) in reported for error in made if error.circle), (
        made,
        reported,
    )
    assert all(state["result"] is None and state["drill"] == "" for state in states)
    assert all(state["report"] is None for state in states if state["number"] < 3)


WORDS = "rounds_page.withheld"
WITHHELD = (
    "/api/rounds/last", "/api/rounds", "/api/rounds?irregularity=any", "/api/rounds/1", "/rounds.csv",
    "/api/figures/shift", "/api/figures/all", "/figures/shift.csv", "/api/expected",
)  # fmt: skip


async def until(bench: WiresBench, reached: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not reached():
            await bench.wait_for_view(bench.view()["version"], 0.1)


def all_read(view: ViewData) -> bool:
    """Return whether the readers have read every circle since the start."""
    return all(circle["reading"] == "ok" for seat in view["seats"] for circle in seat["circles"].values())


async def answers(client: Client) -> str:
    """Return the view, the help and the floor page's data as one text."""
    return json.dumps([await client.get(page) for page in ("/api/view", "/api/help", "/api/floor")])


async def test_the_pages_of_an_exam_opened_at_human_pace_reveal_no_answer() -> None:
    """View, help, floor page, recall and refusals are checked over the daemon's real port.

    A key press is lost if it comes within the dead time after its prompt appears. At human pace no press is
    lost.
    """
    course = of_theme("pushes", "pennsylvania", None, seed=1)
    bench = WiresBench(replace(course.options, exam=True, speed=8.0))
    await bench.start()
    try:
        async with asyncio.timeout(60):
            await open_for(bench)
        assert bench.view()["phase"] == "betting"
        client = Client(bench.port)
        await check_silent_pages(client)
        await check_pages_with_an_alert(bench, client)
        await client.close()
    finally:
        await bench.stop()


async def check_silent_pages(client: Client) -> None:
    view = (await client.get("/api/view"))[1]
    assert view["prompt"]["kind"] == "exam" and view["prompt"]["citation"] is None
    assert view["words"]["front"]["do"] == "DEAL THE ROUND"
    assert "antes" not in str((await client.get("/api/help"))[1][0])
    assert (await client.get("/api/floor"))[1]["events"] == []
    press = {"do": "press", "key": "confirm", "prompt": view["prompt"]["id"]}
    status, answer = await client.post("/api/touch", press)
    assert (status, answer["code"]) == (409, "exam")


async def check_pages_with_an_alert(bench: WiresBench, client: Client) -> None:
    """Set the clock back, which raises an alert, and check that the pages stay the same. Reports are still
    accepted."""
    await until(bench, lambda: all_read(bench.shown()))
    before = await answers(client)
    await bench.clock(0, -7_200_000)
    await until(bench, lambda: len(bench.view()["alerts"]) == 1)
    assert await answers(client) == before
    report = {"do": "report", "what": "shuffler_fault", "about": "exam"}
    assert (await client.post("/api/touch", report))[0] == 200
    for page in WITHHELD:
        status, answer = await client.get(page)
        assert (page, status, answer["error"]) == (page, 403, catalogue("en").plain(WORDS))


def test_a_floor_call_in_an_exam_voids_the_round_and_counts_as_an_error(tmp_path: Path) -> None:
    class Lost(Dealer):
        """A trainee who can deal but calls the floor instead of settling."""

        def acts(self, view: ViewData, felt: Felt) -> Iterator[Act]:
            if view["phase"] == "settlement" and not view["floor_called"]:
                yield Press("floor", once=f"{view['round']}:lost")
            elif view["phase"] != "settlement":
                yield from super().acts(view, felt)

    course = of_theme("pushes", "pennsylvania", None, seed=1)
    book = practise(course, lambda folds, ready: Lost("lost", folds, ready), tmp_path, rounds=2, exam=True)
    assert [entry.outcome for entry in book.entries] == ["void", "void"]
    assert all("helped" in {item.kind for item in entry.errors} for entry in book.entries)


@pytest.mark.parametrize("phase", list(Phase))
def test_the_view_of_an_exam_contains_no_answer_in_any_phase(phase: Phase) -> None:
    shown = AT[phase]().table.view(exam=True)
    text = json.dumps(shown)
    assert "Pa. Code" not in text.replace(shown["rules_title"], "")
    assert not re.search(r'"(take|push|pay|refused|overpaid|underpaid|deal)"', text)
    assert set(shown) == set(AT[phase]().table.view())
