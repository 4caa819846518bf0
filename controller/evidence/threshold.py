"""Bound above which a house investigates a sitting, from its own cost of a false accusation.

The chance that an honest sitting ever reaches a bound t is at most 1/t. If a false accusation costs c, the
expected cost of a sitting is therefore at most c/t, and of several at most the sum of these, however they
depend on each other (controller/evidence/EVIDENCE.md "The threshold"). Sittings, dealers and the errors of a
dealer at one seat are three lists; each has a third of the budget, so that all alerts together keep it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log10

LISTS = 3
"""Number of lists that share the budget: sittings, dealers, and a dealer's errors at one seat."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """Threshold of a house for one of the lists. `cost`: cost of one false accusation; `budget`: expected
    cost of false accusations that the house accepts over all lists, in the same unit of money. `sittings`:
    number of entries that share the part of this list, at all seats and tables; None for any number, of which
    the k-th has the share 1/(k(k+1))."""

    cost: int
    budget: int
    sittings: int | None = None

    def bound(self, order: int) -> float:
        """Return the logarithm, to base 10, of the evidence that a sitting must reach; at least 0, which it
        has at its start. `order`: place of the sitting among all, from 1, which is fixed when it begins."""
        many = self.sittings or order * (order + 1)
        return max(0.0, log10(LISTS * self.cost) + log10(many) - log10(self.budget))

    def reached(self, peak_log10: float, order: int) -> bool:
        """Return whether a sitting with this peak of the combined evidence reaches the bound. `order`: as in
        `bound`."""
        return peak_log10 >= self.bound(order)
