"""Plans that are part of the state: the deliveries of the deal, the items of the settlement."""

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
    """One delivery: a `stack` of len(places) cards, or a single `card`. `places`: where the first card
    out goes, then the second, and so on."""

    kind: Literal["stack", "card"]
    places: tuple[str, ...]

    @property
    def seat(self) -> int | None:
        """The seat that it goes to, None for the cross and the bonus cards."""
        return seat_of(self.places[0])


@dataclass(frozen=True, slots=True)
class TurnSeat:
    """The seat's two cards are turned face up."""

    seat: int


@dataclass(frozen=True, slots=True)
class TurnBonusCards:
    """The cross goes to the rack and the bonus cards are turned face up."""


@dataclass(frozen=True, slots=True)
class Step:
    """One wager settled. `odds`: what a win pays to 1. `payout`: cents won, the wager itself not counted;
    `uncut`: before a payout limit cut it. `hand`, `line`: of the hand that decided. The repr shows
    nothing that follows from cards, which may still lie face down."""

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
    """Cents that the tray has of the wager when it is settled: the wager lost, or less than nothing."""

    def __post_init__(self) -> None:
        tray = {"take": self.amount, "push": 0, "pay": -self.payout}[self.verb]
        object.__setattr__(self, "circle", Circle(self.seat, self.wager))
        object.__setattr__(self, "tray", tray)

    @property
    def cut(self) -> bool:
        """A payout limit took something of this win."""
        return self.payout < self.uncut


Item: TypeAlias = TurnSeat | TurnBonusCards | Step


def steps_by_circle(plan: Iterable[Item]) -> dict[int, dict[Wager, Step]]:
    """The settling steps of a plan by seat and wager: each wager is settled once."""
    found: dict[int, dict[Wager, Step]] = {}
    for item in plan:
        if isinstance(item, Step):
            found.setdefault(item.seat, {})[item.wager] = item
    return found
