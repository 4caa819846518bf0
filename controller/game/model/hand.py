"""A poker hand as data: its category and the ranks that decide within it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum


class Category(IntEnum):
    """Category of a poker hand, lowest first (58 Pa. Code § 674a.6(b))."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9


@dataclass(frozen=True, slots=True, order=True)
class Hand:
    """A hand, ordered by poker rank: by category, then by `ranks`, the ranks that decide between two hands
    of one category, most significant first. Hands of equal rank are equal. The repr must show nothing: the
    cards may be face down."""

    category: Category = field(repr=False)
    ranks: tuple[int, ...] = field(repr=False)
    line: str | None = field(compare=False, repr=False)
    text: str = field(compare=False, repr=False)
    """Name of the hand in a round record."""
