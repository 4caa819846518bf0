"""Cards as the numbers 0 to 51, in the order of the table's own deck, and the 169 kinds of hole cards.

For arithmetic over whole decks only: it must never be told which card lies where on a table.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from controller.game.model.cards import DECK, RANKS, Card

NUMBER: dict[Card, int] = {card: number for number, card in enumerate(DECK)}
"""Card -> 0 to 51: 13 times the suit (S, H, D, C), plus the rank (2 to ace as 0 to 12)."""

Hole = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Kind:
    """Holes that differ in their suits alone. `name` as players write it: ``AA``, ``AKs``, ``AKo``.
    `count`: how many of the 1,326 holes are of it; `hole`: one of them."""

    name: str
    hole: Hole
    count: int


def kind_of(hole: Hole) -> str:
    """The name of a hole's kind, the higher rank first."""
    high, low = sorted((card % 13 for card in hole), reverse=True)
    if high == low:
        return RANKS[high] * 2
    return RANKS[high] + RANKS[low] + ("s" if hole[0] // 13 == hole[1] // 13 else "o")


def kinds() -> tuple[Kind, ...]:
    """All 169, from AA down to 32o, each by its first hole in the order of the deck."""
    found: dict[str, Hole] = {}
    count: dict[str, int] = {}
    for hole in combinations(range(52), 2):
        name = kind_of(hole)
        found.setdefault(name, hole)
        count[name] = count.get(name, 0) + 1
    ranked = sorted(found, key=lambda name: ([-RANKS.index(rank) for rank in name[:2]], name[2:] == "o"))
    return tuple(Kind(name, found[name], count[name]) for name in ranked)
