"""The best player's decisions equal those of the odds for any suits, and depend on no hidden card."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from controller.game.model.cards import DECK, Card
from controller.game.model.names import Wager
from controller.game.rulebook.hands import evaluate
from controller.game.rulebook.settlement_plan import pay_table, result_of
from controller.rules.odds.base import spots, sums
from controller.rules.odds.cards import NUMBER
from controller.rules.odds.pack import odds_of
from controller.rules.odds.solve import stage
from controller.rules.volume.arrays import CardArray
from controller.rules.volume.best_player import Best
from tests.game.felt import pack

PENNSYLVANIA = pack()
PROGRESS: list[tuple[int, int]] = []
BEST = Best(odds_of(PENNSYLVANIA), lambda known, of: PROGRESS.append((known, of)))
HIGH, LOW = "KD QD", "2H 3S"
"""Holes of two kinds, in other suits than the example hole of their kind for which the odds are computed."""


def numbers(cards: str) -> list[int]:
    return [NUMBER[Card(card)] for card in cards.split()]


def column(cards: list[int]) -> CardArray:
    return np.array(cards, dtype=np.uint8)[:, None]


def bet(hole: str, row: str = "", down: str = "") -> int:
    turned = [column(numbers(pair)) for pair in (row, down) if pair]
    return int(BEST.antes(column(numbers(hole))[None], *turned)[0, 0])


@pytest.mark.parametrize(("hole", "antes"), [(HIGH, 1), (LOW, 0)])
def test_the_first_bet_is_that_of_the_kind_of_hole(hole: str, antes: int) -> None:
    assert bet(hole) == antes


def test_a_kind_of_hole_is_worked_out_once_whatever_its_suits() -> None:
    assert [bet("QC KC"), bet(HIGH), bet(LOW), bet("3D 2C"), bet("QH KH")] == [1, 1, 0, 0, 1]
    assert PROGRESS == [(1, 169), (2, 169)]


def any_pairs(hole: str, count: int) -> Iterator[list[int]]:
    dice = np.random.default_rng(count)
    left = [card for card in range(52) if card not in numbers(hole)]
    for _ in range(count):
        yield dice.permutation(left)[:4].tolist()


def test_the_second_bet_is_the_one_that_is_worth_most_with_these_very_suits() -> None:
    """The expected bet is computed with this hole and Across pair, and not with the pair that represents them
    in the odds."""
    found, odds = spots((min(numbers(HIGH)), max(numbers(HIGH)))), odds_of(PENNSYLVANIA)
    chosen = []
    for left, right, *_ in any_pairs(HIGH, 15):
        pair = sorted(int(np.flatnonzero(found.cards == card)[0]) for card in (left, right))
        at = np.flatnonzero((found.pairs == pair).all(axis=1))
        expected = stage(sums(found, odds, at), odds, bet(HIGH)).down[0]
        chosen.append(bet(HIGH, f"{DECK[left]} {DECK[right]}"))
        assert chosen[-1] == expected
    assert set(chosen) == {1, 3}


def comes_to(wager: Wager, five: list[Card]) -> int:
    result, odds = result_of(pay_table(PENNSYLVANIA, wager), evaluate(five))
    return {"lose": -1, "push": 0}.get(result, odds or 0)


def by_hand(hole: list[int], cross: list[int], lie: tuple[int, int]) -> int:
    """Return the best third bet by the table's own rules, from the payouts for each of the 46 possible middle
    cards. `lie`: Across and Down bet, in antes."""
    rest = middle = 0
    for card in set(range(52)) - {*hole, *cross}:
        across, down = ([DECK[each] for each in (*hole, *pair, card)] for pair in (cross[:2], cross[2:]))
        rest += comes_to(Wager.ANTE_ACROSS, across) + comes_to(Wager.ANTE_DOWN, down)
        rest += lie[0] * comes_to(Wager.ACROSS, across) + lie[1] * comes_to(Wager.DOWN, down)
        middle += comes_to(Wager.MIDDLE, max(across, down, key=evaluate))
    best = max(middle, 3 * middle)
    return 0 if rest + best <= -46 * (2 + sum(lie)) else 3 if middle > 0 else 1


@pytest.mark.parametrize(("hole", "bets"), [(HIGH, {1, 3}), (LOW, {0, 1, 3})])
def test_the_third_bet_is_what_the_cards_that_may_still_come_pay_for(hole: str, bets: set[int]) -> None:
    chosen = []
    for cross in any_pairs(hole, 25):
        row, down = (" ".join(DECK[card] for card in pair) for pair in (cross[:2], cross[2:]))
        chosen.append(bet(hole, row, down))
        assert chosen[-1] == by_hand(numbers(hole), cross, (bet(hole), bet(hole, row)))
    assert set(chosen) == bets


def test_the_order_of_two_cards_makes_no_difference() -> None:
    assert bet("QD KD", "2S TH", "9C 4C") == bet("KD QD", "TH 2S", "4C 9C")
