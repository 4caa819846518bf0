"""The trial of power (`python -m tests.trials.evidence.hypotheses`) computes the right bounds, and its cheats
use their knowledge.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from controller.evidence.hypotheses import PLACES, Hypothesis, PackValues
from controller.evidence.tables import first_tables
from controller.game.model.cards import Card
from controller.game.model.names import ROW, Place
from controller.rules.odds.cards import DECK_SIZE, NUMBER
from controller.rules.odds.subject import shipped
from controller.rules.volume.best_player import Best
from tests.trials.evidence.bounds import gained
from tests.trials.evidence.cheating import (
    HAND,
    STRENGTHS,
    Round,
    Strength,
    Trial,
    gain,
    knowing_bets,
    large_gain,
    round_of,
    wagers,
)
from tests.trials.evidence.hypotheses import TEN, Power, reached
from tests.trials.evidence.players import best_bets
from tests.trials.evidence.values import deal_hands

pytestmark = pytest.mark.slow

ODDS = shipped("pennsylvania").odds
VALUES = PackValues(ODDS, first_tables(ODDS))
BEST = Best(ODDS)
"""Player without knowledge who makes the best choices. All tests share it, because it solves each kind of
hole once."""
FOLD = [0, 0, 0]
HOLE = (NUMBER[Card("9S")], NUMBER[Card("2H")])
PAIRED: dict[str, int] = {
    Place.ACROSS_LEFT: NUMBER[Card("9D")], Place.ACROSS_RIGHT: NUMBER[Card("9C")],
    Place.DOWN_FAR: NUMBER[Card("2S")], Place.DOWN_NEAR: NUMBER[Card("2C")],
    Place.MIDDLE: NUMBER[Card("9H")],
}  # fmt: skip
"""A cross whose card at each place pairs a card of HOLE."""
CARDS = {Hypothesis.MIDDLE: Place.MIDDLE, **PLACES}
DECISIONS = {Hypothesis.MIDDLE: 3, Hypothesis.ONE_HAND: 1} | {
    name: 1 if place in ROW else 2 for name, place in PLACES.items()
}
"""Number of decisions that a player makes before the known card is turned."""


def trial(seed: int) -> Trial:
    return Trial(VALUES, BEST, np.random.default_rng(seed))


def until_fold(bets: Sequence[int], decisions: int) -> list[int]:
    made = list(bets)[:decisions]
    return made[: made.index(0) + 1] if 0 in made else made


def chance(hypothesis: Hypothesis, strength: Strength, dealt: Round, plain: list[int], made: object) -> float:
    """Return the chance that a cheat of this strength makes the bets `made` in this deal. `plain`: bets
    without knowledge."""
    gains = gain(VALUES, hypothesis, dealt, plain) >= large_gain(hypothesis)
    used = {"every round": 1.0, "one in three": 1 / 3, "large gains": float(gains)}[strength]
    knowing, honest = (
        until_fold(bets, DECISIONS[hypothesis]) == made
        for bets in (knowing_bets(VALUES, hypothesis, dealt, plain), plain)
    )
    return used * knowing + (1 - used) * honest


@pytest.mark.parametrize("strength", STRENGTHS)
@pytest.mark.parametrize("hypothesis", CARDS)
def test_a_bound_is_the_chance_of_the_wagers_over_their_mean_chance(
    hypothesis: Hypothesis, strength: Strength
) -> None:
    hands = deal_hands(np.random.default_rng(8), 12)
    for at in range(12):
        dealt, plain = round_of(hands, at), [(0, 1, 3)[at % 3], 1, 3]
        found = gained(trial(at), hypothesis, strength, dealt, plain)
        made = until_fold(wagers(trial(at), hypothesis, strength, dealt, plain).bets, DECISIONS[hypothesis])
        place = CARDS[hypothesis]
        taken = {*dealt.hole, *dealt.others, *dealt.cross.values()} - {dealt.cross[place]}
        each = [
            chance(hypothesis, strength, replace(dealt, cross={**dealt.cross, place: card}), plain, made)
            for card in range(DECK_SIZE)
            if card not in taken
        ]
        own = chance(hypothesis, strength, dealt, plain, made)
        assert found == pytest.approx(np.log(own / np.mean(each)), abs=1e-9)


@pytest.mark.parametrize("strength", STRENGTHS)
def test_the_bound_with_a_known_hand_is_counted_over_every_other_hand(
    strength: Strength,
) -> None:
    name, hands = Hypothesis.ONE_HAND, deal_hands(np.random.default_rng(3), 8)
    plain = best_bets(BEST, hands)
    for at in range(8):
        dealt, honest = round_of(hands, at), plain[:, at].tolist()
        found = gained(trial(at), name, strength, dealt, honest)
        made = until_fold(wagers(trial(at), name, strength, dealt, honest).bets, 1)
        free = sorted(dealt.after(0.0).free | {*dealt.hands[HAND]})
        each = [
            chance(name, strength, replace(dealt, hands={**dealt.hands, HAND: two}), honest, made)
            for two in combinations(free, 2)
        ]
        own = chance(name, strength, dealt, honest, made)
        assert found == pytest.approx(np.log(own / np.mean(each)), abs=1e-9)


@pytest.mark.parametrize("hypothesis", [*CARDS, Hypothesis.CROSS])
def test_a_cheat_who_waits_for_large_gains_has_some(hypothesis: Hypothesis) -> None:
    dealt = Round(HOLE, PAIRED, {})
    assert wagers(trial(1), hypothesis, "large gains", dealt, FOLD).bets != FOLD


def test_a_level_that_is_not_reached_is_beyond_the_sitting() -> None:
    logs = [np.arange(1, 201) * TEN / speed for speed in (1, 2, 3, 4, 50)]
    found = reached(logs, 200)
    assert found == [(9, 150), (18, 201), (27, 201)]
    row = Power(Hypothesis.MIDDLE, "every round", (16.62, 0.4), found).row()
    assert row == "| `sees_middle` | every round | 17 ± 0 | 9 / 150 | 18 / over 200 | 27 / over 200 |"
