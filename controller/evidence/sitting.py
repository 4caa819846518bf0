"""Evidence of one sitting: a seat from the moment that it is taken until it is left.

It is the mean, over the strengths of the model, of the products of the rounds' factors: a test martingale.
Its peak exceeds 1/a with a chance of at most a (Ville's inequality), so it may be looked at after every
round.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from controller.evidence.factor import STRENGTHS, Floats, RoundEvidence


@dataclass
class Sitting:
    """Running evidence of one seat. `player`: their mark in the records. `log`: natural logarithm of the
    evidence now; `peak`: the largest so far, at least that of the beginning, 0."""

    seat: int
    player: str
    rounds: list[tuple[int, RoundEvidence | None]] = field(default_factory=list)
    """Numbers of the rounds played, with their evidence; None if a round allows none."""
    by_strength: Floats = field(default_factory=lambda: np.zeros(len(STRENGTHS)))
    log: float = 0.0
    peak: float = 0.0

    def add(self, number: int, found: RoundEvidence | None) -> None:
        """Add a round."""
        self.rounds.append((number, found))
        if found is not None:
            self.by_strength = self.by_strength + found.weights.sum(axis=0)
            self.log = float(np.logaddexp.reduce(self.by_strength) - np.log(len(STRENGTHS)))
            self.peak = max(self.peak, self.log)

    def weights(self) -> list[tuple[int, RoundEvidence, int, float]]:
        """Return (round, its evidence, decision from 0, weight) of all decisions, the heaviest first. The
        weights are those of the strength that explains the sitting best."""
        strength = int(self.by_strength.argmax())
        every = [
            (number, found, decision, float(weight))
            for number, found in self.rounds
            if found is not None
            for decision, weight in enumerate(found.weights[:, strength])
        ]
        return sorted(every, key=lambda each: -abs(each[3]))
