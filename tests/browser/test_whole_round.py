"""A complete round can be played by touch in a real Chromium: the page follows it and agrees with the record.

No card is in the document or in the pushed bytes before it is turned.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.manual import ManualTable
from tests.display.fingers import press_lit
from tests.ended import read_rounds
from tests.recompute import differences

pytestmark = pytest.mark.browser
SEED = 5

ROW = ("across_left", "across_right")
COLUMN = ("down_far", "down_near")
TURNED_BEFORE: dict[str, tuple[str, ...]] = {
    "dealing": (), "across": ROW, "down": (*ROW, *COLUMN), "middle": (*ROW, *COLUMN, "middle"),
}  # fmt: skip
"""Cards of the cross that each phase may show, including those turned at its end."""


class TouchDealer:
    """Dealer who reads the prompt on the page, touches the screen, and works the felt with both hands."""

    def __init__(self, table: ManualTable, page: Page) -> None:
        self.table = table
        self.page = page
        self.seen: list[dict[str, Any]] = []
        self.document: list[tuple[str, set[str]]] = []

    def play(self) -> None:
        """Play until the cards of the first round are being collected."""
        last = -1
        while True:
            view = self.table.view()
            if view["phase"] == "clearing":
                return
            self._look(view)
            if view["version"] == last:
                self.table.pushed.wait()
            else:
                last = view["version"]
                self._act(view)

    def _look(self, view: dict[str, Any]) -> None:
        faces = self.page.eval_on_selector_all("[data-card]", "nodes => nodes.map(n => n.dataset.card)")
        self.document.append((self.table.view()["phase"], set(faces)))

    def _act(self, view: dict[str, Any]) -> None:
        prompt = view["prompt"]
        self.seen.append(prompt)
        kind, seat, wager = prompt["kind"], prompt["seat"], prompt["wager"]
        acts = {
            "deck_needed": self._deck, "bets_open": self._bets, "ask": lambda: self._ask(prompt),
            "lift_stack": self._lift, "take_stub": lambda: self.table.hand(do="stub"),
            "collect": lambda: self.table.hand(do="take", circle=f"{seat}.{wager}", all=True),
            "take": lambda: self.table.hand(do="take", circle=f"{seat}.{wager}", all=True),
            "pay": lambda: self.table.lay(seat, wager, prompt["amount"]),
        }  # fmt: skip
        if kind in acts:
            acts[kind]()
        elif view["keys"]["confirm"]:
            self._key("confirm", view)

    def _lift(self) -> None:
        """Lift the stack if one is in the exit: the view may change before the table has received the
        lift."""
        if self.table.state()["exit"] == "stack":
            self.table.hand(do="lift")

    def _key(self, key: str, view: dict[str, Any]) -> None:
        """Press a key and wait until its effect is visible. A key pressed too soon after a new prompt is
        pressed again."""
        if self.page.locator(".more-key").get_attribute("aria-expanded") == "true":
            self.page.locator(".more-key").tap()
        for _ in range(40):
            press_lit(self.page, key, view["version"])
            self.page.wait_for_function("() => !document.querySelector('.key[data-sent]')")
            if "just changed" not in (self.page.locator(".refused").text_content() or ""):
                return

    def _deck(self) -> None:
        """Report the red deck, then the blue one. The prompt stays the same until the answer.

        A tap that comes just after a pad has gone away does nothing, so it is repeated.
        """
        preshuffled = self.page.get_by_role("button", name="Preshuffled")
        while preshuffled.get_attribute("aria-pressed") != "true":
            preshuffled.tap()
        other = "blue" if self.table.view()["deck"]["back"] == "red" else "red"
        with self.page.expect_response("**/api/touch"):
            self.page.locator(f'[data-value="{other}"]').tap()

    def _bets(self) -> None:
        if not self._laid("ante_across"):
            for seat in (2, 5):
                self.table.lay(seat, "ante_across", 1000)
                self.table.lay(seat, "ante_down", 1000)
            self.table.lay(5, "five_card_bonus", 500)
        self.page.wait_for_function("() => document.querySelectorAll('[data-lamp=accepted]').length > 4")
        self._key("no_more_bets", self.table.view())

    def _laid(self, wager: str) -> bool:
        return any(seat["circles"][wager]["amount"] for seat in self.table.view()["seats"])

    def _ask(self, prompt: dict[str, Any]) -> None:
        """Fold at Down for seat 2; bet the ante once for all others."""
        if (prompt["seat"], prompt["wager"]) == (2, "down"):
            self._key("fold", self.table.view())
        elif not prompt["code"]:
            self.table.lay(prompt["seat"], prompt["wager"], 1000)


def test_a_whole_round_can_be_played_by_touch(table: ManualTable, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 800, "height": 480}, has_touch=True)
    page = context.new_page()
    page.goto(table.display)
    page.wait_for_selector(".page")
    dealer = TouchDealer(table, page)
    dealer.play()
    record = dict(read_rounds(table.journal)[0])
    assert differences(record) == []
    assert record["outcome"] == "settled"
    _agrees(dealer, record)
    page.wait_for_function("() => document.querySelectorAll('[data-card]').length >= 7")
    shown = set(page.eval_on_selector_all("[data-card]", "nodes => nodes.map(n => n.dataset.card)"))
    assert shown == set(record["cross"].values()) | set(record["seats"][1]["cards"])
    _never_early(table.pushed.faces(), record)
    _never_early(dealer.document, record)
    _found(page, table.display)
    context.close()


def _found(page: Page, display: str) -> None:
    """Find the round in the list of rounds by its text; the dealer's page stays connected."""
    for words, rounds in (("1", 1), ("no such words", 0)):
        answer = page.request.get(f"{display}api/rounds?last=5&find={words}")
        assert answer.ok, answer.text()
        assert len(answer.json()["rounds"]) == rounds
    assert page.get_by_text("NO CONNECTION").count() == 0


def _agrees(dealer: TouchDealer, record: dict[str, Any]) -> None:
    """Check that the settlement that the page showed is that of the record, in order."""
    settled = []
    for prompt in dealer.seen:
        if prompt["kind"] in ("take", "push", "pay") and [prompt["seat"], prompt["wager"]] not in settled:
            settled.append([prompt["seat"], prompt["wager"]])
    assert settled == record["settlement_order"]


def _never_early(messages: list[tuple[str, set[str]]], record: dict[str, Any]) -> None:
    assert messages
    hole = {face for seat in record["seats"] for face in seat["cards"]}
    for phase, faces in messages:
        if phase in TURNED_BEFORE:
            allowed = {record["cross"][place] for place in TURNED_BEFORE[phase]}
            assert faces <= allowed, f"{phase}: {json.dumps(sorted(faces - allowed))}"
        else:
            assert not faces & set(record["seats"][0]["cards"]), "a folded hand is never turned"
            assert faces <= set(record["cross"].values()) | hole
