"""Acts of hands at the table, for the simulated dealer and players.

Each act is frozen data that `bench.Hands` carries out. `seconds` is how long a person takes for it at speed
1. `once` names an act that would do harm if done twice: an act with the same name is not done again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from controller.game.model.names import Circle
from controller.pages.display import touches


@dataclass(frozen=True, slots=True)
class SetChips:
    """Chips laid or taken until the circle holds `cents`, or exactly the values in `chips` if given."""

    circle: Circle
    cents: int
    seconds: float = 1.0
    once: str = ""
    chips: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Lay:
    """Chips added to those in the circle."""

    circle: Circle
    chips: tuple[int, ...]
    once: str
    seconds: float = 1.2


@dataclass(frozen=True, slots=True)
class Carry:
    """Chips taken out of one circle and laid into another."""

    out_of: Circle
    into: Circle
    chips: tuple[int, ...]
    once: str
    seconds: float = 1.2


@dataclass(frozen=True, slots=True)
class Press:
    """Press of a key on the table."""

    key: str
    once: str
    seconds: float = 0.8


@dataclass(frozen=True, slots=True)
class Touch:
    """Touch of the dealer's screen or of the floor page."""

    touch: touches.Touch
    once: str
    seconds: float = 1.0


@dataclass(frozen=True, slots=True)
class Lift:
    """Stack lifted out of the exit and laid at `places`, its first card at the first place."""

    places: tuple[str, ...]
    once: str
    seconds: float = 1.5


@dataclass(frozen=True, slots=True)
class Draw:
    """Card drawn from a manual shoe, or from the deck in the hand, and laid at `place`."""

    place: str
    once: str
    seconds: float = 0.7


@dataclass(frozen=True, slots=True)
class DealHand:
    """Whole deal from the dealer's hand: the cross, then two rounds of the seats."""

    seats: tuple[int, ...]
    once: str
    seconds: float = 12.0


@dataclass(frozen=True, slots=True)
class TakeStub:
    once: str
    seconds: float = 1.0


@dataclass(frozen=True, slots=True)
class Gather:
    """All cards of the deck put back into the device, or shuffled and put into the shoe."""

    once: str
    seconds: float = 1.5


@dataclass(frozen=True, slots=True)
class SwapCards:
    """Cards of two groups of places swapped, as after a stack that was spread or delivered wrongly."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    once: str
    seconds: float = 0.0


Act = SetChips | Lay | Carry | Press | Touch | Lift | Draw | DealHand | TakeStub | Gather | SwapCards


def prompt_name(view: Mapping[str, Any], prompt: Mapping[str, Any]) -> str:
    """Return a name that differs for each prompt. A prompt's id does not serve: a reading that changes the
    amount changes the id."""
    parts = [prompt[key] for key in ("kind", "seat", "wager", "places", "step", "code")]
    return f"{view['round']}:" + ":".join(str(part) for part in parts if part is not None)
