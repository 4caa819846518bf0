"""Faults of the simulated shoe: those active, and those set for a later card. Pure.

It only counts; the model decides the effect of a fault on cards and commands.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

FAULT_KINDS: Final = ("jam", "double", "empty", "door", "shuffle", "sensor", "slip")
"""Kinds of fault. `slip`: a card comes out without a command, and the device detects no fault."""


@dataclass(slots=True)
class _Trap:
    after: int
    strike: Callable[[], bool]


class Faults:
    """Faults of a device. `active`: codes of FAULT without a CLEARED yet, in order."""

    def __init__(self) -> None:
        self.active: list[str] = []
        self._traps: list[_Trap] = []

    @property
    def stop_cards(self) -> bool:
        """Whether a fault stops cards. A shuffle fault does not: the deck in play stays in play
        (config/rules/RULES.md, Irregularities)."""
        return any(code != "SHUFFLE" for code in self.active)

    def strike_later(self, after: int, strike: Callable[[], bool]) -> None:
        """Call `strike` before the `after`-th card from now is dealt; if it returns True, that card is not
        dealt.
        """
        if after < 1:
            raise ValueError("shoe fault: after how many cards? 1 or more")
        self._traps.append(_Trap(after, strike))

    def before_card(self) -> bool:
        """Count a card about to be dealt. Returns True if a fault has struck instead."""
        for trap in self._traps:
            trap.after -= 1
        striking = [trap for trap in self._traps if trap.after <= 0]
        self._traps = [trap for trap in self._traps if trap.after > 0]
        struck = [trap.strike() for trap in striking]  # a list: every trap is called
        return any(struck)

    def forget_traps(self) -> None:
        self._traps.clear()
