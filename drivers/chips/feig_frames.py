"""Frames of FEIG OBID i-scan readers as bytes (FEIG.md): builds requests, cuts answers out of a stream.

Pure: no port, no clock. `AnswerSplitter` must never return an answer whose CRC is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

ANY_ADDRESS = 255
"""COM-ADR that every reader answers with its own. Used only to find the reader of a line, which has one."""
RF_RESET = 0x69
RF_ON_OFF = 0x6A
SOFTWARE_VERSION = 0x65
READ_CONFIGURATION = 0x80
WRITE_CONFIGURATION = 0x81
HOST_COMMAND = 0xB0
TRANSPARENT = 0xBF

DONE = 0x00
NO_CHIP = 0x01
OUT_OF_RANGE = 0x11
NO_BLOCK = 0x15
MORE_DATA = 0x94
STATUS: dict[int, str] = {
    0x01: "nothing answered on the antenna side",
    0x02: "CRC fault of a chip's data",
    0x10: "EEPROM fault",
    0x11: "parameter out of range",
    0x13: "its configuration is locked by a password",
    0x15: "no such configuration block",
    0x16: "no such configuration block",
    0x80: "unknown command",
    0x81: "wrong length",
    0x82: "not available in the reader's mode",
    0x83: "RF communication error",
    0x84: "RF warning: look at the antenna and its cable, one is open, short or out of tune",
    0x95: "a chip reports an error",
}
"""Meaning of each status but `DONE` and `MORE_DATA`."""

ISO_15693 = 0x03
"""TR-TYPE of the only chips that are read."""
UID_BYTES = 8
UID_FIRST = 0xE0
MAX_CHIPS = 100
"""Maximum number of chips in one inventory, the limit of the reader's anticollision."""

_STX = 0x02
_MIN_STANDARD, _MIN_ADVANCED = 6, 8
_MAX_BYTES = 2048
"""Maximum length of an accepted answer: `MAX_CHIPS` data sets and a margin."""
_SET_BYTES = 2 + UID_BYTES


def crc16_mcrf4xx(data: bytes) -> bytes:
    """Return the CRC-16 of a frame's other bytes, low byte first (CRC-16/MCRF4XX)."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ 0x8408 if crc & 1 else crc >> 1
    return crc.to_bytes(2, "little")


def request(control: int, data: bytes = b"", address: int = 0) -> bytes:
    """Return a request to a reader in the standard form."""
    body = bytes((len(data) + 5, address, control)) + data
    return body + crc16_mcrf4xx(body)


def inventory_request(more: bool) -> bytes:
    """Return the data of `HOST_COMMAND` for an inventory: a new one, or the rest of the last one."""
    return bytes((0x01, 0x80 if more else 0x00))


def select_output(output: int) -> bytes:
    """Return the data of `TRANSPARENT` that connects the multiplexer's input 1 to an output, 1 to 7.

    They are mode 2 of the transparent command, 32 bits of response, 320 us until the response, then the
    multiplexer's own command. Input 2 is connected to output 8, which has no antenna.
    """
    return bytes((0x02, 0x00, 0x20, 0x02, 0x1F, 0x02, 0xDD, 0xFE, 0x00, output, 0x08))


ONE_SLOT = bytes((0x01, 0x00, 0x60, 0x02, 0x1F, 0x26, 0x01, 0x00))
"""Data of `TRANSPARENT` for an inventory of ISO/IEC 15693 in one slot, which every chip answers unless it is
quiet.

It holds mode 1, 96 bits of response, 320 us until the response, then the request without a mask."""
_ONE_SLOT_ANSWER_BYTES = 12


def chip_request(body: bytes, response_bytes: int) -> bytes:
    """Return the data of `TRANSPARENT` for a request of ISO/IEC 15693. `response_bytes`: length of the
    response, CRC included.

    Mode 2 looks for the response from 320 us to 20 ms after the request, because a chip computes before it
    answers."""
    return bytes((0x02, *(8 * response_bytes).to_bytes(2, "big"), 0x02, 0x1F)) + body


def address_chip(uid: str) -> bytes:
    """Return the data of `HOST_COMMAND` for a reset to ready, which this chip acknowledges whether it is
    quiet or not."""
    return bytes((0x26, 0x01)) + bytes.fromhex(uid)


@dataclass(frozen=True, slots=True)
class Answer:
    """A reader's answer with a valid CRC."""

    address: int
    control: int
    status: int
    data: bytes


class AnswerSplitter:
    """Splits a stream into answers of both forms.

    After a fault all bytes received so far are dropped and counted as noise, because the rest of a broken
    frame can look like another answer.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()
        self.noise = 0

    @property
    def pending(self) -> int:
        """Number of bytes of an incomplete answer."""
        return len(self._buffer)

    def feed(self, data: bytes) -> list[Answer]:
        """Return the answers that are complete after `data`."""
        self._buffer += data
        found = []
        while (size := self._size()) is not None and len(self._buffer) >= size:
            whole = bytes(self._buffer[:size])
            if crc16_mcrf4xx(whole[:-2]) != whole[-2:]:
                self.reset()
                break
            del self._buffer[:size]
            found.append(_answer(whole))
        return found

    def reset(self) -> None:
        """Drop an incomplete answer."""
        self.noise += len(self._buffer)
        self._buffer.clear()

    def _size(self) -> int | None:
        """Return the size of the next answer, or None if it is not known yet."""
        buffer = self._buffer
        if not buffer:
            return None
        if buffer[0] != _STX:
            size, least = buffer[0], _MIN_STANDARD
        elif len(buffer) < 3:
            return None
        else:
            size, least = int.from_bytes(buffer[1:3], "big"), _MIN_ADVANCED
        if not least <= size <= _MAX_BYTES:
            self.reset()
            return None
        return size


def _answer(whole: bytes) -> Answer:
    start = 3 if whole[0] == _STX else 1
    address, control, status = whole[start : start + 3]
    return Answer(address, control, status, whole[start + 3 : -2])


def uids_of(data: bytes) -> Sequence[str] | str:
    """Return the UIDs in the data of an inventory's answer, MSB first, or a text about its fault."""
    count, sets = data[:1], data[1:]
    if not count or not count[0] or len(sets) != count[0] * _SET_BYTES:
        return f"{len(data)} bytes are not the announced number of data sets"
    uids = []
    for at in range(0, len(sets), _SET_BYTES):
        kind, uid = sets[at], sets[at + 2 : at + _SET_BYTES]
        if kind != ISO_15693 or uid[0] != UID_FIRST:
            return f"chip {uid.hex().upper()} of type {kind:02X} is not one of ISO/IEC 15693"
        uids.append(uid.hex().upper())
    return uids


def single_uid(data: bytes) -> str:
    """Return the UID in the answer to `ONE_SLOT`, or "" if no single chip has answered.

    The UID in the answer has its lowest byte first. Flags and DSFID precede it, and the radio's CRC, which
    the reader has verified, follows it."""
    if len(data) != _ONE_SLOT_ANSWER_BYTES or data[0] or data[9] != UID_FIRST:
        return ""
    return data[2:10][::-1].hex().upper()
