"""Serial ports of chip readers: opened for this program alone, read and written without waiting.
`set_low_latency` lowers the latency timer of a USB serial adapter (FTDI).

Every failure becomes `LineError` with the name of the line. A lost port must never look like an empty one.
"""

from __future__ import annotations

import termios
from typing import TYPE_CHECKING

from drivers.chips.reader import LineError
from drivers.probe import open_line

if TYPE_CHECKING:
    from serial import Serial

READ_BYTES = 4096


def open_serial(path: str, baud: int, parity: str = "N") -> Serial:
    """Open a port. Raises LineError if it cannot be opened."""
    try:
        return open_line(path, baud, parity)
    except (OSError, ValueError, termios.error) as error:
        raise LineError(f"{path}: cannot be opened: {error}") from error


def set_speed(serial: Serial, name: str, baud: int) -> None:
    """Set the speed of an open port. Raises LineError if the port refuses it.

    A speed that is set already is left: a pseudo-terminal refuses it if the port has parity.
    """
    try:
        if serial.baudrate != baud:
            serial.baudrate = baud
    except (OSError, ValueError, termios.error) as error:
        raise LineError(f"{name}: does not take {baud} baud: {error}") from error


def set_low_latency(serial: Serial) -> bool:
    """Ask the driver not to delay short answers, as an FTDI does by 16 ms. Returns False if it cannot."""
    try:
        serial.set_low_latency_mode(True)
    except (OSError, ValueError, NotImplementedError):
        return False
    return True


def read_from(serial: Serial, name: str, count: int = READ_BYTES) -> bytes:
    """Return the bytes in the kernel's buffer. After a hang-up the port is readable, and pyserial raises."""
    try:
        return bytes(serial.read(count))
    except (OSError, termios.error, TypeError) as error:  # TypeError: closed by another thread
        raise LineError(f"{name}: is gone: {error}") from error


def write_to(serial: Serial, name: str, data: bytes) -> int:
    """Write all bytes and return their number. Raises LineError if the port does not take them at once."""
    try:
        sent = serial.write(data) or 0
    except (OSError, termios.error, TypeError) as error:  # TypeError: closed by another thread
        raise LineError(f"{name}: cannot be written: {error}") from error
    if sent != len(data):
        raise LineError(f"{name}: took {sent} of {len(data)} bytes, the line is stuck")
    return sent
