"""Two decks for one round: the same faces, except for some cards that lie face down as long as possible."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from controller.game.model.cards import DECK, Card
from controller.game.model.names import cards_of
from controller.game.model.round import Round

KINDS = (*["last"] * 5, "folded", "seats", "seats", "any", "aside")
"""Choices of cards in which the decks differ: those of the seat that is turned last, of seats that fold, of
several seats, of any place, or one card of a seat and one that stays in the shoe."""


@dataclass(frozen=True)
class Difference:
    """Two decks for one round, `first` and `second`. `kind`: one of KINDS; `folding`: seats that must fold,
    so that their cards are never turned."""

    kind: str
    first: Sequence[Card]
    second: Sequence[Card]
    folding: frozenset[int]


def differing(dice: random.Random, round_: Round) -> Difference:
    """Return two random decks whose faces differ at some places of the planned deal."""
    first = list(DECK)
    dice.shuffle(first)
    kind = dice.choice(KINDS)
    order = [place for step in round_.deal.steps for place in step.places]
    seats = sorted(round_.seats)
    folding = frozenset(dice.sample(seats, max(1, len(seats) // 2)) if kind == "folded" else ())
    places = _places(dice, kind, seats, folding)
    spots = [order.index(place) for place in places if place in order]
    stub = range(len(order), len(first))
    if kind == "any":
        spots = dice.sample(range(len(first)), dice.randint(2, 6))
    elif kind != "seats" or len(spots) < 2:
        spots += dice.sample(stub, len(spots) or 2)
    return Difference(kind, first, _moved(dice, first, spots), folding)


def _places(dice: random.Random, kind: str, seats: list[int], folding: frozenset[int]) -> list[str]:
    """Return places whose cards are to differ. Seat 1 comes first, because its cards are turned last in the
    settlement."""
    if kind == "folded":
        return [place for seat in folding for place in cards_of(seat)]
    if kind == "seats":
        return [place for seat in seats[: max(1, len(seats) - 1)] for place in cards_of(seat)]
    if kind == "aside":
        return [dice.choice(cards_of(seats[0]))]
    return list(cards_of(seats[0]))


def _moved(dice: random.Random, deck: Sequence[Card], spots: Sequence[int]) -> list[Card]:
    """Return the deck with the faces at these positions in another order."""
    faces = [deck[spot] for spot in spots]
    other = faces[:]
    while other == faces:
        dice.shuffle(other)
    moved = list(deck)
    for spot, face in zip(spots, other, strict=True):
        moved[spot] = face
    return moved
