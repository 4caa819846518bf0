"""The frames of the shoe link as bytes (drivers/shoe/LINK.md, Frame). Sans-I/O.

`FrameDecoder` takes bytes in any pieces and gives whole, checked frames; whatever it drops it
counts by reason and never answers or raises. It must never hold more than one frame's bytes and
never show a card's face: `Frame.__repr__` and `masked()` are the only texts made for people.
"""

from __future__ import annotations

import re
from binascii import crc_hqx
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

MAX_FRAME = 96
"""Bytes of a frame of version 1, `$` and CR LF included."""
MAX_FRAME_BYTES = 160
"""Limit of a frame of version 2: the keys of a handshake and the seals need room."""

_DOLLAR, _CR, _LF = 0x24, 0x0D, 0x0A
_TEXT = rb"[\x20-\x23\x25-\x29\x2B\x2D-\x7E]"
_BODY = re.compile(rb"([0-9A-F]{2}),(" + _TEXT + rb"+(?:," + _TEXT + rb"*)*)\*([0-9A-F]{4})")
_ALLOWED = re.compile(r"[\x20-\x23\x25-\x29\x2B\x2D-\x7E]*")
_NO_FACE = ("FU", "NR")
OPEN_KINDS = frozenset((
    "ACK", "ALIVE", "CLEARED", "DEAL", "DONE", "FAULT", "HELLO", "HOLD", "KNOCK", "READY", "REFUSED",
    "RELEASE", "SHUFFLE", "SHUFFLED", "SIGN", "STACK", "STATE", "STUB", "STUBOUT", "TAKEN", "WELCOME",
))  # fmt: skip
"""Kinds whose fields have no room for a card. The content of a maker's own frame is unknown."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One good frame; `raw` is the bytes from `$` to before CR LF (what a repetition is compared by)."""

    seq: int
    kind: str
    fields: tuple[str, ...]
    raw: bytes
    proven: bool = True
    """As well as its version proves anything; False for what comes in clear where the session is sealed."""

    def __repr__(self) -> str:
        return f"Frame({masked(self)})"


def crc16(data: bytes) -> int:
    """CRC-16/CCITT-FALSE; `123456789` gives 29B1. binascii's polynomial is the same 0x1021."""
    return crc_hqx(data, 0xFFFF)


def encode(seq: int, kind: str, fields: Iterable[str] = (), longest: int = MAX_FRAME) -> bytes:
    """The frame with CR LF. ValueError where the link has no room for it."""
    parts = (f"{seq:02X}", kind, *fields)
    if not 0 <= seq <= 0xFF or not kind or not all(_ALLOWED.fullmatch(part) for part in parts):
        raise ValueError(f"shoe link {kind!r}: number 0 to 255, fields printable ASCII without $ * ,")
    body = ",".join(parts).encode("ascii")
    frame = b"$%b*%04X\r\n" % (body, crc16(body))
    if len(frame) > longest:
        raise ValueError(f"shoe link {kind!r}: a frame has at most {longest} bytes, not {len(frame)}")
    return frame


def masked(frame: Frame) -> str:
    """The frame for people: no face, and no crc, from which a face could be worked out."""
    fields = frame.fields
    if frame.kind == "CARD":
        shown = tuple(text if text in _NO_FACE else "**" for text in fields[1:])
        fields = (fields[0] if fields and fields[0].isdigit() else "**", *shown) if fields else ()
    elif frame.kind not in OPEN_KINDS:
        return f"${frame.seq:02X},**{',**' * len(fields)}*...."
    return ",".join((f"${frame.seq:02X}", frame.kind, *fields)) + "*...."


class FrameDecoder:
    """Bytes in, frames out. `dropped` counts: noise_bytes cut_short too_long malformed bad_crc."""

    def __init__(self, longest: int = MAX_FRAME) -> None:
        self._longest = longest
        self.dropped: Counter[str] = Counter()
        self._buffer = bytearray()
        self._overlong = False

    def feed(self, data: bytes) -> list[Frame]:
        """Every frame that `data` completes, in order."""
        frames = []
        for byte in data:
            frame = self._byte(byte)
            if frame is not None:
                frames.append(frame)
        return frames

    def reset(self) -> None:
        """The line was opened anew: half a frame from before is no frame."""
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
                self._give_up()
        elif self._overlong:
            # the rest of a frame that was counted once as too long
            self._overlong = byte != _LF
        else:
            self.dropped["noise_bytes"] += 1
        return None

    def _give_up(self) -> None:
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
