"""The mean of the factor is one for every style of play, which makes the evidence valid."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from controller.evidence.factor import (
    STRENGTHS,
    Floats,
    SeatRound,
    chances_of,
    decision_values,
    evidence_of,
    weights_of,
)
from controller.evidence.tables import first_table
from controller.rules.odds.subject import shipped

PACKS = ("pennsylvania", "massachusetts", "maryland", "six_card_bonus")
CHANCE = st.floats(1e-6, 1, allow_nan=False)


def seat_round(dice: random.Random, pack: str) -> SeatRound:
    """Return a round of a seat with random cards and decisions, beside up to five other seats with cards."""
    cards = dice.sample(range(52), 7 + 2 * dice.randrange(6))
    least, most = shipped(pack).odds.multiples
    bets = [dice.choice([0.0, least, most, dice.uniform(least, most)]) for _ in range(3)]
    folded = bets.index(0.0) + 1 if 0.0 in bets else 3
    one, two, three = (tuple(sorted(cards[at : at + 2])) for at in (0, 2, 4))
    return SeatRound(one, two, three, cards[6], frozenset(cards[7:]), tuple(bets[:folded]))


def factors(pack: str, seat: SeatRound) -> Floats:
    """Return (candidate, strength): the logarithms of the factor if each candidate in turn were the middle
    card."""
    odds = shipped(pack).odds
    values = list(decision_values(odds, first_table(odds), seat, seat.candidates))
    chances = chances_of(odds, seat.bets, values)
    return np.stack([weights_of(chances, at).sum(axis=0) for at in range(len(seat.candidates))])


@pytest.mark.parametrize("pack", PACKS)
@given(dice=st.randoms(use_true_random=False))
def test_the_mean_over_all_possible_cards_is_one(pack: str, dice: random.Random) -> None:
    found = np.exp(factors(pack, seat_round(dice, pack)))
    np.testing.assert_allclose(found.mean(axis=0), np.ones(len(STRENGTHS)), rtol=1e-9)


@given(arrays(float, st.tuples(st.integers(1, 3), st.just(2), st.integers(2, 9)), elements=CHANCE))
def test_the_mean_is_one_for_any_model_of_a_cheat(chances: Floats) -> None:
    found = [np.exp(weights_of(chances, at).sum(axis=0)) for at in range(chances.shape[2])]
    np.testing.assert_allclose(np.mean(found, axis=0), [1.0, 1.0], rtol=1e-9)


@settings(max_examples=15)
@given(dice=st.randoms(use_true_random=False))
def test_the_mean_stays_one_if_a_round_is_played_by_the_former_card(dice: random.Random) -> None:
    """A player may guess the middle card from round to round: after two rounds the mean evidence is still
    one."""
    seats = [seat_round(dice, "pennsylvania") for _ in range(3)]
    first, *others = (factors("pennsylvania", seat) for seat in seats)
    means = []
    for at, one in enumerate(first):
        then = others[at % 2]
        both = np.logaddexp.reduce(one + then, axis=1) - np.log(len(STRENGTHS))
        means.append(np.exp(both).mean())
    assert np.mean(means) == pytest.approx(1, rel=1e-9)


def test_a_card_that_was_dealt_elsewhere_is_refused() -> None:
    odds = shipped("pennsylvania").odds
    seat = seat_round(random.Random(4), "pennsylvania")
    with pytest.raises(ValueError, match="dealt elsewhere"):
        evidence_of(odds, first_table(odds), replace(seat, others=seat.others | {seat.middle}))


def test_a_repr_shows_no_card() -> None:
    assert "hole" not in repr(seat_round(random.Random(1), "pennsylvania"))
