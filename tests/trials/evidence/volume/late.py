"""Logarithms of the factors of many rounds, for chips that are added late without regard to the cards.

Every player adds chips late before one turn in twenty, if they are still in play.
"""

from __future__ import annotations

import numpy as np

from controller.evidence.hands_beside import hands_beside
from controller.evidence.hypotheses import PackValues
from controller.evidence.known_middle import HOLE_KINDS
from controller.evidence.late_chips import LATE_STRENGTHS
from controller.game.model.names import BETS
from tests.trials.evidence.values import Floats, Ints
from tests.trials.evidence.volume.deals import FIRST, LEFT, PAIR_NUMBER, RIGHT, SECOND, Deals, Singles, beside
from tests.trials.evidence.volume.early import HoleFactors

LATE_SHARE = 1 / 20
PAIRS_SEEN = slice(0, 2), slice(2, 4)
"""Rows in `Deals.cross` of the pair that was seen last before the Down decision, and before the Middle
decision."""


class LateChips:
    """Chips added late in one batch, before random decisions. They are the same for all players, as far as a
    player reaches the decision."""

    def __init__(self, values: PackValues, deals: Deals, dice: np.random.Generator) -> None:
        self._late = (dice.random((len(BETS), len(deals.order))) < LATE_SHARE).astype(np.int64)
        own = HoleFactors(values, LATE_STRENGTHS).logs(deals.hands, deals.hands.others, self._late[0])
        self._logs = np.stack([own, *self._of_pairs(np.array([*values.odds.bets, 0]), deals)])

    def made(self, choices: Ints) -> Ints:
        """Return (decision, round) in the order of play, 1 for late chips before a decision that the player
        reached. `choices`: (3, round), 0 for a fold."""
        reached = np.cumprod(np.vstack([np.ones_like(choices[:1]), choices[:2] > 0]), axis=0)
        found: Ints = self._late * reached
        return found

    def logs(self, choices: Ints) -> Floats:
        """Return (strength, round): the logarithms of the factors, in the order of play."""
        found: Floats = (self._logs * self.made(choices)[:, None]).sum(axis=0)
        return found

    def _of_pairs(self, pays: Ints, deals: Deals) -> Floats:
        """Return (2, strength, round): the logarithms of the factors, first by the Across pair and then by
        the Down pair."""
        found = np.zeros((2, len(LATE_STRENGTHS), len(deals.order)))
        for kind, group in deals.groups:
            cards = beside(kind)
            worth = pays[hands_beside(HOLE_KINDS[kind].hole)[np.ix_(cards, cards)]].sum(axis=2)[FIRST, SECOND]
            for step, pair in enumerate(PAIRS_SEEN):
                late = np.flatnonzero(self._late[step + 1, deals.order[group]]) + group.start
                free = deals.free[late]
                np.put_along_axis(free, deals.cross[:, late].T, 1, axis=1)
                if step:
                    np.put_along_axis(free, deals.cross[[LEFT, RIGHT]][:, late].T, 0, axis=1)
                found[step][:, deals.order[late]] = _pair_logs(free, worth, deals.cross[pair, late])
        return found


def _pair_logs(free: Singles, worth: Ints, pair: Ints) -> Floats:
    """Return (strength, round): the logarithms of the factors from one pair. `free`: (round, card), 1 for a
    card that the pair could have; `worth`: of each pair; `pair`: (2, round), the cards that came."""
    _, rank = np.unique(worth, return_inverse=True)
    each = (rank[:, None] == np.arange(rank.max() + 1)).astype(np.float32)
    counts = (free[:, FIRST] * free[:, SECOND]) @ each
    up_to = counts.cumsum(axis=1)
    place = (2 * up_to - counts) / up_to[:, -1:] - 1
    own = rank[PAIR_NUMBER[pair[0], pair[1]]]
    mine = np.take_along_axis(place, own[:, None], axis=1)[:, 0]
    totals = [(counts * np.exp(strength * place)).sum(axis=1) for strength in LATE_STRENGTHS]
    found: Floats = np.array(LATE_STRENGTHS)[:, None] * mine - np.log(totals) + np.log(up_to[:, -1])
    return found
