"""Best play of a hole for an honest player, and the gain of a player who also knows other players' cards.

The gain for each set of known cards is computed exactly. This module must never sample.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from controller.rules.odds.base import Numbers
from controller.rules.odds.pack import Odds
from controller.rules.odds.tree import ANTES, FOLD, CardTuple, SumArray, Tree, Unseen

REACH = 1.2
"""Lead of the best Across bet over the second-best, in antes, above which knowing other players' cards hardly
ever changes the best bet.
"""
RESAMPLE_STEP = 8
"""Every nth Across pair is evaluated again to find the effect of one card."""


class Plan:
    """Best play of a hole for a player who knows only their own cards."""

    def __init__(self, odds: Odds, hole: CardTuple) -> None:
        self.odds, self.hole = odds, hole
        self.live = tuple(card for card in range(52) if card not in hole)
        tree = Tree(odds, Unseen(hole, self.live))
        self._pairs = tree.across
        self._after = {bet: tree.across_worth(bet) for bet in tree.ends()}
        self.worth = {FOLD: -float(ANTES)} | {bet: float(after.mean()) for bet, after in self._after.items()}
        """Value of each Across bet, in antes; 0 is to fold."""
        self.across = max(self.worth, key=lambda bet: self.worth[bet])
        if self.across:
            self._later(tree)

    def _later(self, tree: Tree) -> None:
        after = np.array([tree.down_worth(self.across, bet) for bet in tree.ends()])
        self._down: NDArray[np.int64] = np.array(tree.ends())[after.argmax(axis=0)]
        self._down[after.max(axis=0) <= -(ANTES + self.across)] = FOLD
        laid = ANTES + self.across + self._down[:, None].astype(tree.higher.dtype)
        self._stays = tree.played(self.across, self._down[:, None].astype(laid.dtype)) > -laid * tree.middles
        least, most = self.odds.multiples
        self._middle = np.where(tree.higher > 0, most, least).astype(np.int8)

    def gain(self, out: CardTuple) -> float:
        """Return the gain over this plan, in antes, for a player who knows that the cards in `out` are out
        of play. It is never negative."""
        live = tuple(card for card in self.live if card not in out)
        tree = Tree(self.odds, Unseen(self.hole, live))
        return tree.worth() - (self._kept_to(tree, out) if self.across else -ANTES)

    def _kept_to(self, tree: Tree, out: CardTuple) -> float:
        left = np.flatnonzero(~np.isin(self._pairs, out).any(axis=1))
        here = np.ix_(left, left)
        down: Numbers = self._down[left][:, None].astype(tree.higher.dtype)
        on_across, on_down = tree.bets
        played = tree.antes + self.across * on_across + down * on_down + self._middle[here] * tree.higher
        lost = -tree.middles * (ANTES + self.across + down)
        sums = np.where(self._stays[here] & (down > FOLD), played, lost) * tree.possible
        return float(sums.sum(dtype=np.float64) / (tree.columns.sum() * tree.middles))

    def effects(self) -> dict[int, SumArray]:
        """Return the change in value of each Across bet if one card is out, for each of the 52 cards. It is
        approximate, from some of the Across pairs; 0 for folding, and for all bets if none is close to the
        best."""
        found = {bet: np.zeros(52) for bet in self.worth}
        best, second = sorted(self.worth.values(), reverse=True)[:2]
        if best - second > REACH:
            return found
        for alike in self._alike():
            for bet, effect in self._without(alike[0]).items():
                found[bet][alike] = effect
        return found

    def _without(self, card: int) -> dict[int, float]:
        kept = ~(self._pairs == card).any(axis=1)
        some = np.flatnonzero(kept)[::RESAMPLE_STEP]
        live = tuple(other for other in self.live if other != card)
        tree = Tree(self.odds, Unseen(self.hole, live), self._pairs[some])
        return {
            bet: float(after[kept].mean() - after.mean() + (tree.across_worth(bet) - after[some]).mean())
            for bet, after in self._after.items()
        }

    def _alike(self) -> list[list[int]]:
        """Return the live cards in groups: cards of a group map to each other by an exchange of suits that
        leaves the hole unchanged.
        """
        held = sorted(self.hole)
        swaps = [
            swap for swap in permutations(range(4)) if sorted(_swap(card, swap) for card in held) == held
        ]
        found: dict[int, list[int]] = defaultdict(list)
        for card in self.live:
            found[min(_swap(card, swap) for swap in swaps)].append(card)
        return list(found.values())


def _swap(card: int, swap: tuple[int, ...]) -> int:
    return 13 * swap[card // 13] + card % 13
