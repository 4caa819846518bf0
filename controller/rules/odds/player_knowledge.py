"""Knowledge of a player about cards that lie face down, as typed after `crisscross par --known`.

It parses text into places and cards. `knowledge_value.py` computes the value of such knowledge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from controller.game.model.cards import parse_card
from controller.game.model.names import COLUMN, CROSS, ROW, Place
from controller.rules.odds.cards import NUMBER

PAIR_PLACES: Mapping[str, tuple[Place, ...]] = MappingProxyType(
    {
        "across": tuple(place for place in ROW if place is not Place.MIDDLE),
        "down": tuple(place for place in COLUMN if place is not Place.MIDDLE),
    }
)
"""Places of the pairs that `--known` accepts by name; the middle card belongs to no pair."""
MAX_OUT = 40
"""Maximum number of known cards. The remaining 12 are enough for a round."""
PLACES = " ".join([*PAIR_PLACES, *CROSS])
KNOWLEDGE_FORMAT = f"cards such as KH (seen elsewhere), places ({PLACES}), or a card in a place, middle=KH"


class InvalidKnowledge(ValueError):
    """Raised if the text is not understood or describes impossible knowledge. The message is one line."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Knowledge of a player about cards; a card is a number (`cards.py`) and occurs once. `out`: cards seen
    elsewhere, in others' hands or burnt, so that they are at no place of the cross. `lies`: places with the
    card known to be there. `seen`: places at which the player looks before the first decision, whatever card
    is there.
    """

    out: tuple[int, ...] = ()
    lies: tuple[tuple[Place, int], ...] = ()
    seen: frozenset[Place] = frozenset()

    @property
    def cards(self) -> tuple[int, ...]:
        """Return all cards that are known by their face, in the order of the deck."""
        return tuple(sorted((*self.out, *(card for _, card in self.lies))))

    def at(self, places: tuple[Place, ...]) -> tuple[int, ...]:
        """Return the cards known to lie at these places; unknown ones are left out."""
        return tuple(card for place, card in self.lies if place in places)

    def looks(self, places: tuple[Place, ...]) -> int:
        """Return the number of these places that the player looks at."""
        return len(self.seen.intersection(places))


def parse_knowledge(text: str) -> Knowledge:
    """Parse the text of `--known`, whose parts are separated by blanks or commas. Raises InvalidKnowledge if
    it is not understood or describes an impossible case."""
    out: list[int] = []
    lies: dict[Place, int] = {}
    seen: set[Place] = set()
    for place, card in _items(text.replace(",", " ").split()):
        if place is None and card is not None:
            out.append(card)
        elif place is not None and (place in lies or place in seen):
            raise InvalidKnowledge(f"{place} is named twice")
        elif place is not None and card is not None:
            lies[place] = card
        elif place is not None:
            seen.add(place)
    known = Knowledge(tuple(sorted(out)), tuple(sorted(lies.items())), frozenset(seen))
    _check(known)
    return known


def _check(known: Knowledge) -> None:
    if len(set(known.cards)) < len(known.cards):
        raise InvalidKnowledge("a card is named twice")
    if len(known.cards) > MAX_OUT:
        raise InvalidKnowledge(f"at most {MAX_OUT} cards can be known")
    if not known.cards and not known.seen:
        raise InvalidKnowledge(f"nothing is known: {KNOWLEDGE_FORMAT}")


def _items(words: list[str]) -> Iterator[tuple[Place | None, int | None]]:
    for word in words:
        name, equals, card = word.partition("=")
        if equals:
            yield _place(name), _card(card)
        elif name in PAIR_PLACES:
            yield from ((place, None) for place in PAIR_PLACES[name])
        elif name in set(CROSS):
            yield Place(name), None
        else:
            yield None, _card(name)


def _place(name: str) -> Place:
    if name not in set(CROSS):
        raise InvalidKnowledge(f"{name!a}: a place is one of {' '.join(CROSS)}")
    return Place(name)


def _card(text: str) -> int:
    try:
        return NUMBER[parse_card(text.upper())]
    except ValueError:
        raise InvalidKnowledge(f"{text!a}: {KNOWLEDGE_FORMAT}") from None
