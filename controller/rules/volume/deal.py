"""Shuffled decks, and the places of their cards by the pack's own template of the deal.

The order of the deal is not repeated here: `plan_deal` returns the place of each card, as it does for the
table. Sources: controller/game/rulebook/deal.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from controller.game.model.names import BONUS_PLACES, CROSS, Method, cards_of
from controller.game.model.rules import RulePack
from controller.game.rulebook.deal import plan_deal
from controller.rules.odds.cards import NUMBER
from controller.rules.volume.arrays import CardArray

ALL: CardArray = np.arange(len(NUMBER), dtype=np.uint8)
"""Every card of a deck."""


@dataclass(frozen=True, slots=True)
class DealtRounds:
    """Cards by place. `hole`: (box, 2, round). `cross`: (5, round) in the order far, left, middle, right,
    near. `bonus`: (4, round), None if the deal has none. The repr shows no card."""

    seats: tuple[int, ...]
    method: Method
    hole: CardArray = field(repr=False)
    cross: CardArray = field(repr=False)
    bonus: CardArray | None = field(repr=False)

    @property
    def rounds(self) -> int:
        return int(self.cross.shape[-1])

    def only(self, number: int) -> DealtRounds:
        """Return round `number` as a batch of one."""
        now = slice(number, number + 1)
        bonus = None if self.bonus is None else self.bonus[:, now]
        return DealtRounds(self.seats, self.method, self.hole[:, :, now], self.cross[:, now], bonus)

    @property
    def row(self) -> CardArray:
        """Return the cards of the cross's row, (3, round): left, middle, right."""
        return self.cross[1:4]

    @property
    def column(self) -> CardArray:
        """Return the cards of the cross's column, (3, round): far, middle, near."""
        return self.cross[0::2]


def dealt_places(pack: RulePack, method: Method, seats: Sequence[int]) -> tuple[str, ...]:
    """Return the place that each card goes to, in the order of the deal."""
    steps = plan_deal(pack.deals[method], seats)
    return tuple(place for step in steps for place in step.places)


def shuffled(dice: np.random.Generator, rounds: int, cards: int, deck: CardArray = ALL) -> CardArray:
    """Return (cards, round): the first `cards` cards of `rounds` shuffled decks. All orders are equally
    likely (Fisher and Yates, stopped after `cards`). `deck`: cards to shuffle; tests use decks in which
    high hands are frequent."""
    shoe = np.repeat(deck[:, None], rounds, axis=1)
    column = np.arange(rounds)
    for at in range(cards):
        other = dice.integers(at, len(deck), size=rounds)
        drawn = shoe[other, column]
        shoe[other, column] = shoe[at]
        shoe[at] = drawn
    return shoe[:cards]


def deal(pack: RulePack, method: Method, seats: Sequence[int], decks: CardArray) -> DealtRounds:
    """Put the cards of `decks` (card, round), in their order, at their places. Raises ValueError if a deck
    has too few cards."""
    order = dealt_places(pack, method, seats)
    if len(order) > len(decks):
        raise ValueError(f"{len(seats)} boxes by {method} take {len(order)} cards, a deck has {len(decks)}")
    at = {place: index for index, place in enumerate(order)}
    boxes = tuple(sorted(seats))
    return DealtRounds(
        boxes,
        method,
        np.stack([decks[[at[place] for place in cards_of(seat)]] for seat in boxes]),
        decks[[at[place] for place in CROSS]],
        decks[[at[place] for place in BONUS_PLACES]] if BONUS_PLACES[0] in at else None,
    )
