"""The small line of a prompt about cards has at most two clauses in every language."""

from __future__ import annotations

import pytest

from controller.common.texts.catalogue import SEPARATOR, catalogue, languages
from controller.pages.display.words import MAX_CLAUSES, render
from tests.display.views import View, prompt, view, whole

STUB_FIRST = {"seat": 3, "wager": "across", "amount": 1000, "cards": ["rack_stub", "look_and_lay_down"]}


def small(shown: View, language: str = "en") -> list[str]:
    return str(render(whole(shown), language)["front"]["more"]).split(SEPARATOR)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    "shown_prompt",
    [
        prompt("confirm_bet", step="goes_on", **STUB_FIRST),
        prompt("confirm_bet", step="goes_on", seat=3, wager="across", amount=1000),
        prompt("clear", step="reshuffled", cards=["hands_in_order", "one_deck"]),
        prompt("clear", step="reshuffled", cards=["seat_first", "one_deck"], racked=2),
        prompt("clear", step="removed", cards=["seat_first"], racked=2),
    ],
)
def test_a_small_line_has_at_most_two_clauses(shown_prompt: View, language: str) -> None:
    assert len(small(view(prompt=shown_prompt), language)) <= MAX_CLAUSES


def test_a_removed_deck_is_named_beside_the_last_hand() -> None:
    shown = view(prompt=prompt("clear", step="removed", cards=["seat_first"], racked=2))
    assert small(shown) == ["seat 2's cards to the rack first", catalogue("en").plain("steps.removed")]


def test_a_bet_without_acts_on_cards_states_that_play_continues() -> None:
    shown = view(prompt=prompt("confirm_bet", seat=3, wager="across", amount=1000, step="goes_on"))
    assert small(shown) == ["CONFIRM if that is right", "or wait, play goes on"]


def test_the_key_of_a_table_without_a_dealer_states_that() -> None:
    shown = view(phase="closed", dealer=None, prompt=prompt("open_table"))
    shown["keys"] |= {"confirm": True}
    assert render(whole(shown), "en")["keys"]["confirm"] == "table open without a dealer"
