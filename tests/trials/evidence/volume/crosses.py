"""Numbers of crosses by the classes of both hands, for many rounds with holes of one kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from controller.evidence.hands_beside import CLASSES, NO_HAND
from controller.rules.odds.hands import Classes
from tests.trials.evidence.values import Ints
from tests.trials.evidence.volume.chances import Chances
from tests.trials.evidence.volume.deals import (
    BESIDE,
    FIRST,
    LEFT,
    MIDDLE,
    NEAR,
    PAIR_NUMBER,
    PAIRS,
    RIGHT,
    SECOND,
    Deals,
    Singles,
)

CELLS = CLASSES * CLASSES
BLOCK = 64
"""Rounds counted at once, few enough for the counts to fit into the processor's cache."""
HOLDING = np.zeros((PAIRS, BESIDE), np.float32)
"""(pair, card): 1 if the pair contains the card, else 0."""
HOLDING[np.arange(PAIRS), FIRST] = HOLDING[np.arange(PAIRS), SECOND] = 1


@dataclass(frozen=True, slots=True)
class Crosses:
    """Numbers of possible crosses, (round, cell), as in controller/evidence/whole_cross.py. A cell is a
    combination of the classes of the Across and the Down hand. `cell`: (round, middle card), the cell of the
    cross with the round's pairs and this card."""

    every: Singles
    with_across: Singles
    with_both: Singles
    cell: Ints


def crosses(deals: Deals, chances: Chances) -> Crosses:
    """Return the numbers of possible crosses for every round of the batch."""
    many = len(deals.row)
    pairs = PAIR_NUMBER[deals.cross[LEFT], deals.cross[RIGHT]], PAIR_NUMBER[deals.cross[2], deals.cross[NEAR]]
    one, two = (chances.classes[deals.row, :, pair].astype(np.int64) for pair in pairs)
    cell = np.where((one == NO_HAND) | (two == NO_HAND), 0, one * CLASSES + two)
    may_lie = deals.free.copy()
    may_lie[np.arange(many), deals.cross[MIDDLE]] = 1
    places = (np.arange(many) * CELLS)[:, None] + cell
    both = np.bincount(places.ravel(), may_lie.ravel(), many * CELLS).reshape(many, CELLS)
    live = may_lie
    live[np.arange(many), deals.cross[:MIDDLE]] = 1
    every, with_across = (np.empty((many, CELLS), np.float32) for _ in range(2))
    for _, rounds in deals.groups:
        counter = Counter(chances.classes[deals.row[rounds.start]])
        for start in range(rounds.start, rounds.stop, BLOCK):
            some = slice(start, min(start + BLOCK, rounds.stop))
            every[some], with_across[some] = counter.count(live[some], deals.cross[: RIGHT + 1, some])
    return Crosses(every, with_across, both.astype(np.float32), cell)


class Counter:
    """Counter of crosses for rounds whose hole is the example hole of one kind."""

    def __init__(self, made: Classes) -> None:
        """Prepare the counts. `made`: (card, pair), the class of the hand, or NO_HAND."""
        self._made = made
        classes = np.arange(CLASSES, dtype=np.int8)
        third = self._made[:, None, :] == classes[:, None]
        self._third: Singles = third.reshape(BESIDE, CLASSES * PAIRS).astype(np.float32)
        """(third card, class and pair): 1 if they make this class, else 0."""

    def count(self, live: Singles, across: Ints) -> Sequence[Singles]:
        """Return (round, cell): the crosses that the live cards can make, and those of them with the Across
        pair. `live`: (round, card), 1 for a live card; `across`: (2, round)."""
        many = len(live)
        third = (live @ self._third).reshape(many, CLASSES, PAIRS)
        third *= (live[:, FIRST] * live[:, SECOND])[:, None]
        # each pair is counted twice, once for either of its cards
        pairs = (third.reshape(-1, PAIRS) @ HOLDING).reshape(many, CLASSES, BESIDE) / 2
        every = pairs @ pairs.transpose(0, 2, 1) - 2 * (third @ third.transpose(0, 2, 1))
        diagonal = np.arange(CLASSES)
        every[:, diagonal, diagonal] += pairs.sum(axis=2)
        with_across = self._with_across(live, across, pairs, third)
        return every.reshape(many, CELLS), with_across.reshape(many, CELLS)

    def _with_across(self, live: Singles, across: Ints, pairs: Singles, third: Singles) -> Singles:
        at = np.arange(len(live))
        free = live.copy()
        free[at, across[0]] = free[at, across[1]] = 0
        made = self._made[:, PAIR_NUMBER[across[0], across[1]]].T
        one = (made[:, None] == np.arange(CLASSES, dtype=np.int8)[:, None]) * free[:, None]
        taken = sum(np.take_along_axis(third, PAIR_NUMBER[card][:, None], axis=2) for card in across)
        # the Across pair itself was subtracted twice, once for either of its cards
        beside: Singles = pairs - taken + one
        found: Singles = one @ beside.transpose(0, 2, 1)
        return found
