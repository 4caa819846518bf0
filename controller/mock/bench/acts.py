"""Acts of hands at the table, for the simulated dealer and players.

Each act is frozen data that `bench.Hands` carries out. `seconds`: duration of the act by a person at speed 1.
`once`: name of an act that must not be repeated; a later act with the same name is skipped.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from controller.game.model.names import Circle
from controller.pages.display import touches


@dataclass(frozen=True, slots=True)
class SetChips:
    """Lay or take chips until the circle holds `cents`, or chips of exactly the values in `chips` if
    given.
    """

    circle: Circle
    cents: int
    seconds: float = 1.0
    once: str = ""
    chips: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Lay:
    """Add chips of these values to those in the circle."""

    circle: Circle
    chips: tuple[int, ...]
    once: str
    seconds: float = 1.2


@dataclass(frozen=True, slots=True)
class Carry:
    """Take chips of these values out of one circle and lay them into another."""

    out_of: Circle
    into: Circle
    chips: tuple[int, ...]
    once: str
    seconds: float = 1.2


@dataclass(frozen=True, slots=True)
class Press:
    """Press a key on the table, not its copy on the screen."""

    key: str
    once: str
    seconds: float = 0.8


@dataclass(frozen=True, slots=True)
class TouchPage:
    """Touch of the dealer's screen or of the floor page. `touch`: the touch as the page sends it."""

    touch: touches.Touch
    once: str
    seconds: float = 1.0


@dataclass(frozen=True, slots=True)
class Lift:
    """Lift the stack out of the shoe's exit and lay it at `places`, its first card at the first place."""

    places: tuple[str, ...]
    once: str
    seconds: float = 1.5


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw a card from a manual shoe, or from the deck in the hand, and lay it at `place`."""

    place: str
    once: str
    seconds: float = 0.7


@dataclass(frozen=True, slots=True)
class DealHand:
    """Deal all cards of a round from the dealer's hand: the cross, then two cards to each seat."""

    seats: tuple[int, ...]
    once: str
    seconds: float = 12.0


@dataclass(frozen=True, slots=True)
class TakeStub:
    once: str
    seconds: float = 1.0


@dataclass(frozen=True, slots=True)
class Gather:
    """Put all cards of the deck back into the device, or shuffle them and put them into the shoe."""

    once: str
    seconds: float = 1.5


@dataclass(frozen=True, slots=True)
class SwapCards:
    """Swap the cards of two groups of places, the result of a stack spread or delivered wrongly."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    once: str
    seconds: float = 0.0


Act = SetChips | Lay | Carry | Press | TouchPage | Lift | Draw | DealHand | TakeStub | Gather | SwapCards


def prompt_name(view: Mapping[str, Any], prompt: Mapping[str, Any]) -> str:
    """Return a name for acts that answer a prompt; it differs for each prompt. A prompt's id is not suitable,
    because it changes with each reading of the amount."""
    parts = [prompt[key] for key in ("kind", "seat", "wager", "places", "step", "code")]
    return f"{view['round']}:" + ":".join(str(part) for part in parts if part is not None)
