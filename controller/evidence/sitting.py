"""Evidence of one sitting (a player's rounds at one seat, until they leave it), and of one dealer. Many
hypotheses are tested at once, and their combination needs no correction for that.

The evidence of a hypothesis is the mean, over the strengths of the model, of the products of the rounds'
factors: a test martingale. The combined evidence is the mean over all hypotheses. A peak exceeds 1/a with a
chance of at most a (Ville's inequality), so it may be looked at after every round.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from controller.evidence.dealer_errors import ErrorPairs
from controller.evidence.early_wagers import EarlyRound, Habits
from controller.evidence.factor import Floats, RoundEvidence, log_mean
from controller.evidence.hypotheses import Hypothesis


@dataclass
class Strand:
    """Running evidence for one hypothesis. `log`: natural logarithm of the present evidence; `peak`: the
    largest value of `log` so far, at least 0, which it has at the start."""

    rounds: list[tuple[int, RoundEvidence]] = field(default_factory=list)
    """Number of each round that gives evidence, and its evidence."""
    by_strength: Floats = field(default_factory=lambda: np.zeros(1))
    """Logarithm of the product of the factors by strength; by seat and strength if hands are tested one by
    one (`RoundEvidence.hands`)."""
    log: float = 0.0
    peak: float = 0.0

    def add(self, number: int, found: RoundEvidence) -> None:
        """Multiply the evidence by the factor of round `number`."""
        self.rounds.append((number, found))
        self.by_strength = self.by_strength + found.weights.sum(axis=0)
        self.log = float(log_mean(self.by_strength))
        self.peak = max(self.peak, self.log)

    def decisions(self) -> list[tuple[int, RoundEvidence, int, int]]:
        """Return all decisions as (number of the round, its evidence, index of the decision, column of the
        weights), the one with the largest weight first. The column is the same for all: the one with the most
        evidence for the sitting."""
        column = int(self.by_strength.argmax())
        every = [
            (number, found, decision, column)
            for number, found in self.rounds
            if not found.hands or found.hand(column) in found.hands
            for decision in range(len(found.weights))
        ]
        return sorted(every, key=lambda each: -abs(each[1].weights[each[2], column]))


@dataclass
class Sitting:
    """Running evidence of one sitting: a player's rounds at one seat.

    `player`: the player's mark in the records. `journal`: index of the journal; `table`: name of the table.
    `rounds`: numbers of the rounds played. `log`, `peak`: combined evidence, as in `Strand`. `by_dealer`: the
    parts of the sitting by number of the dealer who began their rounds. `errors`: errors of that dealer, used
    in such a part only. `order`: place among the sittings, from 1, in the order in which they began.
    """

    seat: int
    player: str
    journal: int = 0
    table: str = ""
    rounds: list[int] = field(default_factory=list)
    strands: Mapping[Hypothesis, Strand] = field(
        default_factory=lambda: {hypothesis: Strand() for hypothesis in Hypothesis}
    )
    habits: Habits = field(default_factory=Habits)
    log: float = 0.0
    peak: float = 0.0
    by_dealer: dict[str, Sitting] = field(default_factory=dict)
    errors: ErrorPairs = field(default_factory=ErrorPairs)
    order: int = 1

    @property
    def strongest(self) -> Hypothesis:
        """Return the hypothesis with the largest peak."""
        return max(self.strands, key=lambda hypothesis: self.strands[hypothesis].peak)

    def add(
        self, number: int, found: Mapping[Hypothesis, RoundEvidence], early: EarlyRound | None = None
    ) -> None:
        """Add a round with its evidence by hypothesis. `early`: wagers of the round before the first card,
        which count as the player's habits from the next round on; None if they are unknown."""
        self.rounds.append(number)
        if early is not None:
            self.habits.add(early)
        for hypothesis, each in found.items():
            self.strands[hypothesis].add(number, each)
        self.log = float(log_mean(np.array([strand.log for strand in self.strands.values()])))
        self.peak = max(self.peak, self.log)


@dataclass
class DealerEvidence:
    """Running evidence of one dealer. `number`: the dealer's. `sittings`: the parts of sittings that they
    dealt, in the order in which these began. `rounds`: number of rounds that the dealer began. `order`: place
    among the dealers, from 1, in the order in which they first began a round.

    The evidence is a weighted mean: the i-th sitting has the weight 1/(i(i+1)); future sittings, whose
    evidence is one, have the remaining weight, 1/(n+1). It is a martingale however many sittings follow.
    """

    number: str
    sittings: list[Sitting] = field(default_factory=list)
    rounds: int = 0
    log: float = 0.0
    peak: float = 0.0
    order: int = 1

    def add(self) -> None:
        """Count a round and compute the evidence anew. Call this after the round was added to the dealer's
        sittings."""
        self.rounds += 1
        many = len(self.sittings)
        order = np.arange(1, many + 1)
        logs = np.array([each.log for each in self.sittings]) - np.log(order * (order + 1))
        self.log = float(np.logaddexp.reduce([*logs, -np.log(many + 1)]))
        self.peak = max(self.peak, self.log)
