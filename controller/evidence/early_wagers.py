"""Evidence that a seat's wagers before the deal predict (follow) the cards that are dealt afterwards.

A bonus bet is compared with the result of the bonus, whose chance a fair shuffle gives exactly. An ante that
is larger or smaller than the seat's usual one is compared with the seat's own two cards, which are uniform
over the pairs that were dealt nowhere else (controller/evidence/EVIDENCE.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from controller.evidence.factor import Floats, RoundEvidence
from controller.evidence.known_middle import CardNumbers, FirstValues
from controller.game.model.names import Wager
from controller.rules.odds.pack import LINES, Odds
from controller.rules.odds.side_bets import hands_of
from controller.rules.volume.best_player import KIND, PAIR

BONUS_STRENGTHS = (1.0, 9.0, 99.0)
"""Strengths of the model, fixed in advance. A seat with knowledge bets a bonus when it will win: a bet
multiplies the odds of a win by 1 + strength, and no bet divides them by it."""
ANTE_STRENGTHS = (0.5, 1.5, 4.0)
"""Strengths of the model for an ante, fixed in advance. The factor depends on the rank of the seat's two
cards among all pairs that it could hold (`scaled_ranks`)."""
NO_BONUS, BONUS, LESS, MORE = 3, 4, 5, 6
"""Indices in `KNOWING` of the choices before the deal."""


@dataclass(frozen=True, slots=True, repr=False)
class EarlyRound:
    """Wagers of a seat before the deal, and the cards that decide them. Its repr shows no card.

    `ante`: Ante Across in cents. `bonuses`: cents of each bonus bet, 0 for none. `lines`: pay table line of
    the hand that decides each bonus, also if no bet was laid; None for a hand below the lowest line. `holes`:
    all pairs of cards that the seat could hold, given every other dealt card; `at`: index of the pair that it
    holds.
    """

    ante: int
    bonuses: Mapping[Wager, int]
    lines: Mapping[Wager, str | None]
    holes: CardNumbers
    at: int


@dataclass
class Habits:
    """Usual wagers of a player: `antes`: sum of the antes in the sitting so far, in cents; `rounds`: their
    number; `bonuses`: bonuses bet at least once."""

    antes: int = 0
    rounds: int = 0
    bonuses: set[Wager] = field(default_factory=set)

    def add(self, early: EarlyRound) -> None:
        self.antes, self.rounds = self.antes + early.ante, self.rounds + 1
        self.bonuses.update(wager for wager, cents in early.bonuses.items() if cents)

    def tendency(self, ante: int) -> int:
        """Return 1 for an ante above the mean of the earlier ones, -1 for one below it, else 0."""
        return (ante * self.rounds > self.antes) - (ante * self.rounds < self.antes)


def bonus_evidence(odds: Odds, early: EarlyRound, habits: Habits) -> RoundEvidence | None:
    """Return the evidence that the bonus bets follow the cards; None if the seat has bet no bonus in this
    sitting."""
    pays = dict(odds.side_bets)
    wagers = [wager for wager in early.lines if early.bonuses.get(wager) or wager in habits.bonuses]
    if not wagers:
        return None
    won = {wager: pays[wager][LINES.index(early.lines[wager])] > 0 for wager in wagers}
    each = [
        bonus_factor(win_chance(odds, wager), bool(early.bonuses.get(wager)), won[wager]) for wager in wagers
    ]
    laid = tuple(early.bonuses.get(wager, 0) / early.ante for wager in wagers[:1])
    best = BONUS if won[wagers[0]] else NO_BONUS
    weights = np.log(np.mean(each, axis=0))[None, :]
    return RoundEvidence(weights, laid, (best,), 0, tuple(wagers[:1]))


def bonus_factor(chance: float, bet: bool, won: bool) -> Floats:
    """Return the factor of one bonus in one round, for each strength. `chance`: chance of a win under a fair
    shuffle; `bet`: whether the seat bet the bonus; `won`: whether its hand is one that pays."""
    odds = 1 + np.array(BONUS_STRENGTHS)
    favoured = odds if bet else 1 / odds
    found: Floats = np.where(won, favoured, 1.0) / (chance * favoured + 1 - chance)
    return found


def win_chance(odds: Odds, wager: Wager) -> float:
    """Return the chance that a bonus wins under a fair shuffle."""
    counts, pays = hands_of(odds)[wager], dict(odds.side_bets)[wager]
    return sum(count for count, paid in zip(counts, pays, strict=True) if paid > 0) / sum(counts)


def ante_evidence(first: FirstValues, early: EarlyRound, habits: Habits) -> RoundEvidence | None:
    """Return the evidence that the size of the ante follows the seat's two cards; None if the ante equals the
    mean of the sitting's earlier ones."""
    tendency = habits.tendency(early.ante)
    if not tendency:
        return None
    worth = first.holes[KIND[PAIR[early.holes[:, 0], early.holes[:, 1]]]]
    place = scaled_ranks(worth)
    weights = place_weights(tendency * place, early.at, ANTE_STRENGTHS)[None, :]
    best = MORE if place[early.at] >= 0 else LESS
    size = early.ante * habits.rounds / habits.antes
    return RoundEvidence(weights, (size,), (best,), len(early.holes), (Wager.ANTE_ACROSS,))


def place_weights(place: Floats, at: int, strengths: Sequence[float]) -> Floats:
    """Return the logarithm of the factor for each strength. `place`: rank of each pair of cards that was
    possible (`scaled_ranks`), with the opposite sign if the model favours low ranks. `at`: index of the pair
    that was dealt."""
    powers = np.array(strengths)[:, None] * place
    found: Floats = powers[:, at] - np.log(np.exp(powers).sum(axis=1) / len(place))
    return found


def scaled_ranks(worth: Floats) -> Floats:
    """Return the rank of each number among all, scaled from -1 to 1; equal numbers have the same rank."""
    ordered = np.sort(worth)
    below, up_to = (np.searchsorted(ordered, worth, side) for side in ("left", "right"))
    found: Floats = (below + up_to) / len(worth) - 1
    return found
