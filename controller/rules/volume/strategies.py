"""Random strategies: players who choose at random, and random wagers at the close, for a test of the fast
kernel itself (certification).

Every draw comes from a generator that the caller seeds. `best_player.py` has the best player.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from controller.game.model.names import Wager
from controller.game.model.rules import RulePack
from controller.game.model.side_bets import TWINS
from controller.rules.volume.arrays import CentsArray
from controller.rules.volume.play import PlayerView, Stakes


@dataclass(frozen=True, slots=True)
class RandomStrategy:
    """Player who sometimes folds, else makes a random bet that the pack allows: a whole multiple of the
    ante, or any number of cents between the smallest and the largest bet."""

    dice: np.random.Generator
    folds: float = 0.1

    def __call__(self, wager: Wager, seen: PlayerView) -> CentsArray:
        least, most = seen.pack.bet_multiples
        if seen.pack.whole_multiples:
            bet = seen.ante * self.dice.integers(least, most + 1, size=seen.ante.shape)
        else:
            bet = self.dice.integers(seen.ante * least, seen.ante * most + 1)
        return np.where(self.dice.random(seen.ante.shape) < self.folds, 0, bet)


def random_stakes(
    pack: RulePack, dice: np.random.Generator, boxes: int, rounds: int, bonus: float = 0.35
) -> Stakes:
    """Return random antes and bonuses in whole dollars within the pack's limits. `bonus`: share of boxes with
    a bonus. A bonus that must equal another one is added to half of the boxes that have the other one.
    """
    shape = (boxes, rounds)
    laid: dict[Wager, CentsArray] = {}
    for wager in sorted(pack.bonuses, key=lambda wager: wager in TWINS):
        twin = TWINS.get(wager) if pack.six_card_bonus_equals_five else None
        if twin is None:
            amount = _dollars(dice, pack.bonus_minimum, pack.bonus_maximum, shape)
            laid[wager] = np.where(dice.random(shape) < bonus, amount, 0)
        else:
            laid[wager] = np.where(dice.random(shape) < 0.5, laid.get(twin, 0), 0)
    return Stakes(_dollars(dice, pack.minimum_ante, pack.maximum_ante, shape), laid)


def _dollars(dice: np.random.Generator, least: int, most: int, shape: tuple[int, int]) -> CentsArray:
    return dice.integers(-(-least // 100), most // 100 + 1, size=shape) * 100
