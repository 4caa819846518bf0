"""Shuffled decks, and where their cards go: by the pack's own template of the deal, column by column.

The order of the deal is not written down here: `plan_deal` says which place gets the first card out, the
second and so on, as it does at the table. Sources: controller/game/rulebook/deal.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from controller.game.model.names import BONUS_PLACES, CROSS, Method, cards_of
from controller.game.model.rules import RulePack
from controller.game.rulebook.deal import plan_deal
from controller.rules.odds.cards import NUMBER
from controller.rules.volume.arrays import Cards

ALL: Cards = np.arange(len(NUMBER), dtype=np.uint8)
"""Every card of a deck."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """Cards by place. `hole`: (box, 2, round). `cross`: (5, round) in the order far, left, middle, right,
    near. `bonus`: (4, round), None where the deal has none. Nothing of it is shown by its repr."""

    seats: tuple[int, ...]
    method: Method
    hole: Cards = field(repr=False)
    cross: Cards = field(repr=False)
    bonus: Cards | None = field(repr=False)

    @property
    def rounds(self) -> int:
        return int(self.cross.shape[-1])

    def only(self, number: int) -> Dealt:
        """One round of them, as a batch of one."""
        now = slice(number, number + 1)
        bonus = None if self.bonus is None else self.bonus[:, now]
        return Dealt(self.seats, self.method, self.hole[:, :, now], self.cross[:, now], bonus)

    @property
    def row(self) -> Cards:
        """(3, round): left, middle, right."""
        return self.cross[1:4]

    @property
    def column(self) -> Cards:
        """(3, round): far, middle, near."""
        return self.cross[0::2]


def places(pack: RulePack, method: Method, seats: Sequence[int]) -> tuple[str, ...]:
    """Return the places of the cards, the first card out first."""
    steps = plan_deal(pack.deals[method], seats)
    return tuple(place for step in steps for place in step.places)


def shuffled(dice: np.random.Generator, rounds: int, cards: int, deck: Cards = ALL) -> Cards:
    """(cards, round): the first cards of so many shuffled decks, each order of them as likely as another
    (Fisher and Yates, as far as cards are asked for). `deck`: what is shuffled, the whole deck unless a test
    wants high hands to come often."""
    shoe = np.repeat(deck[:, None], rounds, axis=1)
    column = np.arange(rounds)
    for at in range(cards):
        other = dice.integers(at, len(deck), size=rounds)
        drawn = shoe[other, column]
        shoe[other, column] = shoe[at]
        shoe[at] = drawn
    return shoe[:cards]


def deal(pack: RulePack, method: Method, seats: Sequence[int], decks: Cards) -> Dealt:
    """The cards of `decks` (card, round), the first out first, at their places. ValueError where a deck has
    too few."""
    order = places(pack, method, seats)
    if len(order) > len(decks):
        raise ValueError(f"{len(seats)} boxes by {method} take {len(order)} cards, a deck has {len(decks)}")
    at = {place: index for index, place in enumerate(order)}
    boxes = tuple(sorted(seats))
    return Dealt(
        boxes,
        method,
        np.stack([decks[[at[place] for place in cards_of(seat)]] for seat in boxes]),
        decks[[at[place] for place in CROSS]],
        decks[[at[place] for place in BONUS_PLACES]] if BONUS_PLACES[0] in at else None,
    )
