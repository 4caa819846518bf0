"""If three screens serve one table, the first touch counts, and an outdated, repeated, late or foreign touch
has no effect.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.manual import ManualTable

pytestmark = pytest.mark.browser
SEED = 5

STEPS = ["inspect", "verify", "spread", "turn_down", "wash", "stack"]
"""Steps of the opening in order, each with a CONFIRM except the floor's signature."""
SEND = """async (body) => (await fetch("/api/touch", {
  method: "POST", body, headers: { "Content-Type": "application/json" },
})).status"""
KEY = '.key[data-key="confirm"]'
WORDS = "() => document.querySelector('.prompt').textContent"
PRESS = """([key, words, times]) => {
  const node = document.querySelector(key);
  if (document.querySelector(".prompt").textContent !== words) return;
  for (let i = 0; i < times; i += 1) {
    node.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
    node.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
  }
}"""
"""Touches CONFIRM the given number of times if the screen still shows the same text."""


class Screens:
    """Three pages of one table, and every touch that they sent."""

    def __init__(self, table: ManualTable, browser: Browser) -> None:
        self.table = table
        self.sent: list[str] = []
        self.pages = [self._opened(browser) for _ in range(3)]

    def _opened(self, browser: Browser) -> Page:
        page = browser.new_context(viewport={"width": 800, "height": 480}, has_touch=True).new_page()
        page.on(
            "request",
            lambda request: self.sent.append(request.post_data or "") if request.post_data else None,
        )
        page.goto(self.table.display)
        page.wait_for_selector(".page .keys")
        return page

    def current_prompt(self) -> dict[str, Any]:
        return dict(self.table.view()["prompt"])

    def show(self, prompt: str) -> None:
        """Wait until all screens show the prompt with CONFIRM lit."""
        for page in self.pages:
            page.wait_for_function("(key) => document.querySelector(key)?.disabled === false", arg=KEY)
        assert self.current_prompt()["id"] == prompt

    def confirm(self, dice: random.Random) -> None:
        """Press CONFIRM on one to three screens with the same prompt, one to three times each, until one
        press is accepted. Early presses are refused during the dead time after a new prompt."""
        before, words = self.current_prompt()["id"], self.pages[0].evaluate(WORDS)
        while self.current_prompt()["id"] == before:
            for page in dice.sample(self.pages, dice.randint(1, 3)):
                page.evaluate(PRESS, [KEY, words, dice.randint(1, 3)])

    def late(self, dice: random.Random) -> int:
        """Send an older touch of any of the screens again; return its status."""
        status: int = dice.choice(self.pages).evaluate(SEND, dice.choice(self.sent))
        return status


def test_each_prompt_is_answered_once_whatever_three_screens_send(
    table: ManualTable, browser: Browser
) -> None:
    dice = random.Random(11)
    screens = Screens(table, browser)
    while screens.current_prompt()["kind"] != "deck_needed":
        screens.confirm(dice)
    table.touch(do="deck", back="red")
    for step in STEPS:
        assert screens.current_prompt()["step"] == step
        if step == "verify":
            table.touch(do="floor", badge="B1", decision="sign")
            continue
        screens.show(screens.current_prompt()["id"])
        screens.confirm(dice)
        now = screens.current_prompt()["id"]
        assert [screens.late(dice) for _ in range(3)] == [409] * 3
        assert screens.current_prompt()["id"] == now
    for page in screens.pages:
        page.context.close()
