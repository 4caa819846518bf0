"""All deals (combinations of cards) of the base game, counted by the bets made and the hands that result.

A deal is a hole, both pairs and the Middle: 84,284,272,800 in all. Every figure of a PAR sheet is a sum over
these counts, which are whole numbers in plain Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

Grid = tuple[tuple[int, ...], ...]
"""Deals by class of the Across hand, then of the Down hand."""
Folded = Mapping[tuple[int, ...], int]
"""Deals by the bets before the fold, in antes, with a final 0 for the fold: (0,), (3, 0), (3, 1, 0)."""
Played = Mapping[tuple[int, int, int], Grid]
"""Deals that were played out, by the Across, Down and Middle bet in antes."""


@dataclass(frozen=True, slots=True)
class Worth:
    """Value of a round after one Across bet, at the best play from there on: its expectation in antes, and
    the variance of the expectation over the Across pairs in squared antes."""

    expectation: Fraction
    variance: Fraction


@dataclass(frozen=True, slots=True)
class Hole:
    """Result for one kind of hole at the best play. `count`: number of holes of the kind, among 1,326.
    `across`: best bet in antes, 0 to fold. `worth`: value of each Across bet, by multiple of the ante.
    `expectation`: value of the best one, in antes."""

    name: str
    count: int
    across: int
    expectation: Fraction
    worth: Mapping[int, Worth]


@dataclass(frozen=True, slots=True)
class Made:
    """Counts for one kind of hole at the best play. `folded`: deals that end with a fold; `played`: deals
    that are played out."""

    hole: Hole
    folded: Folded
    played: Played


@dataclass(frozen=True, slots=True)
class Counts:
    """Counted deals for all kinds of hole at the best play."""

    holes: tuple[Hole, ...]
    folded: Folded
    played: Played

    @classmethod
    def of(cls, made: Iterable[Made]) -> Counts:
        """Return the counts of all kinds of hole, summed."""
        holes: list[Hole] = []
        folded: dict[tuple[int, ...], int] = {}
        played: dict[tuple[int, int, int], Grid] = {}
        for each in made:
            holes.append(each.hole)
            for bets, deals in each.folded.items():
                folded[bets] = folded.get(bets, 0) + deals
            for three, grid in each.played.items():
                played[three] = _added(played[three], grid) if three in played else grid
        return cls(tuple(holes), folded, played)

    @property
    def deals(self) -> int:
        return sum(self.folded.values()) + sum(sum(map(sum, grid)) for grid in self.played.values())


def _added(one: Grid, other: Grid) -> Grid:
    return tuple(
        tuple(a + b for a, b in zip(mine, theirs, strict=True))
        for mine, theirs in zip(one, other, strict=True)
    )


def after(
    worth: Mapping[int, Sequence[int]], ways: Sequence[int], deals: int, multiples: tuple[int, int]
) -> tuple[int, Fraction, Mapping[int, Worth]]:
    """Return the best Across bet, its expectation, and the value of each bet.

    `worth`: for each bet, results summed over the rest of the round, by Across pair. `ways`: number of pairs
    that each Across pair represents. `deals`: number of deals after each.
    """
    pairs = sum(ways)
    each = deals // pairs
    worths: dict[int, Worth] = {}
    for across, sums in worth.items():
        mean = Fraction(sum(way * total for way, total in zip(ways, sums, strict=True)), deals)
        square = Fraction(sum(way * total**2 for way, total in zip(ways, sums, strict=True)), pairs * each**2)
        worths[across] = Worth(mean, square - mean**2)
    best, expectation = 0, Fraction(-2)
    for across in sorted(set(multiples)):
        if worths[across].expectation > expectation:
            best, expectation = across, worths[across].expectation
    return best, expectation, worths
