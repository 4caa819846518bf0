"""An answer closes only the panel that it belongs to; a form that a prompt needs can be opened again.

The table answers late, and shows the next prompt before it answers, as on a busy machine.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from controller.common.texts.catalogue import catalogue
from controller.pages.display.ports import Refused
from tests.display.fingers import opened, press
from tests.display.served import Script, Served
from tests.display.views import alert, circle, keys, prompt, prompts, view

pytestmark = pytest.mark.browser


class Late(Script):
    """A table that shows the effect of a touch at once, and answers the touch when the test allows it."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()

    async def touch(self, body: bytes) -> Refused | None:
        refused = await super().touch(body)
        await self.gate.wait()
        return refused


@pytest.fixture
def script() -> Late:
    return Late()


@pytest.fixture
def served(served: Served, script: Late) -> Iterator[Served]:
    yield served
    served.do(script.gate.set)


def amount(seat: int) -> dict[str, Any]:
    """Return a prompt for the amount of Across, whose reader is dead."""
    shown = view(prompt=prompt("enter_amount", seat=seat, wager="across"), keys=keys("fold"))
    for number in (3, 5):
        shown["seats"][number - 1]["circles"]["across"] = circle(None, reading="silent")
    return shown


def deck(number: int) -> dict[str, Any]:
    return prompts()["deck_needed"] | {"prompt": prompt("deck_needed", amount=number)}


def typed(page: Page, digits: str) -> None:
    for digit in digits:
        page.locator(f'.panel [data-char="{digit}"]').tap()
    page.locator(".enter").tap()


def title(page: Page) -> Any:
    return page.locator(".panel h2")


RACES: list[tuple[Callable[[], dict[str, Any]], str, Callable[[], dict[str, Any]], str]] = [
    (lambda: amount(3), "7", lambda: amount(5), "Seat 5 · Across"),
    (lambda: prompts()["count_stub"], "33", lambda: amount(5), "Seat 5 · Across"),
    (lambda: deck(1), "", lambda: deck(2), "Which deck?"),
]


PATIENT = "AbortSignal.timeout = () => new AbortController().signal"
"""Script by which a page waits for an answer without a timeout, however slow the machine is."""
COUNTED = """() => {
  const { fetch } = window;
  window.answers = 0;
  window.fetch = async (address, request) => {
    const answer = await fetch(address, request);
    if (request?.method === "POST") window.answers += 1;
    return answer;
  };
}"""
"""Script by which a page counts the answers to its touches. Playwright may miss an answer that no act of its
page causes: on a busy machine it requests the event too late."""
TURN = "() => new Promise((go) => setTimeout(go))"
"""Script that lets the page process an answer that has arrived."""


@pytest.mark.parametrize(("first", "digits", "then", "words"), RACES, ids=["amount", "stub", "deck"])
def test_a_late_answer_leaves_the_next_pad_open(
    page: Page, served: Served, script: Late, first: Any, digits: str, then: Any, words: str
) -> None:
    page.add_init_script(PATIENT)
    opened(page, served, first())
    page.evaluate(COUNTED)
    script.after = lambda _event: then()
    if digits:
        typed(page, digits)
    else:
        page.locator('.panel [data-value="blue"]').tap()
    following = then()["prompt"]["id"]
    page.wait_for_function("() => document.querySelector('.page').dataset.version === '3'")
    served.do(script.gate.set)
    page.wait_for_function("() => window.answers === 1")
    page.evaluate(TURN)
    expect(page.locator(".key[data-sent]")).to_have_count(0)
    assert script.latest()["prompt"]["id"] == following
    expect(title(page)).to_have_text(words)
    expect(page.locator(".panel")).to_be_visible()


@pytest.mark.parametrize("late", [True, False])
def test_a_pad_opened_by_the_dealer_is_replaced_by_that_of_the_next_prompt(
    page: Page, served: Served, script: Late, late: bool
) -> None:
    if not late:
        served.do(script.gate.set)
    opened(page, served, amount(3))
    page.locator(".more-key").tap()  # closes the pad
    page.locator(".more-key").tap()
    page.locator('.panel [data-value="amounts"]').tap()
    page.get_by_role("button", name="Seat 3 · Across").tap()
    script.after = lambda _event: amount(5)
    typed(page, "7")
    page.wait_for_function("() => document.querySelector('.page').dataset.version === '3'")
    served.do(script.gate.set)
    expect(title(page)).to_have_text("Seat 5 · Across")
    expect(page.locator(".typed")).to_have_text("$")


def test_rounds_that_arrive_late_replace_no_other_panel(page: Page, served: Served) -> None:
    requests: list[Route] = []

    def late(route: Route) -> None:
        requests.append(route)

    page.route("**/api/rounds/last", late)
    opened(page, served, view())
    page.locator(".more-key").tap()
    page.locator('.panel [data-value="recall"]').tap()
    expect(page.locator(".panel [role=status]")).to_have_text("Reading…")
    page.locator(".more-key").tap()
    served.show(amount(5))
    expect(title(page)).to_have_text("Seat 5 · Across")
    requests[0].fulfill(json=[])
    page.locator('.panel [data-char="7"]').tap()
    expect(page.locator(".typed")).to_have_text("$7")
    expect(title(page)).to_have_text("Seat 5 · Across")


def test_entries_of_more_belong_to_the_shown_view(page: Page, served: Served) -> None:
    opened(page, served, prompts()["bets_open"])
    page.locator(".more-key").tap()
    served.show(prompts()["push"])
    expect(page.locator(".prompt .do")).to_contain_text("PUSH")
    page.locator('.panel [data-value="report"]').tap()
    expect(page.locator('.panel [data-value="cards_touched"]')).to_be_enabled()


AIMED = """([x, y]) => new MutationObserver((_, watch) => {
  watch.disconnect();
  document.elementFromPoint(x, y).dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
}).observe(document.querySelector(".panel"), { attributes: true, attributeFilter: ["hidden"] })"""
"""Script that touches a given place at the moment when the panel under it is removed."""


@pytest.mark.parametrize("following", [view(), amount(5)], ids=["table", "pad"])
def test_a_tap_for_a_pad_that_has_closed_has_no_effect(
    page: Page, served: Served, following: dict[str, Any]
) -> None:
    """The reader answers again while the dealer types."""
    opened(page, served, amount(3))
    page.locator('.panel [data-char="1"]').tap()
    key = page.locator('.panel [data-char="0"]').bounding_box()
    assert key is not None
    page.evaluate(AIMED, [key["x"] + key["width"] / 2, key["y"] + key["height"] / 2])
    served.show(following)
    expect(page.locator(".refused")).to_contain_text("The screen changed under your finger")
    if following["prompt"]["entry"]:
        expect(page.locator(".typed")).to_have_text("$")
    else:
        expect(page.locator(".panel")).to_be_hidden()


def test_the_second_of_a_double_tap_on_a_report_does_not_send_it(
    page: Page, served: Served, script: Late
) -> None:
    """At 800x480 the key that sends appears under the finger that chose the report."""
    offered = {"reports": [report for report in catalogue("en").texts["reports"] if report != "not_a_wager"]}
    opened(page, served, prompts()["bets_open"] | offered)
    page.locator(".more-key").tap()
    page.locator('.panel [data-value="report"]').tap()
    key = page.locator('.panel [data-value="no_activity"]').bounding_box()
    assert key is not None
    for _ in range(2):
        page.touchscreen.tap(key["x"] + key["width"] / 2, key["y"] + key["height"] / 2)
    expect(page.locator(".summary")).to_contain_text("Nobody plays")
    assert script.touched == []


def closed(page: Page, served: Served, shown: dict[str, Any]) -> None:
    """Open the pad of the prompt, then close it."""
    opened(page, served, shown)
    page.locator(".more-key").tap()
    expect(page.locator(".panel")).to_be_hidden()


def test_a_closed_pad_is_opened_again_by_its_key(page: Page, served: Served) -> None:
    closed(page, served, amount(3))
    expect(page.locator('.key[data-key="confirm"]')).to_have_text("CONFIRMenter the amount")
    press(page, "confirm")
    expect(title(page)).to_have_text("Seat 3 · Across")


def test_a_closed_pad_is_opened_again_by_its_alert(page: Page, served: Served) -> None:
    lost = alert("reader_lost", seat=3, wager="across", lies=None, should=None, signable=False)
    closed(page, served, amount(3) | {"alerts": [lost, alert("overpaid", number=8, seat=2)]})
    page.locator(".alerts").tap()
    expect(page.locator(".alert-list .entry")).to_have_count(1)
    page.locator(".alert-list .entry").tap()
    expect(title(page)).to_have_text("Seat 3 · Across")


def test_a_closed_pad_is_opened_again_by_its_seat_and_another_seat_reports(
    page: Page, served: Served
) -> None:
    closed(page, served, amount(3))
    page.locator('.seat[data-seat="3"]').tap()
    expect(title(page)).to_have_text("Seat 3 · Across")
    page.locator(".more-key").tap()
    page.locator('.seat[data-seat="5"]').tap()
    expect(title(page)).to_have_text("Seat 5 · Report")


def test_the_form_for_a_card_is_opened_again_by_its_place(page: Page, served: Served) -> None:
    closed(page, served, view(prompt=prompt("enter_face", places=["middle"])))
    page.locator(".cross").tap()
    expect(title(page)).to_have_text("middle card")
