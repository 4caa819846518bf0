"""Checks that the choices of an export that must be made before play are those of the documentation.

Written from controller/evidence/EVIDENCE.md "The export"; it must never import controller.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import log10
from typing import Any

STRENGTHS = {
    "cards": [0.5, 2.0, 8.0], "bonus": [1.0, 9.0, 99.0], "ante": [0.5, 1.5, 4.0], "late": [1.0, 4.0, 16.0],
    "hands": [0.25, 0.5, 1.0], "errors": [1.0, 9.0, 99.0], "positions": [0.5, 3.0],
    "missing_and_double": [-0.98, 1.0], "follows": [1.0, 5.0, 25.0, 125.0, 1000.0],
}  # fmt: skip
LISTS = 3
"""Number of lists that share a budget."""
ROUNDED = 6e-5


def fixed_faults(fixed: Mapping[str, Any], choice: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each choice that differs from the documentation or contradicts `choice`."""
    for name, value in STRENGTHS.items():
        if fixed["strengths"].get(name) != value:
            yield f"values.json: fixed: the strengths of {name} are {value}"
    if fixed["since"] != choice["since"]:
        yield f"values.json: fixed: since is {choice['since']}, not {fixed['since']}"


def threshold_faults(data: Mapping[str, Any], fixed: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line if the bound of a sitting does not follow from the costs. If the number of sittings is not
    stated, the bound depends on the sitting's place in the list, so its smallest value is compared."""
    given, cost = data["threshold_log10"], fixed["cost"]
    if (given is None) != (cost is None):
        yield f"threshold_log10: is {given}, and the cost is {cost}"
    elif given is not None:
        many = fixed["sittings"] or 2
        bound = max(0.0, log10(LISTS * cost) + log10(many) - log10(fixed["budget"]))
        if given < bound - ROUNDED or (fixed["sittings"] and given > bound + ROUNDED):
            yield f"threshold_log10: is {given}, and by the costs {bound:.4f}"
