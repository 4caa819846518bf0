"""Chi-squared goodness of fit of the cards at each position of the shoe, at 95 % confidence.

A regulator asks for this report on a shuffler (COMAR 36.05.02.17F). Such a test is valid once, for a number
of rounds fixed in advance; the martingales of `shuffle.py` are valid at any time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from controller.evidence.shuffle import RANK_OF, SUIT_OF, Floats, Ints
from controller.rules.odds.cards import DECK_SIZE

CRITICAL: Final = {3: 7.815, 12: 21.026, 51: 68.669}
"""Values that chi-squared exceeds with a chance of 5 %, by degrees of freedom."""
MIN_EXPECTED = 5
"""Smallest expected count of a cell for which the distribution holds (Cochran's rule)."""
_KINDS: Final[dict[str, Ints]] = {"suit": SUIT_OF, "rank": RANK_OF, "card": np.arange(DECK_SIZE)}


@dataclass(frozen=True, slots=True)
class Fit:
    """Result of the test for one kind of card property: `kind` is suit, rank or card. `values`: chi-squared
    by position, for the positions with enough rounds; `critical`: the value that a fair shuffle exceeds with
    a chance of 5 %; `needed`: number of rounds that a position needs."""

    kind: str
    values: tuple[float, ...]
    critical: float
    needed: int

    @property
    def exceeding(self) -> tuple[int, ...]:
        """Return the positions, from 1, whose value exceeds the critical one."""
        return tuple(at for at, value in enumerate(self.values, 1) if value > self.critical)


def fits(orders: Sequence[Sequence[int]]) -> list[Fit]:
    """Return three results: of suits, ranks and single cards. `orders`: one sequence of card numbers for each
    round, in the order dealt."""
    counts = np.zeros((DECK_SIZE, DECK_SIZE))
    for order in orders:
        counts[np.arange(len(order)), list(order)] += 1
    return [_fit(kind, classes, counts) for kind, classes in _KINDS.items()]


def _fit(kind: str, classes: Ints, counts: Floats) -> Fit:
    number = int(classes.max()) + 1
    needed = MIN_EXPECTED * number
    values = []
    for row in counts[counts.sum(axis=1) >= needed]:
        seen, expected = np.bincount(classes, row, number), row.sum() / number
        values.append(float(((seen - expected) ** 2).sum() / expected))
    return Fit(kind, tuple(values), CRITICAL[number - 1], needed)
