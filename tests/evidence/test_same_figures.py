"""Counts of hands that are made for a whole deck at once equal counts pair by pair, as the definitions have
it.

The figures of real rounds are compared.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from controller.evidence import factor, pair_card, whole_cross
from controller.evidence.report import sitting_data
from controller.evidence.running_evidence import Chosen, Ended, RunningEvidence
from controller.evidence.whole_cross import Crosses
from controller.rules.odds.hands import CARD_KEYS, classes
from controller.rules.odds.middle import best_results
from controller.rules.odds.tree import ANTES

pytestmark = pytest.mark.slow
CLASSES = 11
COUNTED = 15
"""Number of rounds that are counted pair by pair, with three seats each."""


def made(hole: Any, *cards: Any) -> Any:
    """Return the classes of the hands that a hole makes with three other cards, given as arrays."""
    return classes(
        (CARD_KEYS[list(hole)].sum() + sum(CARD_KEYS[np.asarray(each)] for each in cards)).astype(np.int32)
    )


def free_pairs(gone: set[int]) -> tuple[Any, Any]:
    """Return the cards outside `gone`, and all pairs of them."""
    live = np.array([card for card in range(52) if card not in gone])
    return live, live[np.stack(np.triu_indices(len(live), 1))]


def down_values(odds: Any, hole: Any, across: Any, candidates: Any, bet: float) -> Any:
    """Return, for each candidate as the known middle card, the values of the Down bets as means over all Down
    pairs without it."""
    _, (one, two) = free_pairs({*hole, *across})
    found = np.full((3, len(candidates)), -(ANTES + bet))
    for at, middle in enumerate(candidates):
        apart = (one != middle) & (two != middle)
        ends = made(hole, one, two, middle)[apart]
        mine = made(hole, *across, middle)
        for choice, down in enumerate(odds.multiples, 1):
            found[choice, at] = best_results(odds, bet, down)[mine, ends].mean()
    return found


def second_values_down(odds: Any, hole: Any, across: Any, candidates: Any, bet: float) -> Any:
    """Return, for each candidate as a known card of the Down pair, the values of the Down bets as means over
    all pairs with it and all middle cards. The Middle bet is chosen without knowledge of the middle card."""
    live, _ = free_pairs({*hole, *across})
    bets, antes = np.array(odds.bets, float), np.array(odds.antes, float)
    found = np.full((3, len(candidates)), -(ANTES + bet))
    for at, card in enumerate(candidates):
        seconds = live[live != card]
        apart = seconds[:, None] != seconds
        one = made(hole, *across, seconds)
        two = made(hole, card, seconds[:, None], seconds)
        for choice, down in enumerate(odds.multiples, 1):
            lying = antes[one] + bet * bets[one] + antes[two] + down * bets[two]
            ends = [lying + last * bets[np.maximum(one, two)] for last in odds.multiples]
            sums = [np.where(apart, each, 0).sum(axis=1) for each in ends]
            folded = np.full(len(seconds), -(ANTES + bet + down) * (len(seconds) - 1))
            found[choice, at] = np.maximum.reduce([folded, *sums]).sum() / apart.sum()
    return found


def crosses_of(seat: Any, live: Any) -> Crosses:
    """Count the crosses by class, one middle card after the other."""
    one, two = live[np.stack(np.triu_indices(len(live), 1))]
    every, with_across, both = np.zeros((CLASSES, CLASSES)), np.zeros((CLASSES, CLASSES)), []
    for middle in live:
        ends = made(seat.hole, one, two, middle)
        apart = (one != middle) & (two != middle)
        counts = np.bincount(ends[apart], minlength=CLASSES)
        held = [
            np.bincount(ends[apart & ((one == card) | (two == card))], minlength=CLASSES) for card in live
        ]
        of_across = np.bincount(
            ends[apart & ~np.isin(one, seat.across) & ~np.isin(two, seat.across)], minlength=CLASSES
        )
        same = np.diag(counts)
        every += np.outer(counts, counts) - sum(np.outer(each, each) for each in held) + same
        if middle not in seat.across:
            with_across[made(seat.hole, *seat.across, middle)] += of_across
        if middle not in {*seat.across, *seat.down}:
            both.append(np.zeros((CLASSES, CLASSES)))
            both[-1][tuple(made(seat.hole, *pair, middle) for pair in (seat.across, seat.down))] = 1
    return Crosses(every, with_across, np.array(both))


def test_every_figure_and_decision_equals_a_count_pair_by_pair(
    cheated: Path, ended: list[Ended], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = figures_of(cheated, ended[:COUNTED])
    monkeypatch.setattr(factor, "down_values", down_values)
    monkeypatch.setattr(pair_card, "second_values_down", second_values_down)
    monkeypatch.setattr(whole_cross, "crosses_of", crosses_of)
    assert figures_of(cheated, ended[:COUNTED]) == found
    assert [each["rounds"] for each in found] == [COUNTED] * 3


def figures_of(journal: Path, ended: list[Ended]) -> list[Any]:
    evidence = RunningEvidence(Chosen([journal]))
    evidence.learn(ended)
    for each in ended:
        evidence.add(each)
    return [sitting_data(each) for each in evidence.sittings.found]
