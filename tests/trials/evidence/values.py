"""Values of all decisions with a known middle card, looked up for many rounds at once.

The values of Across and Down are tables by kind of hole, middle card and Across pair, of some 190 MB; those
of Middle follow from the hands. A card is a number; the last axis is the round.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from controller.evidence.known_middle import HOLE_KINDS, counts_beside, suits_of_example
from controller.rules.odds.cards import DECK_SIZE
from controller.rules.odds.hands import CARD_KEYS, classes
from controller.rules.odds.middle import best_sums, down_bet_sums
from controller.rules.odds.pack import Odds
from controller.rules.odds.tree import ANTES
from controller.rules.volume.best_player import KIND, PAIR, PAIR_COUNT
from controller.rules.volume.deal import shuffled

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
OTHERS = 10
"""Number of cards in the hands of five other players."""


@dataclass(frozen=True, slots=True)
class Hands:
    """Cards of one seat in many rounds. `hole`, `across`, `down`: (2, round). `middle`: (round). `others`:
    (card, round), the hands of five other players, two cards each."""

    hole: Ints
    across: Ints
    down: Ints
    middle: Ints
    others: Ints


def deal_hands(dice: np.random.Generator, rounds: int) -> Hands:
    """Return random deals to one seat and five other players."""
    cards = shuffled(dice, rounds, 7 + OTHERS).astype(np.int64)
    return Hands(cards[:2], cards[2:4], cards[4:6], cards[6], cards[7:])


class Tables:
    """Tables with the values of the Across and of the Down decision to a player who knows the middle card."""

    def __init__(self, odds: Odds, progress: Callable[[int, int], None]) -> None:
        self.odds = odds
        shape = (len(HOLE_KINDS), DECK_SIZE)
        self._across = np.zeros((*shape, 2), np.float32)
        self._down = np.zeros((*shape, PAIR_COUNT, 2, 2), np.float16)
        """Values of the Down decision by kind of hole, middle card, Across pair, Across bet made, and Down
        bet."""
        for number, kind in enumerate(HOLE_KINDS):
            for middle in set(range(DECK_SIZE)) - {*kind.hole}:
                self._fill(number, kind.hole, middle)
            progress(number + 1, len(HOLE_KINDS))
        self._suits = suit_swaps()

    def _fill(self, number: int, hole: tuple[int, int], middle: int) -> None:
        counts = counts_beside(hole, middle)
        pairs = np.array(list(combinations(sorted(set(range(DECK_SIZE)) - {*hole, middle}), 2)))
        at = PAIR[pairs[:, 0], pairs[:, 1]]
        for place, bet in enumerate(self.odds.multiples):
            best, sums = best_sums(self.odds, counts, bet), down_bet_sums(self.odds, counts, bet)
            self._across[number, middle, place] = best.sum() / counts.deals.sum()
            self._down[number, middle, at, place] = np.stack(sums, axis=1) / counts.deals[:, None]

    def at(self, hands: Hands, bets: Ints, middle: Ints) -> tuple[Floats, Floats, Floats]:
        """Return the values (choice, round) of the decisions at Across, Down and Middle, if the player knows
        that `middle` is the middle card. `bets`: (2, round), antes bet at Across and Down."""
        held = PAIR[hands.hole[0], hands.hole[1]]
        swap, kind = self._suits[held], KIND[held]
        card = swapped(swap, middle)
        one, two = (swapped(swap, each) for each in hands.across)
        first, folds = self._across[kind, card].T, np.full(len(held), -float(ANTES))
        large = (bets[0] == self.odds.multiples[1]).astype(int)
        second = self._down[kind, card, PAIR[one, two], large].T.astype(float)
        return (
            np.vstack([folds, first]),
            np.vstack([folds - bets[0], second]),
            self._middle(hands, bets, middle),
        )

    def _middle(self, hands: Hands, bets: Ints, middle: Ints) -> Floats:
        pays, antes = np.array(self.odds.bets, float), np.array(self.odds.antes, float)
        own = CARD_KEYS[hands.hole].sum(axis=0) + CARD_KEYS[middle]
        one, two = (
            classes((own + CARD_KEYS[pair].sum(axis=0)).astype(np.int32))
            for pair in (hands.across, hands.down)
        )
        lying = antes[one] + antes[two] + bets[0] * pays[one] + bets[1] * pays[two]
        higher = pays[np.maximum(one, two)]
        return np.vstack(
            [-(ANTES + bets.sum(axis=0)), *(lying + bet * higher for bet in self.odds.multiples)]
        )


def swapped(swap: Ints, cards: Ints) -> Ints:
    """Exchange suits. `swap`: (round, suit), the new suit of each suit. Returns the new card of each
    round."""
    return np.take_along_axis(swap, (cards // 13)[:, None], axis=1)[:, 0] * 13 + cards % 13


def suit_swaps() -> Ints:
    """Return (pair, suit): the exchange of suits that turns each pair of cards into the example of its
    kind."""
    holes = combinations(range(DECK_SIZE), 2)
    return np.array([suits_of_example(hole, HOLE_KINDS[KIND[PAIR[hole]]].hole) for hole in holes])
