"""The chain of 74HC595 as a gpiozero SPI device: words out, the outputs change all at once.

RCLK hangs on chip select: the registers latch when the transfer ends and chip select rises (74HC595
data sheet, RCLK: positive edge). It must never send a chain in two transfers: half a picture would
be latched. What MISO brings meanwhile is the transfer before (`drivers.lamps.readback`). Imported when the
lamps are opened, because it imports gpiozero.
"""

from __future__ import annotations

from collections.abc import Sequence

from gpiozero import SPIDevice


class ShiftRegisters(SPIDevice):  # type: ignore[misc]  # gpiozero carries no types
    """Takes ``port``, ``device`` and ``pin_factory`` as every `SPIDevice`."""

    def latch(self, words: Sequence[int]) -> bytes:
        """One transfer; the first word travels to the register farthest from the Pi. Returns what MISO
        brought."""
        self._check_open()
        return bytes(self._spi.transfer(list(words)))
