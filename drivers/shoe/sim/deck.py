"""Cards of the simulated shoe: a shuffled deck, and cards put in front of it.

Faces are those of the physical cards, even if the reader cannot read them; `repr` shows none. Pure;
independent of time and frames.
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
    """A card in the deck. `found`: result of the reader: a face (``""``), face up (``FU``) or not read
    (``NR``)."""

    face: str = field(repr=False)
    found: Found = ""

    @property
    def report(self) -> str:
        """Last field of this card's CARD frame."""
        return self.found or self.face


def parse_cards(cards: str | Sequence[str]) -> list[ShoeCard | None]:
    """Parse `TD 9S ^KC ??` of tests/scenarios/FORMAT.md: `^` is found face up; `??`, any card that is not
    read, becomes None."""
    words = cards.split() if isinstance(cards, str) else list(cards)
    return [None if word == "??" else _parse(word) for word in words]


def _parse(word: str) -> ShoeCard:
    face = word.removeprefix("^")
    if face not in _KNOWN:
        raise ValueError("shoe cards: a rank A K Q J T 9 8 7 6 5 4 3 2, then a suit S H D C; ^TD face up; ??")
    return ShoeCard(face, "FU" if word != face else "")


def shuffled(seed: int, number: int) -> list[ShoeCard]:
    """Return the deck after the `number`-th shuffle of a device with this seed. It must never change
    between releases."""
    faces = list(FACES)
    Random(f"shoe {seed} shuffle {number}").shuffle(faces)
    return [ShoeCard(face) for face in faces]


def put_in_front(rest: Sequence[ShoeCard], wanted: Iterable[ShoeCard | None]) -> list[ShoeCard]:
    """Return `wanted`, then the remaining cards of `rest` in their (random) order.

    The number of cards does not change. A wanted card that is not in `rest` (already dealt, for tests with a
    duplicate card) replaces the last of the rest.
    """
    remaining = list(rest)
    front: list[ShoeCard] = []
    cards = list(wanted)
    named = {card.face for card in cards if card is not None}
    for card in cards:
        if not remaining:
            raise ValueError(f"shoe cards: {len(cards)} are wanted, the shoe holds {len(rest)}")
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


@dataclass(slots=True)
class SimulatedDeck:
    """Cards in dealing order. `left`: the device's own count of them."""

    back: str
    cards: list[ShoeCard] = field(repr=False)
    left: int = len(FACES)


class Decks:
    """Decks of a device by place: in place, prepared beside it, being shuffled aside, or newly put in."""

    def __init__(self, seed: int, backs: Sequence[str]) -> None:
        self._seed = seed
        self._backs = tuple(backs)
        self._shuffles = 0
        self._turns = dict.fromkeys(backs, -1)
        """Number of shuffles for play, for each of two decks."""
        self._wanted: list[ShoeCard | None] | None = None
        self._next_count: int | None = None
        self.two: Final = len(backs) > 1
        self.in_place: SimulatedDeck | None = self.shuffle(backs[0])
        self.prepared: SimulatedDeck | None = self.shuffle(backs[1]) if self.two else None
        self.aside: tuple[str, float] | None = None
        """Back of the deck that is being shuffled aside, and the end of its shuffle (s)."""
        self.put_in: str | None = None

    def shuffle(self, back: str, *, untouched: bool = False) -> SimulatedDeck:
        """Shuffle for the device's next deal.

        The order depends on the seed and on the number of shuffles; with two decks, on how often this deck
        was put in. An `untouched` deck keeps its order when it is shuffled again; otherwise the order would
        depend on whether its READY or the command came first.
        """
        if self.two and back in self._turns:
            self._turns[back] += 0 if untouched else 1
            return SimulatedDeck(
                back, shuffled(self._seed, 1 + self._backs.index(back) + 2 * self._turns[back])
            )
        self._shuffles += 1
        return SimulatedDeck(back, shuffled(self._seed, self._shuffles))

    def count(self, deck: SimulatedDeck) -> None:
        """Count the cards as the shuffler does; `count_next` may have set a wrong count."""
        deck.left, self._next_count = self._next_count or len(FACES), None

    def count_next(self, count: int) -> None:
        self._next_count = count

    @property
    def miscounts(self) -> bool:
        """Whether `count_next` has set the result of the next count."""
        return self._next_count is not None

    def other(self, back: str) -> str:
        """Return the back of the deck that alternates with this one; its own back if there is one deck."""
        return next((known for known in self._backs if known != back), back) if self.two else back

    def renew(self, back: str) -> None:
        """Put in the deck with this back, to be played next. Of two decks, the other one is shuffled and
        waits for its turn."""
        self.in_place = self.aside = None
        self.put_in = back
        self.prepared = self.shuffle(self.other(back)) if self.two else None

    def load(self, cards: str | Sequence[str]) -> None:
        wanted = parse_cards(cards)
        if self.in_place is None:
            self._wanted = wanted
        else:
            self.in_place.cards = put_in_front(self.in_place.cards, wanted)

    def place(self, deck: SimulatedDeck) -> None:
        self.in_place = deck
        if self._wanted is not None:
            deck.cards, self._wanted = put_in_front(deck.cards, self._wanted), None

    def change(self, now: float, takes: float) -> bool:
        """Change two decks if both are there: the prepared one comes up, the one put in is shuffled aside.
        Returns whether they changed."""
        if self.prepared is None or self.put_in is None or self.in_place is not None:
            return False
        deck, self.prepared = self.prepared, None
        self.aside, self.put_in = (self.put_in, now + takes), None
        self.place(deck)
        return True
