"""The technician's page has the worst state at the top, a remedy for each state, and a name for every
counter.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from controller.common.texts.catalogue import catalogue, languages
from controller.pages.display.devices_view import STATES
from tests.display.devices import devices
from tests.display.fingers import sized
from tests.display.served import Script, Served
from tests.manuals.followed import Follower
from tests.repository.house import ROOT


@pytest.mark.parametrize("language", languages())
def test_every_state_has_a_text_and_a_remedy(language: str) -> None:
    texts = catalogue(language).texts["devices"]
    assert list(texts["states"]) == list(STATES)
    assert [state for state, described in texts["states"].items() if not described["do"]] == ["fine"]


@pytest.mark.parametrize("language", languages())
def test_every_counter_of_a_line_has_a_name(language: str) -> None:
    sources = [file.read_text(encoding="utf-8") for file in (ROOT / "drivers/shoe").glob("*.py")]
    counted = {name for text in sources for name in re.findall(r'(?:_counts|dropped)\["(\w+)"\]', text)}
    assert counted
    assert counted - set(catalogue(language).texts["devices"]["counts"]) == set()


def opened(page: Page, served: Served, query: str = "") -> Page:
    page.goto(f"{served.url}/devices{query}")
    page.wait_for_selector(".devices-page")
    return page


@pytest.mark.browser
def test_a_table_whose_devices_all_answer_shows_one_line(page: Page, served: Served) -> None:
    opened(page, served)
    expect(page.locator(".summary")).to_have_text("All devices answer.")
    expect(page.locator(".advice li")).to_have_count(0)
    expect(page.locator("tbody tr")).to_have_count(36)
    machine = page.locator(".box").last
    expect(machine).to_contain_text("Running for 2 h 3 min · Processor: 52.3 °C")
    expect(machine).to_contain_text("Program 0.1.0 sha256:34cc5a9f34cc")


@pytest.mark.browser
def test_faults_are_listed_first_with_their_remedy(page: Page, served: Served, script: Script) -> None:
    script.devices_data = devices("slow", "silent", "silent")
    script.devices_data["shoe"] |= {"well": False, "why": "/dev/ttyAMA0: cannot be opened", "heard_ms": None}
    opened(page, served)
    expect(page.locator(".summary")).to_have_text("Need attention: 4")
    advice = page.locator(".advice li")
    expect(advice.first).to_contain_text("Does not answer: 2 · Seat 1 Across ante, Seat 1 Down ante")
    expect(advice.first).to_contain_text("Look at its plug and its supply")
    expect(advice.first).to_contain_text("no answer")
    expect(advice.nth(1)).to_contain_text("Slow: 1")
    row = page.locator("tbody tr").first
    expect(row.locator('[data-column="last"]')).to_have_text("never")
    expect(row.locator('[data-column="lately"]')).to_have_text("12 / 12")
    expect(page.locator(".box").first).to_contain_text("no connection · last frame never")
    expect(page.locator(".box").first).to_contain_text("Is it on")


@pytest.mark.browser
def test_a_repaired_device_moves_down_the_list(page: Page, served: Served, script: Script) -> None:
    script.devices_data = devices("silent")
    opened(page, served)
    expect(page.locator(".advice li")).to_have_count(1)
    script.devices_data = devices()
    expect(page.locator(".advice li")).to_have_count(0)


@pytest.mark.browser
def test_an_unknown_value_of_the_machine_is_shown_as_unknown(
    page: Page, served: Served, script: Script
) -> None:
    script.devices_data["machine"]["celsius_tenths"] = None
    script.devices_data["keys"] = []
    opened(page, served)
    expect(page.locator(".box").last).to_contain_text("Processor: not measured on this machine")
    expect(page.locator(".box").nth(2)).to_contain_text("not fitted")


@pytest.mark.browser
@pytest.mark.parametrize("language", languages())
def test_only_the_table_of_readers_is_wider_than_the_screen(
    page: Page, served: Served, sizes: list[str], script: Script, language: str
) -> None:
    script.devices_data = devices(*STATES)
    opened(page, served, f"?lang={language}")
    for size in sizes:
        sized(page, size)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), size


HIDDEN = "(({scrollWidth, clientWidth}) => scrollWidth - clientWidth)(document.querySelector('.wide'))"
"""Script that returns the width in pixels by which the table of readers is wider than its frame."""


@pytest.mark.browser
@pytest.mark.parametrize("language", languages())
def test_every_column_of_the_readers_is_shown(
    page: Page, served: Served, script: Script, language: str
) -> None:
    script.devices_data = devices(*STATES)
    opened(page, served, f"?lang={language}")
    page.locator("tbody tr").nth(35).wait_for()
    for width in (800, 1000, 1024, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(HIDDEN) <= 0, width


@pytest.mark.browser
@pytest.mark.usefixtures("alone")
def test_a_lost_controller_leaves_no_outdated_data(page: Page, served: Served) -> None:
    opened(page, served)
    served.stop()
    expect(page.locator(".lost h1")).to_have_text("NO CONNECTION")
    expect(page.locator(".devices-page")).to_have_count(0)


@pytest.mark.browser
@pytest.mark.parametrize("language", languages())
def test_the_technician_s_manual_uses_the_page_s_names_of_states(
    page: Page, served: Served, script: Script, language: str
) -> None:
    script.devices_data = devices("garbled", "unsteady", "noisy", "slow")
    opened(page, served, f"?lang={language}")
    follower = Follower(page, catalogue(language), "technician")
    follower.find("reader_garbled")
    follower.find("reader_unsteady")
    follower.find("reader_noisy")
    follower.find("reader_slow")
