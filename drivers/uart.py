"""A serial line's speed, for simulated devices: what their host has set, and what one speed makes of another.

A pseudo-terminal carries bytes at any setting. A device asks for the host's speed here and garbles what a
UART would garble. It must leave bytes alone where both ends have the same speed. Parity and word length
cannot be asked for: a pseudo-terminal forgets them.
"""

from __future__ import annotations

import re
import termios

BITS = 10
"""Bits on the wire for each byte: start, eight of data, stop."""
_CODES = {int(name[1:]): getattr(termios, name) for name in dir(termios) if re.fullmatch(r"B\d+", name)}
_SPEEDS = {code: baud for baud, code in _CODES.items()}
_IN, _OUT = 4, 5


def set_baud(fd: int, baud: int) -> None:
    """Set a terminal's speed, as its device has it. Whoever opens the terminal may set another."""
    settings = termios.tcgetattr(fd)
    settings[_IN] = settings[_OUT] = _CODES[baud]
    termios.tcsetattr(fd, termios.TCSANOW, settings)


def baud(fd: int) -> int:
    """Return the speed of a terminal; asked of a pseudo-terminal's master it is the host's."""
    return _SPEEDS[termios.tcgetattr(fd)[_OUT]]


def across(data: bytes, sent: int, receiver: int) -> bytes:
    """Return what a UART at `receiver` baud receives of bytes sent one after another at `sent` baud.

    A byte whose stop bit is low is a zero, as Linux hands over framing errors.
    """
    if sent == receiver:
        return data
    levels = [level for byte in data for level in (0, *(byte >> bit & 1 for bit in range(8)), 1)]
    received, at = bytearray(), 0.0
    while (start := _falls(levels, at)) is not None:
        first, step = start + sent / receiver * 1.5, sent / receiver
        bits = [_level(levels, first + step * bit) for bit in range(9)]
        received.append(sum(bit << place for place, bit in enumerate(bits[:8])) if bits[8] else 0)
        at = first + step * 8
    return bytes(received)


def _level(levels: list[int], at: float) -> int:
    """Return the wire's level at a time in bits of the sender. It idles high."""
    return levels[int(at)] if at < len(levels) else 1


def _falls(levels: list[int], at: float) -> float | None:
    """Return when the wire is next low, from `at` on, or None if it stays high."""
    if at < len(levels) and not _level(levels, at):
        return at
    return next((float(bit) for bit in range(int(at) + 1, len(levels)) if not levels[bit]), None)
