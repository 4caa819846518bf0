"""Colour and progress for a person at a terminal; plain text for everything else.

No colour where the output is no terminal or NO_COLOR is set (no-color.org).
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from io import UnsupportedOperation
from stat import S_ISREG
from typing import Literal, TextIO

Colour = Literal["green", "red", "amber"]
_CODES: dict[Colour, str] = {"green": "32", "red": "31;1", "amber": "33"}


def coloured(text: str, colour: Colour, stream: TextIO | None = None) -> str:
    """`text` in a colour where `stream` (default: standard output) shows one."""
    if not shows_colour(stream or sys.stdout):
        return text
    return f"\x1b[{_CODES[colour]}m{text}\x1b[0m"


def shows_colour(stream: TextIO) -> bool:
    return stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def to_disk(stream: TextIO) -> None:
    """Flush the output, and sync it to the disk if it goes into a file. Raises OSError."""
    stream.flush()
    with suppress(UnsupportedOperation):  # it goes nowhere that a descriptor names
        if S_ISREG(os.fstat(stream.fileno()).st_mode):
            os.fsync(stream.fileno())


class Progress:
    """One line at the foot of a terminal, written over; nothing where standard error is none."""

    def __init__(self) -> None:
        self._on = sys.stderr.isatty()

    def show(self, words: str) -> None:
        if self._on:
            sys.stderr.write(f"\r\x1b[K{words}")
            sys.stderr.flush()

    def clear(self) -> None:
        """Before another line is printed, and at the end."""
        if self._on:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
