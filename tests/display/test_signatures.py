"""The dealer's screen and the floor page show the same count of waiting signatures, and each key states its
effect.

Nothing is cut off at any size in either language, in a real Chromium. CRISSCROSS_SCREENSHOTS=folder keeps the
pictures.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.common.texts.catalogue import catalogue, languages
from tests.display.fingers import opened, shows, sized
from tests.display.served import Served
from tests.display.views import View, alert, prompts, signs, view

pytestmark = pytest.mark.browser

AMOUNT = {"what": "amount", "seat": 2, "wager": "across", "amount": 3000, "missing": 0, "about": "amount 9",
          "signs": signs("entered", 3000)}  # fmt: skip
PARTED = [*signs("kept", 500, 10_000, holder="player"), *signs("held", 500, 10_000, holder="house")]


def several() -> View:
    """Return two differences and an amount to sign."""
    late = alert("late_bet", wager="five_card_bonus", lies=2500, should=0, signs=signs("extra", 2500))
    short = alert("bet_changed", number=8, seat=5, wager="ante_across", lies=9500, should=10_000)
    return view(alerts=[late, short | {"missing": 500, "signs": PARTED}], signatures=[AMOUNT])


def many() -> View:
    """Return more items to sign than the page has room for."""
    wagers = ("ante_across", "ante_down", "across")
    alerts = [
        alert("bet_changed", number=seat * 10 + n, seat=seat, wager=wager, signs=PARTED, missing=500)
        for seat in (2, 3, 5, 6)
        for n, wager in enumerate(wagers)
    ]
    return view(alerts=alerts)


SITUATIONS = {
    "opening": (prompts()["signature"], 1),
    "alert": (view(alerts=[alert("overpaid")]), 1),
    "amount": (view(signatures=[AMOUNT]), 1),
    "several": (several(), 3),
    "called": (several() | {"floor_called": True}, 3),
    "on the way": (
        several() | {"on_the_way": {"utc": "2026-11-20T20:31:07.123Z", "who": "B1", "pit": ""}},
        3,
    ),
    "many": (many(), 12),
    "none": (view(alerts=[alert("reader_lost", signable=False)]), 0),
}


STANDING = """() => {
  const node = document.querySelector(".standing"), kids = [...node.children];
  const last = node.lastElementChild;
  const wide = last && last.scrollWidth > last.clientWidth;
  const high = node.scrollHeight > node.clientHeight || kids.some((n) => n.scrollHeight > n.clientHeight + 1);
  return { words: node.textContent, cut: Boolean(wide || high) };
}"""
"""Script that returns the words beside the cross, and whether one of them is cut off."""


@pytest.mark.parametrize("language", languages())
def test_dealer_s_screen_and_floor_page_show_the_same_count(
    page: Page, served: Served, language: str
) -> None:
    waiting = catalogue(language).plain("page.waiting")
    opened(page, served, view(), f"?lang={language}")
    for situation, (shown, count) in SITUATIONS.items():
        shows(page, served.shown(shown))
        standing = page.evaluate(STANDING)
        if count:
            assert f"{waiting}: {count}" in standing["words"], situation
            assert not standing["cut"], situation
        else:
            assert waiting not in standing["words"], situation
    page.goto(f"{served.url}/floor?lang={language}")
    page.wait_for_selector(".floor-page")
    for situation, (shown, count) in SITUATIONS.items():
        shows(page, served.shown(shown))
        if count:
            expect(page.get_by_role("button", name=f"{waiting}: {count}"), situation).to_be_visible()
        expect(page.locator(".sign-list li"), situation).to_have_count(count)


KEYS = """() => [...document.querySelectorAll(".sign-list button")].flatMap((node) => {
  node.scrollIntoView({ block: "nearest" });
  const { x, y, width, height } = node.getBoundingClientRect();
  const wrong = [];
  if (height < 44) wrong.push("low");
  if (x < 0 || x + width > innerWidth || y < 0 || y + height > innerHeight + 1) wrong.push("outside");
  if (node.scrollWidth > node.clientWidth || node.scrollHeight > node.clientHeight) wrong.push("cut");
  return wrong.map((what) => `${what}: ${node.textContent}`);
})"""
"""Script that returns the faults of the keys that sign, each scrolled into view."""


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("situation", ["several", "many"])
def test_every_signing_key_is_complete_and_reachable(
    page: Page, served: Served, sizes: list[str], language: str, situation: str, shots: Path | None
) -> None:
    served.show(SITUATIONS[situation][0])
    page.goto(f"{served.url}/floor?lang={language}")
    page.wait_for_selector(".floor-page")
    page.locator(".tabs button").nth(1).tap()
    for size in sizes:
        sized(page, size)
        if shots:
            shots.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=shots / f"sign-{situation}-{size}-{language}.png", animations="disabled")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), size
        assert page.evaluate(KEYS) == [], size
    last = page.locator(".sign-list button").last
    words = last.inner_text()
    last.tap()
    expect(page.locator(".panel h2")).to_contain_text(words)
