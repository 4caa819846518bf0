"""The best player: each decision has the highest expectation over all cards that may still come.

Across and Down bets are looked up by hole and Across pair, as controller/rules/odds/solve.py computes them;
the Middle is counted each time over the 46 cards that may lie there. Of two equal bets the smaller one is
made. A player sees only their own two cards and the turned ones, and this module uses no others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from controller.game.model.names import Wager
from controller.rules.odds.base import group_by_suits, spots, sums
from controller.rules.odds.cards import NUMBER, HoleKind, kind_of, kinds
from controller.rules.odds.counts import after
from controller.rules.odds.hands import CARD_KEYS, Classes, Ints, classes
from controller.rules.odds.pack import Odds
from controller.rules.odds.solve import ReportProgress, deals, stage
from controller.rules.volume.arrays import CardArray, CentsArray
from controller.rules.volume.play import PlayerView

Bets = NDArray[np.int16]
"""Bets in antes; 0 is a fold."""
Units = NDArray[np.int64]
"""Values of wagers in antes, summed over cards."""
_Indices = NDArray[np.intp]

PAIR_COUNT = len(NUMBER) * (len(NUMBER) - 1) // 2


def _pair_numbers() -> _Indices:
    """Return an array (52, 52) with the number, 0 to 1,325, of each pair of cards in any order."""
    number = np.zeros((len(NUMBER), len(NUMBER)), dtype=np.intp)
    number[np.triu_indices(len(NUMBER), 1)] = np.arange(PAIR_COUNT)
    return number + number.T


PAIR = _pair_numbers()
HOLE_KINDS = kinds()
_NAMES = {kind.name: index for index, kind in enumerate(HOLE_KINDS)}
KIND = np.array([_NAMES[kind_of((a, b))] for a in NUMBER.values() for b in NUMBER.values() if a < b])
"""Kind of hole of each pair of cards, by the pair's number."""


@dataclass(slots=True)
class Best:
    """Strategy (`play.py`) of the best player. Each kind of hole is solved when it first occurs, a quarter of
    a second each, and stored. `progress` is the progress callback.
    """

    odds: Odds
    progress: ReportProgress = lambda known, of: None
    _across: Bets = field(default_factory=lambda: np.full(PAIR_COUNT, -1, dtype=np.int16), repr=False)
    """Across bet by hole; -1 if its kind has not been solved."""
    _down: Bets = field(
        default_factory=lambda: np.zeros((PAIR_COUNT, PAIR_COUNT), dtype=np.int16), repr=False
    )
    """Down bet by the numbers of the two pairs of cards: hole and Across pair."""

    def __call__(self, wager: Wager, seen: PlayerView) -> CentsArray:
        return seen.ante * self.antes(seen.hole, seen.row, seen.column)

    def antes(self, hole: CardArray, row: CardArray | None = None, column: CardArray | None = None) -> Bets:
        """Return the bet in antes, (box, round), at the decision after `row` and `column` have been turned;
        shapes as in `PlayerView`."""
        held = PAIR[hole[:, 0], hole[:, 1]]
        self._learn(held)
        if row is None:
            return self._across[held]
        down = self._down[held, PAIR[row[0], row[1]]]
        return down if column is None else self._middle(hole, row, column, self._across[held], down)

    # ------------------------------------------------------------------ Across and Down

    def _learn(self, held: _Indices) -> None:
        new = np.unique(KIND[held[self._across[held] < 0]])
        for kind in new.tolist():
            self._learn_kind(HOLE_KINDS[kind])
            self.progress(len(np.unique(KIND[self._across >= 0])), len(HOLE_KINDS))

    def _learn_kind(self, kind: HoleKind) -> None:
        found = spots(kind.hole)
        rows, weights = group_by_suits(found)
        table = sums(found, self.odds, rows)
        stages = {across: stage(table, self.odds, across) for across in set(self.odds.multiples)}
        worth = {across: [int(each) for each in made.worth] for across, made in stages.items()}
        best, _, _ = after(worth, [int(weight) for weight in weights], deals(found), self.odds.multiples)
        pairs = found.cards[found.pairs[rows]]
        for swap in permutations(range(4)):
            hole, across = _swapped(np.array(kind.hole), swap), _swapped(pairs, swap)
            held = PAIR[hole[0], hole[1]]
            self._across[held] = best
            if best:
                self._down[held, PAIR[across[:, 0], across[:, 1]]] = stages[best].down

    # ------------------------------------------------------------------ Middle

    def _middle(self, hole: CardArray, row: CardArray, column: CardArray, across: Bets, down: Bets) -> Bets:
        """Return the largest bet if a unit has a positive value, else the smallest, or 0 to fold if that
        costs more than the wagers already made."""
        least, most = self.odds.multiples
        own = CARD_KEYS[hole].sum(axis=1, dtype=np.int32)
        hands = (
            own + CARD_KEYS[row].sum(axis=0, dtype=np.int32),
            own + CARD_KEYS[column].sum(axis=0, dtype=np.int32),
        )
        known = np.concatenate([hole.swapaxes(0, 1), *(_for_each(two, own.shape) for two in (row, column))])
        bets = np.array(self.odds.bets, dtype=np.int64)
        middle = _over_middles(hands, known, lambda one, other: bets[np.maximum(one, other)])
        chosen = np.where(middle > 0, most, least).astype(np.int16)
        doubt = middle <= 0
        if doubt.any():
            few = tuple(hand[doubt] for hand in hands)
            lie = across[doubt].astype(np.int64), down[doubt].astype(np.int64)
            antes = np.array(self.odds.antes, dtype=np.int64)
            rest = _over_middles(
                (few[0], few[1]), known[:, doubt],
                lambda one, other: antes[one] + antes[other] + lie[0] * bets[one] + lie[1] * bets[other],
            )  # fmt: skip
            goes_on = rest + least * middle[doubt] > -MIDDLES * (2 + lie[0] + lie[1])
            chosen[doubt] = np.where(goes_on, chosen[doubt], 0)
        return chosen


MIDDLES = 46
"""Number of cards that may lie in the middle when a player has seen six."""


def _over_middles(
    hands: tuple[Ints, Ints], known: CardArray, worth: Callable[[Classes, Classes], Units]
) -> Units:
    """Return `worth` of the classes of both hands, summed over every card that is not in `known`. `hands`:
    sums of the keys of four cards. The sum is taken over all 52 cards, and the values of the known cards
    are subtracted."""
    total = np.zeros(hands[0].shape, dtype=np.int64)
    for card in CARD_KEYS:
        total += worth(classes(hands[0] + card), classes(hands[1] + card))
    for cards in known:
        total -= worth(classes(hands[0] + CARD_KEYS[cards]), classes(hands[1] + CARD_KEYS[cards]))
    return total


def _for_each(two: CardArray, boxes: tuple[int, ...]) -> CardArray:
    """Return the same two cards for every box: (2, box, round)."""
    return np.broadcast_to(two[:, None, :], (len(two), *boxes))


def _swapped(cards: _Indices, swap: tuple[int, ...]) -> _Indices:
    """Return the cards with their suits exchanged."""
    suits, ranks = np.divmod(cards, 13)
    return np.array(swap)[suits] * 13 + ranks
