"""The last frames each way, for the technician, with every face masked when it is written down.

Keeps text only, never the frame: what is not kept cannot leak. Bounded to 64 frames each way.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final, Literal

from drivers.shoe.codec import MAX_FRAME_BYTES, Frame, FrameDecoder, masked

KEPT: Final = 64


@dataclass(frozen=True, slots=True)
class TraceLine:
    """`way`: `<` from the shoe, `>` to the shoe. `at`: seconds of the session's clock."""

    at: float
    way: Literal["<", ">"]
    text: str


class Trace:
    """Two short memories, read as one."""

    def __init__(self) -> None:
        self._in: deque[TraceLine] = deque(maxlen=KEPT)
        self._out: deque[TraceLine] = deque(maxlen=KEPT)

    def received(self, frame: Frame, now: float) -> None:
        self._in.append(TraceLine(now, "<", masked(frame)))

    def received_text(self, text: str, now: float) -> None:
        """`text` is already free of faces."""
        self._in.append(TraceLine(now, "<", text))

    def sent(self, wire: bytes, now: float) -> None:
        for frame in FrameDecoder(MAX_FRAME_BYTES).feed(wire):
            self._out.append(TraceLine(now, ">", masked(frame)))

    def lines(self) -> list[TraceLine]:
        """All of it in order of time."""
        return sorted([*self._in, *self._out], key=lambda line: line.at)
