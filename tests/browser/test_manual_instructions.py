"""A dealer and a floorperson can work one shift at a mock table by the instructions of their manuals.

The followed instructions have the attribute `data-follow`.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.common.texts.catalogue import languages
from tests.browser.manual import ManualTable
from tests.manuals.followed import followed_in
from tests.manuals.shift import Shift, kind_of

pytestmark = pytest.mark.browser

SEED = 7


class Opening(Shift):
    """The first round, which a floorperson voids."""

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
        while kind_of(self.asks("opening_step", "signature")) == "opening_step":
            self.goes_on(lambda: self.follow("opening_step", only="page"))
        self.follow("call_to_sign")
        self.signed()

    def decide(self) -> None:
        """Fold twice at seat 2 and bet at seat 5; the reader of seat 3 is dead."""
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
        while kind_of(view := self.asks("collect", "turn")) == "collect":
            taken = f"2.{view['prompt']['wager']}"
            self.goes_on(partial(self.table.hand, do="take", circle=taken, all=True))
        self.follow("room")
        self.close()
        self.follow("recall")
        self.close()
        if self.page.locator(".panel").is_visible():
            self.close()

    def reports(self) -> None:
        """Report a card of the cross as the dealer and void the round as the floorperson."""
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
        self.follow("hold_read")
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


@pytest.mark.parametrize("language", languages()[1:])
def test_a_shift_can_be_worked_by_the_manuals(table: ManualTable, page: Page, language: str) -> None:
    shift = Opening(table, page, language)
    shift.begins()
    shift.bets()
    shift.dealt()
    shift.decide()
    shift.looks()
    shift.reports()
    shift.figures()
    shift.relieved()
    assert shift.follower.left.isdisjoint(followed_in(Path(__file__)))
