"""The names of the table: seats, circles, places of the cross, phases, ways of dealing.

Words that other modules share, and of a side bet what it is. Whether one is offered, its limits and its odds
are the rule pack's: it must never hold what one text says and another does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Self

SEATS = range(1, 7)
"""Seat 1 is the player farthest to the dealer's left, seat 6 farthest to the right."""


@dataclass(frozen=True, slots=True)
class SideBet:
    """The best five of these cards decide it; it is settled when all of them lie face up."""

    cross: bool = False
    """The five cards of the cross."""
    own: bool = False
    """The seat's two cards."""
    bonus_cards: bool = False
    """The bonus cards."""
    equals: str | None = None
    """The wager that it has to equal where the pack asks for it."""
    least: str = "pair_of_6s_to_10s"
    """Its pay table has odds for every hand from a royal flush down to this one, or further down."""


class Wager(StrEnum):
    """The circles of a seat (58 Pa. Code § 674a.2(b)(2) and (4)). A side bet `x` has its entry here, and is
    paid by a rule pack's `x_pays` (58 Pa. Code §§ 674a.7(d), .11(h)(5); House rules, Six Card Bonus)."""

    side_bet: SideBet | None

    def __new__(cls, name: str, side_bet: SideBet | None = None) -> Self:
        wager = str.__new__(cls, name)
        wager._value_ = name
        wager.side_bet = side_bet
        return wager

    ANTE_ACROSS = "ante_across"
    ANTE_DOWN = "ante_down"
    ACROSS = "across"
    DOWN = "down"
    MIDDLE = "middle"
    FIVE_CARD_BONUS = "five_card_bonus", SideBet(cross=True)
    SIX_CARD_BONUS = (
        "six_card_bonus",
        SideBet(own=True, bonus_cards=True, equals="five_card_bonus", least="three_of_a_kind"),
    )


ANTES = (Wager.ANTE_ACROSS, Wager.ANTE_DOWN)
BETS = (Wager.ACROSS, Wager.DOWN, Wager.MIDDLE)


class Circle(NamedTuple):
    """One betting circle; sorts by seat, then by name."""

    seat: int
    wager: Wager

    @property
    def key(self) -> str:
        """One word for it: ``3.across``."""
        return f"{self.seat}.{self.wager}"

    @classmethod
    def of(cls, key: str) -> Circle:
        seat, _, wager = key.partition(".")
        return cls(int(seat), Wager(wager))


class Place(StrEnum):
    """The boxes of the cross as the DEALER sees them, and the bonus cards of the house rules."""

    DOWN_FAR = "down_far"
    ACROSS_LEFT = "across_left"
    MIDDLE = "middle"
    ACROSS_RIGHT = "across_right"
    DOWN_NEAR = "down_near"
    BONUS_1 = "bonus_1"
    BONUS_2 = "bonus_2"
    BONUS_3 = "bonus_3"
    BONUS_4 = "bonus_4"


CROSS = (Place.DOWN_FAR, Place.ACROSS_LEFT, Place.MIDDLE, Place.ACROSS_RIGHT, Place.DOWN_NEAR)
ROW = (Place.ACROSS_LEFT, Place.MIDDLE, Place.ACROSS_RIGHT)
COLUMN = (Place.DOWN_FAR, Place.MIDDLE, Place.DOWN_NEAR)
BONUS_PLACES = (Place.BONUS_1, Place.BONUS_2, Place.BONUS_3, Place.BONUS_4)


class Phase(StrEnum):
    """Phase of the table; `game/table.py` lists the events that each takes."""

    CLOSED = "closed"
    OPENING = "opening"
    SHUFFLE = "shuffle"
    BETTING = "betting"
    DEALING = "dealing"
    ACROSS = "across"
    DOWN = "down"
    MIDDLE = "middle"
    SETTLEMENT = "settlement"
    CLEARING = "clearing"
    HELD = "held"
    VOID = "void"


BETWEEN = (Phase.CLOSED, Phase.OPENING, Phase.SHUFFLE, Phase.CLEARING)
"""There is no deal yet, or no more."""
BEFORE_THE_DEAL = (Phase.BETTING, Phase.SHUFFLE, Phase.CLEARING)
"""There is a deck, and no card of it is out."""
DECIDING = (Phase.ACROSS, Phase.DOWN, Phase.MIDDLE)
PLAYING = (*DECIDING, Phase.SETTLEMENT)
"""The cards are dealt."""
IN_PLAY = (Phase.DEALING, *PLAYING)
"""The books follow every circle, and cards may be reported."""
AFTER_CLOSE = (*IN_PLAY, Phase.CLEARING)


class Method(StrEnum):
    """The ways of dealing."""

    AUTOMATED_SHOE = "automated_shoe"
    MANUAL_SHOE = "manual_shoe"
    HAND = "hand"
    HOUSE_ORDER = "house_order"


class Key(StrEnum):
    """The dealer's keys; UNDO is on the screen only."""

    NO_MORE_BETS = "no_more_bets"
    CONFIRM = "confirm"
    FOLD = "fold"
    FLOOR = "floor"
    UNDO = "undo"


def seat_place(seat: int, card: int) -> str:
    """The name of a seat's first or second card: ``seat_3_1``."""
    return f"seat_{seat}_{card}"


def seat_of(place: str) -> int | None:
    """3 for ``seat_3_1``, None for a place that is no seat's."""
    return int(place.split("_")[1]) if place.startswith("seat_") else None


def cards_of(seat: int) -> tuple[str, str]:
    return seat_place(seat, 1), seat_place(seat, 2)
