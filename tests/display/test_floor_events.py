"""The list of events on the floor page cuts off no event, at any size of screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.display.figures import figures
from tests.display.served import Script, Served
from tests.display.views import hold, prompt, view

pytestmark = pytest.mark.browser

CUT = """() => {
  const list = document.querySelector(".events").getBoundingClientRect();
  const seen = [...document.querySelectorAll(".events li")].map((row) => row.getBoundingClientRect())
    .filter((row) => row.left < list.right - 1 && row.top < list.bottom - 1);
  const cut = seen.filter((row) => row.bottom > list.bottom + 1 || row.right > list.right + 1);
  return [seen.length, cut.length];
}"""
EVENT = {"utc": "2026-11-20T20:31:07.123Z", "kind": "reported", "code": "cards_touched", "seat": 3}
LONG = {**EVENT, "kind": "cards_swapped", "places": ["seat_3_1", "seat_4_2"]}


SCREENS = ((800, 480), (1280, 800), (390, 844), (640, 400), (1920, 1080))


@pytest.mark.parametrize("held", [True, False])
def test_an_event_is_shown_completely_or_not_at_all(
    page: Page, served: Served, script: Script, held: bool
) -> None:
    script.floor_data = {
        "events": [LONG, EVENT] * 20,
        "figures": {**figures(), "rounds_per_hour": None, "players_tenths": None, "alerts_per_hour": None},
    }
    stands = view(phase="held", prompt=prompt("held", code="community_exposed"), hold=hold())
    served.show(stands if held else view())
    page.goto(f"{served.url}/floor")
    page.get_by_role("button", name="What is held").tap()
    page.locator(".events li").nth(39).wait_for(state="attached")
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        shown, cut = page.evaluate(CUT)
        assert shown >= 1, width
        assert cut == 0, width
