"""A scripted FEIG reader: it answers with the bytes of drivers/chips/FEIG.md, without the project's
simulator.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, cast

import pytest

from drivers.chips import feig, feig_link
from drivers.chips.feig import FeigReader
from drivers.chips.feig_frames import crc16_mcrf4xx, request, select_output
from drivers.chips.feig_link import FeigLink

if TYPE_CHECKING:
    from serial import Serial


def framed(body: bytes, *, advanced: bool = False) -> bytes:
    """Return a complete answer: LENGTH, the given bytes and the CRC."""
    if advanced:
        whole = b"\x02" + (len(body) + 5).to_bytes(2, "big") + body
    else:
        whole = bytes((len(body) + 3,)) + body
    return whole + crc16_mcrf4xx(whole)


def ok(control: int, data: bytes = b"", status: int = 0, *, advanced: bool = False) -> bytes:
    return framed(bytes((0, control, status)) + data, advanced=advanced)


def from_reader(address: int, answer: bytes) -> bytes:
    """Return the standard answer of reader 0 as the reader with this address sends it."""
    if not address or answer[0] == 0x02:
        return answer
    return framed(bytes((address,)) + answer[2:-2])


CHECK = [request(0x80, bytes((block,))) for block in (1, 3, 4, 5, 15)]
"""Requests by which the driver verifies the configuration of a reader without a marked address."""


def uid(number: int) -> bytes:
    return bytes.fromhex("E0040150") + number.to_bytes(4, "big")


def sets(uids: Sequence[bytes]) -> bytes:
    return bytes((len(uids),)) + b"".join(b"\x03\x00" + each for each in uids)


class Reader:
    """A scripted reader. `answers`: by control byte, the answers to successive requests; the last one is
    repeated."""

    def __init__(self) -> None:
        self.host, self.device = socket.socketpair()
        self.host.setblocking(False)
        self.sent: list[bytes] = []
        self.config = {block: bytearray(14) for block in (1, 3, 4, 5, 15)}
        self.config[5][11], self.config[3][1], self.config[4][4] = 0x04, 0x08, 0x0B
        self.saved = {1: bytearray(14)}
        self.answers: dict[int, list[bytes]] = {
            0x65: [framed(bytes.fromhex("006500") + bytes.fromhex("0105000021002800"))],
            0x69: [ok(0x69)],
            0x6A: [ok(0x6A)],
            0xBF: [ok(0xBF, bytes.fromhex("0000770F"))],
            0xB0: [ok(0xB0, status=1)],
        }
        self.closed = False
        self.baud = self.baudrate = feig_link.BAUDS[0]
        self.marks = False
        """Whether a change of the address in RAM takes effect at once."""
        self.lacks: set[int] = set()
        """Configuration blocks that refuse to be written."""

    # members of pyserial's Serial that the driver uses
    def fileno(self) -> int:
        return self.host.fileno()

    def close(self) -> None:
        self.closed = True

    def read(self, count: int) -> bytes:
        try:
            return self.host.recv(count)
        except BlockingIOError:
            return b""

    def write(self, data: bytes) -> int:
        self.sent.append(data)
        assert crc16_mcrf4xx(data[:-2]) == data[-2:], data.hex()
        assert data[0] == len(data), data.hex()
        accepted = self.baudrate == self.baud and data[1] in (self._address(), 255)
        if accepted and (answer := self._answer(data[2], data[3:-2])):
            self.device.send(from_reader(self._address(), answer))
        return len(data)

    def _address(self) -> int:
        return self.config[1][0] if self.marks else 0

    def _answer(self, control: int, data: bytes) -> bytes:
        if control == 0x80:
            block = (self.saved if data[0] & 0x80 else self.config).get(data[0] & 0x7F)
            return ok(control, bytes(block)) if block is not None else ok(control, status=0x15)
        if control == 0x81 and data[0] in self.lacks:
            return ok(control, status=0x11)
        if control == 0x81:
            self.config[data[0]][:] = data[1:]
            return ok(control)
        kept = self.answers[control]
        return kept.pop(0) if len(kept) > 1 else kept[0]

    def lay(self, uids: Sequence[bytes], a_frame: int = 100, *, advanced: bool = False) -> None:
        """Answer the next inventory with these chips, `a_frame` of them in each frame."""
        parts = [uids[at : at + a_frame] for at in range(0, len(uids), a_frame)]
        self.answers[0xB0] = [
            ok(0xB0, sets(part), 0 if part is parts[-1] else 0x94, advanced=advanced or len(part) > 24)
            for part in parts
        ] or [ok(0xB0, status=1)]


@pytest.fixture
def reader() -> Iterator[Reader]:
    with closing(Reader()) as made, made.host, made.device:
        yield made


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feig_link, "QUIET_S", 0.0)
    monkeypatch.setattr(feig_link, "MIN_TIMEOUT_S", 0.02)
    monkeypatch.setattr(feig, "INVENTORY_TIMEOUT_S", 0.02)


def linked(reader: Reader) -> FeigLink:
    return FeigLink("seat", 0.0, lambda _path: cast("Serial", reader))


def opened(reader: Reader, circle: str = "across") -> FeigReader:
    chip = FeigReader(linked(reader), circle)
    chip.open(0.02)
    reader.sent.clear()
    return chip


def select(output: int) -> bytes:
    return request(0xBF, select_output(output))


def hexed(uids: Sequence[bytes]) -> tuple[str, ...]:
    return tuple(sorted(each.hex().upper() for each in uids))
