"""Bound at which a house looks into a sitting, from its own cost of a false accusation.

An honest sitting ever reaches a bound t with a chance of at most 1/t. Among n sittings at most n/t are
therefore expected to reach it wrongly, however they depend on each other. If a false accusation costs c, the
expected cost is at most n c / t (controller/evidence/EVIDENCE.md "The threshold").
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log10


@dataclass(frozen=True, slots=True)
class Threshold:
    """Costs in the same unit of money. `cost`: of one false accusation. `budget`: expected cost of false
    accusations that the house accepts. `sittings`: number over which it is accepted, of all seats and
    tables."""

    cost: int
    budget: int
    sittings: int

    @property
    def log10(self) -> float:
        """Return the logarithm of the bound, at least 0: no bound lies below the evidence of a beginning."""
        return max(0.0, log10(self.cost * self.sittings / self.budget))

    def reached(self, peak_log10: float) -> bool:
        """Return whether a sitting with this peak of the combined evidence reaches the bound."""
        return peak_log10 >= self.log10
