"""The antenna under one circle and the ISO 14443A chips on it.

Pure model for the simulator: times are arguments, nothing is opened. A chip must behave no better than a real
one: it stays halted until its field was off long enough, does not answer while it starts, and cannot be
distinguished from another chip with the same UID.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from drivers.chips.sim.ntag424 import CardAnswer, Iso14443Chip
from drivers.chips.sim.over_antenna import ChipsOverAntenna


class ChipState(Enum):
    """States of a PICC (ISO/IEC 14443-3, 6.3)."""

    IDLE = "idle"
    READY = "ready"
    ACTIVE = "active"
    HALT = "halt"


@dataclass(slots=True)
class TypeAChip:
    """One type A chip. ``ignores_halt``: it behaves as the card in libnfc's issue 476. ``card``: its
    application, if it has ISO/IEC 14443-4.
    """

    uid: bytes
    ready_at: float = 0.0
    ignores_halt: bool = False
    state: ChipState = ChipState.IDLE
    card: Iso14443Chip | None = None

    def reset(self, ready_at: float) -> None:
        self.state = ChipState.IDLE
        self.ready_at = ready_at
        if self.card is not None:
            self.card.reset()

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
            if self.card is not None:
                self.card.reset()


class Antenna(ChipsOverAntenna[TypeAChip]):
    """A field that is on or off, and the chips in it. ``settle_s`` is 0 for a table at full speed."""

    def __init__(self, settle_s: float, order: random.Random) -> None:
        super().__init__()
        self._settle_s = settle_s
        self._order = order
        self.on = False
        self.card_of: Callable[[bytes], Iso14443Chip | None] = lambda uid: None
        """Returns the application of a chip that is laid, by the chip's UID, or None for a chip without one.
        """
        self._off_at = float("-inf")

    def lay(self, uid: bytes, now: float, ignores_halt: bool = False) -> None:
        self._chips.append(TypeAChip(uid, now + self._settle_s, ignores_halt, card=self.card_of(uid)))

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

    def activate(self, tries: int, now: float, wanted: bytes | None = None) -> bytes | None:
        """Send REQA, anticollision and SELECT up to ``tries`` times; return the UID of the active chip, or
        None. ``wanted``: SELECT that chip, without anticollision.
        """
        if not self._chips:
            return None
        for _ in range(tries):
            answering = {chip.uid for chip in self._chips if chip.reqa(now)}
            if answering:
                uid = wanted or (
                    answering.pop() if len(answering) == 1 else self._order.choice(sorted(answering))
                )
                selected = [chip.select(uid) for chip in self._chips]
                if any(selected):
                    return uid
        return None

    def has_card(self) -> bool:
        """Return whether an active chip supports ISO/IEC 14443-4."""
        return any(chip.card is not None for chip in self._active())

    def exchange(self, apdu: bytes) -> CardAnswer:
        """Send a command to the active chip. Two chips with one UID answer together, which breaks the
        checksum unless their answers are equal."""
        answers = [chip.card.respond(apdu) for chip in self._active() if chip.card is not None]
        received = [answer for answer in answers if answer.apdu is not None]
        if not received:
            return CardAnswer(None)
        if len({answer.apdu for answer in received}) > 1:
            return CardAnswer(received[0].apdu, max(answer.after_s for answer in received), broken=True)
        return received[0]

    def _active(self) -> list[TypeAChip]:
        return [chip for chip in self._chips if chip.state is ChipState.ACTIVE]

    def halt(self) -> None:
        for chip in self._chips:
            chip.hlta()
