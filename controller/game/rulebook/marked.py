"""Cards that a page highlights because they make the hand of a wager: the five in play for it, and those
that make its category.

A page marks these cards. Pure arithmetic on the given faces; callers must pass public faces only. Sources: 58
Pa. Code § 674a.6, § 674a.11(h).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from controller.game.model.cards import Card, rank_value
from controller.game.model.hand import Category
from controller.game.model.names import BONUS_PLACES, COLUMN, CROSS, ROW, Wager, cards_of
from controller.game.model.side_bets import SIDE_BETS
from controller.game.rulebook.hands import evaluate


@dataclass(frozen=True, slots=True)
class Marked:
    """Cards of a hand. `five`: their places; `making`: places of the cards that the hand is named after (a
    pair's two cards, all five of a straight, the highest card of a high card hand)."""

    five: tuple[str, ...]
    making: tuple[str, ...]


def marked(wager: Wager, seat: int, faces: Mapping[str, Card]) -> Marked | None:
    """Return the hand that decides a seat's wager, by places; None if one of its cards is not in `faces`."""
    lines = _lines(wager, cards_of(seat))
    if any(place not in faces for line in lines for place in line):
        return None
    fives = (five for line in lines for five in combinations(line, 5))
    best = max(fives, key=lambda five: evaluate([faces[place] for place in five]))
    return Marked(best, _making(best, faces))


def _lines(wager: Wager, own: Sequence[str]) -> Iterable[tuple[str, ...]]:
    """Return the sets of places that can make the hand of a wager, each with its five or more places. Middle
    has two sets, because the higher of its two hands counts. `own`: places of the seat's two cards."""
    across, down = ((*own, *(place.value for place in line)) for line in (ROW, COLUMN))
    if wager in SIDE_BETS:
        bet = SIDE_BETS[wager]
        sources = ((bet.own, own), (bet.cross, CROSS), (bet.bonus_cards, BONUS_PLACES))
        return (tuple(str(place) for wanted, places in sources if wanted for place in places),)
    if wager in (Wager.ANTE_ACROSS, Wager.ACROSS):
        return (across,)
    return (down,) if wager in (Wager.ANTE_DOWN, Wager.DOWN) else (across, down)


def _making(five: Sequence[str], faces: Mapping[str, Card]) -> tuple[str, ...]:
    hand = evaluate([faces[place] for place in five])
    if hand.category is Category.HIGH_CARD:
        return (max(five, key=lambda place: rank_value(faces[place])),)
    often = Counter(rank_value(faces[place]) for place in five)
    alike = tuple(place for place in five if often[rank_value(faces[place])] > 1)
    return alike or tuple(five)
