"""The results of one hole against all crosses equal the table's own evaluation, card by card."""

from __future__ import annotations

import random

import numpy as np
import pytest

from controller.game.model.cards import DECK, Card
from controller.game.model.names import Wager
from controller.game.model.rules import RulePack
from controller.game.rulebook.hands import evaluate
from controller.game.rulebook.settlement_plan import pay_table, result_of
from controller.rules.odds.base import Indices, Spots, exact, group_by_suits, spots, sums
from controller.rules.odds.cards import HoleKind, kinds
from controller.rules.odds.pack import Odds, odds_of
from controller.rules.packs.loader import find_pack, load_pack

PENNSYLVANIA = load_pack(find_pack("pennsylvania"))
LETTER = load_pack(find_pack("maryland"), {"ante_pays": "pay_table"})


def comes_to(pack: RulePack, wager: Wager, five: list[Card]) -> int:
    """Return the result of one unit on a wager, by the table's own rules."""
    result, odds = result_of(pay_table(pack, wager), evaluate(five))
    return {"lose": -1, "push": 0}.get(result, odds or 0)


def by_hand(
    pack: RulePack, hole: list[Card], across: list[Card], down: list[Card], left: list[Card]
) -> list[int]:
    """Return the result of one unit on each of Across, Down, Middle and both antes, summed over the remaining
    middle cards."""
    totals = [0, 0, 0, 0]
    for middle in left:
        hands = [[*hole, *pair, middle] for pair in (across, down)]
        best = max(hands, key=evaluate)
        totals[0] += comes_to(pack, Wager.ACROSS, hands[0])
        totals[1] += comes_to(pack, Wager.DOWN, hands[1])
        totals[2] += comes_to(pack, Wager.MIDDLE, best)
        totals[3] += sum(comes_to(pack, Wager.ANTE_ACROSS, hand) for hand in hands)
    return totals


@pytest.mark.parametrize("pack", [PENNSYLVANIA, LETTER], ids=["even money", "to the letter"])
@pytest.mark.parametrize("dead", [(), (7, 30, 44)], ids=["whole deck", "three cards out"])
def test_the_results_of_all_wagers_equal_those_of_the_table(pack: RulePack, dead: tuple[int, ...]) -> None:
    lots = random.Random(12)
    for kind in lots.sample(kinds(), 4):
        found = spots(kind.hole, dead)
        rows = np.array(lots.sample(range(len(found.pairs)), 6))
        summed = sums(found, odds_of(pack), rows)
        hole = [DECK[card] for card in kind.hole]
        for row, pair in enumerate(rows):
            other = lots.choice(np.flatnonzero(summed.apart[row]).tolist())
            across, down = ([DECK[card] for card in found.cards[found.pairs[at]]] for at in (pair, other))
            left = [DECK[card] for card in found.cards if DECK[card] not in across + down]
            seen = [summed.across, summed.down, summed.middle, summed.antes]
            assert [table[row, other] for table in seen] == by_hand(pack, hole, across, down, left)


def test_pairs_are_combined_only_if_they_share_no_card() -> None:
    found = spots(kinds()[20].hole)
    summed = sums(found, odds_of(PENNSYLVANIA), np.arange(3))
    assert [int(row.sum()) for row in summed.apart] == [48 * 47 // 2] * 3
    assert found.middles == 46


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", [kinds()[0], kinds()[1], kinds()[2], kinds()[90]], ids=lambda kind: kind.name
)
def test_weighted_representatives_of_suits_equal_all_pairs(kind: HoleKind) -> None:
    """Pairs of cards that differ only in their suits are represented by one of them. With weights, the
    representatives give the result of all 1,225 pairs."""
    found, odds = spots(kind.hole), odds_of(PENNSYLVANIA)
    rows, weights = group_by_suits(found)
    assert weights.sum() == len(found.pairs) == 1_225
    assert len(rows) < 800
    few = weighted(found, odds, rows, weights)
    assert few == weighted(found, odds, np.arange(1_225), np.ones(1_225, int))


def weighted(found: Spots, odds: Odds, rows: Indices, weights: Indices) -> int:
    """Return the weighted sum of a function over every Across pair in `rows` and every Down pair. The
    function is not linear in the hands."""
    summed = sums(found, odds, rows)
    best = np.maximum(summed.middle, -summed.antes) * summed.apart
    return int(best.sum(axis=1, dtype=float) @ weights)


def test_packs_with_the_same_pay_table_have_the_same_digest() -> None:
    digests = {key: odds_of(load_pack(find_pack(key))).digest for key in ("maryland", "massachusetts")}
    assert set(digests.values()) == {odds_of(PENNSYLVANIA).digest}
    assert odds_of(LETTER).digest != odds_of(PENNSYLVANIA).digest
    assert odds_of(load_pack(find_pack("six_card_bonus"))).digest not in digests.values()


def test_numbers_too_large_for_single_precision_use_double() -> None:
    odds = odds_of(PENNSYLVANIA)
    assert exact(odds) is np.float32
    rich = Odds((*odds.bets[:-1], 100_000), odds.antes, (1, 100), ())
    assert exact(rich) is np.float64
