"""One hole's decisions when the middle card is known: each hand then depends on its own pair only.

The result of a round depends on the two classes of hand, so Down pairs are counted by class instead of one
by one. The counts leave out pairs that share a card with the Across pair.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from controller.rules.odds.hands import CARD_KEYS, classes
from controller.rules.odds.pack import LINES, Odds
from controller.rules.odds.tree import ANTES, CardTuple, Pairs, SumArray, Unseen, groups, pairs_of


@dataclass(frozen=True, slots=True)
class PairCounts:
    """Numbers of deals of a hole with a known middle card, for each Across pair. `across`: class of the
    Across hand. `down` (Across pair, class): number of Down pairs that make a hand of the class."""

    across: NDArray[np.int8]
    down: SumArray

    @property
    def deals(self) -> SumArray:
        """Return the number of possible Down pairs for each Across pair."""
        total: SumArray = self.down.sum(axis=1)
        return total


def pair_counts(unseen: Unseen) -> PairCounts:
    """Count the deals of a hole by Across pair. `unseen.middle` must have exactly one card."""
    across, down = (pairs_of(known, unseen.live) for known in (unseen.across, unseen.down))
    counts = _beside(across, down, np.eye(len(LINES))[_classes(unseen, down)], unseen)
    return PairCounts(_classes(unseen, across), counts)


def worth_with_middle(odds: Odds, unseen: Unseen, across_seen: int = 0) -> float:
    """Return the value of the hole before the first decision, in antes. `unseen.middle` must be one card.
    `across_seen`: number of cards of the Across pair that are seen too."""
    counts, rows = pair_counts(unseen), groups(pairs_of(unseen.across, unseen.live), across_seen)
    left = rows.T @ counts.deals
    best = (rows.T @ best_sums(odds, counts, bet) for bet in set(odds.multiples))
    return float(np.maximum.reduce([-ANTES * left, *best]).sum() / left.sum())


def best_sums(odds: Odds, counts: PairCounts, bet: float) -> SumArray:
    """Return, by Across pair, the sum over all Down pairs of the result in antes after an Across bet of `bet`
    antes, at the best Down and Middle decisions."""
    after = np.maximum.reduce(down_bet_sums(odds, counts, bet))
    best: SumArray = np.maximum(after, -(ANTES + bet) * counts.deals)
    return best


def down_bet_sums(odds: Odds, counts: PairCounts, bet: float) -> list[SumArray]:
    """Return the sums of `best_sums` for each Down bet that can be best, the smallest and the largest, if the
    player does not fold at Down.
    """
    return [
        (best_results(odds, bet, more)[counts.across] * counts.down).sum(axis=1) for more in odds.multiples
    ]


def _classes(unseen: Unseen, pairs: Pairs) -> np.ndarray[tuple[int, ...], np.dtype[np.int8]]:
    held: CardTuple = (*unseen.hole, *unseen.middle)
    return classes((CARD_KEYS[list(held)].sum() + CARD_KEYS[pairs].sum(axis=1)).astype(np.int32))


def _beside(across: Pairs, down: Pairs, one_of: SumArray, unseen: Unseen) -> SumArray:
    """Return (Across pair, class): the number of Down pairs of each class that share no card with the Across
    pair. `one_of`: (Down pair, class), 1 at the class of each pair."""
    with_card = np.zeros((52, len(LINES)))
    for column in range(2):
        np.add.at(with_card, down[:, column], one_of)
    counts: SumArray = one_of.sum(axis=0) - with_card[across].sum(axis=1)
    if not unseen.across and not unseen.down:
        counts += one_of  # the Across pair itself was subtracted twice, once for each of its cards
    return counts


@lru_cache(maxsize=64)
def best_results(odds: Odds, across: float, down: float) -> SumArray:
    """Return the result of a round in antes, at the best Middle bet or fold, by the classes of the Across
    (rows) and the Down hand. The array is read-only."""
    bets, antes = np.array(odds.bets, float), np.array(odds.antes, float)
    higher = np.maximum.outer(np.arange(len(bets)), np.arange(len(bets)))
    least, most = odds.multiples
    middle = np.where(bets > 0, most, least) * bets
    played = (antes + across * bets)[:, None] + (antes + down * bets)[None, :] + middle[higher]
    best: SumArray = np.maximum(played, -(ANTES + across + down))
    best.flags.writeable = False
    return best
