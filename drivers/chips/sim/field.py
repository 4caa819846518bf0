"""The antenna under one circle and the ISO 14443A chips on it.

Pure model for the simulator: times are arguments, nothing is opened. A chip must behave no better than a
real one: it stays halted until its field was off long enough, does not answer while it starts, and cannot
be told from another with the same UID.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import Enum

from drivers.chips.sim.over_antenna import ChipsOverAntenna


class ChipState(Enum):
    """States of a PICC (ISO/IEC 14443-3, 6.3)."""

    IDLE = "idle"
    READY = "ready"
    ACTIVE = "active"
    HALT = "halt"


@dataclass(slots=True)
class Chip:
    """One type A chip. ``ignores_halt``: it behaves as the card in libnfc's issue 476."""

    uid: bytes
    ready_at: float = 0.0
    ignores_halt: bool = False
    state: ChipState = ChipState.IDLE

    def reset(self, ready_at: float) -> None:
        self.state = ChipState.IDLE
        self.ready_at = ready_at

    def reqa(self, now: float) -> bool:
        """Answer REQA 0x26: an idle chip answers and becomes ready; any other except HALT becomes idle."""
        if now < self.ready_at or self.state is ChipState.HALT:
            return False
        if self.state is ChipState.IDLE:
            self.state = ChipState.READY
            return True
        self.state = ChipState.IDLE
        return False

    def select(self, uid: bytes) -> bool:
        """Answer SELECT after anticollision: the chip with this UID becomes active, the others become
        idle."""
        if self.state is not ChipState.READY:
            return False
        self.state = ChipState.ACTIVE if uid == self.uid else ChipState.IDLE
        return self.state is ChipState.ACTIVE

    def hlta(self) -> None:
        if self.state is ChipState.ACTIVE and not self.ignores_halt:
            self.state = ChipState.HALT


class Antenna(ChipsOverAntenna[Chip]):
    """A field that is on or off, and the chips in it. ``settle_s`` is 0 for a table at full speed."""

    def __init__(self, settle_s: float, order: random.Random) -> None:
        super().__init__()
        self._settle_s = settle_s
        self._order = order
        self.on = False
        self._on_at = 0.0
        self._off_at = float("-inf")

    def lay(self, uid: bytes, now: float, ignores_halt: bool = False) -> None:
        self._chips.append(Chip(uid, now + self._settle_s, ignores_halt))

    def switch(self, on: bool, now: float) -> None:
        """Switch the field. Chips lose their state only if it was off for the settling time."""
        if on == self.on:
            return
        self.on = on
        if not on:
            self._off_at = now
            return
        away = now - self._off_at >= self._settle_s
        for chip in self._chips:
            if away or chip.ready_at > self._off_at:
                chip.reset(now + self._settle_s)

    def activate(self, tries: int, now: float) -> bytes | None:
        """Send REQA, anticollision and SELECT up to ``tries`` times; return the UID of the active chip, or
        None."""
        if not self._chips:
            return None
        for _ in range(tries):
            answering = {chip.uid for chip in self._chips if chip.reqa(now)}
            if answering:
                uid = answering.pop() if len(answering) == 1 else self._order.choice(sorted(answering))
                for chip in self._chips:
                    chip.select(uid)
                return uid
        return None

    def halt(self) -> None:
        for chip in self._chips:
            chip.hlta()
