"""The cards of the simulated shoe: a shuffled deck, and cards put in front of it.

The physical truth, so faces are real even where the reader cannot read them; `repr` shows none.
Pure; knows no time and no frames.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, Literal

FACES: Final = tuple(rank + suit for suit in "SHDC" for rank in "AKQJT98765432")
_KNOWN: Final = frozenset(FACES)

Found = Literal["", "FU", "NR"]


@dataclass(frozen=True, slots=True)
class ShoeCard:
    """A card as it lies in the deck. `found`: what the reader will make of it: its face (``""``),
    face up (``FU``) or not read (``NR``)."""

    face: str = field(repr=False)
    found: Found = ""

    @property
    def report(self) -> str:
        """The field of CARD."""
        return self.found or self.face


def parse_cards(cards: str | Sequence[str]) -> list[ShoeCard | None]:
    """`TD 9S ^KC ??` of scenario.md: `^` found face up; None stands for `??`, any card, not read."""
    words = cards.split() if isinstance(cards, str) else list(cards)
    return [None if word == "??" else _parse(word) for word in words]


def _parse(word: str) -> ShoeCard:
    face = word.removeprefix("^")
    if face not in _KNOWN:
        raise ValueError("shoe cards: a rank A K Q J T 9 8 7 6 5 4 3 2, then a suit S H D C; ^TD face up; ??")
    return ShoeCard(face, "FU" if word != face else "")


def shuffled(seed: int, number: int) -> list[ShoeCard]:
    """The deck after the `number`-th shuffle of a device with this seed: the same for ever."""
    faces = list(FACES)
    Random(f"shoe {seed} shuffle {number}").shuffle(faces)
    return [ShoeCard(face) for face in faces]


def put_in_front(rest: Sequence[ShoeCard], wanted: Iterable[ShoeCard | None]) -> list[ShoeCard]:
    """`wanted` first, then what is left of `rest` in its (random) order.

    The number of cards stays. A wanted card that is not in `rest` (it is out already: the way to try
    the same card twice) takes the place of the last of the rest.
    """
    remaining = list(rest)
    front: list[ShoeCard] = []
    asked = list(wanted)
    named = {card.face for card in asked if card is not None}
    for card in asked:
        if not remaining:
            raise ValueError(f"shoe cards: {len(asked)} are wanted, the shoe holds {len(rest)}")
        front.append(_draw_from(remaining, card, named))
    return front + remaining


def _draw_from(remaining: list[ShoeCard], card: ShoeCard | None, named: set[str]) -> ShoeCard:
    if card is None:
        index = next((i for i, other in enumerate(remaining) if other.face not in named), 0)
        return ShoeCard(remaining.pop(index).face, "NR")
    match = next((i for i, other in enumerate(remaining) if other.face == card.face), None)
    if match is None:
        match = max((i for i, other in enumerate(remaining) if other.face not in named), default=-1)
    remaining.pop(match)
    return card
