"""Names of the table: seats, circles, places of the cross, phases, deal methods.

Terms that other modules share, and the nature of each side bet. The rule pack decides whether a side bet is
offered, its limits and its odds; values that differ between the rule texts must never be here.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Self

SEATS = range(1, 7)
"""Seats. Seat 1 is farthest to the dealer's left, seat 6 farthest to the right."""


@dataclass(frozen=True, slots=True)
class SideBet:
    """Kind of side bet: decided by the best five of its cards, and settled when all of them are face up.
    Raises ValueError if the odds module cannot count hands of that many cards
    (controller/rules/odds/side_bets.py).
    """

    cross: bool = False
    """Whether the bet uses the five cards of the cross."""
    own: bool = False
    """Whether the bet uses the seat's two cards."""
    bonus_cards: bool = False
    """Whether the bet uses the bonus cards."""
    equals: str | None = None
    """Wager that it has to equal if the pack requires it."""
    least: str = "pair_of_6s_to_10s"
    """Lowest hand that its pay table must reach without a gap, from the royal flush down. A pay table may go
    lower.
    """

    def __post_init__(self) -> None:
        if self.cards not in (5, 6):
            raise ValueError(f"a side bet of {self.cards} cards; allowed: five or six")

    @property
    def cards(self) -> int:
        """Number of cards that decide the bet."""
        return 5 * self.cross + 2 * self.own + 4 * self.bonus_cards


class Wager(StrEnum):
    """Wager of a seat. Each has a circle of its own on the layout, named after it (58 Pa. Code § 674a.2(b)(2)
    and (4)).

    A side bet `x` has its entry here; a rule pack gives its pay table as `x_pays` (58 Pa. Code §§ 674a.7(d),
    .11(h)(5); House rules, Six Card Bonus).
    """

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
    """Betting circle of a seat; sorted by seat, then by name."""

    seat: int
    wager: Wager

    @property
    def key(self) -> str:
        """Key of the circle as one word: ``3.across``."""
        return f"{self.seat}.{self.wager}"

    @classmethod
    def of(cls, key: str) -> Circle:
        seat, _, wager = key.partition(".")
        return cls(int(seat), Wager(wager))


CIRCLES = {seat: {wager: Circle(seat, wager) for wager in Wager} for seat in SEATS}
"""Every circle by seat and wager."""


class Place(StrEnum):
    """Boxes of the cross as the DEALER sees them, and the bonus cards of the house rules."""

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
    """Phase of the table; `game/table.py` lists the events that each phase accepts."""

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
"""Phases between rounds: no deal is in progress."""
BEFORE_THE_DEAL = (Phase.BETTING, Phase.SHUFFLE, Phase.CLEARING)
"""Phases in which a deck is at the table and none of its cards has been dealt."""
DECIDING = (Phase.ACROSS, Phase.DOWN, Phase.MIDDLE)
PLAYING = (*DECIDING, Phase.SETTLEMENT)
"""Phases between the end of the deal and the end of the round."""
IN_PLAY = (Phase.DEALING, *PLAYING)
"""Phases in which the books follow every circle and cards may be reported."""
AFTER_CLOSE = (*IN_PLAY, Phase.CLEARING)


class Method(StrEnum):
    """Ways of dealing: by which device, or by hand, the cards are dealt."""

    AUTOMATED_SHOE = "automated_shoe"
    MANUAL_SHOE = "manual_shoe"
    HAND = "hand"
    HOUSE_ORDER = "house_order"


class Key(StrEnum):
    """The dealer's keys; UNDO exists only on the screen."""

    NO_MORE_BETS = "no_more_bets"
    CONFIRM = "confirm"
    FOLD = "fold"
    FLOOR = "floor"
    UNDO = "undo"


def seat_place(seat: int, card: int) -> str:
    """Return the name of a seat's first or second card: ``seat_3_1``."""
    return f"seat_{seat}_{card}"


def seat_of(place: str) -> int | None:
    """Return 3 for ``seat_3_1``; None if the place belongs to no seat."""
    return int(place.split("_")[1]) if place.startswith("seat_") else None


_CARDS = {seat: (seat_place(seat, 1), seat_place(seat, 2)) for seat in SEATS}


def cards_of(seat: int) -> tuple[str, str]:
    """Return the names of a seat's two cards."""
    return _CARDS[seat]
