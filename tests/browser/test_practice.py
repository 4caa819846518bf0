"""A drill can be dealt by touch in a real Chromium, on the felt and on the dealer's screen in it, with one
mistake.

At the end the result, the section and the plot are shown, and the trainee's book has a new line.
"""

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
from controller.common.texts.catalogue import catalogue, languages
from tests.accessible import violations
from tests.browser.seen_text import ForeignTexts, seen
from tests.display.fingers import press_lit
from tests.in_page import found_by
from tests.manuals.followed import Follower, commands

pytestmark = pytest.mark.browser

SIZES = ((1280, 800), (1024, 768), (820, 1180), (800, 480), (390, 844))
IN_SIGHT = """(node) => {
  const { left, top, right, bottom } = node.getBoundingClientRect();
  return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && right > left;
}"""
STATE = "async () => await (await fetch('/state')).json()"
VIEW = "async () => await (await fetch('/api/view')).json()"
NEXT_VIEW = """async (version) => {
  for (let asked = 1; ; asked += 1) {
    const view = await (await fetch("/api/view")).json();
    if (view.version !== version || asked === 5) return view;
    await new Promise((go) => setTimeout(go, 25));
  }
}"""
"""Script that returns the next view, or the same one after a while, because the felt may have changed."""


class Practice:
    """`crisscross practice` as a separate process."""

    def __init__(self, book: Path, *options: str) -> None:
        self._process = subprocess.Popen(
            [
                sys.executable, "-m", "controller", "practice", "--trainee", "Ana", "--theme", "pushes",
                "--rounds", "1", "--speed", "max", "--book", str(book), *options,
            ],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        assert self._process.stdout is not None
        lines = iter(self._process.stdout.readline, "")
        self.felt = next(found[0] for line in lines if (found := re.search(r"http://\S+/", line)))
        self.output: list[str] = []
        self._drain = threading.Thread(target=lambda: self.output.extend(lines), daemon=True)
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


@pytest.fixture(scope="module")
def cardless_practice(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Practice]:
    """Yield one practice for all tests that deal no card, because starting one takes longer than such a test.
    The last test begins the drill."""
    started = Practice(tmp_path_factory.mktemp("lobby") / "ana.jsonl")
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
        self.frame = next(frame for frame in page.frames if frame != page.main_frame)
        self.erred = ""
        self.pressed = -1
        """Version of the view at the last press of a key. A second press during one view would answer the
        next prompt."""
        self.texts: set[str] = set()
        """Texts that the felt and the dealer's screen have shown."""

    def deal(self) -> None:
        version = -1
        while (state := found_by(self.page, STATE))["lesson"]["result"] is None:
            view = found_by(self.frame, NEXT_VIEW, version)
            if view["version"] != version:
                self.texts |= seen(self.page) | seen(self.frame)
                version = view["version"]
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
        elif kind == "bets_open":
            if bets_read(state, view):
                self.key("no_more_bets", view)
        elif view["keys"]["confirm"]:
            self.key("confirm", view)

    def err(self, at: str, lies: int, view: dict[str, Any]) -> None:
        """Lay one chip too many on a push, once, and take it back when the table has named it."""
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
        """Take a tool and touch the circle, then wait until the felt has changed, so that no touch is
        repeated."""
        if due:
            before = found_by(self.page, STATE)["chips"].get(at)
            self.page.locator(f'.tool[data-tool="{tool}"]').tap()
            self.page.locator(f'[data-circle="{at}"]').tap()
            while found_by(self.page, STATE)["chips"].get(at) == before:
                self.page.wait_for_timeout(20)

    def hand(self, name: str, due: bool) -> None:
        if due:
            self.page.locator(f'[data-do="{name}"]').tap()

    def key(self, name: str, view: dict[str, Any]) -> None:
        """Press the key if it is lit, once for each view."""
        if view["keys"][name] and self.pressed != view["version"]:
            self.pressed = view["version"]
            press_lit(self.frame, name, self.pressed)


def bets_read(state: dict[str, Any], view: dict[str, Any]) -> bool:
    """Return whether the drill's wagers lie on the felt and the table has read all of them."""
    read = {
        f"{seat['seat']}.{wager}": circle["amount"]
        for seat in view["seats"]
        for wager, circle in seat["circles"].items()
        if circle["amount"]
    }
    return bool(read) and read == {at: sum(chips) for at, chips in state["chips"].items()}


def view_wager(view: dict[str, Any], at: str) -> int:
    seat, _, wager = at.partition(".")
    return int(view["seats"][int(seat) - 1]["circles"][wager]["wager"] or 0)


RESULTS = {
    "en": ("Pushes, drill 1 of 1: Ana", "1 error", "A push was paid: $5 too much", "58 Pa. Code § 674a.12"),
    "es": (
        "Empates, ejercicio 1 de 1: Ana", "1 error", "Se pagó un empate: $5 de más", "58 Pa. Code § 674a.12",
        "Una pareja de 10 empata en todo, el bono pierde", "Un empate no se paga",
    ),
}  # fmt: skip
"""Texts in the result of the drill, by the language of the page."""


def expect_result(page: Page, language: str) -> None:
    """Wait for each text of the result: the page draws it some time after the table has it."""
    for text in RESULTS[language]:
        expect(page.locator("#lesson")).to_contain_text(text)


def test_a_drill_is_dealt_by_touch(practice: Practice, browser: Browser, tmp_path: Path) -> None:
    """If another language is chosen on the felt, no English text is shown there or on the dealer's screen in
    it. The result is shown in each language."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, has_touch=True)
    language = languages()[-1]
    page, words = context.new_page(), catalogue(language).texts["practice"]
    page.goto(practice.felt)
    page.get_by_role("button", name=catalogue(language).plain("language")).tap()
    expect(page.locator("html")).to_have_attribute("lang", language)
    page.frame_locator("#screen").locator(".key").first.wait_for()
    page.get_by_role("button", name=words["begin"]).tap()
    fingers = Fingers(page)
    fingers.frame.wait_for_selector(".page")
    about = words["drills"]["a_pair_of_10s_pushes_everywhere_the_bonus_loses"]
    assert about not in page.locator("body").inner_text(), "the name of the drill comes afterwards"
    fingers.deal()
    assert fingers.erred == "done"
    expect_result(page, language)
    shown = fingers.texts | seen(page) | seen(fingers.frame)
    assert ForeignTexts(language).among(shown - {catalogue("en").plain("language")}) == []
    for each in languages():
        page.goto(f"{practice.felt}?lang={each}")
        page.wait_for_selector(".plot rect.errors")
        expect_result(page, each)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            if each == language:
                assert violations(page) == []
    (line,) = (tmp_path / "ana.jsonl").read_text(encoding="utf-8").splitlines()
    entry = json.loads(line)
    assert [item["kind"] or item["code"] for item in entry["noticed"]] == ["push_paid"]
    assert entry["noticed"][0]["cents"] == 500
    assert entry["touches"] >= 5
    assert entry["chips"] >= 3
    page.get_by_role("button", name=words["finish"]).tap()
    assert practice.ended() == 0
    assert "1 error, " in "".join(practice.output)
    context.close()


def test_the_next_key_is_visible_at_every_size(cardless_practice: Practice, browser: Browser) -> None:
    """At 800x480 the layout, the rack, the dealer's screen, the keys and Begin are in sight. On a phone only
    Begin must be; links in the header lead to the dealer's screen and the keys."""
    page = browser.new_page()
    for language in languages():
        words = catalogue(language).texts
        page.set_viewport_size({"width": 800, "height": 480})
        page.goto(f"{cardless_practice.felt}?lang={language}")
        begin = page.get_by_role("button", name=words["practice"]["begin"])
        expect(begin).to_be_visible()
        for part in map(page.locator, ("#felt", "#rack fieldset", "#screen", "#keys")):
            assert part.evaluate(IN_SIGHT), part
        assert begin.evaluate(IN_SIGHT)
        page.set_viewport_size({"width": 390, "height": 844})
        assert begin.evaluate(IN_SIGHT)
        for link, part in (("screen", "#screen"), ("keys", "#keys"), ("heading", ".seat")):
            page.get_by_role("link", name=words["felt"][link]).click()
            assert page.locator(part).first.evaluate(IN_SIGHT), part
    page.context.close()


def test_the_trainee_s_manual_leads_to_the_tour_and_the_first_drill(
    cardless_practice: Practice, browser: Browser
) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, has_touch=True)
    follower = Follower(context.new_page(), catalogue("en"), "trainee")
    follower.follow("practice_start")
    follower.page.goto(cardless_practice.felt)
    follower.follow("practice_tour")
    follower.page.get_by_role("button", name="Help", exact=True).tap()
    follower.page.get_by_role("button", name="Tour of this page").tap()
    expect(follower.page.get_by_role("dialog")).to_be_visible()
    follower.page.reload()
    follower.follow("practice_begin")
    expect(follower.page.get_by_role("button", name="Begin")).to_be_hidden()
    context.close()


STARTED = "async () => (await (await fetch('/state')).json()).exit === 'stack'"
VOIDED = "async () => (await (await fetch('/state')).json()).phase === 'void'"
REPORTED = "async () => (await (await fetch('/state')).json()).lesson.report !== null"


def test_an_exam_can_be_taken_by_the_trainee_s_manual(exam: Practice, browser: Browser) -> None:
    """In an exam a refused key gives no reason, so the test presses it until the deal has begun. The marks
    are shown in each language."""
    (command,) = commands("exam_start")
    assert parser_for(command.split()[1:]).parse_args(command.split()[1:]).exam
    language = languages()[-1]
    felt = browser.new_context(viewport={"width": 1280, "height": 800}, has_touch=True).new_page()
    words = catalogue(language).texts["practice"]
    felt.goto(f"{exam.felt}?lang={language}")
    screen = felt.context.new_page()
    screen.goto(next(frame.url for frame in felt.frames if frame != felt.main_frame))
    follower = Follower(screen, catalogue(language), "trainee")
    felt.get_by_role("button", name=words["begin"]).tap()
    while not bets_read(found_by(felt, STATE), found_by(screen, VIEW)):
        felt.wait_for_timeout(50)
    while not felt.evaluate(STARTED):
        follower.take("page.key_no_more_bets")
    follower.find("exam_silent", only="prompts.exam")
    follower.follow("exam_help")
    felt.wait_for_function(VOIDED)
    while not felt.evaluate(REPORTED):
        give_back(felt)
        follower.follow("exam_deal")
    follower.follow("exam_marks")
    shown = (seen(felt) | seen(screen)) - {catalogue("en").plain("language")}
    assert ForeignTexts(language).among(shown) == []
    result = {"en": "1 error in 1 drill1.", "es": "1 error en 1 ejercicio1."}
    for each in languages():
        felt.goto(f"{exam.felt}?lang={each}")
        expect(felt.locator("#lesson")).to_contain_text(result[each])
        helped = catalogue(each).texts["practice"]["error_names"]["helped"]
        expect(felt.locator("#lesson")).to_contain_text(helped)
    felt.context.close()


def give_back(felt: Page) -> None:
    """Give all wagers to the players and all cards to the shoe."""
    circles = found_by(felt, STATE)["chips"]
    acts = [{"do": "take", "circle": circle, "all": True} for circle in circles]
    for act in (*acts, {"do": "stub"}, {"do": "lift"}, {"do": "gather"}):
        felt.request.post(felt.url.partition("?")[0] + "act", data=act)
