"""The computed best play equals that of a player who tries all decisions by the table's own rules."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from controller.game.model.cards import DECK, Card
from controller.game.model.rules import PayTable, RulePack
from controller.game.rulebook.hands import evaluate
from controller.game.rulebook.settlement_plan import result_of
from controller.rules.odds.base import spots, sums
from controller.rules.odds.cards import kinds
from controller.rules.odds.counts import Counts
from controller.rules.odds.figures import totals
from controller.rules.odds.pack import Odds, odds_of
from controller.rules.odds.solve import deals, solve_kind, stage
from tests.odds.packs import LETTER, PENNSYLVANIA, SIX_CARD_BONUS, paying

pytestmark = pytest.mark.slow

BY_NAME = {kind.name: kind for kind in kinds()}


def comes_to(table: PayTable, five: list[Card]) -> int:
    result, odds = result_of(table, evaluate(five))
    return {"lose": -1, "push": 0}.get(result, odds or 0)


def tried(pack: RulePack, hole: list[Card], across: list[Card], bet: int) -> tuple[int, int]:
    """Return the highest result after an Across bet of `bet` antes, and the Down bet that reaches it.

    Bets of 1, 2 and 3 antes and folds are tried; results are summed over every Down pair and Middle.
    """
    left = [card for card in DECK if card not in (*hole, *across)]
    first = {middle: comes_to(pack.bet_pays, [*hole, *across, middle]) for middle in left}
    ante = {middle: comes_to(pack.ante_pays, [*hole, *across, middle]) for middle in left}
    whole = dict.fromkeys((1, 2, 3), 0)
    for pair in combinations(left, 2):
        antes = acrosses = downs = middles = 0
        for middle in left:
            if middle not in pair:
                five = [*hole, *pair, middle]
                second = comes_to(pack.bet_pays, five)
                antes += ante[middle] + comes_to(pack.ante_pays, five)
                acrosses += first[middle]
                downs += second
                middles += max(first[middle], second)
        for down in whole:
            certain = antes + bet * acrosses + down * downs
            whole[down] += max(-46 * (2 + bet + down), *(certain + three * middles for three in (1, 2, 3)))
    best = max(whole, key=whole.__getitem__)
    folded = -(2 + bet) * 46 * (48 * 47 // 2)
    return (whole[best], best) if whole[best] > folded else (folded, 0)


@pytest.mark.parametrize(
    ("name", "row", "bet", "pack"),
    [("AKs", 700, 3, PENNSYLVANIA), ("T9o", 40, 1, LETTER), ("72o", 555, 2, SIX_CARD_BONUS)],
)
def test_the_best_down_bet_equals_the_one_found_by_enumeration(
    name: str, row: int, bet: int, pack: RulePack
) -> None:
    found, odds = spots(BY_NAME[name].hole), odds_of(pack)
    staged = stage(sums(found, odds, np.array([row])), odds, bet)
    hole, across = ([DECK[card] for card in cards] for cards in (found.hole, found.cards[found.pairs[row]]))
    assert (int(staged.worth[0]), int(staged.down[0])) == tried(pack, hole, across, bet)


# ---------------------------------------------------------------------- counts


@pytest.mark.parametrize("name", ["77", "Q8s"])
def test_the_counted_deals_of_a_hole_give_the_value_of_its_decisions(name: str) -> None:
    """The value of a decision, as used by the best play, equals the sum over the counted deals that follow
    it."""
    kind, odds = BY_NAME[name], odds_of(PENNSYLVANIA)
    made = solve_kind(kind, odds)
    whole = totals(odds, Counts.of([made]))
    assert whole.deals == kind.count * deals(spots(kind.hole)) == kind.count * 63_562_800
    assert whole.expectation == made.hole.expectation


def test_a_bet_of_two_antes_is_never_better_than_both_one_and_three() -> None:
    for name in ("AA", "KQs", "32s"):
        worth = {
            bet: option.expectation
            for bet, option in solve_kind(BY_NAME[name], odds_of(PENNSYLVANIA)).hole.worth.items()
        }
        assert worth[2] <= max(worth[1], worth[3])


# ---------------------------------------------------------------------- value of one change


def worth_of(odds: Odds, *, middle: str = "higher") -> Fraction:
    return solve_kind(BY_NAME["JTs"], odds, middle=middle).hole.expectation


@pytest.fixture(scope="module")
def before() -> Fraction:
    """Return the value of a jack and a ten of one suit in Pennsylvania."""
    return worth_of(odds_of(PENNSYLVANIA))


@pytest.mark.parametrize(
    ("odds", "middle", "percent"),
    [
        (paying("three_of_a_kind", 4), "higher", 12.137),
        (paying("flush", 7), "higher", -6.506),
        (paying("pair_of_6s_to_10s", 1), "higher", 138.299),
        (paying("pair_of_jacks_or_better", "push"), "higher", -101.122),
        (odds_of(PENNSYLVANIA), "lower", -251.053),
        (replace(odds_of(PENNSYLVANIA), multiples=(1, 2)), "higher", -70.361),
    ],
    ids=[
        "three of a kind pays 4",
        "flush pays 7",
        "sixes pay",
        "jacks push",
        "Middle on the lower hand",
        "no 3 antes",
    ],
)
def test_each_changed_rule_changes_the_value_of_a_hole_as_counted(
    before: Fraction, odds: Odds, middle: str, percent: float
) -> None:
    """`percent` is the change of the value in percent of an ante. `python -m tests.odds` counts it over all
    holes (controller/rules/odds/ODDS.md)."""
    moved = 100 * (worth_of(odds, middle=middle) - before)
    assert round(float(moved), 3) == percent
