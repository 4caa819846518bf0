"""The values of a cheat's decisions equal those counted deal by deal with the table's own evaluation of
hands.
"""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest

from controller.evidence.known_middle import across_values, down_values, middle_values
from controller.evidence.tables import first_table
from controller.game.model.cards import DECK
from controller.rules.odds.luck import hand_class
from controller.rules.odds.pack import Odds
from controller.rules.odds.subject import shipped

ODDS = shipped("pennsylvania").odds


def result(
    odds: Odds,
    hole: tuple[int, ...],
    pairs: tuple[tuple[int, ...], ...],
    middle: int,
    bets: tuple[float, ...],
) -> float:
    """Return the antes that a player wins with these cards and bets if they do not fold."""
    one, two = (hand_class(*(DECK[card] for card in (*hole, *pair, middle))) for pair in pairs)
    pays, antes = odds.bets, odds.antes
    return antes[one] + antes[two] + bets[0] * pays[one] + bets[1] * pays[two] + bets[2] * pays[max(one, two)]


@pytest.mark.parametrize("seed", range(6))
def test_the_middle_decision_is_the_result_of_the_round(seed: int) -> None:
    hole, across, down, middle = deal(seed)
    found = middle_values(ODDS, hole, (across, down), np.array([middle]), (1, 3))[:, 0]
    assert found.tolist() == [
        -6,
        *(result(ODDS, hole, (across, down), middle, (1, 3, bet)) for bet in (1, 3)),
    ]


@pytest.mark.parametrize("seed", range(3))
def test_the_down_decision_is_the_mean_over_all_down_pairs(seed: int) -> None:
    hole, across, _, middle = deal(seed)
    live = [card for card in range(52) if card not in {*hole, *across, middle}]
    found = down_values(ODDS, hole, across, np.array([middle]), 1)[:, 0]
    for place, bet in enumerate(ODDS.multiples, 1):
        ends = [
            max(-(3 + bet), *(result(ODDS, hole, (across, down), middle, (1, bet, last)) for last in (1, 3)))
            for down in combinations(live, 2)
        ]
        assert found[place] == pytest.approx(sum(ends) / len(ends))
    assert found[0] == -3


def test_the_shipped_table_equals_a_new_count_for_any_suits() -> None:
    for pack in ("pennsylvania", "six_card_bonus"):
        odds, dice = shipped(pack).odds, random.Random(pack)
        for _ in range(12):
            one, two, middle = dice.sample(range(52), 3)
            hole = (min(one, two), max(one, two))
            counted = across_values(odds, hole, np.array([middle]))
            np.testing.assert_allclose(first_table(odds).at(hole, np.array([middle])), counted, rtol=1e-5)


def deal(seed: int) -> tuple[tuple[int, int], tuple[int, int], tuple[int, int], int]:
    cards = random.Random(seed).sample(range(52), 7)
    hole, across, down = ((min(cards[at : at + 2]), max(cards[at : at + 2])) for at in (0, 2, 4))
    return hole, across, down, cards[6]
