"""On neither page does axe-core find a violation, in any distinct state and at any size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
from playwright.sync_api import Page

from controller.pages.display.devices_view import STATES as STATES_OF_READERS
from tests.accessible import violations
from tests.display.devices import devices
from tests.display.fingers import shows, sized
from tests.display.served import Script, Served
from tests.display.test_table_page import settled
from tests.display.views import CROSS, alert, card, hold, prompt, prompts, settling, signs, view

pytestmark = pytest.mark.browser

Found: TypeAlias = Callable[[Page], list[str]]

KINDS = (
    "ask",
    "take",
    "push",
    "pay",
    "enter_amount",
    "enter_face",
    "open_table",
    "deck_needed",
    "held",
    "turn",
)
PROMPTS = prompts()
STATES: dict[str, dict[str, Any]] = {kind: PROMPTS[kind] for kind in KINDS}
STATES["alert"] = settling("pay", 9000, hand="straight", odds=5) | {
    "alerts": [alert(), alert("reader_lost", "notice", 8, seat=5)]
}


@pytest.fixture
def found(sizes: list[str]) -> Found:
    """Return the violations on a page at the dealer's size and at that of a phone."""
    narrow = [size for size in sizes if size != "desk"]

    def of(page: Page) -> list[str]:
        violated = []
        for size in narrow:
            sized(page, size)
            violated += [f"{size}: {each}" for each in violations(page)]
        return violated

    return of


def test_the_dealers_page(page: Page, served: Served, found: Found) -> None:
    page.goto(served.url)
    for state, shown in STATES.items():
        shows(page, served.shown(shown))
        assert found(page) == [], state


def test_menu_reports_and_recall(page: Page, served: Served, script: Script, found: Found) -> None:
    script.rounds = []
    cross = {place: card("down") for place in CROSS} | {"across_left": card("up", "JC")}
    served.show(view(alerts=[alert("reader_lost")], cross=cross))
    for way in (["report"], ["recall"], ["amounts"], ["report", "card_differs", "across_left"]):
        page.goto(served.url)
        page.locator(".more-key").click()
        for value in way:
            page.locator(f'.panel [data-value="{value}"]').click()
        assert found(page) == [], way
    page.goto(served.url)
    page.locator(".alerts").click()
    assert found(page) == []


@pytest.mark.usefixtures("alone")
def test_the_lost_screen(page: Page, served: Served, found: Found) -> None:
    page.goto(served.url)
    page.wait_for_selector(".page")
    served.stop()
    page.wait_for_selector(".lost")
    assert found(page) == []


def test_the_floor_page(page: Page, served: Served, found: Found) -> None:
    waiting = [{"what": "amount", "seat": 3, "wager": "across", "amount": 3000, "missing": 0,
                "signs": signs("entered", 3000)}]  # fmt: skip
    served.show(view(phase="held", prompt=prompt("held", code="late_bet"), hold=hold(), signatures=waiting))
    page.goto(f"{served.url}/floor")
    for tab in (1, 2, 3):
        page.locator(f".tabs button:nth-child({tab})").click()
        assert found(page) == [], tab


def test_the_wall(page: Page, served: Served, found: Found) -> None:
    served.show(settled())
    page.goto(f"{served.url}/table")
    page.wait_for_selector(".wall-page")
    assert found(page) == []


def test_the_technicians_page(page: Page, served: Served, script: Script, found: Found) -> None:
    script.devices_data = devices(*STATES_OF_READERS)
    page.goto(f"{served.url}/devices")
    page.wait_for_selector(".devices-page")
    assert found(page) == []
