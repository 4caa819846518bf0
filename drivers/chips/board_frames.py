"""Frames of the seat board's link, encoded and decoded for the Pi (hardware/seat_board/LINK.md). Pure.

It never raises on received bytes: bytes that are not part of a valid frame are counted in `noise` and
dropped.
"""

from __future__ import annotations

import re
from binascii import crc_hqx
from dataclasses import dataclass

MAX_FRAME_BYTES = 320
_TEXT = rb"[\x20-\x23\x25-\x29\x2B\x2D-\x7E]"
_FRAME = re.compile(rb"\$([0-9A-F]{2},(" + _TEXT + rb"+(?:," + _TEXT + rb"*)*))\*([0-9A-F]{4})\r?")


@dataclass(frozen=True, slots=True)
class Frame:
    """A valid frame of the board: the number of the request that it answers, its type, its fields."""

    number: int
    kind: str
    fields: tuple[str, ...]


def encode_frame(number: int, kind: str, *fields: str) -> bytes:
    body = ",".join((f"{number:02X}", kind, *fields)).encode("ascii")
    return b"$%b*%04X\r\n" % (body, crc_hqx(body, 0xFFFF))


def decode_frame(line: bytes) -> Frame | None:
    """Return the frame in a line without its line end, or None if it is not valid."""
    match = _FRAME.fullmatch(line, max(0, line.rfind(b"$")))
    if match is None or len(line) > MAX_FRAME_BYTES or crc_hqx(match[1], 0xFFFF) != int(match[3], 16):
        return None
    kind, *fields = match[2].decode("ascii").split(",")
    return Frame(int(match[1][:2], 16), kind, tuple(fields))


class Lines:
    """Splits a stream into frames."""

    def __init__(self) -> None:
        self._rest = b""
        self.noise = 0
        """Number of bytes that were not part of a valid frame."""

    @property
    def pending(self) -> int:
        """Number of bytes of an incomplete line."""
        return len(self._rest)

    def feed(self, data: bytes) -> list[Frame]:
        *lines, self._rest = (self._rest + data).split(b"\n")
        frames = []
        for line in lines:
            frame = decode_frame(line)
            if frame is None:
                self.noise += len(line) + 1
            else:
                self.noise += max(0, line.rfind(b"$"))
                frames.append(frame)
        if len(self._rest) > MAX_FRAME_BYTES:
            self.reset()
        return frames

    def reset(self) -> None:
        """Discard an incomplete line."""
        self.noise += len(self._rest)
        self._rest = b""
