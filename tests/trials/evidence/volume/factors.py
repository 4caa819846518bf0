"""Logarithms of the factors of many rounds, for the hypotheses on cards of the cross."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from controller.evidence.factor import STRENGTHS
from controller.evidence.hypotheses import Hypothesis
from tests.trials.evidence.values import OTHERS, Floats, Ints
from tests.trials.evidence.volume.chances import OF_ACROSS, OF_DOWN, OF_MIDDLE, Chances
from tests.trials.evidence.volume.crosses import CELLS, Crosses, crosses
from tests.trials.evidence.volume.deals import (
    FAR,
    LEFT,
    MIDDLE,
    NEAR,
    PAIR_NUMBER,
    RIGHT,
    Deals,
    Singles,
)

CARDS = 52 - 6 - OTHERS
"""Number of cards that may lie at one place of the cross, if all others are known."""
CROSSES = (CARDS + 4) * (CARDS + 3) // 2 * (CARDS + 2) * (CARDS + 1) // 2 * CARDS
BLOCK = 4096
"""Number of rounds computed at once, which limits the memory."""
Logs = dict[Hypothesis, Floats]
"""Logarithms of the factors, (strength, round), by hypothesis."""
PLACED = {
    Hypothesis.ACROSS_LEFT: LEFT, Hypothesis.ACROSS_RIGHT: RIGHT, Hypothesis.DOWN_FAR: FAR,
    Hypothesis.DOWN_NEAR: NEAR, Hypothesis.MIDDLE: MIDDLE,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class CrossWeights:
    """Numbers of crosses, each weighted with the probability of decisions so far: (round, decisions,
    strength). Names are those of `Crosses`, with the number of decisions included as suffix; decisions are
    numbered as in `Chances`."""

    every_1: Singles
    with_across_1: Singles
    with_across_2: Singles
    with_both_2: Singles
    with_both_3: Singles


class Factors:
    """Computes the factors of the rounds of one batch, for any player's choices."""

    def __init__(self, deals: Deals, chances: Chances) -> None:
        self._deals, self._chances = deals, chances
        self._across = PAIR_NUMBER[deals.cross[LEFT], deals.cross[RIGHT]]
        found = crosses(deals, chances)
        self._cell = found.cell
        self._weights = _weights(found, chances)

    def logs(self, choices: Ints) -> Logs:
        """Return the logarithms of the factors by hypothesis, in the order of play. `choices`: (3, round) in
        the order of play, 0 for a fold, 1 for the smallest and 2 for the largest bet; choices after a fold
        are ignored."""
        ordered = choices[:, self._deals.order]
        places = [*PLACED, Hypothesis.CROSS]
        found = {name: np.empty((len(STRENGTHS), len(self._cell))) for name in places}
        for start in range(0, len(self._cell), BLOCK):
            some = slice(start, start + BLOCK)
            at = self._deals.order[some]
            for name, logs in self._some(some, ordered[:, some]):
                found[name][:, at] = logs.T
        return found

    def _some(self, some: slice, choices: Ints) -> Iterator[tuple[Hypothesis, Floats]]:
        row, free, cross = self._deals.row[some], self._deals.free[some], self._deals.cross[:, some]
        across = self._chances.first[row, OF_ACROSS, choices[0]]
        down = self._two(some, OF_DOWN, choices)
        middle = self._two(some, OF_MIDDLE, choices)
        played = np.flatnonzero((choices[0] > 0) & (choices[1] > 0))
        middle[played] *= self._last(self._cell[some][played], choices[:, played])
        tables = (across, across, down, down, middle)
        for (name, place), chance in zip(PLACED.items(), tables, strict=True):
            yield name, _logs(chance, free, cross[place])
        at = np.arange(len(row))
        yield Hypothesis.CROSS, self._of_cross(some, self._cell[some][at, cross[MIDDLE]], choices)

    def _two(self, some: slice, place: int, choices: Ints) -> Singles:
        """Return (round, strength, card): the chance of the first decision and, if one was made, of the
        second, for each card at `place`."""
        table = self._chances.middle if place == OF_MIDDLE else self._chances.down
        row, made = self._deals.row[some], np.maximum(3 * (choices[0] - 1), 0) + choices[1]
        found: Singles = table[row, self._across[some], made]
        folded = np.flatnonzero(choices[0] == 0)
        found[folded] = self._chances.first[row[folded], place, 0]
        return found

    def _last(self, cell: Ints, choices: Ints) -> Singles:
        """Return (round, strength, card): the chance of the third decision for each middle card."""
        made = _three(choices)[:, None] * len(STRENGTHS) + np.arange(len(STRENGTHS))
        found: Singles = self._chances.last.ravel().take(made[:, :, None] * CELLS + cell[:, None])
        return found

    def _of_cross(self, some: slice, cell: Ints, choices: Ints) -> Floats:
        """Return (round, strength): the logarithm of the factor of the whole cross. `cell`: cell of the dealt
        cross."""
        weights, (one, two, three) = self._weights, self._chances.cross
        each = np.arange(some.start, some.start + len(cell))
        first, second = choices[0], np.maximum(3 * (choices[0] - 1), 0) + choices[1]
        third = np.maximum(_three(choices), 0)
        on, to_end = (first > 0)[:, None], ((first > 0) & (choices[1] > 0))[:, None]
        turned = np.where(
            to_end, three[third, :, cell], np.where(on, two[second, :, cell], one[first, :, cell])
        )
        found = np.log(turned) - np.log(weights.every_1[each, first]) + np.log(float(CROSSES))
        steps = np.log(weights.with_across_1[each, first]) - np.log(weights.with_across_2[each, second])
        found += np.where(on, steps, 0)
        steps = np.log(weights.with_both_2[each, second]) - np.log(weights.with_both_3[each, third])
        found += np.where(to_end, steps, 0)
        return found


def _three(choices: Ints) -> Ints:
    return 6 * (choices[0] - 1) + 3 * (choices[1] - 1) + choices[2]


def _logs(chance: Singles, free: Singles, card: Ints) -> Floats:
    """Return (round, strength): the logarithm of the factor if `card` lies at the place. `chance`: (round,
    strength, card)."""
    turned = chance[np.arange(len(card)), :, card].astype(float)
    total = np.einsum("rsc,rc->rs", chance, free).astype(float) + turned
    found: Floats = np.log(turned * CARDS / total)
    return found


def _weights(found: Crosses, chances: Chances) -> CrossWeights:
    one, two, three = (each.reshape(-1, CELLS).T for each in chances.cross)
    pairs = (
        (found.every, one), (found.with_across, one), (found.with_across, two), (found.with_both, two),
        (found.with_both, three),
    )  # fmt: skip
    shape = len(found.cell), -1, len(STRENGTHS)
    return CrossWeights(*((crosses @ chance).reshape(shape) for crosses, chance in pairs))
