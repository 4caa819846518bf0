"""The chain of 74HC595 as a gpiozero SPI device: words out, all outputs change at once.

RCLK is connected to chip select: the registers latch when the transfer ends and chip select rises (74HC595
data sheet, RCLK: positive edge). This module must never send a chain in two transfers: half a picture would
be latched. MISO returns the previous transfer meanwhile (`drivers.lamps.readback`). Imported when the lamps
are opened, because it imports gpiozero.
"""

from __future__ import annotations

from collections.abc import Sequence

from gpiozero import SPIDevice


class ShiftRegisters(SPIDevice):  # type: ignore[misc]  # gpiozero carries no types
    """The chain. Takes ``port``, ``device`` and ``pin_factory`` as every `SPIDevice`."""

    def latch(self, words: Sequence[int]) -> bytes:
        """Send one transfer and return the bytes from MISO. The first word is for the register farthest
        from the Pi."""
        self._check_open()
        return bytes(self._spi.transfer(list(words)))
