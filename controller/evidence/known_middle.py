"""Exact values of each decision to a player who knows the middle card, for every card that it may be.

Values are in antes, averaged over the cards that this player does not see. They rank the choices of a cheat.
The evidence is valid even if they are wrong (controller/evidence/EVIDENCE.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from controller.evidence.hands_beside import hands_beside, third_cards
from controller.rules.odds.cards import DECK_SIZE, Hole, kind_of, kinds
from controller.rules.odds.hands import CARD_KEYS, classes
from controller.rules.odds.middle import PairCounts, best_results, best_sums, pair_counts
from controller.rules.odds.pack import Odds
from controller.rules.odds.tree import ANTES, CardTuple, Unseen

Values = NDArray[np.float64]
"""(choice, card): the choices are fold, smallest bet and largest bet; the cards are the candidates for the
middle.
"""
CardNumbers = NDArray[np.int64]
HOLE_KINDS = kinds()
NUMBERS = {kind.name: number for number, kind in enumerate(HOLE_KINDS)}


@dataclass(frozen=True, eq=False)
class FirstValues:
    """Values of the Across bet to a player who knows one card of the cross. `table`: (kind of hole, known
    card, smallest and largest bet) in antes, computed for one example hole of each kind. The cards of that
    hole have the value 0."""

    table: NDArray[np.floating[Any]]

    def at(self, hole: Hole, candidates: CardNumbers) -> Values:
        """Return the values of the Across decision with this hole, for each candidate as the known card."""
        kind, cards = _as_example(hole)
        found = np.full((3, len(candidates)), -float(ANTES))
        found[1:] = self.table[kind, cards[candidates]].T
        return found

    @cached_property
    def holes(self) -> NDArray[np.float64]:
        """Return the worth of each kind of hole: the mean result in antes, over all known cards, if the
        better of fold and bet is chosen."""
        best = np.maximum(self.table.max(axis=2), -float(ANTES))
        found: NDArray[np.float64] = best.astype(float).mean(axis=1)
        return found


@cache
def _as_example(hole: Hole) -> tuple[int, CardNumbers]:
    """Return the kind of a hole, and the deck with its suits exchanged so that the hole becomes the example
    hole of its kind: entry c is the card that takes the place of card c."""
    kind = NUMBERS[kind_of(hole)]
    swap = np.array(suits_of_example(hole, HOLE_KINDS[kind].hole))
    deck = np.arange(DECK_SIZE)
    return kind, swap[deck // 13] * 13 + deck % 13


def suits_of_example(hole: Hole, example: Hole) -> list[int]:
    """Return the permutation of suits that turns `hole` into the example of its kind."""
    mine = sorted(hole, key=lambda card: (-(card % 13), card))
    other = sorted(example, key=lambda card: (-(card % 13), card))
    swap = {one // 13: two // 13 for one, two in zip(mine, other, strict=True)}
    left = [suit for suit in range(4) if suit not in swap.values()]
    return [swap[suit] if suit in swap else left.pop(0) for suit in range(4)]


def first_values(odds: Odds, kind: int) -> NDArray[np.float64]:
    """Return the values of the Across bets of one kind of hole: (card, smallest and largest bet)."""
    hole = HOLE_KINDS[kind].hole
    middles = np.array([card for card in range(DECK_SIZE) if card not in hole])
    found = np.zeros((DECK_SIZE, 2))
    found[middles] = across_values(odds, hole, middles)[1:].T
    return found


def across_values(odds: Odds, hole: Hole, candidates: CardNumbers) -> Values:
    """Return the values of the Across decision, before any card of the cross is turned, if the player knows
    the middle card. It takes 4 ms for each candidate."""
    found = np.full((3, len(candidates)), -float(ANTES))
    for place, middle in enumerate(candidates.tolist()):
        counts = counts_beside(hole, middle)
        for choice, bet in enumerate(odds.multiples, 1):
            found[choice, place] = best_sums(odds, counts, bet).sum() / counts.deals.sum()
    return found


def counts_beside(hole: Hole, middle: int) -> PairCounts:
    """Return the numbers of deals with this hole and this middle card, by Across pair in the order of the
    deck."""
    live = tuple(card for card in range(DECK_SIZE) if card not in {*hole, middle})
    return pair_counts(Unseen(hole, live, middle=(middle,)))


def down_values(odds: Odds, hole: Hole, across: CardTuple, candidates: CardNumbers, bet: float) -> Values:
    """Return the values of the Down decision after an Across bet of `bet` antes, before the Down pair is
    turned, if the player knows the middle card."""
    mine = hands_beside(hole)[candidates, across[0], across[1]]
    every = third_cards(hole, across)
    # each pair is counted twice, once for either of its cards
    counts = (every.sum(axis=1) - every[:, across[0]] - every[:, across[1]])[:, candidates].T / 2
    found = np.full((3, len(candidates)), -float(ANTES + bet))
    for choice, down in enumerate(odds.multiples, 1):
        found[choice] = (best_results(odds, bet, down)[mine] * counts).sum(axis=1) / counts.sum(axis=1)
    return found


def middle_values(
    odds: Odds,
    hole: Hole,
    pairs: tuple[CardTuple, CardTuple],
    candidates: CardNumbers,
    bets: tuple[float, float],
) -> Values:
    """Return the values of the Middle decision, which are results of the round: a player who knows the middle
    card knows the result. `pairs`: Across and Down pair; `bets`: antes bet on them."""
    pays, antes = np.array(odds.bets, float), np.array(odds.antes, float)
    own = CARD_KEYS[list(hole)].sum() + CARD_KEYS[candidates]
    one, two = (classes((own + CARD_KEYS[list(pair)].sum()).astype(np.int32)) for pair in pairs)
    lying = antes[one] + antes[two] + bets[0] * pays[one] + bets[1] * pays[two]
    higher = pays[np.maximum(one, two)]
    fold = np.full(len(candidates), -float(ANTES + sum(bets)))
    return np.vstack([fold, *(lying + bet * higher for bet in odds.multiples)])
