"""Decision tree of one hole: every Across pair, Down pair and middle card that may come.

The player's early knowledge is part of the question: cards out of play, cards known to be at a place, places
seen before the first decision. All sums are whole numbers; nothing is sampled, and nothing is rounded before
the final division. It never receives a card of a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from controller.rules.odds.base import Numbers, exact
from controller.rules.odds.hands import CARD_KEYS, classes
from controller.rules.odds.pack import Odds

Pairs = NDArray[np.int64]
SumArray = NDArray[np.float64]
CardTuple = tuple[int, ...]

FOLD = 0
ANTES = 2
"""Number of antes wagered before the first decision."""


@dataclass(frozen=True, slots=True)
class Unseen:
    """A hole and the cards that may lie elsewhere, as numbers (`cards.py`). `live`: cards that may lie at
    any place. `across`, `down`, `middle`: cards known to lie there; none of them is live."""

    hole: CardTuple
    live: CardTuple
    across: CardTuple = ()
    down: CardTuple = ()
    middle: CardTuple = ()


@dataclass(frozen=True, slots=True)
class Sight:
    """Cards that a player sees before the first decision: 0 to 2 of the Across pair and 0 to 2 of the Down
    pair."""

    across: int = 0
    down: int = 0


BLIND = Sight()


class Tree:
    """Results of every deal to one hole, as sums over the middle card: arrays with a row for each Across pair
    and a column for each Down pair. An entry whose pairs share a card is not possible (`possible`)."""

    def __init__(self, odds: Odds, unseen: Unseen, across: Pairs | None = None) -> None:
        """Count the hands of all pairs. `across`: Across pairs to include; None for all."""
        self.odds, self.unseen = odds, unseen
        self._kind = exact(odds, len(unseen.live))
        self.across = pairs_of(unseen.across, unseen.live) if across is None else across
        """Possible Across pairs, a row of two cards each."""
        self.down = pairs_of(unseen.down, unseen.live)
        self._middles = np.array(unseen.middle or unseen.live)
        in_across, in_down = self._holds(self.across), self._holds(self.down)
        self.possible = (in_across @ in_down.T) == 0
        """True if a row and a column share no card."""
        free = 4 - len(unseen.across) - len(unseen.down)
        self.middles = 1 if unseen.middle else len(unseen.live) - free
        """Number of cards that may be the middle card when two pairs are on the cross."""
        self._across_hands, self._down_hands = self._classes(self.across), self._classes(self.down)
        self._not_across, self._not_down = self._open(self.across), self._open(self.down)

    def _holds(self, pairs: Pairs) -> Numbers:
        held = np.zeros((len(pairs), 52), self._kind)
        np.put_along_axis(held, pairs, 1, axis=1)
        return held[:, list(self.unseen.live)]

    def _open(self, pairs: Pairs) -> Numbers:
        """Return (pair, middle card): 1 if the card is not in the pair, else 0."""
        free: Numbers = np.all(pairs[:, :, None] != self._middles, axis=1).astype(self._kind)
        return free

    def _classes(self, pairs: Pairs) -> NDArray[np.int8]:
        held = CARD_KEYS[list(self.unseen.hole)].sum() + CARD_KEYS[pairs].sum(axis=1)
        return classes((held[:, None] + CARD_KEYS[self._middles][None, :]).astype(np.int32))

    # ------------------------------------------------------------------ sums over the middle card

    def _both(self, pays: Sequence[int]) -> tuple[Numbers, Numbers]:
        """Return the sums for one unit on the Across hand, and for one on the Down hand. `pays`: result by
        class of hand."""
        table: Numbers = np.array(pays, self._kind)
        across = (table[self._across_hands] * self._not_across) @ self._not_down.T
        return across, self._not_across @ (table[self._down_hands] * self._not_down).T

    @cached_property
    def antes(self) -> Numbers:
        """Return the result of both antes if the player never folds."""
        across, down = self._both(self.odds.antes)
        return across + down

    @cached_property
    def bets(self) -> tuple[Numbers, Numbers]:
        """Return the result of one ante on Across, and of one on Down."""
        return self._both(self.odds.bets)

    @cached_property
    def higher(self) -> Numbers:
        """Return the result of one ante on Middle, which is decided by the higher hand: computed from the
        number of middle cards with which both hands are below a class."""
        bets = self.odds.bets
        steps = [(place, bets[place] - bets[place - 1]) for place in range(1, len(bets))]
        steps = [(place, step) for place, step in steps if step]
        below_across = [self._not_across * (self._across_hands < place) for place, _ in steps]
        below_down = [step * self._not_down * (self._down_hands < place) for place, step in steps]
        lost = np.concatenate(below_across, axis=1) @ np.concatenate(below_down, axis=1).T
        return self._kind(bets[-1] * self.middles) - lost

    @cached_property
    def middle(self) -> Numbers:
        """Return the result of the best Middle bet, which does not depend on the earlier bets."""
        least, most = self.odds.multiples
        best: Numbers = np.maximum(least * self.higher, most * self.higher)
        return best

    def played(self, across: float, down: float) -> Numbers:
        """Return, for each two pairs, the sum over the middle cards of the win of all wagers, with these bets
        in antes and the best Middle bet, if the player never folds."""
        on_across, on_down = self.bets
        whole: Numbers = self.antes + across * on_across + down * on_down + self.middle
        return whole

    def after_down(self, across: float, down: float) -> Numbers:
        """Return, for each two pairs, the better sum of folding at Middle and of playing on (`played`); 0 if
        the pairs share a card."""
        folded = -(ANTES + across + down) * self.middles
        best: Numbers = np.maximum(self.played(across, down), folded) * self.possible
        return best

    # ------------------------------------------------------------------ decisions

    def ends(self) -> tuple[int, ...]:
        """Return the bets that can be best: the smallest and the largest (`Odds.multiples`)."""
        return tuple(sorted(set(self.odds.multiples)))

    @cached_property
    def columns(self) -> SumArray:
        """Return, by Across pair, the number of Down pairs that share no card with it."""
        counted: SumArray = self.possible.sum(axis=1, dtype=np.float64)
        return counted

    def down_worth(self, across: float, down: float) -> SumArray:
        """Return, by Across pair, the value in antes after that Across and that Down bet."""
        sums: SumArray = self.after_down(across, down).sum(axis=1, dtype=np.float64)
        return sums / (self.columns * self.middles)

    def across_worth(self, across: float) -> SumArray:
        """Return, by Across pair, the value in antes with the best Down decision after that Across bet."""
        best: SumArray = np.maximum.reduce([self.down_worth(across, down) for down in self.ends()])
        return np.maximum(best, -float(ANTES + across))

    def worth(self, sight: Sight = BLIND) -> float:
        """Return the value of the hole before the first decision, in antes, at the best play."""
        rows, columns = groups(self.across, sight.across), groups(self.down, sight.down)
        counts = np.asarray(self.possible.astype(np.float64) @ columns) * self.middles
        total = -ANTES * (rows.T @ counts)
        for across in self.ends():
            sums = [self.after_down(across, down).astype(np.float64) @ columns for down in self.ends()]
            best = np.maximum(np.maximum.reduce(sums), -(ANTES + across) * counts)
            total = np.maximum(total, rows.T @ best)
        return float(total.sum() / (rows.T @ counts).sum())


def pairs_of(known: CardTuple, live: CardTuple) -> Pairs:
    rest = combinations(live, 2 - len(known))
    return np.array([known + free for free in rest], np.int64).reshape(-1, 2)


def groups(pairs: Pairs, seen: int) -> SumArray:
    """Return (pair, view): 1 if the player may see this part of the pair before deciding. `seen`: number of
    cards seen: with 0 there is one view of all pairs, with 1 a view for each card, with 2 one for each pair.
    """
    if seen == 0:
        return np.ones((len(pairs), 1))
    if seen == 1:
        found = np.zeros((len(pairs), 52))
        np.put_along_axis(found, pairs, 1, axis=1)
        return found[:, found.any(axis=0)]
    return np.eye(len(pairs))
