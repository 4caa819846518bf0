"""Plan items as data: deliveries of cards in the deal, and the dealer's acts in the settlement."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from controller.game.model.hand import Hand
from controller.game.model.names import Circle, Wager, seat_of

Verb: TypeAlias = Literal["take", "push", "pay"]
Result: TypeAlias = Literal["lose", "push", "win"]


@dataclass(frozen=True, slots=True)
class DealStep:
    """One delivery of the deal: a `stack` of several cards, or a single `card`. `places`: destinations of the
    cards, in the order in which they leave the shoe."""

    kind: Literal["stack", "card"]
    places: tuple[str, ...]

    @property
    def seat(self) -> int | None:
        """Seat that receives the delivery; None for the cross and the bonus cards."""
        return seat_of(self.places[0])


@dataclass(frozen=True, slots=True)
class TurnSeat:
    """Item of the settlement plan: the dealer turns the two cards of this seat face up."""

    seat: int


@dataclass(frozen=True, slots=True)
class TurnBonusCards:
    """Item of the settlement plan: the dealer moves the cross to the rack and turns the bonus cards face
    up."""


@dataclass(frozen=True, slots=True)
class Step:
    """Item of the settlement plan: the dealer takes, pushes or pays one wager. `odds`: payout of a win, to 1.
    `payout`: cents won, without the wager itself; `uncut`: cents won before a payout limit. `hand`, `line`:
    name and pay table line of the hand that decided.

    The repr must show nothing that follows from cards, which may still be face down."""

    seat: int
    wager: Wager
    amount: int
    verb: Verb = field(repr=False)
    result: Result = field(repr=False)
    odds: int | None = field(repr=False)
    payout: int = field(repr=False)
    uncut: int = field(repr=False)
    hand: Hand = field(repr=False)
    line: str | None = field(repr=False)
    citation: str = field(repr=False)
    circle: Circle = field(init=False, repr=False, compare=False)
    tray: int = field(init=False, repr=False, compare=False)
    """Cents that the tray gains from the wager at its settlement: the wager if it is lost, minus the payout
    if it wins, 0 for a push.
    """

    def __post_init__(self) -> None:
        tray = {"take": self.amount, "push": 0, "pay": -self.payout}[self.verb]
        object.__setattr__(self, "circle", Circle(self.seat, self.wager))
        object.__setattr__(self, "tray", tray)

    @property
    def cut(self) -> bool:
        """Whether a payout limit reduced this win."""
        return self.payout < self.uncut


Item: TypeAlias = TurnSeat | TurnBonusCards | Step


def steps_by_circle(plan: Iterable[Item]) -> dict[int, dict[Wager, Step]]:
    """Return the steps of a plan by seat and wager; each wager is settled once."""
    found: dict[int, dict[Wager, Step]] = {}
    for item in plan:
        if isinstance(item, Step):
            found.setdefault(item.seat, {})[item.wager] = item
    return found
