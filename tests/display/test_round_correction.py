"""A floorperson can correct a closed round on the floor page, in a real Chromium."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from controller.game.model import events
from controller.game.model.names import Wager
from tests.display.served import Script
from tests.display.test_floor_page import badge, floor, other
from tests.display.views import CROSS

pytestmark = pytest.mark.browser
__all__ = ["floor"]


CARDS: dict[str, Any] = {"cross": dict.fromkeys(CROSS), "bonus_cards": None}
BOX = {"seat": 2, "player": "2", "folded_at": None, "cards": [None, None],
       "wagers": {"down": {"amount": 3000, "result": "lose", "payout": 0}},
       "paid": 0, "taken": 3000}  # fmt: skip
ENDED = {
    "round": 16,
    "outcome": "settled",
    "seats": [BOX],
    **CARDS,
    "cross": {**CARDS["cross"], "middle": "TH"},
}


def test_a_closed_round_can_be_corrected(floor: Page, script: Script) -> None:
    """The test selects the newest round, a seat, a wager, the receiver of the amount, a reason and the
    badge."""
    script.rounds = [{"round": 17, "outcome": "in_progress", "seats": [], **CARDS}, ENDED]
    seen: list[str | None] = []
    other(floor, "correct")
    for choice in ("Seat 2 · paid $0, taken $30", "Down · $30 · taken", "Player gives back: other amount"):
        seen.append(floor.locator(".panel a").get_attribute("href"))
        floor.get_by_role("button", name=choice, exact=True).tap()
    assert seen == ["/rounds/16"] * 3, "the whole of it can be read first"
    floor.get_by_role("button", name="$25", exact=True).tap()
    floor.locator(".enter").tap()
    badge(floor)
    assert script.touched == [
        events.RoundCorrected("B1", 16, 2, Wager.DOWN, -2500, "Dealer error", about="record 16.0")
    ]


def test_a_correction_names_what_was_signed_before(floor: Page, script: Script) -> None:
    signed = [
        {"code": "mispaid", "seat": 2, "wager": "down", "cents": cents, "who": "B1"} for cents in (-500, -700)
    ]
    script.rounds = [{**ENDED, "corrections": signed}]
    other(floor, "correct")
    floor.get_by_role("button", name="Seat 2 · paid $0, taken $30", exact=True).tap()
    floor.get_by_role(
        "button", name="Down · $30 · taken · signed before: Player gives back $12", exact=True
    ).tap()
    expect(floor.locator(".panel h2")).to_contain_text("signed before: Player gives back $12")


def test_a_table_without_a_closed_round_shows_that_there_is_none(floor: Page) -> None:
    other(floor, "correct")
    expect(floor.locator(".panel")).to_contain_text("No round yet")
