"""Logarithms of the factors of many rounds, for the hypotheses on other hands.

The seat is number 2 of six, as in `cheating.py`. Pairs of cards are counted by a matrix product, larger sets
by their sums for many rounds at once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from controller.evidence.factor import CARELESS
from controller.evidence.hypotheses import Hypothesis, PackValues
from controller.evidence.known_middle import HOLE_KINDS
from controller.evidence.other_hands import SHARES, SHARPNESS, STEP, FirstWorth, first_worth, weighed
from controller.game.model.names import SEATS
from tests.trials.evidence.cheating import HAND
from tests.trials.evidence.values import OTHERS, Floats, Ints
from tests.trials.evidence.volume.deals import BESIDE, Deals, Singles, beside
from tests.trials.evidence.volume.factors import Logs

EARLIER = 2 * (HAND - 2)
"""Number of cards in the hands before seat HAND, other than the seat's own. They are the first rows of
`Deals.others`."""
LATER = [seat for seat in SEATS if seat >= HAND]
SIZE = 2 * len(LATER)
BLOCK = 64
"""Rounds counted at once, few enough for the counts to fit into the processor's cache."""


class HandFactors:
    """Computes the factors of the rounds of one batch for each possible first choice."""

    def __init__(self, values: PackValues, deals: Deals) -> None:
        many = len(deals.row)
        self._one = np.zeros((3, len(SEATS), len(SHARES), many))
        self._all = np.zeros((3, len(SHARES), many))
        for kind, rounds in deals.groups:
            worth = first_worth(values.odds, values.first, HOLE_KINDS[kind].hole)
            cards = beside(kind)
            for choice in range(3):
                for start in range(rounds.start, rounds.stop, BLOCK):
                    some = slice(start, min(start + BLOCK, rounds.stop))
                    at = deals.order[some]
                    free, others = deals.free[some], deals.others[:, some]
                    self._one[choice, LATER[0] - 1 :, :, at] = _of_one(worth, cards, choice, free, others)
                    self._all[choice, :, at] = _of_all(worth, cards, choice, free, others)

    def logs(self, choices: Ints) -> Logs:
        """Return the logarithms of the factors for both hypotheses, in the order of play. `choices`: as in
        `Factors.logs`."""
        at = np.arange(choices.shape[1])
        one = self._one.reshape(3, -1, len(at))[choices[0], :, at].T
        return {Hypothesis.ONE_HAND: one, Hypothesis.OTHER_HANDS: self._all[choices[0], :, at].T}


def _steps(worth: FirstWorth, cards: Sequence[int], choice: int, known: int) -> tuple[Ints, float]:
    """Return the effect of each local card as a number of steps, and the lead of the choice without knowledge
    in antes. `known`: number of known cards."""
    rival = worth.rivals[choice]
    effects = (worth.effects[choice] - worth.effects[rival])[cards] * weighed(known)
    return np.rint(effects / STEP).astype(np.int64), worth.plain[choice] - worth.plain[rival]


def _of_one(worth: FirstWorth, cards: Sequence[int], choice: int, free: Singles, others: Ints) -> Floats:
    """Return (round, later seat, share): the logarithms of the factors of choice `choice` (0 to 2) at the
    first decision, if the hand of one later seat is known."""
    steps, lead = _steps(worth, cards, choice, 2)
    pairs = _better(lead, steps[:, None] + steps)
    np.fill_diagonal(pairs, 0)
    beside_free = free @ pairs
    alone = (beside_free * free).sum(axis=1) / 2
    live = len(cards) - 5 - OTHERS + 2
    found = []
    at = np.arange(len(free))
    for one, two in others[EARLIER:].reshape(-1, 2, len(free)):
        own = pairs[one, two]
        mean = (alone + beside_free[at, one] + beside_free[at, two] + own) / (live * (live - 1) / 2)
        found.append(_logs(lead, own, mean))
    return np.stack(found, axis=1)


def _of_all(worth: FirstWorth, cards: Sequence[int], choice: int, free: Singles, others: Ints) -> Floats:
    """Return (round, share): the logarithms of the factors of choice `choice` (0 to 2) at the first decision,
    if all other hands are known."""
    steps, lead = _steps(worth, cards, choice, OTHERS)
    live = free.copy()
    np.put_along_axis(live, others[EARLIER:].T, 1, axis=1)
    above = steps - steps.min()
    counts = np.zeros((len(free), SIZE + 1, SIZE * int(above.max()) + 1))
    counts[:, 0, 0] = 1
    for card in range(BESIDE):
        end = counts.shape[2] - int(above[card])
        counts[:, 1:, above[card] :] += counts[:, :-1, :end] * live[:, card, None, None]
    sums = SIZE * steps.min() + np.arange(counts.shape[2])
    given = steps[others[:EARLIER]].sum(axis=0)
    better = _better(lead, sums + given[:, None])
    mean = (counts[:, SIZE] * better).sum(axis=1) / counts[:, SIZE].sum(axis=1)
    return _logs(lead, _better(lead, steps[others].sum(axis=0)), mean)


def _better(lead: float, steps: Ints) -> Floats:
    found: Floats = np.exp(-np.logaddexp(0, -SHARPNESS * (lead + STEP * steps)))
    return found


def _logs(lead: float, own: Floats, mean: Floats) -> Floats:
    """Return (round, share): the logarithms of the factors. `own`: chance of the choice with the known cards;
    `mean`: its mean over all sets of cards that could be there."""
    shares = np.array(SHARES)
    usual = CARELESS / 2 + (1 - CARELESS) * (1 - shares) * (lead >= 0)
    made, expected = (usual + (1 - CARELESS) * shares * each[:, None] for each in (own, mean))
    found: Floats = np.log(made / expected)
    return found
