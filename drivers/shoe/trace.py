"""The last frames in each direction, for the technician; faces are masked on entry.

Only masked text is stored, never a frame, so no face can leak. Limited to 64 frames in each direction.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final, Literal

from drivers.shoe.codec import MAX_FRAME_BYTES, Frame, FrameDecoder, masked

MAX_LINES: Final = 64


@dataclass(frozen=True, slots=True)
class TraceLine:
    """Line of the trace. `way`: `<` from the shoe, `>` to the shoe. `at`: seconds of the session's clock."""

    at: float
    way: Literal["<", ">"]
    text: str


class Trace:
    """Recorder of the last frames in both directions, in one list."""

    def __init__(self) -> None:
        self._in: deque[TraceLine] = deque(maxlen=MAX_LINES)
        self._out: deque[TraceLine] = deque(maxlen=MAX_LINES)

    def add_received(self, frame: Frame, now: float) -> None:
        self._in.append(TraceLine(now, "<", masked(frame)))

    def add_text(self, text: str, now: float) -> None:
        """Add a received text, which must be free of faces."""
        self._in.append(TraceLine(now, "<", text))

    def add_sent(self, wire: bytes, now: float) -> None:
        for frame in FrameDecoder(MAX_FRAME_BYTES).feed(wire):
            self._out.append(TraceLine(now, ">", masked(frame)))

    def lines(self) -> list[TraceLine]:
        """Return all lines in order of time."""
        return sorted([*self._in, *self._out], key=lambda line: line.at)
