"""Waiting signatures, on the dealer's screen and on the floor page, in a real Chromium: both show the same
count, and each key states its effect, not cut off at any size in either language.
CRISSCROSS_SCREENSHOTS=folder keeps the pictures.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.common.texts.catalogue import catalogue, languages
from tests.display.conftest import SIZES
from tests.display.fingers import opened
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


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("situation", SITUATIONS)
def test_the_dealers_screen_and_the_floor_page_have_one_count(
    page: Page, served: Served, situation: str, language: str
) -> None:
    shown, count = SITUATIONS[situation]
    said = f"{catalogue(language).plain('page.waiting')}: {count}"
    opened(page, served, shown, f"?lang={language}")
    standing = page.locator(".standing")
    if count:
        expect(standing).to_contain_text(said)
        assert standing.evaluate("n => n.lastElementChild.scrollWidth <= n.lastElementChild.clientWidth")
        assert standing.evaluate("n => n.scrollHeight <= n.clientHeight")
        assert standing.evaluate("n => [...n.children].every((c) => c.scrollHeight <= c.clientHeight + 1)")
    else:
        expect(standing).not_to_contain_text(catalogue(language).plain("page.waiting"))
    page.goto(f"{served.url}/floor?lang={language}")
    page.wait_for_selector(".floor-page")
    if count:
        expect(page.get_by_role("button", name=said)).to_be_visible()
    expect(page.locator(".sign-list li")).to_have_count(count)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("situation", ["several", "many"])
def test_every_key_that_signs_is_whole_and_can_be_reached(
    page: Page, served: Served, size: str, language: str, situation: str, shots: Path | None
) -> None:
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    served.show(SITUATIONS[situation][0])
    page.goto(f"{served.url}/floor?lang={language}")
    page.wait_for_selector(".floor-page")
    page.locator(".tabs button").nth(1).tap()
    if shots:
        shots.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=shots / f"sign-{situation}-{size}-{language}.png", animations="disabled")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    keys = page.locator(".sign-list button")
    for key in keys.all():
        key.scroll_into_view_if_needed()
        box = key.bounding_box()
        assert box and box["height"] >= 44 and box["x"] >= 0 and box["x"] + box["width"] <= width
        assert box["y"] >= 0 and box["y"] + box["height"] <= height + 1, key.inner_text()
        assert key.evaluate("n => n.scrollWidth <= n.clientWidth && n.scrollHeight <= n.clientHeight")
    keys.last.tap()
    expect(page.locator(".panel h2")).to_contain_text(keys.last.inner_text())
