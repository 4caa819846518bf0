"""Instructions marked `data-follow` in the manuals are followed in one shift at a mock table."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from controller.display.catalogue import catalogue, languages
from tests.browser.manual import ManualTable
from tests.display.conftest import heard
from tests.manuals.followed import Follower

pytestmark = pytest.mark.browser

SEATS = (2, 3, 5)
TIMEOUT_S = 8
REFUSED = ("409 (Conflict)",)
SHOWN = """(version) => {
  const shown = document.querySelector(".page")?.dataset.version;
  return !shown || Number(shown) >= version;
}"""
View = dict[str, Any]


class Shift:
    """One dealer and one floorperson at one mock table, who have nothing but the manuals."""

    def __init__(self, table: ManualTable, page: Page, language: str) -> None:
        self.table, self.page = table, page
        self.address = f"?lang={language}&idle=0"
        names = ("dealer", "floorperson", "surveillance", "technician")
        self.follower = Follower(page, catalogue(language), *names)
        self.follow = self.follower.follow

    # ------------------------------------------------------------------ where the table stands

    def until(self, holds: Callable[[View], Any]) -> View:
        end = time.monotonic() + TIMEOUT_S
        while not holds(view := self.table.view()):
            assert time.monotonic() < end, (view["phase"], view["prompt"], view["alerts"], view["hold"])
            self.page.wait_for_timeout(20)
        self.page.wait_for_function(SHOWN, arg=view["version"])
        return view

    def asks(self, *kinds: str) -> View:
        return self.until(lambda view: _kind(view) in kinds and not view["hold"])

    def goes_on(self, act: Callable[[], None]) -> None:
        """Act, and wait for another prompt."""
        before = _prompt(self.table.view())
        act()
        self.until(lambda view: _prompt(view) != before)

    def open(self, path: str = "") -> None:
        self.page.goto(f"{self.table.display}{path}{self.address}")
        self.page.wait_for_load_state("networkidle" if path.startswith("rounds") else "load")

    def close(self) -> None:
        """Close the panel."""
        self.page.locator(".more-key").tap()
        expect(self.page.locator(".panel")).to_be_hidden()

    def dealer(self) -> None:
        self.open()
        self.page.wait_for_selector(".page .keys")

    # ------------------------------------------------------------------ the shift

    def begins(self) -> None:
        self.dealer()
        self.close()
        self.follow("sign_on_key")
        self.follow("sign_on", without="page.pin", typed={"page.your_number": "0412"})
        self.until(lambda view: view["dealer"] == "0412")
        expect(self.page.locator(".panel")).to_be_hidden()
        self.goes_on(lambda: self.follow("open_table"))
        self.asks("deck_needed")
        self.follow("bring_deck", without="page.preshuffled")
        self.page.locator('.panel [data-value="red"]').tap()
        self.asks("opening_step")
        self.goes_on(lambda: self.follow("opening_step", without="steps.spread"))
        while _kind(self.asks("opening_step", "signature")) == "opening_step":
            self.goes_on(lambda: self.follow("opening_step", only="page"))
        self.follow("call_to_sign")
        self.signed()

    def signed(self) -> None:
        """The floorperson comes, signs the deck and closes the call."""
        floor = self.follower
        self.until(lambda view: view["floor_called"])
        self.follow("floor_page", only="page.more|page.floor_page")
        self.page.wait_for_selector(".floor-page .status")
        self.follow("floor_open")
        self.follow("on_my_way", only="page.on_my_way")
        floor.sign(reason=False)
        self.until(lambda view: view["on_the_way"])
        floor.press(self.page.locator(".sign-list button").first)
        floor.sign(reason=False)
        self.until(lambda view: not view["floor_called"])
        self.follow("answer", only="page.no_call")
        self.follow("floor_page", only="page.to_dealer")
        self.page.wait_for_selector(".page:not(.floor-page) .keys")

    def bets(self) -> None:
        self.table.open()
        for seat in SEATS:
            self.table.lay(seat, "ante_across", 1000)
            self.table.lay(seat, "ante_down", 1000)
        self.until(lambda view: all(view["seats"][s - 1]["circles"]["ante_down"]["amount"] for s in SEATS))
        self.goes_on(lambda: self.follow("card_bets"))

    def dealt(self) -> None:
        self.asks("lift_stack")
        self.until(lambda _view: self.table.state()["exit"] == "stack")
        self.follow("card_lift")
        while _kind(self.table.view()) != "ask":
            if self.table.state()["exit"]:
                self.table.hand(do="stub" if _kind(self.table.view()) == "take_stub" else "lift")
            self.page.wait_for_timeout(20)

    def asked(self) -> None:
        """Seat 2 folds twice, the reader of seat 3 is dead, seat 5 bets."""
        self.goes_on(lambda: self.follow("card_ask", only="page"))
        self.follow("undo_fold", only="last")
        self.goes_on(lambda: self.follow("undo_fold", only="page.key_undo"))
        self.asks("ask")
        self.goes_on(lambda: self.follow("card_ask"))
        self.table.hand(do="fault", device="3.across", kind="silent")
        self.table.hand(do="lay", circle="3.across", chip=500)
        self.table.hand(do="lay", circle="3.across", chip=500)
        self.asks("enter_amount")
        self.follow("amount", only="codes|prompts|page.enter", typed={"prompts.enter_amount.do": "10"})
        self.asks("confirm_bet")
        self.goes_on(lambda: self.follower.take("page.key_confirm"))
        self.follow("amount", only="page.more|page.amounts")
        self.close()
        self.table.hand(do="fault", device="3.across", kind="clear")
        self.asks("ask")
        self.table.lay(5, "across", 1000)

    def looks(self) -> None:
        """Collect the wagers of the folded seat, then open the panels that change nothing."""
        while _kind(view := self.asks("collect", "turn")) == "collect":
            taken = f"2.{view['prompt']['wager']}"
            self.goes_on(partial(self.table.hand, do="take", circle=taken, all=True))
        for name in ("room", "recall"):
            self.follow(name)
            self.close()
            if name == "recall" and self.page.locator(".panel").is_visible():
                self.close()

    def reports(self) -> None:
        """The dealer reports a card of the cross, the floorperson voids the round."""
        self.follow("report")
        self.follow("report_choose")
        self.follower.take("reports.community_exposed")
        self.page.locator(".panel .choices button").first.tap()
        self.follow("report_send", only="page.stops_play")
        self.follow("report_send", only="page.send")
        self.until(lambda view: view["hold"])
        self.follow("held")
        self.until(lambda view: view["floor_called"])
        self.follow("floor_page", only="page.more|page.floor_page")
        self.page.wait_for_selector(".floor-page .status")
        self.follow("permits", only="verdicts.any.void")
        self.follow("decide", without="page.own_words")
        self.follower.sign()
        self.until(lambda view: not view["hold"])

    def figures(self) -> None:
        self.follow("figures", only="page.figures|page.all_figures")
        self.page.wait_for_url("**/figures*")
        self.open("devices")
        self.follow("all_well")

    def relieved(self) -> None:
        self.dealer()
        self.follow("relieve", without="page.pin")
        self.until(lambda view: not view["dealer"])
        expect(self.page.locator(".panel")).to_be_hidden()
        self.follow("relief_number", only="page.more")
        self.follower.take("page.sign_on")
        self.follower.type("0413")
        self.follower.take("page.sign_on")
        self.until(lambda view: view["dealer"] == "0413")


def _kind(view: View) -> str | None:
    return None if view["prompt"] is None else str(view["prompt"]["kind"])


def _prompt(view: View) -> str | None:
    return None if view["prompt"] is None else str(view["prompt"]["id"])


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ManualTable]:
    table = ManualTable(tmp_path / "journal.db", seed=7)
    yield table
    table.stop()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 800, "height": 480}, has_touch=True)
    with heard(context.new_page(), REFUSED) as opened:
        opened.set_default_timeout(6_000)
        yield opened
    context.close()


@pytest.mark.parametrize("language", languages())
def test_a_shift_by_the_manuals(table: ManualTable, page: Page, language: str) -> None:
    shift = Shift(table, page, language)
    shift.begins()
    shift.bets()
    shift.dealt()
    shift.asked()
    shift.looks()
    shift.reports()
    shift.figures()
    shift.relieved()
    assert shift.follower.left == set()
