"""Bound above which a house investigates a sitting, from its own cost of a false accusation.

The chance that an honest sitting ever reaches a bound t is at most 1/t. Of n honest sittings, however they
depend on each other, at most n/t are therefore expected to reach it. If a false accusation costs c, the
expected cost is at most n c / t (controller/evidence/EVIDENCE.md "The threshold").
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log10


@dataclass(frozen=True, slots=True)
class Threshold:
    """Costs, in one unit of money. `cost`: cost of one false accusation. `budget`: expected cost of false
    accusations that the house accepts. `sittings`: number of sittings to which the budget applies, at all
    seats and tables."""

    cost: int
    budget: int
    sittings: int

    @property
    def log10(self) -> float:
        """Return the logarithm of the bound to base 10; at least 0, the evidence at a sitting's start."""
        return max(0.0, log10(self.cost * self.sittings / self.budget))

    def reached(self, peak_log10: float) -> bool:
        """Return whether a sitting with this peak of the combined evidence reaches the bound."""
        return peak_log10 >= self.log10
