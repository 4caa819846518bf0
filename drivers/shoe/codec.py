"""Frames of the shoe link as bytes, with a CRC check sum (drivers/shoe/LINK.md, Frame). Sans-I/O.

`FrameDecoder` accepts bytes in pieces of any size and returns complete, checked frames. Dropped bytes are
counted by reason; the decoder never answers or raises. The decoder must never buffer more than one frame and
never show a card's face: `Frame.__repr__` and `masked()` are the only texts meant for people.
"""

from __future__ import annotations

import re
from binascii import crc_hqx
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

MAX_V1_FRAME_BYTES = 96
"""Maximum length of a frame of version 1 in bytes, `$` and CR LF included."""
MAX_FRAME_BYTES = 160
"""Maximum length of a frame of version 2 in bytes: handshake keys and seals need more room."""

_DOLLAR, _CR, _LF = 0x24, 0x0D, 0x0A
_TEXT = rb"[\x20-\x23\x25-\x29\x2B\x2D-\x7E]"
_BODY = re.compile(rb"([0-9A-F]{2}),(" + _TEXT + rb"+(?:," + _TEXT + rb"*)*)\*([0-9A-F]{4})")
_ALLOWED = re.compile(r"[\x20-\x23\x25-\x29\x2B\x2D-\x7E]*")
_NO_FACE = ("FU", "NR")
FACELESS_KINDS = frozenset((
    "ACK", "ALIVE", "CLEARED", "DEAL", "DONE", "FAULT", "HELLO", "HOLD", "KNOCK", "READY", "REFUSED",
    "RELEASE", "SHUFFLE", "SHUFFLED", "SIGN", "STACK", "STATE", "STUB", "STUBOUT", "TAKEN", "WELCOME",
))  # fmt: skip
"""Frame kinds whose fields cannot hold a card. The content of a maker's own frame is unknown."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A valid frame. `raw`: the bytes from `$` up to, but not including, CR LF; repetitions are recognized
    by them."""

    seq: int
    kind: str
    fields: tuple[str, ...]
    raw: bytes
    authentic: bool = True
    """False for a frame in clear while the session is sealed. In version 1 every frame counts as
    authentic."""

    def __repr__(self) -> str:
        return f"Frame({masked(self)})"


def crc16(data: bytes) -> int:
    """Return the CRC-16/CCITT-FALSE; `123456789` gives 29B1. binascii's polynomial is the same 0x1021."""
    return crc_hqx(data, 0xFFFF)


def encode_frame(
    seq: int, kind: str, fields: Iterable[str] = (), max_bytes: int = MAX_V1_FRAME_BYTES
) -> bytes:
    """Return a frame as bytes, CR LF included. `seq`: its number. Raises ValueError if a field has a
    forbidden character or the frame is longer than `max_bytes`."""
    parts = (f"{seq:02X}", kind, *fields)
    if not 0 <= seq <= 0xFF or not kind or not all(_ALLOWED.fullmatch(part) for part in parts):
        raise ValueError(f"shoe link {kind!r}: number 0 to 255, fields printable ASCII without $ * ,")
    body = ",".join(parts).encode("ascii")
    frame = b"$%b*%04X\r\n" % (body, crc16(body))
    if len(frame) > max_bytes:
        raise ValueError(f"shoe link {kind!r}: a frame has at most {max_bytes} bytes, not {len(frame)}")
    return frame


def masked(frame: Frame) -> str:
    """Return the frame as text for people, without face and without CRC, because the CRC would reveal the
    face."""
    fields = frame.fields
    if frame.kind == "CARD":
        shown = tuple(text if text in _NO_FACE else "**" for text in fields[1:])
        fields = (fields[0] if fields and fields[0].isdigit() else "**", *shown) if fields else ()
    elif frame.kind not in FACELESS_KINDS:
        return f"${frame.seq:02X},**{',**' * len(fields)}*...."
    return ",".join((f"${frame.seq:02X}", frame.kind, *fields)) + "*...."


class FrameDecoder:
    """Decodes bytes into frames. `dropped` counts: noise_bytes cut_short too_long malformed bad_crc."""

    def __init__(self, max_bytes: int = MAX_V1_FRAME_BYTES) -> None:
        self._longest = max_bytes
        self.dropped: Counter[str] = Counter()
        self._buffer = bytearray()
        self._overlong = False

    def feed(self, data: bytes) -> list[Frame]:
        """Return every frame that `data` completes, in order."""
        frames = []
        for byte in data:
            frame = self._byte(byte)
            if frame is not None:
                frames.append(frame)
        return frames

    def reset(self) -> None:
        """Discard a partial frame, because the port was opened again."""
        self._buffer.clear()
        self._overlong = False

    def _byte(self, byte: int) -> Frame | None:
        if byte == _DOLLAR:
            if self._buffer:
                self.dropped["cut_short"] += 1
            self._buffer[:] = b"$"
            self._overlong = False
        elif self._buffer:
            self._buffer.append(byte)
            if byte == _LF:
                return self._finish()
            if len(self._buffer) >= self._longest:
                self._drop()
        elif self._overlong:
            # skips the rest of a frame that was already counted as too long
            self._overlong = byte != _LF
        else:
            self.dropped["noise_bytes"] += 1
        return None

    def _drop(self) -> None:
        self.dropped["too_long"] += 1
        self._buffer.clear()
        self._overlong = True

    def _finish(self) -> Frame | None:
        end = -2 if self._buffer[-2] == _CR else -1
        raw = bytes(self._buffer[:end])
        self._buffer.clear()
        match = _BODY.fullmatch(raw, 1)
        if match is None:
            self.dropped["malformed"] += 1
            return None
        if crc16(raw[1:-5]) != int(match[3], 16):
            self.dropped["bad_crc"] += 1
            return None
        kind, *fields = match[2].decode("ascii").split(",")
        return Frame(int(match[1], 16), kind, tuple(fields), raw)
