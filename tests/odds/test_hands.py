"""The fast evaluator agrees with the table's own evaluation and with the known numbers of hands."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, combinations_with_replacement

import numpy as np
import pytest

from controller.game.model.cards import DECK
from controller.game.rulebook.hands import evaluate
from controller.rules.odds.cards import NUMBER, kind_of, kinds
from controller.rules.odds.hands import CARD_KEYS, WEIGHTS, classes, hands, ranks
from controller.rules.odds.pack import LINES

# common tables of poker frequencies have these numbers, 2,598,960 in all; pairs are split at jacks and sixes
COUNTED = {
    "royal_flush": 4, "straight_flush": 36, "four_of_a_kind": 624, "full_house": 3_744, "flush": 5_108,
    "straight": 10_200, "three_of_a_kind": 54_912, "two_pair": 123_552,
    "pair_of_jacks_or_better": 4 * 84_480, "pair_of_6s_to_10s": 5 * 84_480, None: 1_302_540 + 4 * 84_480,
}  # fmt: skip


def test_each_combination_of_five_ranks_has_its_own_sum() -> None:
    ways = [five for five in combinations_with_replacement(range(13), 5) if max(map(five.count, five)) < 5]
    sums = {sum(WEIGHTS[rank] for rank in five) for five in ways}
    assert len(sums) == len(ways) == 6_175
    assert max(sums) < 1 << 19


@pytest.mark.slow
def test_the_number_of_hands_in_each_class_is_the_published_one() -> None:
    two = CARD_KEYS[:, None] + CARD_KEYS[None, :]
    found: Counter[str | None] = Counter()
    ranked = np.zeros(len(hands()), np.int64)
    for a, b, c in combinations(range(52), 3):
        if c < 50:
            upper = np.triu_indices(51 - c, 1)
            keys = (CARD_KEYS[[a, b, c]].sum(dtype=np.int32) + two[c + 1 :, c + 1 :])[upper]
            counted = np.bincount(classes(keys), minlength=len(LINES))
            found.update({line: int(n) for line, n in zip(LINES, counted, strict=True)})
            ranked += np.bincount(ranks(keys), minlength=len(ranked))
    assert found == COUNTED
    assert ranked.sum() == 2_598_960
    assert ranked.min() > 0


def test_the_fast_evaluation_equals_that_of_the_table() -> None:
    lots = random.Random(6)
    for _ in range(5_000):
        five = lots.sample(DECK, 5)
        key = CARD_KEYS[[NUMBER[card] for card in five]].sum(dtype=np.int32)
        evaluated = evaluate(five)
        assert LINES[int(classes(key))] == evaluated.line
        assert hands()[int(ranks(key))] == evaluated


def test_there_are_169_kinds_of_hole() -> None:
    found = kinds()
    assert [kind.name for kind in found[:3]] == ["AA", "AKs", "AKo"]
    assert len(found) == 169
    assert sum(kind.count for kind in found) == 1_326
    assert Counter(kind.count for kind in found) == {6: 13, 4: 78, 12: 78}
    assert all(kind_of(kind.hole) == kind.name for kind in found)
