"""The pin map: the GPIO pin of each key, and the lamp on each output of the lamp chain.

Data only: another module reads it from a file and passes it to the drivers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from drivers.ports import CircleId

COLOURS = ("green", "red")
KEYS = ("no_more_bets", "confirm", "fold", "floor")
OUTPUTS_PER_REGISTER = 8
SPI_PINS = {0: (8, 9, 10, 11), 1: (7, 9, 10, 11)}
"""BCM numbers that SPI port 0 uses with chip select 0 or 1; GPIO9 is MISO, the chain's read-back."""
SPI_SELECTS = (7, 8)
"""Both chip selects, which the kernel takes with SPI port 0 (dtparam=spi=on), whichever is used."""
CLOCK_PINS = (2, 3)
"""SDA and SCL of the DS3231, by which a Pi 4 keeps the time."""
SERIAL_PINS = (14, 15)
"""TXD and RXD of the Pi's own UART, the shoe's line."""

Output: TypeAlias = tuple[int, str, str]
"""Output of the lamp chain for one colour of a lamp: seat, wager, colour."""


@dataclass(frozen=True, slots=True)
class PinMap:
    """A checked pin map. ``bits``: 0 is output QA of the register nearest the Pi, 8 is QA of the next."""

    keys: Mapping[str, int]
    debounce_s: float
    stuck_after_s: float
    spi_port: int
    spi_device: int
    output_enable: int
    registers: int
    bits: Mapping[Output, int]
    way_back: bool = True
    """Whether QH' of the last register is wired to MISO, so that the read-back is compared."""

    @property
    def circles(self) -> frozenset[CircleId]:
        """Circles that have a lamp."""
        return frozenset((seat, wager) for seat, wager, _ in self.bits)

    @property
    def spare_bits(self) -> tuple[int, ...]:
        """Bits whose outputs drive no lamp (`none` in the pin map), lowest first."""
        return tuple(sorted(set(range(self.registers * OUTPUTS_PER_REGISTER)) - set(self.bits.values())))
