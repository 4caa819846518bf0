"""A rule pack as integers: what each line of a hand does to each wager, and the order of the settlement.

Everything comes from the pack and nothing is decided here: a pack with another pay table, order or limit
needs no other kernel. Odds are to 1, money is whole cents. Sources: those of the pack's own values
(controller/game/model/rules.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from controller.game.model.names import Wager
from controller.game.model.rules import RulePack
from controller.game.model.side_bets import BONUSES
from controller.game.rulebook.settlement_plan import pay_table
from controller.rules.odds.pack import LINES
from controller.rules.volume.arrays import AT, WAGERS, Codes

Outcome = Literal["none", "lose", "push", "win", "forfeit"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
"""Results of a circle, as the kernel numbers them: `none` where no wager lies."""
NONE, LOSE, PUSH, WIN, FORFEIT = range(len(OUTCOMES))
VERBS: Mapping[str, int] = {"take": LOSE, "push": PUSH, "pay": WIN}

IS_BONUS = np.array([wager in BONUSES for wager in WAGERS])


class Slot(NamedTuple):
    """One moment of the settlement: this wager of this box (its place among the boxes) is settled now if what
    becomes of it is among `outcomes`. `walk`: which pass of the pack's settlement it belongs to."""

    walk: int
    box: int
    wager: int
    outcomes: frozenset[int]


@dataclass(frozen=True, slots=True)
class Rules:
    """`outcome` and `odds`: (wager, line), what a hand of that line makes of the wager; `odds` 0 where it
    does not win. `limited`: the wagers whose payouts a limit counts."""

    pack: RulePack
    offered: tuple[Wager, ...]
    outcome: Codes
    odds: npt.NDArray[np.int64]
    limited: tuple[int, ...]

    def order(self, seats: Sequence[int]) -> tuple[Slot, ...]:
        """The settlement of these seats, from the dealer's right, moment by moment."""
        boxes = sorted(range(len(seats)), key=lambda box: -seats[box])
        return tuple(
            Slot(walk, box, AT[wager], frozenset(VERBS[verb] for verb in verbs))
            for walk, settled in enumerate(self.pack.settlement)
            for box in boxes
            for verbs, wagers in settled.groups
            for wager in wagers
        )


def rules_of(pack: RulePack) -> Rules:
    """The pack's tables, a row for each circle that there is, a column for each line."""
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
