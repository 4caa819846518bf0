"""Frames of the FEIG OBID i-scan host protocol as the reader has them (H60301-3e, p. 16 to 18). Pure.

A standard frame has LENGTH first; an advanced one STX and a length of two bytes, as every answer over 255
bytes has. Both end with their CRC, lowest byte first. The reader must never answer a frame that is not whole.
"""

from __future__ import annotations

from dataclasses import dataclass

from drivers.chips.sim.x25 import crc16

STX = 0x02
MAX_STANDARD_BYTES = 255
_MIN_REQUEST_BYTES, _MIN_ADVANCED_BYTES = 5, 7
GAP_S = 0.012
"""Longest pause between two characters of a frame (H40801-5e, p. 15)."""


@dataclass(frozen=True, slots=True)
class Request:
    """A whole request. `raw`: its bytes; `advanced`: the form that the answer then has."""

    address: int
    control: int
    data: bytes
    advanced: bool
    raw: bytes


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer before it is framed, due `after_s` after the request."""

    control: int
    status: int
    data: bytes = b""
    after_s: float = 0.0


def encode(address: int, reply: Reply, advanced: bool) -> bytes:
    """Return the frame of an answer, in the advanced form if requested or if it is too long for the standard
    one.
    """
    body = bytes((address, reply.control, reply.status)) + reply.data
    count = len(body) + 3
    if advanced or count > MAX_STANDARD_BYTES:
        frame = bytes((STX,)) + (count + 2).to_bytes(2, "big") + body
    else:
        frame = bytes((count,)) + body
    return frame + crc16(frame)


class RequestCutter:
    """Cuts the host's bytes into requests. A frame with a wrong CRC or a pause is dropped unanswered."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._last_at = float("-inf")

    def reset(self) -> None:
        self._bytes.clear()

    def feed(self, data: bytes, now: float) -> list[Request]:
        """Return the whole requests that end in these bytes, which arrive at `now` (s)."""
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

        A first byte that begins no frame spoils everything until a pause.
        """
        if not self._bytes:
            return None
        if self._bytes[0] == STX:
            if len(self._bytes) < 3:
                return None
            return max(int.from_bytes(self._bytes[1:3], "big"), _MIN_ADVANCED_BYTES)
        return self._bytes[0] if self._bytes[0] >= _MIN_REQUEST_BYTES else None


def _decode(raw: bytes) -> Request | None:
    if crc16(raw[:-2]) != raw[-2:]:
        return None
    advanced = raw[0] == STX
    body = raw[3 if advanced else 1 : -2]
    return Request(body[0], body[1], body[2:], advanced, raw) if len(body) >= 2 else None
