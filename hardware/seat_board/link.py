"""Frames of the seat board's link (hardware/seat_board/LINK.md): text, a number and a CRC-16 a line.

Pure: bytes in, frames out. It must never raise on received bytes: invalid frames are counted.
"""

MAX_FRAME_BYTES = 320
"""Maximum length of a frame in bytes: twelve chips with the longest UID need 251."""


def _table() -> list[int]:
    table = []
    for byte in range(256):
        crc = byte << 8
        for _ in range(8):
            crc = ((crc << 1) ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
        table.append(crc)
    return table


_TABLE = _table()


def crc16(data: bytes) -> int:
    """Return the CRC-16/CCITT-FALSE, as on the shoe's link; `123456789` gives 29B1."""
    crc = 0xFFFF
    for byte in data:
        crc = ((crc << 8) & 0xFFFF) ^ _TABLE[(crc >> 8) ^ byte]
    return crc


def clean(words: str) -> str:
    """Return words for a field: printable ASCII without the characters that delimit frames."""
    return "".join(sign if " " <= sign <= "~" and sign not in "$*," else " " for sign in words)


def encode(number: int, kind: str, fields: tuple[str, ...] = ()) -> bytes:
    body = ",".join((f"{number:02X}", kind) + fields).encode()
    return b"$" + body + f"*{crc16(body):04X}\r\n".encode()


def decode(raw: bytes) -> tuple[int, str, list[str]] | None:
    """Return (number, type, fields) of the bytes from `$` to the end of the line, or None if the frame is
    invalid."""
    if len(raw) > MAX_FRAME_BYTES or raw[:1] != b"$" or raw[-5:-4] != b"*":
        return None
    body = raw[1:-5]
    if f"{crc16(body):04X}".encode() != raw[-4:]:
        return None
    try:
        words = body.decode().split(",")
    except ValueError:  # not ASCII text
        return None
    if len(words) < 2 or len(words[0]) != 2 or any(digit not in "0123456789ABCDEF" for digit in words[0]):
        return None
    return int(words[0], 16), words[1], words[2:]


class Decoder:
    """Splits a stream into lines. A `$` always begins a new frame."""

    def __init__(self) -> None:
        self._buffer = b""
        self.dropped = 0

    def feed(self, data: bytes) -> list[bytes]:
        """Return the frames that are complete now, from `$` to before the end of the line, without checking
        them."""
        self._buffer += data
        frames = []
        end = self._buffer.find(b"\n")
        while end >= 0:
            line = self._buffer[:end].rstrip(b"\r")
            self._buffer = self._buffer[end + 1 :]
            start = line.rfind(b"$")
            if start >= 0:
                frames.append(line[start:])
            elif line:
                self.dropped += 1
            end = self._buffer.find(b"\n")
        if len(self._buffer) > MAX_FRAME_BYTES:
            self._buffer = b""
            self.dropped += 1
        return frames
