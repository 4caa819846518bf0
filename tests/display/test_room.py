"""A manual change of brightness or tones applies at once, the contrast is WCAG AA at the lowest brightness,
and no signal is a sound only.
"""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from controller.pages.display.ports import MIN_LAMPS_PERCENT, MIN_SCREEN_PERCENT
from controller.pages.display.touches import TouchError, touch_of
from drivers import ports
from tests.accessible import violations
from tests.display.conftest import EXPECTED, check_console
from tests.display.fingers import shows
from tests.display.served import Served
from tests.display.test_accessible import STATES
from tests.display.views import hold, view

ROOM = {"screen": 100, "lamps": 100, "sound": False}
DIMMED = """(share) => {
  const scaled = (text) => text.replace(/rgba?\\(([^)]*)\\)/g, (_, parts) => {
    const [r, g, b, a = 1] = parts.split(/[ ,/]+/).map(Number);
    return `rgba(${r * share}, ${g * share}, ${b * share}, ${a})`;
  });
  const names = ["color", "backgroundColor", "fill"];
  const styles = (node) => Object.fromEntries(names.map((name) => [name, getComputedStyle(node)[name]]));
  const found = [...document.querySelectorAll("*")].map((node) => [node, styles(node)]);
  for (const [node, style] of found) for (const name of names) {
    const css = name.replace(/[A-Z]/g, (c) => "-" + c.toLowerCase());
    node.style.setProperty(css, scaled(style[name]), "important");
  }
  document.documentElement.style.filter = "";
}"""
"""Script that applies CSS brightness(): each channel times the share. axe reads colours and ignores
filters."""


UNDIMMED = """() => {
  const names = ["color", "background-color", "fill"];
  for (const node of document.querySelectorAll("*")) {
    for (const name of names) node.style.removeProperty(name);
  }
}"""


def test_page_and_driver_have_the_same_bounds() -> None:
    assert MIN_LAMPS_PERCENT == ports.MIN_LAMPS_PERCENT


@pytest.mark.parametrize(
    "touch",
    [{"screen": MIN_SCREEN_PERCENT - 1}, {"lamps": 19}, {"lamps": 101}, {"screen": "90"}, {"sound": 1}],
)
def test_values_beyond_the_bounds_are_refused(touch: dict[str, object]) -> None:
    with pytest.raises(TouchError):
        touch_of(json.dumps({"do": "room", **touch}).encode())


@pytest.mark.browser
def test_the_dimmest_screen_keeps_the_contrast(page: Page, served: Served) -> None:
    """test_accessible.py checks the other rules on these pages at full brightness."""
    room = {**ROOM, "screen": MIN_SCREEN_PERCENT}
    page.goto(served.url)
    shows(page, served.shown(view(room=room)))
    assert page.evaluate("document.documentElement.style.filter") == f"brightness({MIN_SCREEN_PERCENT}%)"
    for state, shown in {**STATES, "held": view(hold=hold())}.items():
        shows(page, served.shown({**shown, "room": room}))
        page.evaluate(DIMMED, MIN_SCREEN_PERCENT / 100)
        assert violations(page, "color-contrast") == [], state
        page.evaluate(UNDIMMED)
    page.goto(f"{served.url}/floor?idle=0")
    page.wait_for_selector(".status")
    page.evaluate(DIMMED, MIN_SCREEN_PERCENT / 100)
    assert violations(page, "color-contrast") == [], "floor"


@pytest.mark.browser
def test_a_manual_change_applies_at_once_within_its_bounds(page: Page, served: Served) -> None:
    served.show(view(room=ROOM))
    page.goto(served.url)
    page.locator(".more-key").tap()
    page.get_by_role("button", name="Brightness, sound").tap()
    darker = page.get_by_role("button", name="Screen: darker")
    while darker.get_attribute("aria-disabled") is None:
        before = page.locator(".room output").first.inner_text()
        darker.tap()
        expect(page.locator(".room output").first).not_to_have_text(before)
    expect(page.locator(".room output").first).to_have_text(f"Screen {MIN_SCREEN_PERCENT} %")
    assert page.evaluate("document.documentElement.style.filter") == f"brightness({MIN_SCREEN_PERCENT}%)"
    page.get_by_role("button", name="Lamps: darker").tap()
    expect(page.locator(".room output").last).to_have_text("Lamps 90 %")
    assert violations(page) == []
    page.goto(f"{served.url}/manuals")
    assert page.evaluate("document.documentElement.style.filter") == f"brightness({MIN_SCREEN_PERCENT}%)"


@pytest.mark.browser
def test_a_hold_and_a_call_sound_once_each_and_are_shown_as_well(page: Page, served: Served) -> None:
    sounding = {**ROOM, "sound": True}
    served.show(view(room=ROOM))
    page.goto(served.url)
    page.wait_for_selector(".page")
    page.locator(".more-key").tap()
    page.get_by_role("button", name="Brightness, sound").tap()
    page.get_by_role("button", name="Sound: off").tap()
    expect(page.get_by_role("button", name="Sound: on")).to_be_visible()
    page.locator(".more-key").tap()
    served.show(view(room=sounding, floor_called=True))
    page.wait_for_selector('html[data-tones="1"]')
    served.show(view(room=sounding, floor_called=True, hold=hold()))
    page.wait_for_selector('html[data-tones="2"]')
    expect(page.locator(".page")).to_have_attribute("data-hold", "hold")
    version = served.shown(view(room=sounding, floor_called=True, hold=hold(), round=99))
    page.wait_for_selector(f'.page[data-version="{version}"]')
    assert page.locator("html").get_attribute("data-tones") == "2"


@pytest.mark.browser
def test_a_muted_page_shows_that_until_it_is_touched(screen: BrowserContext, served: Served) -> None:
    served.show(view(room={**ROOM, "sound": True}))
    refusal = "AudioContext was not allowed to start"
    with check_console(screen.new_page(), (*EXPECTED, refusal)) as page:
        # The script of an expectation would count as a touch of the page, so none may run before the browser
        # has refused.
        with page.expect_console_message(lambda message: refusal in message.text):
            page.goto(served.url)
        expect(page.locator(".standing")).to_contain_text("No sound yet: touch the screen.")
        page.locator(".standing").tap()
        expect(page.locator(".standing")).not_to_contain_text("No sound yet")
        page.close()
