"""Evidence of one seat in one round that it knew the middle card, by decision and by strength of the model:
a likelihood ratio (e-value).

A round's factor divides two probabilities of the card that was turned: the one predicted from the decisions
before the turn, and the one of a fair shuffle. Its mean is one for a player who does not know the card,
however they play (controller/evidence/EVIDENCE.md). No decision that came after the turn may be used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from controller.evidence.known_middle import (
    CardNumbers,
    FirstValues,
    Values,
    down_values,
    middle_values,
)
from controller.game.model.names import BETS, Wager
from controller.rules.odds.cards import DECK_SIZE, Hole
from controller.rules.odds.pack import Odds

STRENGTHS = (0.5, 2.0, 8.0)
"""Strengths of the model, fixed in advance: a choice that is better by one ante is e^strength times as
likely, apart from careless decisions."""
CARELESS = 0.05
"""Share of decisions that the model takes to be made at random. It keeps the chance of each decision above
zero, so that no card is ever excluded."""
KNOWING = (
    "fold", "make the smallest bet", "make the largest bet", "lay no bonus bet", "lay a bonus bet",
    "ante less than before", "ante more than before", "add no chips late", "add chips late",
)  # fmt: skip
"""Choices that a player with the knowledge would make, as named in the report. `RoundEvidence.best` has
indices of this list."""
Pair = tuple[int, int]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, repr=False)
class SeatRound:
    """Cards and decisions of one seat in one round. Cards are numbers (rules/odds/cards.py). Its repr shows
    no card.

    `bets`: antes bet at Across, Down and Middle; a fold is 0 and the last entry. `others`: cards dealt
    elsewhere, which cannot be in the cross.
    """

    hole: Hole
    across: Pair
    down: Pair
    middle: int
    others: frozenset[int]
    bets: tuple[float, ...]

    @property
    def candidates(self) -> CardNumbers:
        """Return the cards that could lie in the middle, given every other card that was dealt."""
        gone = {*self.hole, *self.across, *self.down, *self.others}
        return np.array([card for card in range(DECK_SIZE) if card not in gone], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class RoundEvidence:
    """Evidence of one seat in one round for one hypothesis.

    `weights` (decision, strength): natural logarithms; the sum over the decisions is the logarithm of the
    round's factor. `bets`: antes bet at each decision, 0 for a fold. `best`: index in `KNOWING` of the best
    choice at each decision for a player with the knowledge. `cards`: number of possibilities among which the
    player knew the right one; 0 if the hypothesis counts none. `wagers`: wager of each decision. `hands`:
    seats whose hands are tested one by one, if the hypothesis does so; `weights` and `best` then have columns
    and entries for each seat of the table.
    """

    weights: Floats
    bets: tuple[float, ...]
    best: tuple[int, ...]
    cards: int
    wagers: tuple[Wager, ...] = BETS
    hands: tuple[int, ...] = ()

    def hand(self, column: int) -> int | None:
        """Return the seat whose hand a column of `weights` tests; None if the hypothesis does not test hands
        one by one."""
        return column * len(self.best) // self.weights.shape[1] + 1 if self.hands else None

    def best_at(self, decision: int, column: int) -> int:
        """Return the index in `KNOWING` of the best choice at a decision, for a player with the knowledge
        that a column of `weights` tests."""
        seat = self.hand(column)
        return self.best[decision if seat is None else seat - 1]


def evidence_of(odds: Odds, first: FirstValues, seat: SeatRound) -> RoundEvidence:
    """Return the evidence that the seat knew the middle card. Raises ValueError if that card was dealt
    elsewhere too."""
    candidates = seat.candidates
    if seat.middle not in candidates:
        raise ValueError("the middle card was dealt elsewhere")
    at = int(np.flatnonzero(candidates == seat.middle)[0])
    values = list(decision_values(odds, first, seat, candidates))
    best = tuple(int(each[:, at].argmax()) for each in values)
    weights = weights_of(chances_of(odds, seat.bets, values), at)
    return RoundEvidence(weights, seat.bets, best, len(candidates))


def chances_of(odds: Odds, bets: Sequence[float], values: Sequence[Values]) -> Floats:
    """Return (decision, strength, candidate): the chance of each decision of the seat under the model, if the
    player knew this candidate to be the hidden card. `bets`, `values`: by decision."""
    return np.stack([chances(each, bet, odds) for each, bet in zip(values, bets, strict=True)])


def weights_of(chances: Floats, at: int) -> Floats:
    """Return the weights (decision, strength) if candidate number `at` is the turned card. `chances`:
    (decision, strength, candidate).

    After each decision the prediction of the card is proportional to the product of the chances so far; the
    weight is the change of the logarithm of the turned card's prediction.
    """
    # at most three chances of at least CARELESS / 3 are multiplied, so no product underflows
    joint = np.cumprod(chances, axis=0)
    predicted: Floats = np.log(joint[:, :, at] / joint.sum(axis=2) * chances.shape[2])
    predicted[1:] -= predicted[:-1].copy()
    return predicted


def log_mean(logs: Floats) -> Floats:
    """Return log(mean(exp(logs))) over the last axis, without overflow."""
    found: Floats = np.logaddexp.reduce(logs, axis=-1) - np.log(logs.shape[-1])
    return found


def decision_values(
    odds: Odds, first: FirstValues, seat: SeatRound, candidates: CardNumbers
) -> Iterator[Values]:
    """Yield, for each decision that the seat made, the value of each choice by candidate for the middle
    card."""
    yield first.at(seat.hole, candidates)
    if len(seat.bets) > 1:
        yield down_values(odds, seat.hole, seat.across, candidates, seat.bets[0])
    if len(seat.bets) > 2:
        pairs = seat.across, seat.down
        yield middle_values(odds, seat.hole, pairs, candidates, (seat.bets[0], seat.bets[1]))


def chances(values: Values, bet: float, odds: Odds) -> Floats:
    """Return (strength, candidate): the chance of a bet of `bet` antes under the model, a softmax over the
    values of the three choices."""
    best = values.max(axis=0)
    strengths = np.array(STRENGTHS)[:, None]
    every = np.exp(strengths[:, None] * (values - best)).sum(axis=1)
    made = np.exp(strengths * (_value_of(values, bet, odds.multiples) - best))
    found: Floats = CARELESS / len(values) + (1 - CARELESS) * made / every
    return found


def _value_of(values: Values, bet: float, multiples: tuple[int, int]) -> Floats:
    """Return the value of a bet, interpolated between the smallest and the largest one."""
    least, most = multiples
    fold, smallest, largest = values
    share = 0.0 if least == most else (bet - least) / (most - least)
    laid: Floats = (1 - share) * smallest + share * largest
    return laid if bet else fold
