"""A floorperson who follows the manual can sign, forfeit and void at a mock table, and can act if the shoe
fails.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from controller.common.texts.catalogue import languages
from tests.browser.manual import ManualTable
from tests.manuals.followed import followed_in
from tests.manuals.shift import FIRST, Shift, kind_of

pytestmark = pytest.mark.browser

SEED = 4
OPTIONS = ("--link", "2")
"""The shoe is paired."""
DECISION = ".held-tab .decide button"


class Decisions(Shift):
    """One round with every item that a floorperson may sign, which is then voided."""

    # ------------------------------------------------------------------ before the bets are closed

    def stale(self) -> None:
        """Touch a key whose prompt changes before the touch reaches the table."""

        def late(route: Route) -> None:
            self.table.touch(do="press", key="confirm", prompt=self.table.view()["prompt"]["id"])
            route.continue_()

        self.dealer()
        self.close()
        self.page.route("**/api/touch*", late, times=1)
        self.follower.take("page.key_confirm")
        self.find("stale")

    def deck(self) -> None:
        """Let the floorperson order a cut, then a shuffle."""
        for decision in ("recut", "shuffle"):
            self.floor()
            self.follower.take("page.other")
            self.follow("deck_again", only=rf"page\.{decision}")
            self.follower.sign()
            self.dealer()
            while kind_of(self.until(lambda view: view["prompt"])) != "bets_open":
                self.goes_on(lambda: self.follower.take("page.key_confirm"))

    def too_soon(self) -> None:
        """Press NO MORE BETS while a player is still laying the second ante. UNDO is pressed again if the
        screen changed under the first press."""
        self.table.lay(2, "ante_across", 1000)
        self.until(lambda view: view["seats"][1]["circles"]["ante_across"]["amount"])
        self.goes_on(lambda: self.follow("too_soon", only=r"page\.key_no_more_bets"))
        while kind_of(self.table.view()) != "bets_open":
            self.follow("too_soon", only=r"page\.key_undo")
        self.asks("bets_open")

    # ------------------------------------------------------------------ the shoe

    def shoe_lost(self) -> None:
        self.dealer()
        self.fault("unplug")
        self.alerted("shoe_lost")
        self.find("shoe_lost")
        self.fault("clear")
        self.calm()

    def shoe_held(self, code: str) -> None:
        """Find the code of the hold on the floor page after the shoe has stopped play."""
        self.until(lambda view: view["hold"])
        self.floor()
        self.find(code)

    def decided(self) -> None:
        self.follower.press(self.page.locator(DECISION).first)
        self.follower.sign()
        self.fault("clear")
        self.until(lambda view: not view["hold"])

    def wrong_pin(self) -> None:
        """Enter wrong PINs until the next attempt is delayed; FLOOR on the table ends the delay."""
        self.follower.press(self.page.locator(DECISION).first)
        self.follower.press(self.page.get_by_role("button", name=self.follower.reason(), exact=True))
        self.follower.type("B1")
        self.page.locator(".enter:visible").tap()
        for pin in ("9999",) * 3 + ("1234",):
            self.enters(pin)
            expect(self.page.locator(".refused")).to_contain_text(
                self.follower.texts.plain("refusals.not_proven")
            )
        self.table.hand(do="press", key="floor")
        self.find("wrong_pin")
        self.enters("1234")
        self.until(lambda view: not view["hold"])

    def jammed(self) -> None:
        """Jam the first card of the deal, so that the round is void."""
        self.table.lay(2, "ante_down", 1000)
        self.until(lambda view: view["seats"][1]["circles"]["ante_down"]["amount"])
        self.fault("jam", after=1)
        self.follower.take("page.key_no_more_bets")
        self.shoe_held("shoe_fault")
        self.decided()
        for circle in self.table.state()["chips"]:
            self.take(circle, everything=True)
        self.dealer()
        self.asks("clear")
        self.table.hand(do="gather")
        self.goes_on(lambda: self.follower.take("page.key_confirm"))
        self.asks("bets_open")

    def enters(self, pin: str) -> None:
        self.follower.type(pin)
        with self.page.expect_response("**/api/touch*"):
            self.page.locator(".enter:visible").tap()

    def fault(self, kind: str, after: int | None = None) -> None:
        self.table.hand(do="fault", device="shoe", kind=kind, after=after)

    # ------------------------------------------------------------------ signatures

    def changed(self) -> None:
        self.asks("lift_stack")
        self.take("2.ante_across")
        self.alerted("bet_changed")
        self.floor()
        self.find("sign_changed")
        self.signs()
        self.calm()

    def tip_stays(self) -> None:
        self.dealer()
        self.tip()
        self.floor()
        self.find("sign_tip")
        self.signs()
        self.calm()

    def early(self) -> None:
        """Lay the Down bet of seat 3 while the table still asks for Across."""
        self.asks("ask")
        self.table.lay(3, "down", 1000)
        self.alerted("bet_out_of_turn")
        self.floor()
        self.find("sign_early")
        self.signs()
        self.calm()

    # ------------------------------------------------------------------ decisions

    def forfeited(self) -> None:
        self.follower.take("page.other")
        self.follow("forfeit_seat")
        self.page.locator(FIRST).first.tap()
        self.page.locator(FIRST).first.tap()
        self.follower.sign()
        self.dealer()

    def voided(self) -> None:
        """Void the round while chips are missing; the floorperson signs who has them."""
        self.asks("ask")
        self.take("5.ante_down", everything=True)
        self.alerted("bet_changed")
        self.floor()
        self.follower.take("page.other")
        self.follower.take("page.stop_round")
        self.follower.take("outcomes.void")
        self.follower.sign()
        for circle in self.table.state()["chips"]:
            self.take(circle, everything=True)
        self.until(lambda view: view["phase"] == "void" and view["waiting"])
        self.floor()
        self.find("sign_not_returned")
        self.signs()


@pytest.mark.parametrize("language", languages()[1:])
def test_decisions_can_be_made_by_the_manuals(table: ManualTable, page: Page, language: str) -> None:
    shift = Decisions(table, page, language)
    shift.stale()
    table.open()
    shift.deck()
    shift.shoe_lost()
    shift.fault("old_link")
    shift.shoe_held("shoe_unproven")
    shift.wrong_pin()
    shift.fault("stranger")
    shift.shoe_held("shoe_changed")
    shift.decided()
    shift.dealer()
    shift.too_soon()
    shift.jammed()
    shift.bets()
    shift.changed()
    shift.tip_stays()
    shift.dealer()
    shift.dealt()
    shift.early()
    shift.forfeited()
    shift.voided()
    assert shift.follower.left.isdisjoint(followed_in(Path(__file__)))
