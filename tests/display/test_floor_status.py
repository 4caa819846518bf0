"""The state of the table on the floor page: whole at 800x480 with each prompt of the dealer."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from controller.common.texts.catalogue import languages
from controller.pages.display.words import render
from tests.display.gallery import gallery
from tests.display.served import Served
from tests.display.test_floor_page import differs
from tests.display.views import whole

pytestmark = pytest.mark.browser

CUT = """() => {
  const lines = document.querySelector(".status > div");
  return lines.scrollHeight > lines.clientHeight + 1 ? lines.textContent : "";
}"""


@pytest.mark.parametrize("language", languages())
def test_each_prompt_of_the_dealer_is_whole(page: Page, served: Served, language: str) -> None:
    page.goto(f"{served.url}/floor?idle=0&lang={language}")
    page.wait_for_selector(".floor-page")
    cut = {}
    for name, shown in gallery().items():
        served.show(shown)
        expect(page.locator(".status .told")).to_contain_text(render(whole(shown), language)["front"]["do"])
        if found := page.evaluate(CUT):
            cut[name] = found
    assert cut == {}


ROWS = """() => [...document.querySelectorAll(".saw .seats .circle")].map((circle) =>
  circle.getBoundingClientRect().height).filter(Boolean)"""
LEAST_ROW_PX = 20
"""Height that holds the figures of a row."""


@pytest.mark.parametrize("language", languages())
def test_a_card_that_differs_leaves_room_for_the_wagers(page: Page, served: Served, language: str) -> None:
    served.show(differs())
    page.goto(f"{served.url}/floor?idle=0&lang={language}")
    expect(page.locator(".decide button")).to_have_count(4)
    assert min(page.evaluate(ROWS)) >= LEAST_ROW_PX
