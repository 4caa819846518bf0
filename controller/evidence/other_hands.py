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
"""Shares of the rounds in which the model assumes that the player uses the knowledge. Fixed in advance."""
SHARPNESS = 32.0
"""Strength of the model in rounds in which the knowledge is used: the odds of a choice that is better by one
ante are multiplied by e^SHARPNESS. Fixed in advance."""
STEP = 0.01
"""Size of a step in antes. Effects of cards are rounded to whole steps, so that sets of cards can be counted
by their sum."""
LIVE = DECK_SIZE - 2
"""Number of cards of the deck without a seat's two."""
IN_CROSS = 5
Steps = NDArray[np.int64]


@dataclass(frozen=True, slots=True, repr=False)
class HandsAfter:
    """First decision of a seat, and the hands of the other seats. Its repr shows no card.

    `bet`: antes bet at Across, 0 for a fold. `later`: hands by seat of other patrons, who decide after it.
    `known`: cards in the hands of all other seats. `free`: cards that were dealt nowhere. `ordered`: whether
    the seats decided in turn, and no hand was shown before. Otherwise the decision may follow a hand that was
    seen lawfully.
    """

    hole: Hole
    bet: float
    later: Mapping[int, Hole]
    known: frozenset[int]
    free: frozenset[int]
    ordered: bool


@dataclass(frozen=True)
class FirstWorth:
    """Values of a hole at the first decision. The choices are fold, smallest and largest bet.

    `bets`: antes of each choice. `plain`: values in antes without knowledge. `effects`: (choice, card),
    change of the value if one card is known to be in another hand, because it is then not in the cross.
    """

    bets: tuple[int, int, int]
    plain: Floats
    effects: Floats

    @cached_property
    def rivals(self) -> tuple[int, int, int]:
        """Return for each choice the index of the best choice whose bet differs."""
        one, two, three = (
            max((other for other in range(3) if self.bets[other] != bet), key=lambda each: self.plain[each])
            for bet in self.bets
        )
        return one, two, three

    def knowing(self, cards: Collection[int]) -> Floats:
        """Return the value of each choice to a player who knows that these cards are in other hands."""
        found: Floats = self.plain + weighed(len(cards)) * self.effects[:, list(cards)].sum(axis=1)
        return found


@lru_cache(maxsize=1)
def first_worth(odds: Odds, first: FirstTables, hole: Hole) -> FirstWorth:
    """Return the values of a hole's first decision. The effect of a card in another hand follows from the
    values with one known card of the cross, because such a card is one that the cross does not have."""
    live = np.array([card for card in range(DECK_SIZE) if card not in hole])
    across, down, middle = (table.at(hole, live) for table in (first.across, first.down, first.middle))
    lying = 2 * across + 2 * down + middle
    effects = np.zeros((3, DECK_SIZE))
    effects[:, live] = (lying.mean(axis=1, keepdims=True) - lying) / (LIVE - IN_CROSS)
    return FirstWorth((0, *odds.multiples), across.mean(axis=1), effects)


def weighed(cards: int) -> float:
    """Return the factor by which the effect of each card grows if `cards` cards are known at once: the fewer
    cards are left for the cross, the more each known one changes the chances."""
    return (LIVE - 1) / (LIVE - cards)


def evidence_of_one_hand(odds: Odds, first: FirstTables, seat: HandsAfter) -> RoundEvidence:
    """Return the evidence that the seat knew one of the later hands; each hand is tested in a column of its
    own (`RoundEvidence.hands`)."""
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
    """Return the evidence that the seat knew all other hands. In the model only the later hands are
    uncertain: earlier ones count as known in any case."""
    worth = first_worth(odds, first, seat.hole)
    cards = tuple(card for hand in seat.later.values() for card in hand)
    weights = _weights(worth, seat, cards, seat.known - {*cards})
    best = int(worth.knowing(seat.known).argmax())
    count = comb(len(seat.free) + len(cards), len(cards))
    return RoundEvidence(weights[None, :], (seat.bet,), (best,), count)


def _weights(worth: FirstWorth, seat: HandsAfter, cards: tuple[int, ...], given: frozenset[int]) -> Floats:
    """Return the logarithm of the factor for each share. `cards`: cards whose knowledge is tested; `given`:
    other cards that count as known in any case.

    If the seats did not decide in order, the factor is the smallest that any choice would have. The round
    must not be left out: that would favour a player who disturbs the order because of their cards.
    """
    if seat.ordered:
        parts = _choices(worth, seat.bet)
        found = sum(part * factors(worth, each, cards, given, seat.free) for each, part in parts)
    else:
        found = np.min([factors(worth, each, cards, given, seat.free) for each in range(3)], axis=0)
    weights: Floats = np.log(found)
    return weights


def _choices(worth: FirstWorth, bet: float) -> list[tuple[int, float]]:
    """Return the choices with their shares, whose weighted mean is a bet: one choice for a fold, the smallest
    or the largest bet, else the smallest and the largest bet."""
    _, least, most = worth.bets
    if not bet or bet == least:
        return [(1 if bet else 0, 1.0)]
    share = (bet - least) / (most - least)
    return [(2, 1.0)] if share == 1 else [(1, 1 - share), (2, share)]


def factors(
    worth: FirstWorth, choice: int, cards: tuple[int, ...], given: frozenset[int], free: frozenset[int]
) -> Floats:
    """Return the factor of a choice for each share: the chance of the choice if `cards` are known, divided by
    its mean over all sets of as many cards that could be in these hands instead. `free`: cards that were
    dealt nowhere; `given`: cards that count as known in any case."""
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
    """Count the sets of `size` different entries of `steps` by the sum of the entries. Returns the counts,
    for consecutive sums, and the sum that belongs to the first count."""
    least = int(steps.min())
    if size == 2:  # the convolution has each pair twice, and each number with itself once
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
