"""A rule pack as integers: the effect of each line of a hand on each wager, and the order of the
settlement.

Everything is read from the pack and nothing is decided here: a pack with another pay table, order or limit
needs no change of the kernel. Odds are to 1, money is whole cents. Sources: those of the pack's values
(controller/game/model/rules.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from controller.game.model.names import Wager
from controller.game.model.rules import RulePack
from controller.game.model.side_bets import BONUSES
from controller.game.rulebook.settlement_plan import pay_table
from controller.rules.odds.pack import LINES
from controller.rules.volume.arrays import AT, WAGERS, Codes

NONE, LOSE, PUSH, WIN, FORFEIT = range(5)
"""Results of a wager as numbers of the kernel. `NONE`: the box has no such wager."""
_VERBS: Mapping[str, int] = {"take": LOSE, "push": PUSH, "pay": WIN}

IS_BONUS = np.array([wager in BONUSES for wager in WAGERS])


class Slot(NamedTuple):
    """One moment of the settlement: the wager of a box is settled then if its result is in `outcomes`.
    `walk`: index of the dealer's pass along the boxes. `box`: index of the box; `wager`: index in WAGERS."""

    walk: int
    box: int
    wager: int
    outcomes: frozenset[int]


@dataclass(frozen=True, slots=True)
class Rules:
    """Tables of a pack for arrays. `outcome`, `odds`: (wager, line), result of the wager with a hand of that
    line, and its odds to 1 (0 unless it wins). `limited`: wagers whose payouts count against the payout
    limit."""

    pack: RulePack
    offered: tuple[Wager, ...]
    outcome: Codes
    odds: npt.NDArray[np.int64]
    limited: tuple[int, ...]

    def order(self, seats: Sequence[int]) -> tuple[Slot, ...]:
        """Return the moments of the settlement for these seats in order, from the dealer's right."""
        boxes = sorted(range(len(seats)), key=lambda box: -seats[box])
        return tuple(
            Slot(walk, box, AT[wager], frozenset(_VERBS[verb] for verb in verbs))
            for walk, settled in enumerate(self.pack.settlement)
            for box in boxes
            for verbs, wagers in settled.groups
            for wager in wagers
        )


def rules_of(pack: RulePack) -> Rules:
    """Return the pack's tables, with a row for each wager and a column for each line."""
    outcome = np.full((len(WAGERS), len(LINES)), LOSE, dtype=np.int8)
    odds = np.zeros((len(WAGERS), len(LINES)), dtype=np.int64)
    for row, wager in enumerate(WAGERS):
        for line, pays in pay_table(pack, wager).items():
            column = LINES.index(line)
            outcome[row, column] = PUSH if pays == "push" else WIN
            odds[row, column] = 0 if pays == "push" else pays
    offered = tuple(wager for wager in WAGERS if wager not in BONUSES or wager in pack.bonuses)
    counted = [wager for wager in offered if pack.payout_limit.bonus_included or wager not in BONUSES]
    return Rules(pack, offered, outcome, odds, tuple(AT[wager] for wager in counted))
