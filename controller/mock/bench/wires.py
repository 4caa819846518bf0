"""Last frames on each wire of the mock table, as text or hex, for a technician.

Frames of the shoe are masked, since a frame with a face would show it too early. This module only records and
must never change a byte.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from drivers.shoe.codec import MAX_FRAME_BYTES, FrameDecoder, masked
from drivers.shoe.sim.line import ShoeLine

MAX_FRAMES = 6
"""Number of frames of the shoe's line that are shown."""


@dataclass(frozen=True, slots=True)
class Wire:
    """Frames of one wire, the newest last; ``>`` is sent to the device, ``<`` comes from it. `name`: `shoe`,
    `lamps`, or the circle of a reader. The lamps' wire contains the last frame and the number of
    transfers."""

    name: str
    frames: tuple[str, ...]


@dataclass(slots=True)
class ShoeFrames:
    """Record of the last frames on the shoe's line in both directions, with their faces masked."""

    frames: deque[str] = field(default_factory=lambda: deque(maxlen=MAX_FRAMES))
    _to: FrameDecoder = field(default_factory=lambda: FrameDecoder(MAX_FRAME_BYTES))
    _from: FrameDecoder = field(default_factory=lambda: FrameDecoder(MAX_FRAME_BYTES))

    def to_device(self, data: bytes) -> None:
        self.frames.extend(f"> {masked(frame)}" for frame in self._to.feed(data))

    def from_device(self, data: bytes) -> None:
        self.frames.extend(f"< {masked(frame)}" for frame in self._from.feed(data))

    def wire(self) -> Wire:
        return Wire("shoe", tuple(self.frames))


class TappedLine:
    """Serial line of the simulated shoe that records its frames."""

    def __init__(self, line: ShoeLine, frames: ShoeFrames) -> None:
        self.path = line.path
        self._line = line
        self._frames = frames

    def plug(self) -> None:
        self._line.plug()

    def unplug(self) -> None:
        self._line.unplug()

    def fileno(self) -> int | None:
        return self._line.fileno()

    def read(self) -> bytes:
        data = self._line.read()
        self._frames.to_device(data)
        return data

    def write(self, data: bytes) -> None:
        self._frames.from_device(data)
        self._line.write(data)


def reader_wire(name: str, command: bytes, answer: bytes) -> Wire:
    """Return the last exchange with a reader as a wire: its command and its answer, each a whole frame of the
    PN532 in hex. An empty frame is left out."""
    frames = ((">", command), ("<", answer))
    return Wire(name, tuple(f"{way} {data.hex(' ')}" for way, data in frames if data))
