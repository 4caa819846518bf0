"""A dealer and a floorperson can follow the manuals' instructions about a settlement and its errors at a mock
table.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from controller.common.texts.catalogue import languages
from tests.browser.manual import ManualTable
from tests.manuals.followed import followed_in
from tests.manuals.shift import FIRST, SEATS, Shift, View, kind_of

pytestmark = pytest.mark.browser

SEED = 4
"""Seat 2 wins Across and Middle in the first round; the others lose or push."""


class Settlement(Shift):
    """A round with every error of a settlement, and the decisions of a floorperson beside it."""

    def __init__(self, table: ManualTable, page: Page, language: str) -> None:
        super().__init__(table, page, language)
        self.seen: set[str] = set()

    # ------------------------------------------------------------------ bets

    def late(self) -> None:
        """Between NO MORE BETS and the first card, make change, lay a late bet and take it back, lay a tip,
        and lay a late bet that is signed."""
        self.asks("lift_stack")
        self.follow("change")
        self.take("2.ante_across")
        for _ in range(5):
            self.lay("2.ante_across", 100)
        self.calm()
        self.lay("2.ante_across")
        self.alerted("late_bet", "bet_changed")
        self.follow("late_bet", only="codes")
        self.take("2.ante_across")
        self.calm()
        self.tip()
        self.take("3.ante_down")
        self.calm()
        self.lay("5.ante_down")
        self.alerted("late_bet", "bet_changed")
        self.floor()
        self.find("sign_late", only="signing")
        self.signs()
        self.calm()
        self.dealer()

    # ------------------------------------------------------------------ decisions of the players

    def fold_taken_back(self) -> None:
        self.asks("ask")
        self.goes_on(lambda: self.follower.take("page.key_fold"))
        self.until(lambda view: view["prompt"]["seat"] != SEATS[0])
        self.floor()
        self.follower.take("page.other")
        self.follow("restore_seat")
        self.page.locator(FIRST).first.tap()
        self.follower.sign()
        self.until(lambda view: view["prompt"]["seat"] == SEATS[0])
        self.dealer()

    def dead_reader(self) -> None:
        """Replace the first seat's reader; the amount that the dealer entered is signed."""
        self.follow("reader_pull")
        self.table.hand(do="fault", device="2.across", kind="unplug")
        for _ in range(2):
            self.lay("2.across")
        self.asks("enter_amount")
        self.follower.take("prompts.enter_amount.do")
        self.follower.type("10")
        self.follower.take("page.enter")
        self.asks("confirm_bet")
        self.goes_on(lambda: self.follower.take("page.key_confirm"))
        self.floor()
        self.find("sign_amount", only="signing")
        self.signs()
        self.open("devices")
        self.follow("reader_silent")
        self.follow("reader_plug")
        self.table.hand(do="fault", device="2.across", kind="clear")
        self.follow("reader_back", only=r"devices\.states\.fine")
        self.dealer()

    # ------------------------------------------------------------------ the round, prompt by prompt

    def round(self) -> None:
        """Follow the prompts until bets are open again."""
        acts: dict[str, Callable[[View], None]] = {
            "ask": self.bet, "turn": self.turn, "turn_seat": self.turn, "take": self.lost,
            "push": self.pushed, "pay": self.won, "clear": self.clear, "confirm_bet": self.confirm,
        }  # fmt: skip
        while kind_of(view := self.asks("bets_open", *acts)) != "bets_open":
            acts[str(kind_of(view))](view)
            self.goes_from(view)

    def once(self, name: str) -> bool:
        """Return whether the name is asked for the first time, and note it."""
        new = name not in self.seen
        self.seen.add(name)
        return new

    def confirm(self, _view: View) -> None:
        self.follower.take("page.key_confirm")

    def bet(self, view: View) -> None:
        self.table.lay(*self.circle(view).split("."), 1000)  # type: ignore[arg-type]

    def turn(self, view: View) -> None:
        self.follow("card_turn", only=rf"prompts\.{kind_of(view)}\.|page")

    def pushed(self, view: View) -> None:
        self.follow("card_push")

    def lost(self, view: View) -> None:
        self.follow("card_take", only="prompts")
        if self.once("wrong_circle"):
            self.lay("6.across")
            self.alerted("wrong_circle")
            self.follow("wrong_circle")
            self.take("6.across")
            self.calm()
        self.remove(self.circle(view), view["prompt"]["amount"])

    def won(self, view: View) -> None:
        """Pay the first wager too much, then too little while the next wager has been paid early. Pay the
        last wager too much and have the amount signed."""
        self.follow("card_pay", only="prompts")
        at = self.circle(view)
        self.lay(at, 2500)
        self.alerted("overpaid")
        if self.once("overpaid"):
            self.follow("overpaid")
            self.take(at)
            self.lay(at)
            self.until(lambda view: not any(alert["code"] == "overpaid" for alert in view["alerts"]))
            self.table.lay(2, "across", 2000)
            self.alerted("settled_out_of_order")
            self.alerted("underpaid")
            self.follow("out_of_order")
            self.follow("underpaid")
            self.lay(at)
            return
        self.floor()
        self.find("sign_short", only=r"codes\.overpaid")
        self.signs()
        self.dealer()

    def clear(self, _view: View) -> None:
        self.follow("card_clear", only="prompts")
        for name in self.table.state()["chips"]:
            self.take(name, everything=True)
        self.table.hand(do="gather")
        self.follow("card_clear", only="page")

    # ------------------------------------------------------------------ between two rounds

    def corrected(self) -> None:
        """Correct the round at the circle of its first irregularity."""
        self.floor()
        self.follower.take("page.other")
        self.follow("correct_round")
        self.floor()
        self.follow("correct_choose_round", only=r"page\.other$|page\.correct_round")
        self.follow("correct_choose_circle")
        self.page.locator(".panel .linked button").first.tap()
        self.follow("correct_amount", only=r"page\.player_gets")
        self.follow("correct_sign")
        self.follower.sign()

    def seats(self) -> None:
        """Enter a new player, one player at two seats, and a chip that tests a new reader."""
        self.dealer()
        self.follow("new_player")
        for wager in ("ante_across", "ante_down"):
            self.table.lay(1, wager, 1000)
        self.lay("4.ante_across")
        self.until(lambda view: view["seats"][3]["circles"]["ante_across"]["amount"] == 500)
        self.follow("reader_chip")
        self.take("4.ante_across")
        self.floor()
        self.follower.take("page.other")
        self.follow("one_player", only=r"page\.one_player")
        self.page.locator(FIRST).nth(1).tap()
        self.page.locator(FIRST).nth(2).tap()
        self.page.locator(".panel .go").tap()
        self.follower.sign()

    def voided(self) -> None:
        self.dealer()
        self.bets()
        self.asks("lift_stack")
        self.floor()
        self.follower.take("page.other")
        self.follow("stop_round", only=r"page\.stop_round|outcomes\.void")
        self.follower.sign()
        self.dealer()
        while kind_of(view := self.until(lambda view: view["prompt"])) == "return_wager":
            self.remove(self.circle(view), view["prompt"]["amount"])
            self.goes_from(view)

    def closes(self) -> None:
        """Change the way of dealing, then close the table."""
        self.floor()
        self.follower.take("page.other")
        self.follow("method")
        self.page.locator(FIRST).first.tap()
        self.follower.sign()
        self.floor()
        self.follower.take("page.other")
        self.follow("close_table")
        self.follower.sign()
        self.until(lambda view: kind_of(view) == "open_table")

    def rereads(self) -> None:
        """Read the corrected round as surveillance does."""
        self.open("rounds/1")
        self.follow("read_paid")
        self.follow("read_shoe")
        self.follow("read_wrong")
        self.follow("read_decided")
        self.follow("read_corrected")
        self.follow("read_on_word")


@pytest.mark.parametrize("language", languages()[:1])
def test_a_settlement_can_be_done_by_the_manuals(table: ManualTable, page: Page, language: str) -> None:
    shift = Settlement(table, page, language)
    table.open()
    shift.dealer()
    shift.bets()
    shift.late()
    shift.dealt()
    shift.fold_taken_back()
    shift.dead_reader()
    shift.round()
    shift.corrected()
    shift.rereads()
    shift.seats()
    shift.voided()
    shift.closes()
    assert shift.follower.left.isdisjoint(followed_in(Path(__file__)))
