"""Serial lines of simulated devices: pseudo-terminals, the host's speed, and bytes garbled by a wrong speed.

A pseudo-terminal carries bytes at any setting. A device reads the host's speed here and garbles the bytes
that a UART would garble. Bytes must not change if both ends have the same speed and parity. Parity and word
length cannot be read, because a pseudo-terminal does not store them; a simulator is given the host's
parity.
"""

from __future__ import annotations

import os
import re
import termios
from typing import Literal, TypeAlias

Parity: TypeAlias = Literal["", "even", "odd"]
"""Parity bit of a UART; "" if it has none."""

BITS = 10
"""Bits on the wire for each byte: start, eight of data, stop."""
_CODES = {int(name[1:]): getattr(termios, name) for name in dir(termios) if re.fullmatch(r"B\d+", name)}
_SPEEDS = {code: baud for baud, code in _CODES.items()}
_IN, _OUT = 4, 5


class NoTerminalError(OSError):
    """Raised if the system gives no pseudo-terminal."""


def open_pseudo_terminal() -> tuple[int, int]:
    """Return the descriptors of the device's end and of the host's end. Raises NoTerminalError if the system
    has none free."""
    try:
        return os.openpty()
    except OSError as error:
        why = error.strerror or error
        raise NoTerminalError(
            f"no pseudo-terminal for a simulated device ({why}): mount devpts at /dev/pts, or end programs "
            "that hold many; crisscross mock --no-wires needs none"
        ) from error


def set_baud(fd: int, baud: int) -> None:
    """Set a terminal's speed to that of the device. Any process that opens the terminal may change it."""
    settings = termios.tcgetattr(fd)
    settings[_IN] = settings[_OUT] = _CODES[baud]
    termios.tcsetattr(fd, termios.TCSANOW, settings)


def baud(fd: int) -> int:
    """Return the speed of a terminal; for a pseudo-terminal's master it is the host's speed."""
    return _SPEEDS[termios.tcgetattr(fd)[_OUT]]


def across(
    data: bytes, sent: int, receiver: int, sent_parity: Parity = "", receiver_parity: Parity = ""
) -> bytes:
    """Return the bytes that a UART at `receiver` baud receives when bytes are sent one after another at
    `sent` baud.

    `sent_parity`, `receiver_parity`: parity at each end. A byte with a low stop bit or a wrong parity is
    returned as zero, as Linux does.
    """
    if sent == receiver and sent_parity == receiver_parity:
        return data
    levels = [level for byte in data for level in _frame(byte, sent_parity)]
    received, at = bytearray(), 0.0
    places = 10 if receiver_parity else 9
    while (start := _falls(levels, at)) is not None:
        first, step = start + sent / receiver * 1.5, sent / receiver
        bits = [_level(levels, first + step * bit) for bit in range(places)]
        byte = sum(bit << place for place, bit in enumerate(bits[:8]))
        received.append(byte if bits[-1] and bits[8:-1] == _parity(byte, receiver_parity) else 0)
        at = first + step * (places - 1)
    return bytes(received)


def _frame(byte: int, parity: Parity) -> list[int]:
    """Return the levels of a byte on the wire: start, eight of data, parity if there is one, stop."""
    return [0, *(byte >> bit & 1 for bit in range(8)), *_parity(byte, parity), 1]


def _parity(byte: int, parity: Parity) -> list[int]:
    return [(byte.bit_count() + (parity == "odd")) % 2] if parity else []


def _level(levels: list[int], at: float) -> int:
    """Return the wire's level at a time in bits of the sender. It idles high."""
    return levels[int(at)] if at < len(levels) else 1


def _falls(levels: list[int], at: float) -> float | None:
    """Return the next time from `at` on at which the wire is low, or None if it stays high."""
    if at < len(levels) and not _level(levels, at):
        return at
    return next((float(bit) for bit in range(int(at) + 1, len(levels)) if not levels[bit]), None)
