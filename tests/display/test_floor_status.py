"""The state of the table on the floor page: whole at 800x480 with each prompt of the dealer."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from controller.common.texts.catalogue import languages
from controller.pages.display.words import render
from tests.display.gallery import gallery
from tests.display.served import Served
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
