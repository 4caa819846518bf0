"""Record of the frames that were acknowledged to the shoe, each with its moment; the line is only observed.

It only observes the line. The moment is the length of the board's log of writes: any cut of the log that is
at least as long must contain the frame.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from controller.mock.bench.wires import ShoeFrames
from drivers.shoe.codec import Frame, masked

NUMBERED_BY_NOBODY = frozenset({"ACK", "ALIVE", "KNOCK"})
"""Types of frames that get no row in the journal."""


@dataclass(slots=True)
class Promises(ShoeFrames):
    """Observer of the shoe's line that stores acknowledgements. `marks`: in order, the length of the board's
    log of writes at that moment, and the mark of the frame's row in the journal."""

    moment: Callable[[], int] = lambda: 0
    marks: list[tuple[int, str]] = field(default_factory=list)
    _boot: str = ""
    _waiting: Frame | None = None

    def from_device(self, data: bytes) -> None:
        for frame in self._from.feed(data):
            self.frames.append(f"< {masked(frame)}")
            if frame.kind in ("KNOCK", "WELCOME"):
                self._boot = frame.fields[-1]
            if frame.kind not in NUMBERED_BY_NOBODY:
                self._waiting = frame

    def to_device(self, data: bytes) -> None:
        for frame in self._to.feed(data):
            self.frames.append(f"> {masked(frame)}")
            sent = self._waiting
            if frame.kind == "ACK" and sent is not None and frame.seq == sent.seq:
                self.marks.append((self.moment(), f"{self._boot}:{sent.seq:02X}"))
                self._waiting = None
