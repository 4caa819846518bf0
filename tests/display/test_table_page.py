"""The page for the wall has texts that are legible from 5 m at both sizes, no keys that send, and its own
stream, in a real Chromium.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from controller.common.texts.catalogue import languages
from tests.display.fingers import sized
from tests.display.served import Script, Served
from tests.display.views import HANDS, UP, card, view

WALL_SIZES = ((1920, 1080), (1280, 720))
CUT = """() => [...document.querySelectorAll(
    ".seat:not([data-in=out]) *, header *, .middle *")].flatMap((node) => {
  const box = node.closest(".seat, header, .middle").getBoundingClientRect();
  const own = node.getBoundingClientRect();
  const out = own.width && (own.right > box.right + 1 || own.bottom > box.bottom + 1);
  const over = node.matches(".result, .amount") && node.scrollWidth > node.parentElement.clientWidth + 1;
  return out || over ? [node.className + ": " + node.textContent] : [];
})"""
OVERFLOWS = """() => [...document.querySelectorAll("header > *, .seat .state")].flatMap((node) => {
  const box = node.closest("header, h2").getBoundingClientRect(), own = node.getBoundingClientRect();
  const cut = own.top < box.top - 1 || own.bottom > box.bottom + 1 || own.right > box.right + 1;
  const lines = own.height / parseFloat(getComputedStyle(node).fontSize);
  const broken = node.matches(".state, .phase") && lines > 1.9;
  return own.width && (cut || broken) ? [node.className + ": " + node.textContent] : [];
})"""
SMALLEST = """() => Math.min(...[...document.querySelectorAll(".wall-page *")].filter((node) =>
  node.offsetWidth > 1 && [...node.childNodes].some((kid) => kid.nodeType === 3 && kid.textContent.trim()))
  .map((node) => parseFloat(getComputedStyle(node).fontSize)))"""
SIZE = "(node) => parseFloat(getComputedStyle(node).fontSize)"
SMALLEST_SHARE, CARDS_SHARE = 24 / 1080, 48 / 1080
"""Shares of the screen's height. On a 55-inch screen (685 mm high) capitals are 11 mm and 22 mm high: at 5 m
8 and 15 minutes of arc, while normal sight (20/20) needs 5.
"""


def settled(amount: int = 1_250_000) -> dict[str, Any]:
    """Return a round at its end, with every kind of result in every place and the largest amounts."""
    shown = view(phase="settlement", cross={place: card("up", face) for place, face in UP.items()})
    named = {"across": "three of a kind", "down": "pair of queens", "five_card_bonus": "pair of 10s"}
    for turn, seat in enumerate(shown["seats"]):
        seat["cards"] = [card("up", "TD"), card("up", "9S")] if seat["in_round"] else []
        if seat["in_round"]:
            seat["hands"] |= {name: HANDS[hand] for name, hand in named.items()}
        for number, circle in enumerate(seat["circles"].values() if seat["in_round"] else ()):
            circle["result"] = ("win", "push", "lose")[(number + turn) % 3]
            circle["amount"] = {"win": amount, "push": 30_000, "lose": 0}[circle["result"]]
    return shown


@pytest.fixture
def opened(page: Page, served: Served) -> Page:
    served.show(settled())
    page.goto(f"{served.url}/table")
    page.wait_for_selector(".wall-page")
    return page


@pytest.mark.browser
def test_the_page_shows_cards_hands_wagers_and_results(opened: Page) -> None:
    seat = opened.locator('.seat[data-seat="2"]')
    expect(seat.locator(".card").first).to_have_text("10D")
    expect(seat.locator('[data-line="across"] .hand')).to_have_text("three of a kind")
    expect(seat.locator('[data-line="across"] .wager').first).to_contain_text("$300")
    expect(seat.locator('[data-line="across"] .wager').first).to_contain_text("PUSH")
    expect(opened.locator('.seat[data-seat="1"] .state')).to_have_text("OUT")
    expect(opened.locator(".phase")).to_have_text("Results")
    expect(opened.locator(".game")).to_have_text("58 Pa. Code Chapter 674a · Ante $5–$100")
    bets = opened.locator(".tables").first.locator("tr", has_text="jacks or better")
    expect(bets.locator("td")).to_have_text(["1", "1"])
    expect(opened.locator(".tables").last.locator("tr", has_text="royal flush").locator("td")).to_have_text(
        "250"
    )


@pytest.mark.browser
@pytest.mark.parametrize("language", languages())
def test_the_page_is_legible_from_five_metres_and_complete(page: Page, served: Served, language: str) -> None:
    served.show(settled())
    page.goto(f"{served.url}/table?lang={language}")
    page.wait_for_selector(".wall-page")
    for width, height in WALL_SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(CUT) == []
        assert page.evaluate(SMALLEST) >= SMALLEST_SHARE * height
        for place in (".cross .card", ".seats .card"):
            assert page.locator(place).first.evaluate(SIZE) >= CARDS_SHARE * height
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.browser
@pytest.mark.parametrize("language", languages())
def test_the_header_and_open_seats_are_whole_in_every_phase(
    page: Page, served: Served, sizes: list[str], language: str
) -> None:
    for phase in ("across", "dealing", "held"):
        served.show(view(phase=phase) | {"rules_title": "Criss-Cross Poker, Pennsylvania"})
        page.goto(f"{served.url}/table?lang={language}")
        page.wait_for_selector(".wall-page")
        for size in sizes:
            if size != "phone":
                sized(page, size)
                assert page.evaluate(OVERFLOWS) == [], (phase, size)


@pytest.mark.browser
def test_no_size_is_wider_than_its_screen(opened: Page, sizes: list[str]) -> None:
    for size in sizes:
        sized(opened, size)
        assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth"), size


@pytest.mark.browser
def test_only_language_and_help_can_be_pressed_and_send_nothing(
    opened: Page, served: Served, script: Script
) -> None:
    pressed = "button, a, input, select, [onclick], [tabindex], form"
    assert [node.inner_text() for node in opened.locator(pressed).all()] == ["Español", "Help"]
    opened.locator(".help-key").tap()
    opened.locator(".help-close").tap()
    for node in opened.locator(".seat, .cross .card, .phase").all():
        node.tap()
    opened.keyboard.press("Enter")
    assert script.touched == []
    requested = opened.evaluate(
        "performance.getEntriesByType('resource').map((e) => new URL(e.name).pathname)"
    )
    assert [path for path in requested if path.startswith("/api")] in ([], ["/api/table/live"])


@pytest.mark.browser
@pytest.mark.usefixtures("alone")
def test_a_wall_that_has_lost_the_table_shows_no_outdated_data(opened: Page, served: Served) -> None:
    served.stop()
    expect(opened.locator(".lost h1")).to_have_text("ONE MOMENT")
    expect(opened.locator(".wall-page")).to_have_count(0)
