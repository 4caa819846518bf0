"""The state of the table on the floor page is completely visible at 800x480, beside each prompt of the
dealer.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from controller.common.texts.catalogue import languages
from controller.game.model.irregularities import Code
from controller.pages.display.words import render
from tests.display.gallery import gallery
from tests.display.served import Script, Served
from tests.display.test_floor_page import differs
from tests.display.views import view, whole

pytestmark = pytest.mark.browser

READ_STATUS = """async (version) => {
  const shown = () => Number(document.querySelector("[data-version]")?.dataset.version);
  while (!(shown() >= version)) await new Promise((go) => setTimeout(go, 2));
  const lines = document.querySelector(".status > div"), text = document.querySelector(".status .told");
  return [text.textContent, lines.scrollHeight > lines.clientHeight + 1];
}"""
"""Script that returns the words of the dealer's prompt in the view of that version, and whether the state is
cut off."""


@pytest.mark.parametrize("language", languages())
def test_each_prompt_of_the_dealer_is_shown_completely(page: Page, served: Served, language: str) -> None:
    page.goto(f"{served.url}/floor?idle=0&lang={language}")
    page.wait_for_selector(".floor-page")
    wrong = {}
    for name, shown in gallery().items():
        text, cut = page.evaluate(READ_STATUS, served.shown(shown))
        if cut or render(whole(shown), language)["front"]["do"] not in text:
            wrong[name] = text
    assert wrong == {}


ROWS = """() => [...document.querySelectorAll(".saw .seats .circle")].map((circle) =>
  circle.getBoundingClientRect().height).filter(Boolean)"""
LEAST_ROW_PX = 20
"""Minimum height of a row of figures in px."""


@pytest.mark.parametrize("language", languages())
def test_a_card_that_differs_leaves_room_for_the_wagers(page: Page, served: Served, language: str) -> None:
    served.show(differs())
    page.goto(f"{served.url}/floor?idle=0&lang={language}")
    expect(page.locator(".decide button")).to_have_count(4)
    assert min(page.evaluate(ROWS)) >= LEAST_ROW_PX


@pytest.mark.parametrize("language", languages())
def test_the_links_of_the_figures_are_always_on_the_screen(
    page: Page, served: Served, script: Script, language: str
) -> None:
    script.floor_data["figures"] |= {"exceptions": dict.fromkeys(map(str, Code), 99)}
    served.show(view())
    page.goto(f"{served.url}/floor?idle=0&lang={language}")
    page.locator(".tabs button").nth(2).tap()
    expect(page.locator(".further a")).to_have_count(4)
    boxes = [link.bounding_box() for link in page.locator(".further a").all()]
    assert all(box and box["x"] + box["width"] <= 800 and box["y"] + box["height"] <= 480 for box in boxes)
    assert page.locator(".further a").evaluate_all("all => all.every((a) => a.scrollWidth <= a.clientWidth)")
