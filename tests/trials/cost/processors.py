"""Duration of instructions on the processors of a table. Pure.

The counts are of x86-64; AArch64 takes about as many instructions for the same C program. The number of
instructions per cycle depends on the program: Python misses caches and mispredicts branches. The ranges are
assumptions, to be measured on a board with `perf stat`. They leave out the kernel's own work, such as reading
a serial port.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Processor:
    """Processor of a table: its clock, and the range of instructions per cycle that is assumed."""

    name: str
    ghz: float
    slowest: float
    fastest: float

    def ms(self, instructions: float) -> tuple[float, float]:
        """Return the minimum and the maximum duration of `instructions` instructions, in ms."""
        cycles_a_ms = self.ghz * 1e6
        return instructions / (self.fastest * cycles_a_ms), instructions / (self.slowest * cycles_a_ms)

    def percent(self, instructions: float, times_a_second: float) -> tuple[float, float]:
        """Return the minimum and the maximum share of one core, in percent."""
        least, most = self.ms(instructions)
        return least * times_a_second / 10, most * times_a_second / 10


PROCESSORS = (
    Processor("Cortex-A72 1.5 GHz (Pi 4)", 1.5, 0.7, 1.2),
    Processor("Cortex-A76 2.4 GHz (Pi 5)", 2.4, 1.3, 2.2),
)
READINGS_A_SECOND = {
    "reading_single": 42 / 0.362, "reading_board": 42 / 0.395, "reading_feig": 42 / 0.593,
    "look_feig": 42 / 0.298,
}  # fmt: skip
"""Readings per second while a table is scanned without a pause, three chips in each circle
(tests/EVIDENCE.md; for FEIG readers drivers/chips/FEIG.md: by whole inventories alone, and by quick looks).
"""
