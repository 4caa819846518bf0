"""One PN532 on the board's SPI bus: the library adafruit_pn532 over a transport that waits for IRQ.

The library's own transport runs at 100 kHz, sleeps 10 ms between two polls and reverses every byte bit by
bit. This one sets the clock, waits for the chip's interrupt line and reverses bytes by a table. It must never
wait longer than `ANSWER_TIMEOUT_S`.
"""

try:
    from collections.abc import Callable
except ImportError:  # CircuitPython has no such module and ignores annotations
    pass

from adafruit_bus_device.spi_device import SPIDevice
from adafruit_pn532.adafruit_pn532 import PN532

CLOCK_HZ = 1_000_000
"""Clock of the bus. The chip takes 5 MHz (PN532/C1 data sheet, SPI timing); the ribbon is half a metre."""
ANSWER_TIMEOUT_S = 0.03
"""Timeout of the ACK and of the answer, each, in seconds: a poll of an empty field takes 15 ms at most."""
WAKE_S = 0.002
"""Delay in seconds from the rise of RSTPDN, or the fall of chip select in sleep, until the chip listens
(data sheet)."""

_DATA_WRITE, _DATA_READ = 0x80, 0xC0
"""Direction bytes 1 and 3 of UM0701-02, 6.2.5, lowest bit first as the chip requires."""
_SAM_CONFIGURATION = 0x14
_NORMAL_MODE = b"\x01\x14\x01"
"""SAMConfiguration: no SAM, IRQ driven."""


def _reversed(byte: int) -> int:
    return sum(1 << (7 - bit) for bit in range(8) if byte >> bit & 1)


REVERSED = bytes([_reversed(byte) for byte in range(256)])


class Silent(Exception):
    """The PN532 did not answer."""


class SeatPn532(PN532):  # type: ignore[misc]
    """Driver of one chip. `wait_low(seconds)`: whether IRQ fell within that time; `sleep(seconds)`."""

    def __init__(
        self,
        spi: object,
        chip_select: object,
        wait_low: "Callable[[float], bool]",
        sleep: "Callable[[float], None]",
    ) -> None:
        """Wake the chip and read its version. Raises Silent, or an exception of the library."""
        self._wait_low = wait_low
        self._pause = sleep
        self._spi = SPIDevice(spi, chip_select, baudrate=CLOCK_HZ)
        super().__init__()

    def ask(self, command: int, parameters: bytes, most: int) -> bytes:
        """Return the answer's data, at most `most` bytes. Raises Silent, or an exception of the library."""
        answer = self.call_function(command, response_length=most, params=parameters)
        if answer is None:
            raise Silent
        return bytes(answer)

    def _wakeup(self) -> None:
        with self._spi as spi:
            spi.write(b"\x00")
            self._pause(WAKE_S)
        self.low_power = False
        self.ask(_SAM_CONFIGURATION, _NORMAL_MODE, 0)

    def _wait_ready(self, timeout: float = 1) -> bool:
        return bool(self._wait_low(min(timeout, ANSWER_TIMEOUT_S)))

    def _read_data(self, count: int) -> bytes:
        data = bytearray(count + 1)
        data[0] = _DATA_READ
        with self._spi as spi:
            spi.write_readinto(data, data)
        return bytes([REVERSED[byte] for byte in data[1:]])

    def _write_data(self, framebytes: bytes) -> None:
        out = bytes([_DATA_WRITE]) + bytes([REVERSED[byte] for byte in framebytes])
        with self._spi as spi:
            spi.write(out)
