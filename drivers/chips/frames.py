"""PN532 frames as bytes (UM0701-02, section 6.2.1): splitting a stream into frames, and building them.

Pure: no port, no clock. It never raises on received bytes: a garbage byte that is not part of a frame is
counted as noise and dropped until the next frame begins (the driver resynchronises), and a buffer never
exceeds `MAX_BUFFERED_BYTES`.
"""

from __future__ import annotations

ACK = b"\x00\x00\xff\x00\xff\x00"
NACK = b"\x00\x00\xff\xff\x00\x00"
ERROR = b"\x00\x00\xff\x01\xff\x7f\x81\x00"
"""Syntax error at application level (UM0701-02, 6.2.1.5)."""

TO_CHIP = 0xD4
TO_HOST = 0xD5

MAX_BUFFERED_BYTES = 600
"""Maximum number of buffered bytes: two frames of the maximum normal length (255 + 7 bytes), and some
noise.
"""

_START = b"\x00\xff"


def frame(tfi: int, data: bytes) -> bytes:
    """Return a normal information frame."""
    length = len(data) + 1
    if length > 254:
        raise ValueError(f"{length} bytes do not fit into a normal PN532 frame (at most 254)")
    check = -(tfi + sum(data)) & 0xFF
    return b"".join((b"\x00\x00\xff", bytes((length, -length & 0xFF, tfi)), data, bytes((check, 0))))


def payload(whole: bytes) -> bytes | None:
    """Return TFI and data of a frame from `Cutter`, or None if its checksum is wrong."""
    inner = whole[5:-2]
    return inner if (sum(inner) + whole[-2]) & 0xFF == 0 else None


class Cutter:
    """Splits a stream into frames. ACK and NACK are returned as the constants above.

    A frame with a valid length but a wrong data checksum is returned as received, so that its reader can
    distinguish a garbled answer from a missing one.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()
        self.noise = 0

    def feed(self, data: bytes) -> list[bytes]:
        """Return the frames that are complete after ``data``."""
        buffer = self._buffer
        buffer += data
        if len(buffer) > MAX_BUFFERED_BYTES:
            surplus = len(buffer) - MAX_BUFFERED_BYTES
            self.noise += surplus
            del buffer[:surplus]
        frames = []
        while (cut := self._cut()) is not None:
            frames.append(cut)
        return frames

    @property
    def pending(self) -> int:
        """Number of bytes of an incomplete frame; zeros alone are an idle line."""
        return len(self._buffer) if any(self._buffer) else 0

    def reset(self) -> None:
        """Discard an incomplete frame."""
        self._drop(len(self._buffer))

    def _cut(self) -> bytes | None:
        buffer = self._buffer
        while True:
            start = buffer.find(_START)
            if start < 0:
                self._drop(len(buffer) - (buffer[-1:] == b"\x00"))
                return None
            if len(buffer) < start + 4:
                self._drop(start)
                return None
            length, check = buffer[start + 2], buffer[start + 3]
            if (length, check) in ((0x00, 0xFF), (0xFF, 0x00)):
                return self._take(start, 4, NACK if length else ACK)
            if length in (0, 0xFF) or (length + check) & 0xFF:
                self._drop(start + 1)  # not a header, or an extended frame, which no command here uses
                continue
            size = 4 + length + 1
            if len(buffer) <= start + size:
                self._drop(start)
                return None
            # The checksum does not detect a lost zero byte; the missing postamble does.
            if buffer[start + size]:
                self._drop(start + 1)
                continue
            return self._take(start, size, None)

    def _take(self, start: int, size: int, constant: bytes | None) -> bytes:
        buffer = self._buffer
        whole = constant or b"\x00" + bytes(buffer[start : start + size]) + b"\x00"
        self.noise += sum(1 for byte in buffer[:start] if byte)
        end = start + size
        # More zeros are an idle line, but the last one may be the start of the next frame.
        while end + 1 < len(buffer) and buffer[end] == 0 and buffer[end + 1] != 0xFF:
            end += 1
        del buffer[:end]
        return whole

    def _drop(self, count: int) -> None:
        # Zeros are preamble, postamble or idle line, and do not count as noise.
        self.noise += sum(1 for byte in self._buffer[:count] if byte)
        del self._buffer[:count]
