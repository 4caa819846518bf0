"""The felt page works in a real Chromium on real wires, beside the dealer's screen and at any size.

No press is lost while lamps blink, the layout does not move, and chips can be dragged.
"""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Page, ViewportSize, expect

from controller.common.texts.catalogue import catalogue, languages
from tests.accessible import violations
from tests.browser.manual import ManualTable
from tests.browser.seen_text import ForeignTexts, seen
from tests.display.conftest import check_console
from tests.in_page import found_by

pytestmark = pytest.mark.browser

DESK: ViewportSize = {"width": 1280, "height": 800}
SHUT = """() => {
  for (const part of document.querySelectorAll("#desk details")) part.open = part.matches(":first-of-type");
}"""
SIZES = {"desk": (1280, 800), "tablet": (1024, 768), "upright": (820, 1180), "phone": (390, 844)}
EXPECTED = ("409 (Conflict)", "postMessage")
"""Console messages for a refused touch, and for axe, which may not read the dealer's screen in its frame."""
PRESSES, SHORTEST_MS, LONGEST_MS = int(os.environ.get("CRISSCROSS_PRESSES", "16")), 60, 250
BLINKS = """() => {
  window.blinks = 0;
  for (const node of document.querySelectorAll(".circle")) node.first = true;
  new MutationObserver((found) => { window.blinks += found.length; })
    .observe(document.querySelector("#felt"), { subtree: true, attributeFilter: ["data-lit"] });
}"""
LYING = """async (wanted) => {
  const { chips } = await (await fetch("/state")).json();
  return JSON.stringify(Object.entries(chips).sort()) === wanted;
}"""
MAX_ACKNOWLEDGED = "() => [...document.querySelectorAll('.circle')].every((node) => node.first)"
PLACES = """() => [...document.querySelectorAll("button, label, summary, .card")].map((node) => {
  const { x, y, width, height } = node.getBoundingClientRect();
  return [node.textContent.slice(0, 9).replace(/[$0-9,.]/g, ""), x, y + scrollY, width, height].join(" ");
})"""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ManualTable]:
    table = ManualTable(tmp_path_factory.mktemp("felt") / "journal.db", seed=5)
    table.open()
    yield table
    table.stop()


@pytest.fixture(scope="module")
def felt(table: ManualTable, browser: Browser) -> Iterator[Page]:
    """Yield one page for all tests, because it has two documents, and loading them takes longer than a
    test."""
    context = browser.new_context(has_touch=True, viewport=DESK)
    opened = context.new_page()
    show(opened, table.bench)
    yield opened
    context.close()


def show(page: Page, address: str) -> None:
    page.goto(address)
    page.frame_locator("#screen").locator(".key").first.wait_for()


@pytest.fixture
def page(table: ManualTable, felt: Page) -> Iterator[Page]:
    """Yield the page with an empty felt, its first tool chosen and all parts closed. A message on its console
    (script error, policy violation) fails the test, except for refusals."""
    for circle in table.state()["chips"]:
        table.hand(do="take", circle=circle, all=True)
    with check_console(felt, EXPECTED):
        if felt.url != table.bench:
            show(felt, table.bench)
        expect(felt.locator("#prompt")).to_contain_text("BETS")
        lying(felt, {})
        felt.locator('.tool[data-tool="500"] input').check(force=True)
        felt.evaluate(SHUT)
        yield felt
        felt.set_viewport_size(DESK)


def middle(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def circle(name: str) -> str:
    return f'[data-circle="{name}"]'


def lying(page: Page, wanted: dict[str, list[int]]) -> None:
    """Wait until exactly these chips are on the felt, and the page shows one pile for each entry of
    `wanted`."""
    piles = "(count) => document.querySelectorAll('.circle .pile[data-chip]').length === count"
    page.wait_for_function(piles, arg=len(wanted))
    page.wait_for_function(LYING, arg=json.dumps(sorted(wanted.items()), separators=(",", ":")))


def touch(line: CDPSession, page: Page, at: tuple[float, float], ms: int) -> None:
    """Touch a place for `ms` milliseconds, a duration that playwright's tap does not offer."""
    points = [{"x": at[0], "y": at[1]}]
    line.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points})
    page.wait_for_timeout(ms)
    line.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.mark.parametrize("way", ["mouse", "touch"])
def test_no_press_is_lost_while_lamps_blink(page: Page, table: ManualTable, way: str) -> None:
    """Every press of 60 to 250 ms lays its chip, in a circle with a blinking lamp and beside it."""
    dice = random.Random(way)
    names = sorted(table.state()["lamps"])
    at = {name: middle(page, circle(name)) for name in names}
    line = page.context.new_cdp_session(page)
    page.evaluate(BLINKS)
    laid: Counter[str] = Counter()
    for number in range(PRESSES):
        name, ms = names[number % len(names)], dice.randint(SHORTEST_MS, LONGEST_MS)
        laid[name] += 1
        if way == "mouse":
            page.mouse.click(*at[name], delay=ms)
        else:
            touch(line, page, at[name], ms)
    lying(page, {name: [500] * count for name, count in laid.items()})
    assert sum(map(len, table.state()["chips"].values())) == PRESSES
    assert page.evaluate("window.blinks") > PRESSES, "lamps blinked meanwhile"
    assert page.evaluate(MAX_ACKNOWLEDGED), "no circle was made anew"


def test_the_layout_does_not_move_when_circles_are_used(page: Page, table: ManualTable) -> None:
    before = found_by(page, PLACES)
    for chip in ("500", "100000"):
        page.locator(f'.tool[data-tool="{chip}"]').click()
        page.locator(circle("3.ante_across")).click()
        page.locator(circle("4.five_card_bonus")).click()
    lying(page, {name: [500, 100000] for name in ("3.ante_across", "4.five_card_bonus")})
    assert found_by(page, PLACES) == before


def test_chips_are_dragged_onto_the_layout_across_it_and_off_it(page: Page, table: ManualTable) -> None:
    def drag(out_of: str, into: str) -> None:
        page.mouse.move(*middle(page, out_of))
        page.mouse.down()
        page.mouse.move(*middle(page, into), steps=5)
        page.mouse.up()

    drag('.tool[data-tool="2500"]', circle("2.ante_down"))
    lying(page, {"2.ante_down": [2500]})
    drag(circle("2.ante_down"), circle("5.across"))
    lying(page, {"5.across": [2500]})
    drag(circle("5.across"), "#rack")
    lying(page, {})


def test_a_press_that_slips_on_its_own_circle_still_counts_once(page: Page) -> None:
    x, y = middle(page, circle("2.ante_down"))
    page.mouse.move(x - 9, y)
    page.mouse.down()
    page.mouse.move(x + 9, y)
    page.mouse.up()
    lying(page, {"2.ante_down": [500]})


def test_chips_are_laid_and_taken_by_keyboard(page: Page, table: ManualTable) -> None:
    page.locator('.tool[data-tool="500"] input').focus()
    page.keyboard.press("ArrowRight")
    page.locator(circle("1.ante_across")).focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    lying(page, {"1.ante_across": [2500, 2500]})
    page.locator('.tool[data-tool="all"] input').focus()
    page.keyboard.press("Space")
    page.locator(circle("1.ante_across")).focus()
    page.keyboard.press("Enter")
    lying(page, {})


def test_equal_antes_can_be_laid_for_all_and_a_circle_is_described(page: Page, table: ManualTable) -> None:
    page.locator("#ante").select_option("1500")
    page.locator('[data-do="antes"]').click()
    antes = [f"{seat}.{ante}" for seat in range(1, 7) for ante in ("ante_across", "ante_down")]
    lying(page, {ante: [500, 500, 500] for ante in antes})
    words = "Seat 2 Across ante, $15: $5 $5 $5. Lamp green, steady: A wager is here and counts."
    expect(page.locator(circle("2.ante_across"))).to_have_attribute("aria-label", words)


def test_a_fault_is_described_and_the_wires_show_frames_without_faces(page: Page, table: ManualTable) -> None:
    page.locator("summary", has_text="Faults").click()
    page.locator("#device").select_option("2.down")
    page.locator("#kind").select_option("silent")
    expect(page.locator(".does")).to_have_text("silent: the reader neither sends nor receives")
    page.locator('[data-do="fault"]').click()
    expect(page.locator(".trouble", has_text="Broken now")).to_have_text(
        "Broken now: Reader: seat 2 Down: silent"
    )
    page.locator("#kind").select_option("clear")
    page.locator('[data-do="fault"]').click()
    expect(page.locator(".trouble", has_text="Broken now")).to_have_count(0)
    page.locator("summary", has_text="Wires").click()
    expect(page.locator(".wires dt")).to_have_count(38)
    expect(page.locator(".wires dd").first).to_contain_text("*....")


@pytest.mark.parametrize("language", [each for each in languages() if each != "en"])
def test_another_language_leaves_no_english_text(page: Page, table: ManualTable, language: str) -> None:
    """The test reads texts, labels and answers of the felt page of a mock table, with faults and refused
    acts."""
    words = catalogue(language).texts["felt"]
    page.goto(f"{table.bench}?lang={language}")
    page.frame_locator("#screen").locator(".key").first.wait_for()
    for part in ("faults", "wires"):
        page.locator("summary", has_text=words[part]).click()
    shown = seen(page)
    for device, kind in (("2.down", "silent"), ("2.down", "clear"), ("shoe", "late"), ("shoe", "clear")):
        page.locator("#device").select_option(device)
        page.locator("#kind").select_option(kind)
        page.locator('[data-do="fault"]').click()
        does = words["fault_kinds"]["shoe" if device == "shoe" else "reader"][kind]["does"]
        expect(page.locator("#said")).to_contain_text(does)
        shown |= seen(page)
    page.locator('[data-do="lift"]').click()
    expect(page.locator("#said")).to_have_text(words["said"]["no_stack"])
    frame = next(frame for frame in page.frames if frame != page.main_frame)
    shown |= seen(page) | seen(frame)
    foreign, english = ForeignTexts(language), catalogue("en").texts["felt"]
    assert foreign.among(shown - {catalogue("en").plain("language")}) == []
    assert foreign.among({english["rack_hint"], english["shoe"]}) != [], "an English text would be found"


def test_the_dealers_screen_beside_it_takes_touches(page: Page, table: ManualTable) -> None:
    screen = page.frame_locator("#screen")
    screen.locator(".more-key").click()
    expect(screen.locator(".panel")).to_be_visible()
    screen.locator(".more-key").click()


def test_the_felt_page_is_accessible_and_fits_the_screen(page: Page) -> None:
    for part in ("Faults", "Wires"):
        page.locator("summary", has_text=part).click()
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        assert violations(page) == [], size
        assert page.evaluate("document.documentElement.scrollWidth") <= width, size
        small = page.eval_on_selector_all(
            "button, .tool, summary, select",
            "nodes => nodes.filter((n) => n.offsetParent && Math.min(n.offsetWidth, n.offsetHeight) < 24)"
            ".map((n) => n.outerHTML)",
        )
        assert small == [], f"{size}: 24 px and more for a finger (WCAG 2.5.8)"


def test_on_a_desktop_layout_rack_keys_and_screen_are_all_visible(page: Page) -> None:
    seen: dict[str, Any] = {
        name: page.locator(name).bounding_box() for name in ("#felt", "#rack", "#keys", "#screen")
    }
    assert all(box["y"] >= 0 and box["y"] + box["height"] <= 800 for box in seen.values()), seen
    assert seen["#screen"]["width"] >= 480
