"""Shapes of the kernel's arrays: cards, cents and codes, one column per round.

Nothing is computed here. A card is its number in controller/rules/odds/cards.py, its index in the game's
`DECK`. The last axis is always the round; the axis before it is the box, in the order of the seats.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from controller.game.model.cards import DECK, Card
from controller.game.model.names import Wager

CardArray = npt.NDArray[np.uint8]
CentsArray = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int8]
Flags = npt.NDArray[np.bool_]

WAGERS: tuple[Wager, ...] = tuple(Wager)
"""Order of every axis of wagers, which is the order of the circles in a record."""
AT = {wager: index for index, wager in enumerate(WAGERS)}


def card_of(number: int) -> Card:
    """Return the card with this number."""
    return DECK[number]
