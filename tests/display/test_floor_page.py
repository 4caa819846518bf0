"""A floorperson can read and decide a hold, answer a call and sign differences on the floor page, in a real
Chromium.
"""

from __future__ import annotations

from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from controller.game.model import events
from controller.game.model.names import Method, Wager
from controller.pages.display.ports import Refused
from tests.display.figures import figures
from tests.display.served import Script, Served
from tests.display.views import alert, card, hold, prompt, prompts, settling, signs, view

pytestmark = pytest.mark.browser

SIGNATURE = {"what": "amount", "seat": 3, "wager": "across", "amount": 3000, "missing": 0,
             "about": "amount 9", "signs": signs("entered", 3000)}  # fmt: skip
EVENT = {"utc": "2026-11-20T20:31:07.123Z", "kind": "card_turned", "place": "across_left", "face": "7D"}


def held(**parts: Any) -> dict[str, Any]:
    return view(phase="held", prompt=prompt("held", code="community_exposed"), hold=hold(**parts))


@pytest.fixture
def floor(page: Page, served: Served, script: Script) -> Page:
    script.floor_data = {
        "events": [EVENT],
        "figures": {
            **figures(), "rounds_per_hour": 31.5, "players_tenths": None, "alerts_per_hour": {"notice": 3},
        },
    }  # fmt: skip
    served.show(held() | {"signatures": [SIGNATURE]})
    page.goto(f"{served.url}/floor")
    page.wait_for_selector(".floor-page")
    return page


def badge(page: Page, touch: bool = False) -> None:
    """Enter an error as the reason, then a badge and its PIN. `touch`: on the pad, otherwise by keyboard."""
    page.get_by_role("button", name="Dealer error").tap()
    typed(page, "B1", touch)
    page.locator(".enter").tap()
    pin(page, touch)
    expect(page.locator(".refused")).to_contain_text("Decided: ")
    expect(page.locator(".refused")).not_to_contain_text("B1")


def pin(page: Page, touch: bool = False) -> None:
    typed(page, "1234", touch)
    expect(page.locator(".typed")).to_have_text("••••")
    page.locator(".enter").tap()


def typed(page: Page, line: str, touch: bool) -> None:
    if touch:
        for char in line:
            page.locator(f'.panel [data-char="{char}"]').tap()
    else:
        page.keyboard.type(line)


GO_ON = "Go on: cards and wagers stay as they lie"
VOID = "Void the round: all wagers go back"
REMOVE = "Void the round: all wagers go back, the deck leaves the table"
NOT_SO = "It was not so: cards and wagers stay, play goes on"


def test_the_hold_is_shown_with_readings_and_permitted_decisions(floor: Page) -> None:
    expect(floor.locator(".held-what .what")).to_have_text("Community card seen")
    expect(floor.locator(".held-what .cite")).to_contain_text("58 Pa. Code § 674a.13(d)")
    expect(floor.locator(".decide button")).to_have_text([VOID, NOT_SO, GO_ON, REMOVE])
    expect(floor.locator(".held-what .cite")).to_contain_text("The rules void the round.")
    expect(floor.locator(".events li")).to_contain_text(["turned · left card"])
    expect(floor.locator('.seat[data-seat="2"] .circle[data-wager="across"]')).to_contain_text("75")


def test_the_page_fits_a_seven_inch_screen(floor: Page) -> None:
    assert floor.evaluate("document.documentElement.scrollHeight <= innerHeight")
    for node in floor.locator("button:visible, a:visible").all():
        box = node.bounding_box()
        assert box and min(box["width"], box["height"]) >= 62.3, node.inner_text()
    last = floor.locator(".decide").bounding_box()
    assert last and last["y"] + last["height"] <= 480


DECISIONS: dict[str, dict[str, str]] = {
    VOID: {"decision": "approve", "outcome": "void"},
    NOT_SO: {"decision": "refuse"},
    GO_ON: {"decision": "outcome", "outcome": "go_on"},
    REMOVE: {"decision": "outcome", "outcome": "remove_deck"},
}


def test_a_decision_is_taken_with_a_badge(floor: Page, script: Script) -> None:
    for key, decision in DECISIONS.items():
        floor.get_by_role("button", name=key, exact=True).tap()
        badge(floor, touch=key == VOID)
        decided = events.FloorDecided("B1", reason="Dealer error", about="hold 7.31", **decision)
        assert (script.touched.pop(), script.pins.pop()) == (decided, "1234"), key
        assert script.touched == []


def test_a_badge_that_may_not_decide_is_refused_with_the_reason(floor: Page, script: Script) -> None:
    script.refusing = Refused("unknown_badge")
    floor.get_by_role("button", name=NOT_SO).tap()
    floor.get_by_role("button", name="Surveillance").tap()
    floor.keyboard.type("X9")
    expect(floor.locator(".enter")).to_have_text(f"{NOT_SO} · X9")
    floor.keyboard.press("Enter")
    floor.keyboard.type("4711")
    expect(floor.locator(".enter")).to_have_text(NOT_SO)
    floor.keyboard.press("Enter")
    expect(floor.locator(".refused")).to_contain_text("Not taken: ")
    notice, title, key = (floor.locator(each).bounding_box() for each in (".refused", ".panel h2", ".enter"))
    assert notice and title and key
    assert notice["y"] + notice["height"] <= min(title["y"], key["y"]), "it covers what is decided"


def differs() -> dict[str, Any]:
    """Return a view in which the shoe read J♣ on the left and the dealer reports 9♠."""
    keys = [("approve", "go_on"), ("refuse", None), ("outcome", "void"), ("outcome", "remove_deck")]
    reading = {"place": "across_left", "read": card("up", "JC"), "said": card("up", "9S")}
    return held(
        code="card_differs", place="across_left", proposed="go_on", citation="house procedure",
        readings=[reading],
        decisions=[{"decision": key, "outcome": outcome, "section": None} for key, outcome in keys],
    )  # fmt: skip


def test_both_readings_of_a_card_are_drawn_and_named_on_the_keys(floor: Page, served: Served) -> None:
    served.show(differs())
    expect(floor.locator(".held-what .what")).to_have_text("Card differs from screen")
    expect(floor.locator('.reading .card[data-card="JC"]')).to_be_visible()
    expect(floor.locator('.reading .card[data-card="9S"]')).to_be_visible()
    expect(floor.locator(".held-what .cite")).to_contain_text("No rule speaks of it.")
    expect(floor.locator(".decide button")).to_have_text(
        ["It is 9♠: use it", "It is J♣: keep it", VOID, REMOVE]
    )


def test_the_dealer_s_page_also_shows_the_reported_face(page: Page, served: Served) -> None:
    served.show(differs())
    page.goto(served.url)
    expect(page.locator(".prompt .more")).to_contain_text("the shoe read J♣, the dealer reports 9♠")


def test_a_reason_may_be_typed_freely(floor: Page, script: Script) -> None:
    floor.get_by_role("button", name=VOID, exact=True).tap()
    floor.get_by_role("button", name="In your own words").tap()
    floor.keyboard.type("seat 3, cards wet")
    floor.locator(".enter").tap()
    floor.keyboard.type("B1")
    floor.locator(".enter").tap()
    pin(floor)
    expect(floor.locator(".refused")).to_contain_text("Decided: ")
    assert script.touched == [
        events.FloorDecided("B1", "approve", "void", reason="SEAT 3, CARDS WET", about="hold 7.31")
    ]


def test_a_call_is_answered_with_a_badge_and_needs_no_reason(
    floor: Page, served: Served, script: Script
) -> None:
    key = floor.locator(".status .answer")
    expect(key).to_have_attribute("aria-disabled", "true")
    served.show(view(floor_called=True))
    expect(key).to_have_text("Call answered")
    key.tap()
    floor.keyboard.type("B1")
    floor.locator(".enter").tap()
    pin(floor)
    expect(floor.locator(".refused")).to_have_text("Decided: Call answered")
    assert script.touched == [events.FloorDecided("B1", "answer", about="call 5")]


def test_on_my_way_names_the_call_and_its_duration(floor: Page, served: Served, script: Script) -> None:
    key = floor.locator(".status .way")
    expect(key).to_have_attribute("aria-disabled", "true")
    served.show(view(floor_called=True, wanted="call 2026-11-22T20:00:00.000Z"))
    key.tap()
    floor.keyboard.type("B1")
    floor.locator(".enter").tap()
    pin(floor)
    expect(floor.locator(".refused")).to_have_text("Decided: On my way")
    assert script.touched == [events.FloorOnTheWay("call 2026-11-22T20:00:00.000Z", "B1")]
    now = floor.evaluate("new Date(Date.now() - 20_500).toISOString()")
    served.show(view(floor_called=True, on_the_way={"utc": now, "who": "B1", "pit": ""}))
    expect(floor.locator(".status .table")).to_contain_text("Floor on the way, since 0:2")
    expect(key).to_have_attribute("aria-disabled", "true")


def test_on_my_way_is_a_key_while_play_is_held(floor: Page, served: Served, script: Script) -> None:
    served.show(held() | {"wanted": "hold 7.2026-11-22T20:00:00.000Z"})
    key = floor.locator(".way")
    expect(key).to_be_in_viewport(ratio=1)
    key.tap()
    floor.keyboard.type("B1")
    floor.locator(".enter").tap()
    pin(floor)
    expect(floor.locator(".refused")).to_have_text("Decided: On my way")
    assert script.touched == [events.FloorOnTheWay("hold 7.2026-11-22T20:00:00.000Z", "B1")]


def test_the_floor_page_has_a_key_for_each_other_language(floor: Page, served: Served) -> None:
    served.show(view())
    expect(floor.locator(".language-key")).to_have_text(["Español"])
    floor.locator(".language-key").tap()
    expect(floor.locator(".tabs button").first).to_have_text("Qué está detenido")
    expect(floor.locator(".language-key")).to_have_text(["English"])


def test_the_status_shows_table_round_dealer_and_messages(floor: Page, served: Served) -> None:
    served.show(settling("push", 3000, hand="pair of 10s") | {"alerts": [alert()]})
    status = floor.locator(".status")
    expect(status).to_contain_text("Table CC-01 · Round 17 · Dealer D7 · Settle")
    expect(status).to_contain_text("Dealer’s screen: Seat 3 · Across · Take back $5")
    expect(status).to_contain_text("Alert: Seat 3 · Across · Overpaid")


def test_times_are_local_and_name_their_zone(browser: Browser, served: Served, script: Script) -> None:
    script.floor_data = {"events": [{**EVENT, "utc": "2026-11-21T01:36:09.000Z"}], "figures": {}}
    context = browser.new_context(timezone_id="America/New_York")
    page = context.new_page()
    page.goto(f"{served.url}/floor")
    expect(page.locator(".events time")).to_have_text("20:36:09 EST")
    context.close()


@pytest.mark.parametrize(("entering", "after_ms"), [(False, 1000), (True, 3000)])
def test_the_page_returns_to_the_overview_when_idle_and_later_during_an_entry(
    clocked: Page, served: Served, entering: bool, after_ms: int
) -> None:
    clocked.clock.install(time=0)
    clocked.clock.pause_at(1000)
    clocked.goto(f"{served.url}/floor?idle=1")
    clocked.wait_for_selector(".floor-page")
    if entering:
        clocked.get_by_role("button", name="Other decisions").tap()
    for _ in range(500, after_ms, 500):
        version = served.shown(held())
        expect(clocked.locator(".floor-page")).to_have_attribute("data-version", str(version))
        clocked.clock.run_for(500)
    clocked.clock.run_for(1000)
    clocked.wait_for_url("**/?idle=1")


def test_the_page_can_be_kept_open_and_offers_a_way_back(page: Page, served: Served) -> None:
    page.goto(f"{served.url}/floor?idle=0")
    page.get_by_role("button", name="Dealer page").tap()
    page.wait_for_url("**/?idle=0")


def test_a_deck_is_signed_by_name_and_without_a_reason_of_error(
    page: Page, served: Served, script: Script
) -> None:
    served.show(prompts()["signature"])
    page.goto(f"{served.url}/floor")
    page.get_by_role("button", name="Sign: red deck verified, front and back").tap()
    page.keyboard.type("B1")
    page.locator(".enter").tap()
    pin(page)
    expect(page.locator(".refused")).to_contain_text("Decided: Sign: red deck verified")
    assert script.touched == [events.FloorDecided("B1", "sign", about="step 5")]


def test_an_impossible_direction_is_not_offered(floor: Page, served: Served) -> None:
    served.show(view(floor={"acts": ["close"], "stops": [], "seats": [], "folded": [], "methods": []}))
    floor.get_by_role("button", name="Other decisions").tap()
    expect(floor.locator(".panel .choices button")).to_have_text(["Close the table", "Relieve dealer D7"])


def test_pending_signatures_can_be_signed(floor: Page, script: Script) -> None:
    floor.get_by_role("button", name="May be signed: 1").tap()
    expect(floor.locator(".sign-list")).to_contain_text("Seat 3 · Across · $30 entered by the dealer")
    floor.get_by_role("button", name="Sign: $30 counts, as it was entered").tap()
    badge(floor)
    assert script.touched == [
        events.FloorDecided("B1", "sign", seat=3, wager=Wager.ACROSS, reason="Dealer error", about="amount 9")
    ]


HOLDERS: dict[Literal["player", "house"], str] = {
    "player": "The player has it: bet plays as $10; if it loses, take nothing",
    "house": "The house has it: bet plays as $10; unless lost, the house keeps $10",
}


def test_the_holder_of_missing_chips_is_signed_with_them(floor: Page, served: Served, script: Script) -> None:
    keys = [*signs("kept", 1000, 1000, holder="player"), *signs("held", 1000, 1000, holder="house")]
    served.show(view(alerts=[alert("push_disturbed", wager="down", signs=keys, missing=1000)]))
    floor.get_by_role("button", name="May be signed: 1").tap()
    for holder, key in HOLDERS.items():
        floor.get_by_role("button", name=key, exact=True).tap()
        badge(floor)
        assert script.touched.pop() == events.FloorDecided(
            "B1", "sign", seat=3, wager=Wager.DOWN, reason="Dealer error", holder=holder, about="alert 7"
        )
        assert script.touched == []


def test_each_difference_is_signed_separately(floor: Page, served: Served, script: Script) -> None:
    """Two differences are shown: only the touched one is signed, and a difference that cannot be signed has
    no key."""
    lost = alert("reader_lost", number=9, seat=5, signable=False)
    served.show(view(alerts=[alert("overpaid", wager="down"), alert("underpaid", number=8, seat=2), lost]))
    floor.get_by_role("button", name="May be signed: 2").tap()
    floor.locator(".sign-list li").nth(1).get_by_role("button").tap()
    badge(floor)
    assert script.touched == [
        events.FloorDecided("B1", "sign", seat=2, wager=Wager.ACROSS, reason="Dealer error", about="alert 8")
    ]


def test_unknown_figures_are_shown_as_unknown(floor: Page) -> None:
    floor.get_by_role("button", name="Figures").tap()
    shown = floor.locator(".figures")
    expect(shown).to_contain_text("31.5")
    expect(shown).to_contain_text("2 / 412")
    expect(shown).to_contain_text("not known yet")
    expect(shown).to_contain_text("Overpaid 2")
    expect(shown).to_contain_text("Since 2026-11-20 18:02")
    expect(shown).to_contain_text("−$127.50")
    expect(shown).to_contain_text("−1.23 %")
    expect(shown.get_by_role("link", name="All figures, plots")).to_have_attribute("href", "/figures")


def other(page: Page, value: str) -> None:
    page.get_by_role("button", name="Other decisions").tap()
    page.locator(f'.panel [data-value="{value}"]').tap()


def test_other_decisions_can_be_taken(floor: Page, script: Script) -> None:
    for value in ("recut", "shuffle", "close"):
        other(floor, value)
        badge(floor)
    other(floor, "forfeit")
    floor.locator('.panel [data-value="4"]').tap()
    floor.locator('.panel [data-value="cards_touched"]').tap()
    badge(floor)
    other(floor, "stop")
    floor.locator('.panel [data-value="void"]').tap()
    badge(floor)
    other(floor, "player")
    floor.get_by_role("button", name="Seat 4", exact=True).tap()
    floor.locator(".panel .go").tap()
    badge(floor)
    other(floor, "player")
    floor.get_by_role("button", name="Seat 2", exact=True).tap()
    floor.get_by_role("button", name="Seat 3", exact=True).tap()
    floor.locator(".panel .go").tap()
    badge(floor)
    other(floor, "method")
    floor.locator('.panel [data-value="manual_shoe"]').tap()
    badge(floor)
    other(floor, "dealer")
    expect(floor.locator(".summary p")).to_have_text("Relieve dealer D7?")
    floor.locator(".summary .go").tap()
    expect(floor.locator(".panel")).to_be_hidden()
    reason = "Dealer error"
    assert script.touched == [
        events.FloorDecided("B1", "recut", reason=reason, about="deck 5"),
        events.FloorDecided("B1", "shuffle", reason=reason, about="deck 5"),
        events.FloorDecided("B1", "close", reason=reason, about="round 5"),
        events.FloorDecided("B1", "forfeit", seat=4, reason=reason, code="cards_touched", about="forfeit 5"),
        events.FloorDecided("B1", "outcome", outcome="void", reason=reason, about="round 5"),
        events.FloorDecided("B1", "player", seats=(4,), reason=reason, about="boxes 5"),
        events.FloorDecided("B1", "player", seats=(2, 3), reason=reason, about="boxes 5"),
        events.FloorDecided("B1", "method", method=Method.MANUAL_SHOE, reason=reason, about="method 5"),
        events.DealerRelieved(about="dealer 5"),
    ]


def test_a_page_without_a_hold_shows_that_there_is_none(floor: Page, served: Served) -> None:
    served.show(settling("push", 3000, hand="pair of 10s"))
    expect(floor.locator(".held-tab")).to_contain_text("Nothing is held.")
    assert floor.locator(".decide").count() == 0


@pytest.mark.usefixtures("alone")
def test_a_lost_daemon_clears_the_floor_page_too(floor: Page, served: Served) -> None:
    served.stop()
    expect(floor.locator(".lost")).to_be_visible()
    expect(floor.locator(".floor-page")).to_have_count(0)
