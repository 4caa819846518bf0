"""Frames of the FEIG OBID i-scan host protocol at the reader's end (H60301-3e, p. 16 to 18). Pure.

A standard frame begins with LENGTH; an advanced one with STX and a length of two bytes. Every answer over 255
bytes is an advanced frame. Both end with their CRC, lowest byte first. The reader must never answer an
incomplete frame.
"""

from __future__ import annotations

from dataclasses import dataclass

from drivers.chips.sim.x25 import crc16_x25

STX = 0x02
MAX_STANDARD_BYTES = 255
_MIN_REQUEST_BYTES, _MIN_ADVANCED_BYTES = 5, 7
GAP_S = 0.012
"""Longest pause between two characters of a frame (H40801-5e, p. 15)."""


@dataclass(frozen=True, slots=True)
class Request:
    """A complete request. `raw`: its bytes; `advanced`: whether the answer has the advanced form."""

    address: int
    control: int
    data: bytes
    advanced: bool
    raw: bytes


@dataclass(frozen=True, slots=True)
class FeigReply:
    """Answer of the reader before framing. It is due `after_s` seconds after the request."""

    control: int
    status: int
    data: bytes = b""
    after_s: float = 0.0


def encode_answer(address: int, reply: FeigReply, advanced: bool) -> bytes:
    """Return the frame of an answer, in the advanced form if requested or if it is too long for the standard
    one.
    """
    body = bytes((address, reply.control, reply.status)) + reply.data
    count = len(body) + 3
    if advanced or count > MAX_STANDARD_BYTES:
        frame = bytes((STX,)) + (count + 2).to_bytes(2, "big") + body
    else:
        frame = bytes((count,)) + body
    return frame + crc16_x25(frame)


class RequestCutter:
    """Splits the host's bytes into requests. A frame with a wrong CRC or a pause inside is dropped without an
    answer."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._last_at = float("-inf")

    def reset(self) -> None:
        self._bytes.clear()

    def feed(self, data: bytes, now: float) -> list[Request]:
        """Return the requests that these bytes complete; the bytes arrive at `now` (s)."""
        if now - self._last_at > GAP_S:
            self._bytes.clear()
        self._last_at = now
        self._bytes += data
        found = []
        while (count := self._count()) is not None and count <= len(self._bytes):
            raw = bytes(self._bytes[:count])
            del self._bytes[:count]
            if (request := _decode(raw)) is not None:
                found.append(request)
        return found

    def _count(self) -> int | None:
        """Return the length of the frame at the beginning of the bytes, or None if it is not known yet.

        If the first byte begins no frame, all bytes until the next pause are dropped.
        """
        if not self._bytes:
            return None
        if self._bytes[0] == STX:
            if len(self._bytes) < 3:
                return None
            return max(int.from_bytes(self._bytes[1:3], "big"), _MIN_ADVANCED_BYTES)
        return self._bytes[0] if self._bytes[0] >= _MIN_REQUEST_BYTES else None


def _decode(raw: bytes) -> Request | None:
    if crc16_x25(raw[:-2]) != raw[-2:]:
        return None
    advanced = raw[0] == STX
    body = raw[3 if advanced else 1 : -2]
    return Request(body[0], body[1], body[2:], advanced, raw) if len(body) >= 2 else None
