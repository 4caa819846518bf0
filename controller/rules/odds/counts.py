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
    """Expectation and variance of the round's value after an Across bet, at the best play once the Across
    pair is turned. In antes and squared antes."""

    expectation: Fraction
    variance: Fraction


@dataclass(frozen=True, slots=True)
class Hole:
    """A kind of hole at the best play. `count`: its number among the 1,326 holes. `across`: best bet in
    antes, 0 to fold. `worth`: value of each Across bet, by multiple. `expectation`: value of the best bet,
    in antes.
    """

    name: str
    count: int
    across: int
    expectation: Fraction
    worth: Mapping[int, Worth]


@dataclass(frozen=True, slots=True)
class Made:
    """Counted deals for one kind of hole at the best play. `folded`, `played`: deals that ended with a fold,
    and those played out.
    """

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
        """Return the sum over all kinds of hole."""
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
    """Return the best Across bet, its expectation, and the value of each bet. `worth`: sums over the rest
    of the round by Across bet and Across pair. `ways`: number of pairs that each Across pair represents."""
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
