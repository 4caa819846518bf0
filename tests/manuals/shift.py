"""A dealer and a floorperson at a mock table who follow the manuals, for the tests of instructions."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from controller.common.texts.catalogue import catalogue
from tests.browser.manual import ManualTable
from tests.manuals.followed import Follower

SEATS = (2, 3, 5)
TIMEOUT_S = 30
FIRST = ".panel .choices button"
SHOWN = """(version) => {
  const shown = document.querySelector(".page")?.dataset.version;
  return !shown || Number(shown) >= version;
}"""
View = dict[str, Any]


class Shift:
    """One dealer and one floorperson at one mock table, who have only the manuals."""

    def __init__(self, table: ManualTable, page: Page, language: str) -> None:
        self.table, self.page = table, page
        self.address = f"?lang={language}&idle=0"
        names = ("dealer", "floorperson", "surveillance", "technician")
        self.follower = Follower(page, catalogue(language), *names)
        self.follow, self.find = self.follower.follow, self.follower.find

    # ------------------------------------------------------------------ state of the table

    def until(self, holds: Callable[[View], Any]) -> View:
        end = time.monotonic() + TIMEOUT_S
        while not holds(view := self.table.view()):
            assert time.monotonic() < end, (view["phase"], view["prompt"], view["alerts"], view["hold"])
            self.table.pushed.wait()
        self.page.wait_for_function(SHOWN, arg=view["version"])
        return view

    def asks(self, *kinds: str) -> View:
        return self.until(lambda view: kind_of(view) in kinds and not view["hold"])

    def goes_on(self, act: Callable[[], None]) -> None:
        """Carry out the act, and wait until the screen has another prompt."""
        before = prompt_of(self.table.view())
        act()
        self.until(lambda view: prompt_of(view) != before)

    def open(self, path: str = "") -> None:
        self.page.goto(f"{self.table.display}{path}{self.address}")
        if path.startswith("rounds"):
            self.page.wait_for_selector("[data-column=clock]")

    def close(self) -> None:
        """Close the panel."""
        self.page.locator(".more-key").tap()
        expect(self.page.locator(".panel")).to_be_hidden()

    def floor(self) -> None:
        self.open("floor")
        self.page.wait_for_selector(".floor-page .status")

    def dealer(self) -> None:
        self.open()
        self.page.wait_for_selector(".page .keys")

    def goes_from(self, view: View) -> None:
        """Wait for a prompt about another circle or of another kind."""
        self.until(lambda now: step_of(now) != step_of(view))

    # ------------------------------------------------------------------ hands at the felt, and a signature

    def circle(self, view: View) -> str:
        return f"{view['prompt']['seat']}.{view['prompt']['wager']}"

    def lay(self, circle: str, chip: int = 500) -> None:
        self.table.hand(do="lay", circle=circle, chip=chip)

    def take(self, circle: str, *, everything: bool = False) -> None:
        self.table.hand(do="take", circle=circle, all=everything)

    def remove(self, circle: str, amount: int) -> None:
        """Remove chips worth `amount` cents from the top of a circle."""
        for chip in reversed(self.table.state()["chips"][circle]):
            if amount > 0:
                self.take(circle)
                amount -= chip

    def alerted(self, *codes: str) -> View:
        return self.until(lambda view: any(alert["code"] in codes for alert in view["alerts"]))

    def calm(self) -> View:
        return self.until(lambda view: not view["alerts"])

    def signs(self) -> None:
        """Sign the first item that waits on the floor page."""
        self.follower.press(self.page.locator(".sign-list button").first)
        self.follower.sign()

    def tip(self) -> None:
        """Lay a tip in a circle, which the dealer reports as one."""
        self.lay("3.ante_down")
        self.alerted("late_bet", "bet_changed")
        self.follow("tip", only=r"page\.more|page\.report|reports")
        self.page.locator(FIRST).first.tap()
        self.follow("tip", only=r"page\.send")
        self.alerted("not_a_wager")

    # ------------------------------------------------------------------ parts of every shift

    def signed(self) -> None:
        """Call the floorperson, who signs the deck and closes the call."""
        floor = self.follower
        self.until(lambda view: view["floor_called"])
        self.follow("floor_page", only="page.more|page.floor_page")
        self.page.wait_for_selector(".floor-page .status")
        self.follow("floor_status", only="page.told")
        self.follow("floor_open")
        self.follow("sign_step")
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
        while kind_of(self.table.view()) != "ask":
            held = self.table.state()["exit"]
            if held == "stack":
                self.table.hand(do="lift")
            elif held == "stub" and kind_of(self.table.view()) == "take_stub":
                self.table.hand(do="stub")
            self.table.pushed.wait()


def kind_of(view: View) -> str | None:
    return None if view["prompt"] is None else str(view["prompt"]["kind"])


def prompt_of(view: View) -> str | None:
    return None if view["prompt"] is None else str(view["prompt"]["id"])


def step_of(view: View) -> tuple[Any, ...]:
    prompt = view["prompt"] or {}
    return tuple(prompt.get(part) for part in ("kind", "seat", "wager", "places"))
