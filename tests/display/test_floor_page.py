"""The floorperson's page in a real Chromium: what is held, deciding with a badge, signatures, figures."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect

from controller.display.ports import Refused
from controller.game.model import events
from controller.game.model.names import Method, Wager
from tests.display.served import Script, Served
from tests.display.views import CROSS, alert, hold, prompt, settling, view

pytestmark = pytest.mark.browser

SIGNATURE = {"what": "amount", "seat": 3, "wager": "across", "amount": 3000, "unexplained": False}
EVENT = {"utc": "2026-11-20T20:31:07.123Z", "kind": "card_turned", "place": "across_left", "face": "7D"}


def held(**parts: Any) -> dict[str, Any]:
    return view(phase="held", prompt=prompt("held", code="community_exposed"), hold=hold(**parts))


@pytest.fixture
def floor(page: Page, served: Served, script: Script) -> Page:
    script.floor_data = {
        "events": [EVENT],
        "figures": {"rounds": 17, "rounds_per_hour": 31.5, "players_per_round": None, "steps": 412,
                    "steps_corrected": 2, "alerts_per_hour": {"notice": 3}, "exceptions": {"overpaid": 2}},
    }  # fmt: skip
    served.show(held() | {"signatures": [SIGNATURE]})
    page.goto(f"{served.url}/floor")
    page.wait_for_selector(".floor-page")
    return page


def badge(page: Page) -> None:
    page.get_by_role("button", name="Dealer error").tap()
    page.locator('[data-char="B"]').tap()
    page.locator('[data-char="1"]').tap()
    page.locator(".enter").tap()
    expect(page.locator(".refused")).to_have_text("Taken.")


def test_what_is_held_what_was_seen_and_what_is_permitted(floor: Page) -> None:
    expect(floor.locator(".held-what .what")).to_have_text("Community card seen too early")
    expect(floor.locator(".held-what .cite")).to_contain_text("58 Pa. Code § 674a.13(d)")
    expect(floor.locator(".decide button")).to_have_text(
        ["Approve: Void the round, all wagers go back", "Refuse", "Go on", "Void the round, remove the deck"]
    )
    expect(floor.locator(".events li")).to_contain_text(["turned · left card"])
    expect(floor.locator('.seat[data-seat="2"] .circle[data-wager="across"]')).to_contain_text("75")


def test_the_page_fits_a_seven_inch_screen(floor: Page) -> None:
    assert floor.evaluate("document.documentElement.scrollHeight <= innerHeight")
    for node in floor.locator("button:visible, a:visible").all():
        box = node.bounding_box()
        assert box and min(box["width"], box["height"]) >= 62.3, node.inner_text()
    last = floor.locator(".decide").bounding_box()
    assert last and last["y"] + last["height"] <= 480


@pytest.mark.parametrize(
    ("key", "decision"),
    [
        ("Approve: Void the round, all wagers go back", {"decision": "approve"}),
        ("Refuse", {"decision": "refuse"}),
        ("Go on", {"decision": "outcome", "outcome": "go_on"}),
        ("Void the round, remove the deck", {"decision": "outcome", "outcome": "remove_deck"}),
    ],
)
def test_a_decision_is_taken_with_a_badge(
    floor: Page, script: Script, key: str, decision: dict[str, str]
) -> None:
    floor.get_by_role("button", name=key, exact=True).tap()
    badge(floor)
    assert script.touched == [events.FloorDecided("B1", reason="Dealer error", **decision)]


def test_a_badge_that_may_not_decide_is_told_so(floor: Page, script: Script) -> None:
    script.refusing = Refused("unknown_badge")
    floor.get_by_role("button", name="Refuse").tap()
    floor.get_by_role("button", name="Surveillance").tap()
    floor.keyboard.type("X9")
    floor.keyboard.press("Enter")
    expect(floor.locator(".refused")).to_have_text("Not taken: That badge may not decide here.")


def test_signatures_are_signed(floor: Page, script: Script) -> None:
    floor.get_by_role("button", name="Signatures waiting: 1").tap()
    expect(floor.locator(".sign-list")).to_contain_text("Seat 3 · Across · $30 entered by hand")
    floor.get_by_role("button", name="Sign", exact=True).tap()
    badge(floor)
    assert script.touched == [
        events.FloorDecided("B1", "sign", seat=3, wager=Wager.ACROSS, reason="Dealer error")
    ]


@pytest.mark.parametrize(("key", "holder"), [("The player has it", "player"), ("The house has it", "house")])
def test_who_has_chips_that_nobody_saw_go_is_signed_with_them(
    floor: Page, served: Served, script: Script, key: str, holder: Literal["player", "house"]
) -> None:
    served.show(view(alerts=[alert("push_disturbed", wager="down") | {"unexplained": True}]))
    floor.get_by_role("button", name="Signatures waiting: 1").tap()
    floor.get_by_role("button", name=key, exact=True).tap()
    badge(floor)
    [event] = script.touched
    assert event == events.FloorDecided(
        "B1", "sign", seat=3, wager=Wager.DOWN, reason="Dealer error", holder=holder
    )


def test_a_difference_is_signed_by_itself(floor: Page, served: Served, script: Script) -> None:
    """Of two, the one that is meant; what cannot be signed away is not offered."""
    lost = alert("reader_lost", number=9, seat=5, signable=False)
    served.show(view(alerts=[alert("overpaid", wager="down"), alert("underpaid", number=8, seat=2), lost]))
    floor.get_by_role("button", name="Signatures waiting: 2").tap()
    floor.locator(".sign-list li").nth(1).get_by_role("button").tap()
    badge(floor)
    assert script.touched == [
        events.FloorDecided("B1", "sign", seat=2, wager=Wager.ACROSS, reason="Dealer error")
    ]


CARDS: dict[str, Any] = {"cross": dict.fromkeys(CROSS), "bonus_cards": None}
BOX = {"seat": 2, "player": "2", "folded_at": None, "cards": [None, None],
       "wagers": {"down": {"amount": 3000, "result": "lose"}}}  # fmt: skip
ENDED = {"round": 16, "outcome": "settled", "seats": [BOX], **CARDS}


def test_a_closed_round_is_corrected(floor: Page, script: Script) -> None:
    """Which round, seat and wager, who gets what, why, and by whose badge."""
    script.rounds = [{"round": 17, "outcome": "in_progress", "seats": [], **CARDS}, ENDED]
    other(floor, "correct_round")
    for choice in ("Round 16", "Seat 2", "Down · $30", "Player gives back"):
        floor.get_by_role("button", name=choice, exact=True).tap()
    floor.get_by_role("button", name="$25", exact=True).tap()
    floor.locator(".enter").tap()
    badge(floor)
    assert script.touched == [events.RoundCorrected("B1", 16, 2, Wager.DOWN, -2500, "Dealer error")]


def test_no_closed_round_is_said(floor: Page) -> None:
    other(floor, "correct_round")
    expect(floor.locator(".panel")).to_contain_text("No round yet")


def test_the_figures_say_what_is_not_known(floor: Page) -> None:
    floor.get_by_role("button", name="Figures").tap()
    shown = floor.locator(".figures")
    expect(shown).to_contain_text("31.5")
    expect(shown).to_contain_text("2 / 412")
    expect(shown).to_contain_text("not known yet")
    expect(shown).to_contain_text("Overpaid 2")


def other(page: Page, value: str) -> None:
    page.get_by_role("button", name="Other decisions").tap()
    page.locator(f'.panel [data-value="{value}"]').tap()


def test_other_decisions(floor: Page, script: Script) -> None:
    for value in ("recut", "shuffle", "close_table"):
        other(floor, value)
        badge(floor)
    other(floor, "forfeit_seat")
    floor.locator('.panel [data-value="4"]').tap()
    floor.locator('.panel [data-value="cards_touched"]').tap()
    badge(floor)
    other(floor, "stop_round")
    floor.locator('.panel [data-value="void"]').tap()
    badge(floor)
    other(floor, "one_player")
    floor.get_by_role("button", name="Seat 4", exact=True).tap()
    floor.locator(".panel .go").tap()
    badge(floor)
    other(floor, "one_player")
    floor.get_by_role("button", name="Seat 2", exact=True).tap()
    floor.get_by_role("button", name="Seat 3", exact=True).tap()
    floor.locator(".panel .go").tap()
    badge(floor)
    other(floor, "method")
    floor.locator('.panel [data-value="manual_shoe"]').tap()
    badge(floor)
    other(floor, "dealer")
    expect(floor.locator(".panel")).to_be_hidden()
    reason = "Dealer error"
    assert script.touched == [
        events.FloorDecided("B1", "recut", reason=reason),
        events.FloorDecided("B1", "shuffle", reason=reason),
        events.FloorDecided("B1", "close", reason=reason),
        events.FloorDecided("B1", "forfeit", seat=4, reason=reason, code="cards_touched"),
        events.FloorDecided("B1", "outcome", outcome="void", reason=reason),
        events.FloorDecided("B1", "player", seats=(4,), reason=reason),
        events.FloorDecided("B1", "player", seats=(2, 3), reason=reason),
        events.FloorDecided("B1", "method", method=Method.MANUAL_SHOE, reason=reason),
        events.DealerRelieved(),
    ]


def test_nothing_held_is_said(floor: Page, served: Served) -> None:
    served.show(settling("push", 3000, hand="pair of 10s"))
    expect(floor.locator(".held-tab")).to_contain_text("Nothing is held.")
    assert floor.locator(".decide").count() == 0


def test_a_lost_daemon_clears_the_floor_page_too(floor: Page, served: Served) -> None:
    served.stop()
    expect(floor.locator(".lost")).to_be_visible()
    expect(floor.locator(".floor-page")).to_have_count(0)
