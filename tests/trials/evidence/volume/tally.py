"""Evidence of many sittings, as sums that can be added batch by batch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from controller.evidence.hypotheses import Hypothesis
from tests.trials.evidence.values import Floats, Ints
from tests.trials.evidence.volume.factors import Logs

BOUNDS = (10, 100, 1_000, 10_000, 1_000_000)
NAMES = (*Hypothesis, "combined")


@dataclass(frozen=True, slots=True)
class Tally:
    """Sums of the evidence against one player, by hypothesis and combined (`NAMES`).

    `round_sums`, `end_sums`: (name, 2), the sum and the sum of squares of the evidence after a single round,
    and at the end of a sitting. `peaks`: (name, bound), number of sittings whose evidence ever reached the
    bound.
    """

    rounds: int
    sittings: int
    round_sums: Floats
    end_sums: Floats
    peaks: Ints

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.rounds + other.rounds, self.sittings + other.sittings, self.round_sums + other.round_sums,
            self.end_sums + other.end_sums, self.peaks + other.peaks,
        )  # fmt: skip

    def round_mean(self, name: int) -> tuple[float, float]:
        """Return the mean evidence after a single round and its standard error."""
        return _mean(self.round_sums[name], self.rounds)

    def end_mean(self, name: int) -> tuple[float, float]:
        """Return the mean evidence at the end of a sitting and its standard error."""
        return _mean(self.end_sums[name], self.sittings)


def tally(logs: Logs, length: int) -> Tally:
    """Return the sums over sittings of `length` rounds. `logs`: logarithms of the factors in the order of
    play."""
    single, running = [], []
    for name in Hypothesis:
        single.append(np.exp(logs[name]).mean(axis=0))
        running.append(running_evidence(logs[name], length))
    single.append(np.mean(single, axis=0))
    running.append(np.mean(running, axis=0))
    ends = [each[:, -1] for each in running]
    peaks = [[(each.max(axis=1) >= bound).sum() for bound in BOUNDS] for each in running]
    return Tally(len(single[0]), len(ends[0]), _sums(single), _sums(ends), np.array(peaks))


def running_evidence(logs: Floats, length: int) -> Floats:
    """Return (sitting, round): the evidence after each round, which is the mean over the strengths. `logs`:
    logarithms of the factors."""
    products = np.cumsum(logs.reshape(len(logs), -1, length), axis=2)
    found: Floats = np.exp(products).mean(axis=0)
    return found


def _sums(evidence: list[Floats]) -> Floats:
    return np.array([[each.sum(), (each**2).sum()] for each in evidence])


def _mean(sums: Floats, many: int) -> tuple[float, float]:
    mean = float(sums[0]) / many
    return mean, max(0.0, float(sums[1]) / many - mean**2) ** 0.5 / many**0.5
