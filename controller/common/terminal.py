"""Colour and progress for a person at a terminal; plain text otherwise.

No colour if the output is not a terminal or NO_COLOR is set (no-color.org).
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
    """Return `text` in a colour if `stream` (default: standard output) shows colours."""
    if not shows_colour(stream or sys.stdout):
        return text
    return f"\x1b[{_CODES[colour]}m{text}\x1b[0m"


def shows_colour(stream: TextIO) -> bool:
    return stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def to_disk(stream: TextIO) -> None:
    """Flush the output, and fsync it if it is a file. Raises OSError if that fails."""
    stream.flush()
    with suppress(UnsupportedOperation):  # the stream has no descriptor
        if S_ISREG(os.fstat(stream.fileno()).st_mode):
            os.fsync(stream.fileno())


class ProgressLine:
    """Line at the foot of a terminal that shows progress and is overwritten. It shows nothing if standard
    error is not a terminal."""

    def __init__(self) -> None:
        self._on = sys.stderr.isatty()

    def show(self, words: str) -> None:
        if self._on:
            sys.stderr.write(f"\r\x1b[K{words}")
            sys.stderr.flush()

    def clear(self) -> None:
        """Clear the line; call it before printing another one, and at the end."""
        if self._on:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
