"""A simulated chain of 74HC595 with its read-back and faults, at the bench and at the end of MISO.

Both ends have an instance and shift the same words through it, so that the bits read back and the lamps shown
agree. The simulated chain must never return bits that a real chain could not: a break on the way out also
breaks the read-back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from drivers.pins.map import OUTPUTS_PER_REGISTER


@dataclass(frozen=True, slots=True)
class ChainFaults:
    """Faults of a chain.

    `registers`: their number, None for as many as words are sent. `flipped`: bits that are inverted on the
    way in, numbered as sent. `cut`: number of registers after which the line is broken; later ones receive
    only low. `dead`: the board has no 5 V, or its cable is out. `looped`: MISO is shorted to MOSI, so that
    each frame comes back while it is sent. `edge`: after this number of bits of each frame SRCLK has one
    edge more than was sent; negative: the edge of that bit does not arrive.
    """

    registers: int | None = None
    flipped: Sequence[int] = ()
    cut: int | None = None
    dead: bool = False
    looped: bool = False
    edge: int | None = None

    def message(self) -> dict[str, Any]:
        return {
            "registers": self.registers,
            "flipped": list(self.flipped),
            "cut": self.cut,
            "dead": self.dead,
            "looped": self.looped,
            "edge": self.edge,
        }


def chain_faults(message: Mapping[str, Any]) -> ChainFaults:
    """Return the faults in the bench's ``chain`` message."""
    flipped = message.get("flipped")
    bits = tuple(flipped) if isinstance(flipped, list) else ()
    dead, looped = bool(message.get("dead")), bool(message.get("looped"))
    return ChainFaults(message.get("registers"), bits, message.get("cut"), dead, looped, message.get("edge"))


class Chain:
    """Simulated chain of shift registers, with faults. Its bits reach the outputs when `latch` is called, as
    on a rising edge of RCLK."""

    def __init__(self, registers: int) -> None:
        self._fitted = registers
        self._stages = 0
        self.faults = ChainFaults()
        self.outputs = 0
        """Latched outputs. Bit 0 is QA of the register nearest the Pi."""

    def shift(self, words: bytes) -> bytes:
        """Shift words in, most significant bit first; return the bits shifted out at QH' of the last
        register."""
        count = len(words) * OUTPUTS_PER_REGISTER
        if self.faults.dead:
            self._stages = 0
            return bytes(len(words))
        moved = int.from_bytes(words, "big")
        for bit in self.faults.flipped:
            moved ^= 1 << (count - 1 - bit)
        came = self._transfer(moved, count)
        return words if self.faults.looped else came.to_bytes(len(words), "big")

    def _transfer(self, moved: int, count: int) -> int:
        """Return the bits that the Pi samples during one transfer. `faults.edge` adds or drops an edge."""
        edge = self.faults.edge
        if edge is None:
            return self._clock(moved, count)
        # the Pi samples the first bits before the wrong edge, and the others after it
        lost = edge < 0
        first = abs(edge)
        came = self._clock(moved >> (count - first + lost), first - lost)
        if lost:
            came = came << 1 | self._last_output()
        else:
            self._clock(moved >> (count - first) & 1, 1)
        rest = count - first
        return came << rest | self._clock(moved & ((1 << rest) - 1), rest)

    @property
    def _length(self) -> int:
        registers = self._fitted if self.faults.registers is None else self.faults.registers
        return OUTPUTS_PER_REGISTER * registers

    def _last_output(self) -> int:
        """Return the level of QH' of the last register."""
        return self._stages >> (self._length - 1) & 1

    def _clock(self, moved: int, count: int) -> int:
        """Shift the `count` bits of `moved` in, most significant first; return the bits shifted out."""
        length = self._length
        whole = self.faults.cut is None
        near = length if self.faults.cut is None else OUTPUTS_PER_REGISTER * self.faults.cut
        first = (self._stages & ((1 << near) - 1)) << count | moved
        rest = self._stages >> near << count | (first >> near if whole else 0)
        far = length - near
        self._stages = first & ((1 << near) - 1) | (rest & ((1 << far) - 1)) << near
        return rest >> far & ((1 << count) - 1)

    def latch(self) -> None:
        self.outputs = 0 if self.faults.dead else self._stages
