"""The pages of ended rounds refuse invalid filters, and are readable on every screen and in print, in a real
browser.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from controller.common.texts.catalogue import catalogue, languages
from controller.pages.display.rounds_pages import DEFAULT_ROUNDS, FILTERS, BadFilter, filters
from tests.accessible import violations
from tests.display.served import Script, Served

SIZES = {"7in": (800, 480), "desk": (1280, 800), "phone": (390, 844), "wide": (1920, 1080)}
DOWN = {"lies": "down", "face": None, "turned": False}
SUMS = {"wagered": "$40", "paid": "$0", "taken": "$40", "net": "−$40"}


def up(face: str) -> dict[str, Any]:
    return {"lies": "up", "face": face, "turned": True}


def example_round(number: int) -> dict[str, Any]:
    """Return a round as the reader gives it (controller/pages/display/round_page_text.py)."""
    wager = {"name": "Across", "amount": "$10", "result": "push", "outcome": "push", "hand": "pair of 10s"}
    wager |= {"odds": "", "payout": "", "note": "not all seen by the reader"}
    wager |= {"chips": "two $100, three $25; then five $5; then one $1"}
    trouble = {
        "since": "+0:37.1", "where": "Seat 3 · Across", "text": "Overpaid", "lies": "$95", "should": "$90",
        "stood": "0:04.0", "end": "signed as it lay · dealer error", "who": "B1", "citation": "§ 674a.12",
    }  # fmt: skip
    entry = {"clock": "20:31:19.4", "where": "Seat 3 · Across", "text": "bets $10", "who": "0412"}
    return {
        "number": number, "title": f"Round {number}", "zone": "Times: America/New_York (UTC-05:00)",
        "head": [{"label": "Table", "text": "CC-01"}, {"label": "Dealers", "text": "0412; 7 from +1:02.0"}],
        "cross": dict(zip(("down_far", "across_left", "middle", "across_right", "down_near"),
                          (*map(up, ("2C", "9S", "TH", "JS")), DOWN), strict=True)),
        "bonus_cards": None, "read_as": ["left card: the shoe read J♣"],
        "seats": [
            {"seat": n, "name": f"Seat {n}", "state": "folded at Middle" if n == 2 else "",
             "cards": [DOWN, DOWN] if n == 2 else [up("TD"), up("9H")], "wagers": [wager] * 6, "totals": SUMS}
            for n in range(1, 7)
        ],
        "totals": SUMS, "troubles": [trouble] * 3,
        "corrections": [{"clock": "2026-11-22 21:00:00.0", "where": "Seat 3 · Across", "who": "B1",
                         "text": "player has $25 less · paid twice"}],
        "entries": [{**entry, "since": f"+{n // 60}:{n % 60:02d}.0",
                     "grade": ("", "hold", "alert", "mark", "quiet", "floor")[n % 6]}
                    for n in range(0, 160, 7)],
    }  # fmt: skip


def line(number: int) -> dict[str, Any]:
    return {
        "number": number, "day": "2026-11-22", "clock": "20:31:19", "zone": "America/New_York",
        "dealers": "0412, 7", "outcome": "settled", "void": number == 3, "seats": 6, "wagered": "$1,829",
        "paid": "$2,578", "taken": "$1,329", "wrong": ["Card differs from screen ×4", "Overpaid"],
        "corrected": "corrected once" if number == 2 else "",
    }  # fmt: skip


def answer(request: Mapping[str, Any]) -> Mapping[str, Any]:
    if request["do"] == "round":
        return {"round": example_round(request["number"])}
    return (
        {"csv": "round\r\n1\r\n"}
        if request["do"] == "csv"
        else {"rounds": [*map(line, range(30, 0, -1))], "of": 30}
    )


def got(served: Served, path: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=20)
    connection.request("GET", path)
    reply = connection.getresponse()
    body = reply.read().decode()
    connection.close()
    return reply.status, body


# ------------------------------------------------------------------ routes


def test_filters_are_read_strictly() -> None:
    assert filters({}) == {"last": DEFAULT_ROUNDS}
    given = {
        "last": "5",
        "day": "2026-11-22",
        "dealer": "0412",
        "seat": "3",
        "irregularity": "overpaid",
        "lang": "es",
    }
    read = {"last": 5, "day": "2026-11-22", "dealer": "0412", "seat": 3, "irregularity": "overpaid"}
    assert filters(given) == read
    assert filters({"find": "B1 $135"}) == {"last": DEFAULT_ROUNDS, "find": "B1 $135"}
    assert filters({"amount": "12.50", "seat": ""}) == {"last": DEFAULT_ROUNDS, "amount": 1250}


@pytest.mark.parametrize(
    ("key", "value"),
    [("last", "0"), ("last", "1e3"), ("last", "٣"), ("day", "22.11."), ("dealer", "<b>"), ("seat", "7"),
     ("irregularity", "sabotage"), ("amount", "-1"), ("colour", "red"),
     ("find", "  "), ("find", "x" * 101)],
)  # fmt: skip
def test_an_invalid_filter_is_refused_with_the_allowed_values(key: str, value: str) -> None:
    with pytest.raises(BadFilter) as refused:
        filters({key: value})
    assert refused.value.key == (key if key in FILTERS else "unknown")
    for language in languages():
        assert "‹" not in refused.value.in_words(catalogue(language))


@pytest.mark.serial
@pytest.mark.parametrize(
    ("answer_data", "path", "status", "words"),
    [
        ({"missing": "no_round"}, "/api/rounds/99", 404, "There is no round 99 in this journal."),
        ({"missing": "in_play"}, "/api/rounds/4", 404, "Round 4 is still on the table."),
        ({"fault": "is damaged"}, "/api/rounds", 503, "The journal cannot be read now: is damaged"),
        ({"fault": "is damaged"}, "/api/expected", 503, "The journal cannot be read now: is damaged"),
        ({"rounds": []}, "/api/rounds?seat=9", 400, "Not understood: Seat: from 1 to 6"),
        ({"rounds": []}, "/api/rounds?seat=9&lang=es", 400, "No se entiende: Puesto: de 1 a 6"),
        ({"rounds": []}, "/api/rounds?colour=1&lang=es", 400, "No se entiende: 'colour': uno de last, day"),
        ({"rounds": []}, "/api/rounds?last=0&lang=es", 400, "Últimas: un número entero de 1 a 5000"),
    ],
)
def test_a_missing_answer_is_explained(
    served: Served, script: Script, answer_data: Mapping[str, Any], path: str, status: int, words: str
) -> None:
    script.answer = lambda _request: answer_data
    code, body = got(served, path)
    assert code == status
    assert words in " ".join(json.loads(body).values())


@pytest.mark.serial
def test_a_list_can_be_downloaded_for_a_spreadsheet(served: Served, script: Script) -> None:
    script.answer = answer
    assert got(served, "/rounds.csv?last=5") == (200, "round\r\n1\r\n")


# ------------------------------------------------------------------ in a browser

PAGES: Mapping[str, Callable[[Page], object]] = {
    "/rounds/17": lambda page: page.wait_for_selector("[data-column=clock]"),
    "/rounds?idle=0": lambda page: page.wait_for_selector("table.list"),
}


@pytest.mark.browser
@pytest.mark.parametrize("path", PAGES)
def test_the_pages_are_accessible_and_fit_every_screen(
    page: Page, served: Served, script: Script, path: str
) -> None:
    """axe runs only at the widest and the narrowest width, because the pages have the same elements at all
    widths between them."""
    script.answer = answer
    page.goto(f"{served.url}{path}")
    PAGES[path](page)
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, size
        if size in ("wide", "phone"):
            assert violations(page) == [], size


PLACEHOLDER = """(entry) => {
  const style = getComputedStyle(entry), pen = document.createElement("canvas").getContext("2d");
  pen.font = style.font;
  const room = entry.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return [pen.measureText(entry.placeholder).width, room];
}"""


@pytest.mark.browser
@pytest.mark.parametrize("language", languages())
def test_texts_of_the_search_are_not_cut_off(
    page: Page, served: Served, script: Script, language: str
) -> None:
    script.answer = answer
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{served.url}/rounds?lang={language}")
    width, room = page.locator("input[type=search]").evaluate(PLACEHOLDER)
    assert 0 < width <= room


@pytest.mark.browser
def test_the_page_of_an_unreadable_round_is_accessible(page: Page, served: Served, script: Script) -> None:
    script.answer = lambda _request: {"fault": "is damaged"}
    page.goto(f"{served.url}/rounds/99")
    expect(page.locator("h1")).to_have_text("Round 99")
    assert violations(page) == []


@pytest.mark.browser
def test_a_page_shows_at_once_that_it_waits(page: Page, served: Served, script: Script) -> None:
    """The text about waiting is there before any answer has come."""
    script.answer = answer
    unanswered: list[Route] = []

    def hold(route: Route) -> None:
        unanswered.append(route)

    page.route("**/api/rounds/17", hold, times=1)
    with page.expect_request("**/api/rounds/17"):
        page.goto(f"{served.url}/rounds/17")
    expect(page.locator(".reading")).to_have_text("Reading…")
    unanswered.pop().continue_()
    page.wait_for_selector("[data-column=clock]")
    assert page.title() == "Round 17 · Rounds"


@pytest.mark.browser
def test_an_answer_that_ends_early_is_requested_again(page: Page, served: Served, script: Script) -> None:
    script.answer = answer
    page.route("**/api/rounds/17", lambda route: route.fulfill(body='{"number": 17, "cross"'), times=1)
    page.goto(f"{served.url}/rounds/17")
    page.wait_for_selector("[data-column=clock]")


@pytest.mark.browser
def test_a_card_that_was_never_turned_lies_face_down(page: Page, served: Served, script: Script) -> None:
    script.answer = answer
    page.goto(f"{served.url}/rounds/17")
    page.wait_for_selector(".boxes")
    assert page.locator('.cross [data-lies="down"]').count() == 1
    assert page.locator('.seat:nth-child(2) [data-lies="down"]').count() == 2
    assert page.locator('.cross [data-card="9S"]').count() == 1


@pytest.mark.browser
def test_the_chips_of_each_wager_are_shown_in_order_of_arrival(
    page: Page, served: Served, script: Script
) -> None:
    script.answer = answer
    page.goto(f"{served.url}/rounds/17")
    expect(page.locator("th[data-column=chips]").first).to_have_text("Chips, in order of arrival")
    shown = page.locator("section.seat td[data-column=chips]").first
    expect(shown).to_have_text("two $100, three $25; then five $5; then one $1")


@pytest.mark.browser
def test_the_address_contains_the_filter(page: Page, served: Served, script: Script) -> None:
    script.answer = answer
    page.goto(f"{served.url}/rounds?lang=es")
    page.wait_for_selector("table.list")
    page.locator("select[name=irregularity]").select_option("overpaid")
    page.locator("input[name=amount]").fill("500")
    page.locator(".filters button").click()
    page.wait_for_url("**/rounds?irregularity=overpaid&amount=500&lang=es")
    page.wait_for_selector("table.list")
    assert page.locator("tbody a").first.get_attribute("href") == "/rounds/30?lang=es"


@pytest.mark.browser
@pytest.mark.parametrize(
    ("query", "text"), [("", "No round has ended yet."), ("?seat=3", "No round matches.")]
)
def test_an_empty_list_states_whether_a_filter_empties_it(
    page: Page, served: Served, script: Script, query: str, text: str
) -> None:
    script.answer = lambda _question: {"rounds": [], "of": 0}
    page.goto(f"{served.url}/rounds{query}")
    expect(page.locator(".found")).to_contain_text(text)


@pytest.mark.browser
def test_paper_is_black_on_white_without_keys(page: Page, served: Served, script: Script) -> None:
    script.answer = answer
    page.goto(f"{served.url}/rounds/17")
    page.wait_for_selector("[data-column=clock]")
    page.emulate_media(media="print")
    assert page.locator("nav").is_hidden()
    colours = page.evaluate("['backgroundColor', 'color'].map((of) => getComputedStyle(document.body)[of])")
    assert colours == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]
    assert page.pdf(prefer_css_page_size=True).startswith(b"%PDF")
