"""A floorperson needs a fixed number of touches from *Other decisions* to a signed correction, with badge B1
and a PIN of four digits.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from controller.game.model import events
from controller.game.model.names import Wager
from tests.display.served import Script, Served
from tests.display.test_floor_page import badge, other
from tests.display.test_round_correction import BOX, ENDED
from tests.display.views import view

pytestmark = pytest.mark.browser

QUESTIONED, ANY_CIRCLE, OLDER = 13, 14, 16
"""Number of touches if the circle has an irregularity, if it has none, and for an older round; formerly
17."""
COUNT = "window.touches = 0; addEventListener('click', () => { window.touches += 1; }, true)"
WON = {"amount": 3000, "result": "win", "payout": 9000}
FAULT = {"code": "underpaid", "seat": 4, "wager": "across"}


def closed(number: int, **parts: Any) -> dict[str, Any]:
    seats = [{**BOX, "seat": seat, "wagers": {**BOX["wagers"], "across": WON}} for seat in range(1, 7)]
    return {**ENDED, "round": number, "about": f"record {number}.0", "seats": seats, **parts}


@pytest.mark.parametrize(
    ("choices", "most", "round_", "wager"),
    [
        (["Seat 4 · Across · $30 · paid $90"], QUESTIONED, 16, Wager.ACROSS),
        (["Seat 4 · paid $0, taken $30", "Down · $30 · taken"], ANY_CIRCLE, 16, Wager.DOWN),
        (["Another round", "Round 15 · settled · 10♥", "Seat 4 · paid $0, taken $30", "Down · $30 · taken"],
         OLDER, 15, Wager.DOWN),
    ],
)  # fmt: skip
def test_a_correction_takes_few_touches_and_the_whole_identity_check(
    page: Page, served: Served, script: Script, choices: list[str], most: int, round_: int, wager: Wager
) -> None:
    script.rounds = [closed(16, irregularities=[FAULT]), closed(15)]
    served.show(view())
    page.goto(f"{served.url}/floor")
    page.wait_for_selector(".floor-page")
    page.evaluate(COUNT)
    other(page, "correct")
    for choice in choices:
        page.get_by_role("button", name=choice, exact=True).tap()
    due = "$90" if wager is Wager.ACROSS else "$30"
    page.get_by_role("button", name=f"Player gets {due}", exact=True).tap()
    badge(page, touch=True)
    expect(page.locator(".refused")).to_contain_text(f"Player gets {due}")
    assert page.evaluate("touches") == most
    [event] = script.touched
    assert isinstance(event, events.RoundCorrected)
    assert (event.round, event.seat, event.wager) == (round_, 4, wager)
    assert event.cents == (9000 if wager is Wager.ACROSS else 3000)
    assert script.pins == ["1234"]
