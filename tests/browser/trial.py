"""What people have to touch: the product tried by finger in a real Chromium, each touch counted.

python -m tests.browser.trial 800x480 1280x800 390x844     a table of touches for each size
python -m tests.browser.trial --pictures FOLDER 800x480    and what the screen showed after each act
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, sync_playwright

from tests.browser.manual import ManualTable
from tests.display.conftest import CHROMIUM

SEATS = (2, 3, 5)
ANSWERED = "() => !document.querySelector('.key[data-sent]')"
PATIENCE_S = 20
View = dict[str, Any]


class Finger:
    """One finger on one screen, which counts what it touches."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.touches = 0

    def touch(self, where: str | Locator) -> None:
        node = self.page.locator(where) if isinstance(where, str) else where
        node.first.tap()
        self.touches += 1
        self.page.wait_for_function(ANSWERED)

    def button(self, name: str, exact: bool = False) -> None:
        self.touch(self.page.get_by_role("button", name=name, exact=exact))

    def typed(self, word: str) -> None:
        for char in word:
            self.touch(f'button[data-char="{char}"]:visible')

    def entered(self) -> None:
        self.touch(".enter:visible")

    def key(self, name: str) -> None:
        """Where the dead time after a new prompt refuses it, the same touch a moment later."""
        for _ in range(PATIENCE_S * 10):
            self.page.locator(f'.key[data-key="{name}"]:not([disabled])').tap()
            self.page.wait_for_function(ANSWERED)
            if "just changed" not in (self.page.locator(".refused").text_content() or ""):
                break
        self.touches += 1

    def taken(self) -> int:
        touches, self.touches = self.touches, 0
        return touches


class Trial:
    """One table, one screen; `counted` has the touches of each act, by what it was."""

    def __init__(self, table: ManualTable, page: Page, pictures: Path | None) -> None:
        self.table, self.page, self.pictures = table, page, pictures
        self.finger = Finger(page)
        self.counted: dict[str, int] = {}

    def until(self, holds: Callable[[View], Any]) -> View:
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            if holds(view := self.table.view()):
                return view
            self.page.wait_for_timeout(30)
        raise RuntimeError(f"the table stands at {view['phase']}, {view['prompt']}, {view['alerts']}")

    def asks(self, *kinds: str, seat: int | None = None) -> View:
        return self.until(lambda view: _kind(view) in kinds and seat in (None, view["prompt"]["seat"]))

    def count(self, what: str, act: Callable[[], None]) -> None:
        self.finger.taken()
        act()
        self.counted[what] = self.finger.taken()
        if self.pictures is not None:
            size = self.page.viewport_size or {"width": 0}
            self.page.screenshot(path=self.pictures / f"{size['width']}-{len(self.counted):02}.png")

    def floor(self, act: Callable[[], None]) -> None:
        """From the dealer's screen to the floor page and back."""
        self.finger.touch(".more-key")
        self.finger.button("Floor page")
        self.page.wait_for_selector(".floor-page .status")
        act()
        self.finger.button("Dealer page")
        self.page.wait_for_selector(".page:not(.floor-page) .keys")

    def badge(self, reason: str | None = None) -> None:
        if reason is not None:
            self.finger.button(reason)
        self.finger.typed("B1")
        self.finger.entered()

    def report(self, *buttons: str) -> None:
        self.finger.touch(".more-key")
        for name in ("Report", *buttons):
            self.finger.button(name)

    # ------------------------------------------------------------------ before the deal

    def sign_on(self) -> None:
        self.finger.typed("0412")
        self.finger.button("Sign on")

    def opening(self) -> None:
        """Two decks, both to be inspected, verified by the floor."""
        self.finger.key("confirm")
        while (
            kind := _kind(view := self.asks("deck_needed", "signature", "opening_step", "bets_open"))
        ) != "bets_open":
            step = view["prompt"]["id"]
            if kind == "deck_needed":
                self.finger.button("To be inspected")
                self.finger.touch(f'[data-value="{"blue" if view["deck"]["back"] == "red" else "red"}"]')
            elif kind == "signature":
                self.floor(self.verified)
            else:
                self.finger.key("confirm")
            self.until(lambda view, step=step: (view["prompt"] or {}).get("id") != step)

    def verified(self) -> None:
        self.finger.button("Sign: ")
        self.badge()

    def bets(self) -> None:
        for seat in SEATS:
            self.table.lay(seat, "ante_across", 1000)
            self.table.lay(seat, "ante_down", 1000)
        self.until(lambda view: all(view["seats"][s - 1]["circles"]["ante_down"]["amount"] for s in SEATS))
        self.finger.key("no_more_bets")

    def dealt(self) -> None:
        while _kind(view := self.table.view()) != "ask":
            if _kind(view) == "lift_stack" and self.table.state()["exit"] == "stack":
                self.table.hand(do="lift")
            elif _kind(view) == "take_stub" and self.table.state()["exit"]:
                self.table.hand(do="stub")
            self.page.wait_for_timeout(30)

    def bet(self, seat: int, wager: str = "across") -> None:
        self.asks("ask", seat=seat)
        self.table.lay(seat, wager, 1000)

    def turn(self) -> None:
        self.asks("turn")
        self.finger.key("confirm")

    # ------------------------------------------------------------------ a round, as the prompts ask for it

    def to_the_end(self) -> None:
        """The rest of the round: whatever goes on by itself is left to itself."""
        while _kind(view := self.until(self._something_to_do)) != "bets_open":
            self._act(view, view["prompt"])
            done = view["version"]
            self.until(lambda view, done=done: view["version"] != done)

    def _something_to_do(self, view: View) -> bool:
        return _kind(view) in ("ask", "collect", "take", "pay", "clear", "bets_open") or bool(view["shines"])

    def _act(self, view: View, prompt: View) -> None:
        circle = f"{prompt['seat']}.{prompt['wager']}"
        if prompt["kind"] == "ask":
            self.table.lay(prompt["seat"], prompt["wager"], 1000)
        elif prompt["kind"] in ("collect", "take"):
            self.table.hand(do="take", circle=circle, all=True)
        elif prompt["kind"] == "pay":
            self.table.lay(prompt["seat"], prompt["wager"], prompt["amount"])
        elif prompt["kind"] == "clear" and any(self.table.state()["chips"].values()):
            for name in self.table.state()["chips"]:
                self.table.hand(do="take", circle=name, all=True)
            self.table.hand(do="gather")
        else:
            self.finger.key("confirm")

    # ------------------------------------------------------------------ what goes wrong

    def amounts(self) -> None:
        """The reader of a circle is dead: its amount is entered, mistyped and entered again, and signed."""
        self.table.hand(do="fault", device="2.across", kind="silent")
        for _ in range(2):
            self.table.hand(do="lay", circle="2.across", chip=500)
        self.asks("enter_amount")
        self.page.locator(".enter:visible").wait_for()
        self.count("amount of a dead reader, mistyped and put right", self.mistyped)
        self.asks("confirm_bet")
        self.finger.key("confirm")
        self.count("floor: sign an amount, and back", lambda: self.floor(self.signed))
        self.table.hand(do="fault", device="2.across", kind="clear")

    def mistyped(self) -> None:
        self.finger.typed("7")
        self.finger.entered()
        self.until(lambda view: view["prompt"]["amount"] == 700)
        self.finger.button("$10")
        self.finger.entered()

    def signed(self) -> None:
        self.finger.button("Sign", exact=True)
        self.badge("Device fault")

    def differs(self) -> None:
        self.report("Card differs", "Left card", "9", "spades")
        self.finger.entered()
        self.finger.button("SEND")
        self.until(lambda view: view["hold"])

    def uses(self) -> None:
        self.finger.button("It is 9")
        self.badge("Dealer error")

    def conferred(self) -> None:
        self.finger.touch('.seat[data-seat="3"]')
        self.finger.button("Players conferred")
        self.finger.button("SEND")
        self.until(lambda view: view["hold"])

    def plays_on(self) -> None:
        self.finger.button("No forfeit")
        self.badge("Player error")

    def relieved(self) -> None:
        self.finger.touch(".more-key")
        self.finger.button("Relieve dealer")
        self.finger.button("SEND")

    def corrected(self) -> None:
        self.finger.button("Other decisions")
        for name in ("Correct a closed round", "Round 1", "Seat 3", "Across ante", "Player gets"):
            self.finger.button(name)
        self.finger.typed("5")
        self.finger.entered()
        self.badge("Dealer error")

    def recalled(self) -> None:
        self.finger.touch(".more-key")
        self.finger.button("Last rounds")
        self.page.locator(".recalled, .recall").first.wait_for()

    def play(self) -> None:
        self.count("sign on, a number of four digits", self.sign_on)
        self.count("opening, two decks to be inspected", self.opening)
        self.bets()
        self.dealt()
        self.amounts()
        self.count("fold", lambda: self.folds(3))
        self.count("fold taken back", lambda: self.finger.key("undo"))
        self.bet(3)
        self.bet(5)
        self.turn()
        self.count("report: a card differs", self.differs)
        self.count("floor: decide on it, and back", lambda: self.floor(self.uses))
        self.until(lambda view: not view["hold"])
        self.count("report about a seat", self.conferred)
        self.count("floor: decide on it, and back (2)", lambda: self.floor(self.plays_on))
        self.until(lambda view: not view["hold"])
        self.to_the_end()
        self.count("recall the last round", self.recalled)
        self.page.goto(self.table.display)
        self.page.wait_for_selector(".page .keys")
        self.count("floor: correct a closed round, and back", lambda: self.floor(self.corrected))
        self.count("relieve the dealer", self.relieved)

    def folds(self, seat: int) -> None:
        self.asks("ask", seat=seat)
        self.finger.key("fold")
        self.until(lambda view: view["prompt"]["seat"] != seat)


def _kind(view: View) -> str | None:
    return None if view["prompt"] is None else str(view["prompt"]["kind"])


def tried(width: int, height: int, pictures: Path | None) -> dict[str, int]:
    """Act -> touches, on a screen of this size."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        table = ManualTable(Path(folder) / "journal.db", seed=7)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        try:
            size = {"width": width, "height": height}
            page = browser.new_context(viewport=size, has_touch=True).new_page()  # type: ignore[arg-type]
            page.goto(table.display)
            page.wait_for_selector(".page .keys")
            trial = Trial(table, page, pictures)
            trial.play()
            return trial.counted
        finally:
            browser.close()
            table.stop()


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.browser.trial")
    parser.add_argument("sizes", nargs="+", metavar="WIDTHxHEIGHT")
    parser.add_argument("--pictures", type=Path)
    asked = parser.parse_args(arguments)
    columns = {size: tried(*map(int, size.split("x")), asked.pictures) for size in asked.sizes}
    print(" | ".join(["act", *columns]))
    for act in next(iter(columns.values())):
        print(" | ".join([act, *(str(counted[act]) for counted in columns.values())]))


if __name__ == "__main__":
    main(sys.argv[1:])
