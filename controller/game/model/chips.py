"""Change making: the fewest chips for an amount. Money in whole cents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def fewest_chips(
    cents: int, values: Iterable[int], there: Mapping[int, int] | None = None
) -> tuple[tuple[int, ...], int]:
    """Return the fewest chips that make `cents`, largest value first, and the remaining cents for which there
    is no chip. `there`: number of available chips by value; None for unlimited."""
    chips: list[int] = []
    for value in sorted(values, reverse=True):
        count = cents // value if there is None else min(cents // value, there[value])
        chips += [value] * count
        cents -= count * value
    return tuple(chips), cents
