"""A simulated chain of 74HC595 with its way back, whole or not: at the bench, and at the end of MISO.

Both ends keep one and shift the same words through it, so that what is read and what is shown are one chain.
It must never give back what a real chain could not: what is broken on the way is broken on the way back too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from drivers.pins.map import OUTPUTS_PER_REGISTER


@dataclass(frozen=True, slots=True)
class Harm:
    """Faults of a chain. `registers`: number of them, None: as many as words are sent. `flipped`: bits that
    turn over on their way in, counted as they are sent. `cut`: after so many registers the line is broken,
    and what follows hears only low. `dead`: the board has no 5 V, or its cable is out. `looped`: MISO is
    shorted to MOSI, so that each frame comes back while it is sent."""

    registers: int | None = None
    flipped: Sequence[int] = ()
    cut: int | None = None
    dead: bool = False
    looped: bool = False

    def message(self) -> dict[str, Any]:
        return {
            "registers": self.registers,
            "flipped": list(self.flipped),
            "cut": self.cut,
            "dead": self.dead,
            "looped": self.looped,
        }


def harm_of(message: Mapping[str, Any]) -> Harm:
    """Return the harm of the bench's ``chain`` message."""
    flipped = message.get("flipped")
    bits = tuple(flipped) if isinstance(flipped, list) else ()
    dead, looped = bool(message.get("dead")), bool(message.get("looped"))
    return Harm(message.get("registers"), bits, message.get("cut"), dead, looped)


class Chain:
    """Bits move through it and show at the outputs when RCLK rises."""

    def __init__(self, registers: int) -> None:
        self._fitted = registers
        self._stages = 0
        self.harm = Harm()
        self.outputs = 0
        """Bit 0 is QA of the register nearest the Pi."""

    def shift(self, words: bytes) -> bytes:
        """Most significant bit first; returns what came out at QH' of the last register meanwhile."""
        count = len(words) * OUTPUTS_PER_REGISTER
        if self.harm.dead:
            self._stages = 0
            return bytes(len(words))
        moved = int.from_bytes(words, "big")
        for bit in self.harm.flipped:
            moved ^= 1 << (count - 1 - bit)
        length = OUTPUTS_PER_REGISTER * (self._fitted if self.harm.registers is None else self.harm.registers)
        whole = self.harm.cut is None
        near = length if self.harm.cut is None else OUTPUTS_PER_REGISTER * self.harm.cut
        first = (self._stages & ((1 << near) - 1)) << count | moved
        rest = self._stages >> near << count | (first >> near if whole else 0)
        far = length - near
        self._stages = first & ((1 << near) - 1) | (rest & ((1 << far) - 1)) << near
        came = rest >> far & ((1 << count) - 1)
        return words if self.harm.looped else came.to_bytes(len(words), "big")

    def latch(self) -> None:
        self.outputs = 0 if self.harm.dead else self._stages
