"""A drill dealt by touch in a real Chromium: on the felt and on the dealer's screen in it, with one mistake,
until the result, the section and the plot are shown and the trainee's book has its line."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from controller.cli import parser_for
from controller.common.texts.catalogue import catalogue
from tests.accessible import violations
from tests.manuals.followed import Follower, commands

pytestmark = pytest.mark.browser

SIZES = ((1280, 800), (1024, 768), (820, 1180), (390, 844))
STATE = "async () => await (await fetch('/state')).json()"


class Practice:
    """`crisscross practice`, a process of its own."""

    def __init__(self, book: Path, *options: str) -> None:
        self._process = subprocess.Popen(
            [
                sys.executable, "-m", "controller", "practice", "--trainee", "Ana", "--theme", "pushes",
                "--rounds", "1", "--speed", "max", "--book", str(book), *options,
            ],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        assert self._process.stdout is not None
        said = iter(self._process.stdout.readline, "")
        self.felt = next(found[0] for line in said if (found := re.search(r"http://\S+/", line)))
        self.said: list[str] = []
        self._drain = threading.Thread(target=lambda: self.said.extend(said), daemon=True)
        self._drain.start()

    def ended(self) -> int:
        status = self._process.wait(30)
        self._drain.join(10)
        return status

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.terminate()
        self.ended()
        assert self._process.stdout is not None
        self._process.stdout.close()


@pytest.fixture
def practice(tmp_path: Path) -> Iterator[Practice]:
    started = Practice(tmp_path / "ana.jsonl")
    yield started
    started.stop()


@pytest.fixture
def exam(tmp_path: Path) -> Iterator[Practice]:
    started = Practice(tmp_path / "ana.jsonl", "--exam")
    yield started
    started.stop()


class Fingers:
    """Follows the screen, one touch at a time; pays the first push, and takes that back."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.screen = page.frame_locator("#screen")
        self.frame = next(frame for frame in page.frames if frame != page.main_frame)
        self.erred = ""

    def deal(self) -> None:
        while (state := self.page.evaluate(STATE))["lesson"]["result"] is None:
            view = self.frame.evaluate("async () => await (await fetch('/api/view')).json()")
            if view["prompt"] is not None and view["hold"] is None:
                self.act(state, view, view["prompt"])

    def act(self, state: dict[str, Any], view: dict[str, Any], prompt: dict[str, Any]) -> None:
        kind, at = prompt["kind"], f"{prompt['seat']}.{prompt['wager']}"
        lies = sum(state["chips"].get(at, []))
        if kind == "lift_stack":
            self.hand("lift", state["exit"] == "stack")
        elif kind == "take_stub":
            self.hand("stub", state["exit"] == "stub")
        elif kind == "clear" and state["cards"] and not state["chips"]:
            self.hand("gather", due=True)
        elif kind in ("take", "collect"):
            self.circle(at, "all", lies > 0)
        elif kind == "pay":
            self.pay(at, prompt["chips"] if lies == view_wager(view, at) else [])
        elif kind == "push" and self.erred in ("", at):
            self.err(at, lies, view)
        elif kind == "bets_open" or view["keys"]["confirm"]:
            self.key("no_more_bets" if kind == "bets_open" else "confirm", view)

    def err(self, at: str, lies: int, view: dict[str, Any]) -> None:
        """A chip too much on a push, taken back when the table has named it."""
        named = any(alert["code"] == "overpaid" for alert in view["alerts"])
        if not self.erred:
            self.circle(at, "500", due=True)
            self.erred = at
        elif named and lies > view_wager(view, at):
            self.circle(at, "one", due=True)
        elif not named and lies == view_wager(view, at) and view["keys"]["confirm"]:
            self.erred = "done"

    def pay(self, at: str, chips: list[int]) -> None:
        for chip in chips:
            self.circle(at, str(chip), due=True)

    def circle(self, at: str, tool: str, due: bool) -> None:
        """Waits until the felt has heard it, so that nothing is done twice."""
        if due:
            before = self.page.evaluate(STATE)["chips"].get(at)
            self.page.locator(f'.tool[data-tool="{tool}"]').tap()
            self.page.locator(f'[data-circle="{at}"]').tap()
            while self.page.evaluate(STATE)["chips"].get(at) == before:
                self.page.wait_for_timeout(20)

    def hand(self, name: str, due: bool) -> None:
        if due:
            self.page.locator(f'[data-do="{name}"]').tap()
            self.page.wait_for_timeout(100)

    def key(self, name: str, view: dict[str, Any]) -> None:
        """Answered, and something else shown, or a moment later looked at again."""
        if view["keys"][name]:
            self.screen.locator(f'.key[data-key="{name}"]').tap()
            self.page.wait_for_timeout(100)


def view_wager(view: dict[str, Any], at: str) -> int:
    seat, _, wager = at.partition(".")
    return int(view["seats"][int(seat) - 1]["circles"][wager]["wager"] or 0)


def test_a_drill_is_dealt_by_touch(practice: Practice, browser: Browser, tmp_path: Path) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, has_touch=True)
    page = context.new_page()
    page.goto(practice.felt)
    page.frame_locator("#screen").locator(".key").first.wait_for()
    page.get_by_role("button", name="Begin").tap()
    fingers = Fingers(page)
    fingers.frame.wait_for_selector(".page")
    assert "A pair of 10s" not in page.content(), "what it is about is told afterwards"
    fingers.deal()
    assert fingers.erred == "done"
    told = page.locator("#lesson").inner_text()
    assert "Pushes, drill 1 of 1: Ana" in told
    assert "1 error" in told
    assert "A push was paid: $5 too much" in told
    assert "58 Pa. Code § 674a.12" in told
    page.wait_for_selector(".plot rect.errors")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    (line,) = (tmp_path / "ana.jsonl").read_text(encoding="utf-8").splitlines()
    entry = json.loads(line)
    assert [item["kind"] for item in entry["noticed"]] == ["push_paid"]
    assert entry["noticed"][0]["cents"] == 500
    assert entry["touches"] >= 5
    assert entry["chips"] >= 3
    page.get_by_role("button", name="Finish").tap()
    assert practice.ended() == 0
    assert "1 error, " in "".join(practice.said)
    context.close()


def test_the_trainees_manual_leads_to_the_tour_and_the_first_drill(
    practice: Practice, browser: Browser
) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, has_touch=True)
    follower = Follower(context.new_page(), catalogue("en"), "trainee")
    follower.follow("practice_start")
    follower.page.goto(practice.felt)
    follower.follow("practice_tour")
    follower.page.get_by_role("button", name="Help", exact=True).tap()
    follower.page.get_by_role("button", name="Tour of this page").tap()
    expect(follower.page.get_by_role("dialog")).to_be_visible()
    follower.page.reload()
    follower.follow("practice_begin")
    follower.page.get_by_role("button", name="Begin").tap()
    expect(follower.page.get_by_role("button", name="Begin")).to_be_hidden()
    context.close()


STARTED = "async () => (await (await fetch('/state')).json()).exit === 'stack'"
REPORTED = "async () => (await (await fetch('/state')).json()).lesson.report !== null"


def test_an_exam_by_the_trainees_manual(exam: Practice, browser: Browser) -> None:
    (command,) = commands("exam_start")
    assert parser_for(command.split()[1:]).parse_args(command.split()[1:]).exam
    felt = browser.new_context(viewport={"width": 1280, "height": 800}, has_touch=True).new_page()
    felt.goto(exam.felt)
    screen = felt.context.new_page()
    screen.goto(next(frame.url for frame in felt.frames if frame != felt.main_frame))
    follower = Follower(screen, catalogue("en"), "trainee")
    felt.get_by_role("button", name="Begin").tap()
    follower.take("page.key_no_more_bets")
    felt.wait_for_function(STARTED)
    follower.find("exam_silent", only="prompts.exam")
    follower.follow("exam_help")
    while not felt.evaluate(REPORTED):
        give_back(felt)
        follower.follow("exam_deal")
    follower.follow("exam_marks")
    expect(felt.locator("#lesson")).to_contain_text("1 error in 1 drill1.")
    felt.context.close()


def give_back(felt: Page) -> None:
    """All wagers to the players, all cards to the shoe."""
    circles = felt.evaluate(STATE)["chips"]
    acts = [{"do": "take", "circle": circle, "all": True} for circle in circles]
    for act in (*acts, {"do": "stub"}, {"do": "lift"}, {"do": "gather"}):
        felt.request.post(felt.url + "act", data=act)
