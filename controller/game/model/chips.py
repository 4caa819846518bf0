"""Amounts made of chips. Money in whole cents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def fewest(
    cents: int, values: Iterable[int], there: Mapping[int, int] | None = None
) -> tuple[tuple[int, ...], int]:
    """The fewest chips of these values, largest first, and what they leave over. `there`: how many of each
    there are; left out: enough."""
    chips: list[int] = []
    for value in sorted(values, reverse=True):
        count = cents // value if there is None else min(cents // value, there[value])
        chips += [value] * count
        cents -= count * value
    return tuple(chips), cents
