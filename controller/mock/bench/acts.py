"""Acts of hands at the table: those of the simulated dealer and players.

Frozen data, carried out by `bench.Hands`. `seconds` is how long a person takes at speed 1. `once` names
an act that would do harm if done twice: it is done once under that name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from controller.game.model.names import Circle
from controller.pages.display import touches


@dataclass(frozen=True, slots=True)
class SetChips:
    """Lay or take chips so that the circle holds this many cents; exactly `chips` where they are named."""

    circle: Circle
    cents: int
    seconds: float = 1.0
    once: str = ""
    chips: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Lay:
    """Add these chips to what lies in the circle."""

    circle: Circle
    chips: tuple[int, ...]
    once: str
    seconds: float = 1.2


@dataclass(frozen=True, slots=True)
class Carry:
    """These chips are taken out of one circle and laid into another."""

    out_of: Circle
    into: Circle
    chips: tuple[int, ...]
    once: str
    seconds: float = 1.2


@dataclass(frozen=True, slots=True)
class Press:
    """A key on the table."""

    key: str
    once: str
    seconds: float = 0.8


@dataclass(frozen=True, slots=True)
class Touch:
    """A touch of the screen, or of the floor page."""

    touch: touches.Touch
    once: str
    seconds: float = 1.0


@dataclass(frozen=True, slots=True)
class Lift:
    """The stack is lifted out of the exit and laid at `places`, its first card first."""

    places: tuple[str, ...]
    once: str
    seconds: float = 1.5


@dataclass(frozen=True, slots=True)
class Draw:
    """One card is drawn out of a manual shoe, or off the deck in the hand, and laid at `place`."""

    place: str
    once: str
    seconds: float = 0.7


@dataclass(frozen=True, slots=True)
class DealHand:
    """The whole deal from the dealer's hand: the cross, then twice round the seats."""

    seats: tuple[int, ...]
    once: str
    seconds: float = 12.0


@dataclass(frozen=True, slots=True)
class TakeStub:
    once: str
    seconds: float = 1.0


@dataclass(frozen=True, slots=True)
class Gather:
    """All cards of the deck go back into the device, or are shuffled and put into the shoe."""

    once: str
    seconds: float = 1.5


@dataclass(frozen=True, slots=True)
class SwapCards:
    """The cards of two places are swapped: a stack that was spread or delivered wrongly."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    once: str
    seconds: float = 0.0


Act = SetChips | Lay | Carry | Press | Touch | Lift | Draw | DealHand | TakeStub | Gather | SwapCards


def prompt_name(view: Mapping[str, Any], prompt: Mapping[str, Any]) -> str:
    """Tells one prompt from the next. Its id would not do: a reading may change the amount in it."""
    parts = [prompt[key] for key in ("kind", "seat", "wager", "places", "step", "code")]
    return f"{view['round']}:" + ":".join(str(part) for part in parts if part is not None)
