"""Evidence of one seat in one round that it knew hands of other players, who decide after it (collusion,
shared hole cards).

Given all other cards, the cards in these hands are uniform over those that were dealt nowhere else, and the
seat's first decision was made before theirs (controller/evidence/EVIDENCE.md). No later decision may be used,
because it may follow theirs. The sets of cards that may lie in these hands are counted exactly by the sum of
their effects, which are rounded to whole steps.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from controller.evidence.factor import CARELESS, Floats, RoundEvidence
from controller.evidence.tables import FirstTables
from controller.game.model.names import SEATS
from controller.rules.odds.cards import DECK_SIZE, Hole
from controller.rules.odds.pack import Odds

SHARES = (0.25, 0.5, 1.0)
"""Shares of the rounds in which the model uses the knowledge. Fixed in advance."""
SHARPNESS = 32.0
"""Strength of the model in these rounds, per ante. Fixed in advance."""
STEP = 0.01
"""Antes to which the effect of a card is rounded."""
LIVE = DECK_SIZE - 2
"""Number of cards that a seat does not hold."""
IN_CROSS = 5
Steps = NDArray[np.int64]


@dataclass(frozen=True, slots=True, repr=False)
class HandsAfter:
    """First decision of a seat, and the other hands. Its repr shows no card.

    `bet`: antes bet at Across, 0 for a fold. `later`: hands by seat, of other patrons who decide after it.
    `known`: cards in all other hands. `free`: cards that were dealt nowhere. `ordered`: whether no later hand
    was shown, and no seat decided, before its turn.
    """

    hole: Hole
    bet: float
    later: Mapping[int, Hole]
    known: frozenset[int]
    free: frozenset[int]
    ordered: bool


@dataclass(frozen=True)
class FirstWorth:
    """Values of the first decision of a hole: fold, smallest and largest bet.

    `bets`: antes of each choice. `plain`: values in antes without knowledge. `effects`: (choice, card), the
    change of the value if the card lies in another hand, because it is then not in the cross.
    """

    bets: tuple[int, int, int]
    plain: Floats
    effects: Floats

    @cached_property
    def rivals(self) -> tuple[int, int, int]:
        """Return, by choice, the best choice with another bet."""
        one, two, three = (
            max((other for other in range(3) if self.bets[other] != bet), key=lambda each: self.plain[each])
            for bet in self.bets
        )
        return one, two, three

    def knowing(self, cards: Collection[int]) -> Floats:
        """Return the values to a player who knows that these cards lie in other hands."""
        found: Floats = self.plain + weighed(len(cards)) * self.effects[:, list(cards)].sum(axis=1)
        return found


@lru_cache(maxsize=1)
def first_worth(odds: Odds, first: FirstTables, hole: Hole) -> FirstWorth:
    """Return the values of a hole's first decision. They follow from those with one known card of the cross,
    because a card in another hand is one that the cross does not have."""
    live = np.array([card for card in range(DECK_SIZE) if card not in hole])
    across, down, middle = (table.at(hole, live) for table in (first.across, first.down, first.middle))
    lying = 2 * across + 2 * down + middle
    effects = np.zeros((3, DECK_SIZE))
    effects[:, live] = (lying.mean(axis=1, keepdims=True) - lying) / (LIVE - IN_CROSS)
    return FirstWorth((0, *odds.multiples), across.mean(axis=1), effects)


def weighed(cards: int) -> float:
    """Return the weight of each card's effect if `cards` cards are known: the fewer are left, the more each
    counts."""
    return (LIVE - 1) / (LIVE - cards)


def evidence_of_one_hand(odds: Odds, first: FirstTables, seat: HandsAfter) -> RoundEvidence:
    """Return the evidence that the seat knew one hand, by seat of that hand."""
    worth = first_worth(odds, first, seat.hole)
    weights, best = np.zeros((len(SEATS), len(SHARES))), [0] * len(SEATS)
    for at, number in enumerate(SEATS):
        if number in seat.later:
            hand = seat.later[number]
            weights[at] = _weights(worth, seat, hand, frozenset())
            best[at] = int(worth.knowing(hand).argmax())
    count = comb(len(seat.free) + 2, 2)
    return RoundEvidence(weights.reshape(1, -1), (seat.bet,), tuple(best), count, hands=tuple(seat.later))


def evidence_of_all_hands(odds: Odds, first: FirstTables, seat: HandsAfter) -> RoundEvidence:
    """Return the evidence that the seat knew all other hands. The hands before it are given."""
    worth = first_worth(odds, first, seat.hole)
    cards = tuple(card for hand in seat.later.values() for card in hand)
    weights = _weights(worth, seat, cards, seat.known - {*cards})
    best = int(worth.knowing(seat.known).argmax())
    count = comb(len(seat.free) + len(cards), len(cards))
    return RoundEvidence(weights[None, :], (seat.bet,), (best,), count)


def _weights(worth: FirstWorth, seat: HandsAfter, cards: tuple[int, ...], given: frozenset[int]) -> Floats:
    """Return the logarithm of the factor by share. `given`: other known cards.

    If the order of the decisions was disturbed, it is the smallest factor of any choice: to leave the round
    out would favour whoever disturbs the order by their cards."""
    if seat.ordered:
        parts = _choices(worth, seat.bet)
        found = sum(part * factors(worth, each, cards, given, seat.free) for each, part in parts)
    else:
        found = np.min([factors(worth, each, cards, given, seat.free) for each in range(3)], axis=0)
    weights: Floats = np.log(found)
    return weights


def _choices(worth: FirstWorth, bet: float) -> list[tuple[int, float]]:
    """Return the choices of which a bet is a mean, with their parts."""
    _, least, most = worth.bets
    if not bet or bet == least:
        return [(1 if bet else 0, 1.0)]
    share = (bet - least) / (most - least)
    return [(2, 1.0)] if share == 1 else [(1, 1 - share), (2, share)]


def factors(
    worth: FirstWorth, choice: int, cards: tuple[int, ...], given: frozenset[int], free: frozenset[int]
) -> Floats:
    """Return the factor of a choice by share: the chance of the choice if `cards` are known, over its mean
    over all sets of as many cards that may lie there instead."""
    rival = worth.rivals[choice]
    effects = worth.effects[choice] - worth.effects[rival]
    steps = np.rint(effects * weighed(len(cards) + len(given)) / STEP).astype(np.int64)
    lead = worth.plain[choice] - worth.plain[rival]
    counts, least = sets_by_sum(steps[[*free, *cards]], len(cards))
    sums = np.append(steps[list(cards)].sum(), least + np.arange(len(counts))) + steps[list(given)].sum()
    better = np.exp(-np.logaddexp(0, -SHARPNESS * (lead + STEP * sums)))
    own, mean = better[0], counts @ better[1:] / counts.sum()
    shares = np.array(SHARES)
    usual = CARELESS / 2 + (1 - CARELESS) * (1 - shares) * (lead >= 0)
    found: Floats = (usual + (1 - CARELESS) * shares * own) / (usual + (1 - CARELESS) * shares * mean)
    return found


def sets_by_sum(steps: Steps, size: int) -> tuple[Floats, int]:
    """Return the number of sets of `size` of these numbers by their sum, and the sum of the first entry."""
    least = int(steps.min())
    if size == 2:  # each pair twice, and each number with itself once
        many = np.bincount(steps - least)
        pairs = np.convolve(many, many)
        pairs[::2] -= many
        return pairs / 2, 2 * least
    above = (steps - least).tolist()
    counts = np.zeros((size + 1, size * max(above) + 1))
    counts[0, 0] = 1
    for each in above:
        counts[1:, each:] += counts[:-1, : counts.shape[1] - each]
    return counts[size], size * least
