"""GPIO registers of a Pi up to the 3, read from outside the machine: function and level of each pin.

BCM2835 ARM Peripherals, chapter 6: three bits of GPFSELn a pin, one bit of GPLEVn. A write to GPSETn or
GPCLRn sets the level of a pin; in QEMU's model also that of an input, which has no other source.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

BASE = 0x3F20_0000
PINS = 54
SELECT = tuple(BASE + 4 * number for number in range(6))
LEVEL = (BASE + 0x34, BASE + 0x38)
READ = SELECT + LEVEL
"""Addresses of the words of a `Reading`, in order."""
_SET, _CLEAR = BASE + 0x1C, BASE + 0x28
_PINS_A_SELECT, _PINS_A_LEVEL = 10, 32
FUNCTIONS = ("input", "output", "alt5", "alt4", "alt0", "alt1", "alt2", "alt3")


@dataclass(frozen=True, slots=True)
class Reading:
    """Content of all registers in `READ`."""

    words: tuple[int, ...]

    def function(self, pin: int) -> str:
        number, place = divmod(pin, _PINS_A_SELECT)
        return FUNCTIONS[self.words[number] >> 3 * place & 7]

    def level(self, pin: int) -> int:
        number, place = divmod(pin, _PINS_A_LEVEL)
        return self.words[len(SELECT) + number] >> place & 1

    def is_driven(self, pin: int, level: int) -> bool:
        """Return whether the pin is an output of this level."""
        return self.function(pin) == "output" and self.level(pin) == level


def reading(words: Sequence[int]) -> Reading:
    """Return these words as a reading. Raises ValueError if their number differs from that of the addresses
    in `READ`."""
    if len(words) != len(READ):
        raise ValueError(f"{len(words)} words, not {len(READ)}")
    return Reading(tuple(words))


def changed(before: Reading, after: Reading) -> frozenset[int]:
    """Return the pins whose function or level differs."""
    return frozenset(
        pin
        for pin in range(PINS)
        if (before.function(pin), before.level(pin)) != (after.function(pin), after.level(pin))
    )


def write_of(pin: int, level: int) -> tuple[int, int]:
    """Return address and word of the write that gives the pin this level."""
    number, place = divmod(pin, _PINS_A_LEVEL)
    return (_SET if level else _CLEAR) + 4 * number, 1 << place
