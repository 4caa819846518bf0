"""Cards as the numbers 0 to 51, in the order of the table's own deck, and the 169 kinds of hole (starting
hands), which are distinguished by ranks and by one suit or two.

For arithmetic over whole decks only: it must never receive the place of a card on a table.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from controller.game.model.cards import DECK, RANKS, Card

NUMBER: dict[Card, int] = {card: number for number, card in enumerate(DECK)}
"""Number of each card, 0 to 51: 13 times the suit (S, H, D, C) plus the rank (2 to ace as 0 to 12)."""
DECK_SIZE = len(NUMBER)

Hole = tuple[int, int]


@dataclass(frozen=True, slots=True)
class HoleKind:
    """One of the 169 kinds of hole: holes that are equal up to an exchange of suits. `name` as players write
    it: ``AA``, ``AKs``, ``AKo``. `hole`: one of them. `count`: their number among the 1,326 holes.
    """

    name: str
    hole: Hole
    count: int


def kind_of(hole: Hole) -> str:
    """Return the name of a hole's kind, the higher rank first."""
    high, low = sorted((card % 13 for card in hole), reverse=True)
    if high == low:
        return RANKS[high] * 2
    return RANKS[high] + RANKS[low] + ("s" if hole[0] // 13 == hole[1] // 13 else "o")


def kinds() -> tuple[HoleKind, ...]:
    """Return all 169 kinds, from AA down to 32o, each with its first hole in the order of the deck."""
    found: dict[str, Hole] = {}
    count: dict[str, int] = {}
    for hole in combinations(range(52), 2):
        name = kind_of(hole)
        found.setdefault(name, hole)
        count[name] = count.get(name, 0) + 1
    ranked = sorted(found, key=lambda name: ([-RANKS.index(rank) for rank in name[:2]], name[2:] == "o"))
    return tuple(HoleKind(name, found[name], count[name]) for name in ranked)
