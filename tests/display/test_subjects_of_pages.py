"""Two floorpersons on two pages of one real table sign nothing that they have not read.

The table is the game's own; each real page has its own browser context. The bodies that they send are
compared with those of `with_subject`, which the property test of three pages uses.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from controller.game.model.events import AmountEntered, CircleUnreadable
from controller.game.model.names import Wager
from controller.game.phases.stub import expected_stub
from controller.mock.bench.touch_subjects import with_subject
from controller.pages.display.ports import Refused
from controller.pages.display.touches import parse
from tests.display.conftest import check_console, opened_screen, reset
from tests.display.served import Script, Served
from tests.game.felt import Felt

pytestmark = pytest.mark.browser

CROSS = "2C 7D TH JS 4C"
HANDS = {1: "AS KD", 2: "2H 3H", 3: "5S 6S"}


class Playing(Script):
    """The game itself behind the pages. Touches wait at the gate, so that several arrive at one moment."""

    def __init__(self) -> None:
        super().__init__()
        self.felt = Felt()
        self.gate = asyncio.Event()
        self.gate.set()
        self.arrived = 0
        self.seen: list[Mapping[str, Any]] = []
        """Every view that a page was given."""

    def latest(self) -> Mapping[str, Any]:
        view = dict(self.felt.table.view())
        self.seen.append(view)
        return view

    async def touch(self, body: bytes) -> Refused | None:
        event = parse(body)
        self.arrived += 1
        await self.gate.wait()
        refusal = self.felt.refused(event)
        if refusal is not None:
            return Refused(refusal.code, refusal.params)
        self.play(lambda felt: felt.event(event))
        self.touched.append(event)
        return None

    def play(self, act: Any) -> None:
        act(self.felt)
        for wake in tuple(self.wakers):
            wake()


@pytest.fixture
def script() -> Playing:
    playing = Playing()
    felt = playing.felt
    felt.closed(*HANDS)
    return playing


def dealt(script: Playing, **how: Any) -> None:
    script.felt.deal(CROSS, HANDS, **how)


@pytest.fixture(scope="module")
def other_screen(browser: Browser) -> Iterator[BrowserContext]:
    with opened_screen(browser) as context:
        yield context


@pytest.fixture
def pages(page: Page, other_screen: BrowserContext, served: Served) -> Iterator[list[Page]]:
    """Yield two screens."""
    with check_console(other_screen.pages[0]) as other:
        yield [page, other]
        reset(other)


def floor(page: Page, served: Served) -> Page:
    page.goto(f"{served.url}/floor")
    page.wait_for_selector(".floor-page")
    return page


def typed(page: Page, badge: str, reason: bool = True) -> None:
    """Enter reason, badge and PIN; only the last key remains to be pressed."""
    if reason:
        page.get_by_role("button", name="Surveillance").tap()
    page.keyboard.type(badge)
    page.locator(".enter").tap()
    page.keyboard.type("1234")
    expect(page.locator(".typed")).to_have_text("••••")


def not_so(page: Page, badge: str) -> None:
    """Decide that the hand has the right number of cards, against the dealer's report."""
    page.get_by_role("button", name="The hand is right").tap()
    typed(page, badge)


def two_holds(script: Playing) -> None:
    dealt(script)
    script.felt.report("wrong_count", seat=1, number=3)
    script.felt.report("wrong_count", seat=2, number=3)


def test_only_one_of_two_simultaneous_decisions_is_accepted(
    pages: list[Page], served: Served, script: Playing
) -> None:
    """Both screens show the hold of seat 1. The hold of seat 2 is shown after it is decided."""
    two_holds(script)
    served.do(script.gate.clear)
    for page, badge in zip(pages, ("B1", "B2"), strict=True):
        not_so(floor(page, served), badge)
        page.locator(".enter").tap()
    while script.arrived < len(pages):
        pages[0].wait_for_timeout(20)
    served.do(script.gate.set)
    for page in pages:
        expect(page.locator(".held-what .where")).to_contain_text("Seat 2")
        expect(page.locator(".panel")).to_be_hidden()
    notices = {page.locator(".refused").inner_text() for page in pages}
    assert notices == {
        "Decided: The hand is right: cards and wagers stay, play goes on",
        "Not taken: Another hold stands now. Read it, then decide.",
    }
    [decided] = script.touched
    hold = script.felt.table.state.hold
    assert decided.about == "hold 1.2"  # type: ignore[union-attr]
    assert hold is not None and hold.seat == 2


def test_a_half_typed_decision_is_closed_when_the_hold_is_decided(
    pages: list[Page], served: Served, script: Playing
) -> None:
    two_holds(script)
    first, second = (floor(page, served) for page in pages)
    not_so(second, "B2")
    not_so(first, "B1")
    first.locator(".enter").tap()
    expect(second.locator(".panel")).to_be_hidden()
    expect(second.locator(".refused")).to_have_text("Not taken: What you read has changed. Look again.")
    expect(second.locator(".held-what .where")).to_contain_text("Seat 2")
    assert len(script.touched) == 1


def test_a_half_typed_decision_is_closed_when_its_proposal_changes(
    pages: list[Page], served: Served, script: Playing
) -> None:
    """The stub was short; after the dealer's correct recount, the hold proposes to go on."""
    dealt(script, stub=40)
    page = floor(pages[0], served)
    before = page.locator(".decide .proposed").inner_text()
    page.locator(".decide .proposed").tap()
    typed(page, "B1")
    number = expected_stub(script.felt.round)
    served.do(lambda: script.play(lambda felt: felt.report("stub_count", number=number)))
    expect(page.locator(".panel")).to_be_hidden()
    expect(page.locator(".decide .proposed")).not_to_have_text(before)
    assert script.touched == []


def test_a_half_signed_amount_is_closed_when_it_changes(
    pages: list[Page], served: Served, script: Playing
) -> None:
    dealt(script)
    script.felt.event(CircleUnreadable(1, Wager.ACROSS, "silent"))
    script.felt.event(AmountEntered(1, Wager.ACROSS, 1000))
    page = floor(pages[0], served)
    page.get_by_role("button", name="May be signed: 1").tap()
    page.get_by_role("button", name="Sign: $10 counts, as it was entered").tap()
    typed(page, "B1")
    served.do(lambda: script.play(lambda felt: felt.event(AmountEntered(1, Wager.ACROSS, 2000))))
    expect(page.locator(".panel")).to_be_hidden()
    expect(page.locator(".sign-list")).to_contain_text("$20")
    assert script.touched == []


# ------------------------------------------------------------------ what the pages send


def bodies(page: Page) -> list[dict[str, Any]]:
    """Return a list to which the page's touches are added from now on."""
    sent: list[dict[str, Any]] = []
    page.on(
        "request", lambda request: sent.append(json.loads(request.post_data)) if request.post_data else None
    )
    return sent


def compared(script: Playing, sent: list[dict[str, Any]]) -> None:
    """Check that each body is what `with_subject` makes of it on a view that the page received."""
    assert sent
    for body in sent:
        bare = {key: value for key, value in body.items() if key not in ("about", "pin")}
        if body.get("decision") == "approve":
            del bare["outcome"]
        whole = {key: value for key, value in body.items() if key != "pin"}
        assert any(with_subject(view, bare) == whole for view in script.seen), body


def test_the_floor_page_sends_what_the_property_test_sends(
    pages: list[Page], served: Served, script: Playing
) -> None:
    two_holds(script)
    page = floor(pages[0], served)
    sent = bodies(page)
    not_so(page, "B1")
    page.locator(".enter").tap()
    expect(page.locator(".held-what .where")).to_contain_text("Seat 2")
    page.locator(".decide .proposed").tap()
    typed(page, "B2")
    page.locator(".enter").tap()
    expect(page.locator(".held-tab")).to_contain_text("Nothing is held.")
    served.do(lambda: script.play(lambda felt: felt.press("floor")))
    page.locator(".refused").tap()  # the decision is shown above the key for some seconds
    page.locator(".status .answer").tap()
    typed(page, "B1", reason=False)
    page.locator(".enter").tap()
    expect(page.locator(".status .answer")).to_be_disabled()
    page.get_by_role("button", name="Other decisions").tap()
    page.locator('.panel [data-value="dealer"]').tap()
    page.keyboard.type("D7")
    page.locator(".enter").tap()
    expect(page.locator(".status")).to_contain_text("Dealer D7")
    assert [body["do"] for body in sent] == ["floor", "floor", "floor", "sign_on"]
    compared(script, sent)


def test_the_dealers_page_sends_what_the_property_test_sends(
    pages: list[Page], served: Served, script: Playing
) -> None:
    dealt(script)
    script.felt.event(CircleUnreadable(1, Wager.ANTE_DOWN, "silent"))
    page = pages[0]
    page.goto(served.url)
    page.wait_for_selector(".page")
    sent = bodies(page)
    page.locator('.key[data-key="fold"]').tap()
    expect(page.locator('.key[data-key="undo"]')).to_be_enabled()
    page.locator('.key[data-key="undo"]').tap()
    expect(page.locator('.key[data-key="undo"]')).to_be_disabled()
    page.locator(".more-key").tap()
    page.locator('.panel [data-value="amounts"]').tap()
    page.get_by_role("button", name="Seat 1 · ").tap()
    page.keyboard.type("10")
    page.locator(".enter").tap()
    expect(page.locator(".panel")).to_be_hidden()
    page.locator('.seat[data-seat="2"]').tap()
    page.locator('.panel [data-value="wrong_count"]').tap()
    page.keyboard.type("3")
    page.locator(".enter").tap()
    page.locator(".summary .go").tap()
    expect(page.locator(".page[data-hold]")).to_have_count(1)
    assert [body["do"] for body in sent] == ["press", "press", "amount", "report"]
    compared(script, sent)
