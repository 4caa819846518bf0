"""The simulated shoe's faults: what has struck, and what strikes at a card to come. Pure.

Keeps count only; what a fault does to cards and commands is the model's affair.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

FAULT_KINDS: Final = ("jam", "double", "empty", "door", "shuffle", "sensor", "slip")
"""`slip`: a card comes out that nobody asked for; the device finds nothing wrong."""


@dataclass(slots=True)
class _Trap:
    after: int
    strike: Callable[[], bool]


class Faults:
    """`active`: the codes of FAULT that no CLEARED has followed, in order."""

    def __init__(self) -> None:
        self.active: list[str] = []
        self._traps: list[_Trap] = []

    @property
    def stop_cards(self) -> bool:
        """A shuffle fault stops no card: the deck in play is in play (config/rules/RULES.md,
        Irregularities)."""
        return any(code != "SHUFFLE" for code in self.active)

    def strike_later(self, after: int, strike: Callable[[], bool]) -> None:
        """`strike` is called when the `after`-th card from now would go out; True: it does not go."""
        if after < 1:
            raise ValueError("shoe fault: after how many cards? 1 or more")
        self._traps.append(_Trap(after, strike))

    def before_card(self) -> bool:
        """A card is about to go out. True where a fault has struck instead."""
        for trap in self._traps:
            trap.after -= 1
        striking = [trap for trap in self._traps if trap.after <= 0]
        self._traps = [trap for trap in self._traps if trap.after > 0]
        struck = [trap.strike() for trap in striking]  # all of them, not up to the first
        return any(struck)

    def forget_traps(self) -> None:
        self._traps.clear()
