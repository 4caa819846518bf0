"""Readers without a serial line: the drivers' own code with recorded answers of a device.

The count does not include the kernel, which does most of the work of a serial line.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, cast

from controller.table.engine.engine import Engine
from drivers.chips.board_frames import decode_frame, encode_frame
from drivers.chips.board_link import BoardLink
from drivers.chips.feig import OUTPUT_OF, FeigReader
from drivers.chips.feig_frames import HOST_COMMAND, TRANSPARENT
from drivers.chips.feig_link import FeigLink
from drivers.chips.kinds import FEIG
from drivers.chips.pn532 import Pn532
from drivers.chips.port import FramePort
from drivers.chips.reader import CircleReader, ReaderChip
from drivers.chips.reading_order import Quick
from drivers.chips.schedule import Schedule
from drivers.chips.seat_board import BoardReader
from drivers.chips.sim.feig_frames import RequestCutter
from drivers.chips.sim.feig_frames import encode_answer as encode_feig
from drivers.chips.sim.feig_reader import FeigReader as FeigDevice
from drivers.chips.sim.line import Pn532Line
from drivers.chips.sim.pn532 import INSTANT_TIMES
from drivers.ports import CircleId

if TYPE_CHECKING:
    from serial import Serial

CIRCLE: CircleId = (6, "five_card_bonus")
FEIG_UIDS = ("E004015000000001", "E004015000000002", "E004015000000003")
LOOK = Quick(FEIG_UIDS, alone=False, address=FEIG_UIDS[:2])
"""Quick look of a FEIG reader that confirms the chips of a stack, in its turn among other circles."""
UIDS = ("04AABBCCDD0001", "04AABBCCDD0002", "04AABBCCDD0003")
SET_UP = 5
"""Number of writes by which a reader is opened: a wake-up, then four commands."""
INVENTORY = 1 + 2 * len(UIDS) + 1 + 1
"""Number of writes of one inventory: field on, a list and a halt for each chip, a list that finds none, field
off."""


class Answers:
    """Serial port in place of a device: a subclass's `reply` gives the answer to each write of the driver."""

    baudrate = 115200

    def __init__(self) -> None:
        self._near, self._far = socket.socketpair()
        self._near.setblocking(False)
        self.in_waiting = 0

    def fileno(self) -> int:
        return self._near.fileno()

    def read(self, count: int) -> bytes:
        try:
            return os.read(self._near.fileno(), count)
        except BlockingIOError:
            return b""

    def write(self, data: bytes) -> int:
        os.write(self._far.fileno(), self.reply(bytes(data)))
        return len(data)

    def reply(self, data: bytes) -> bytes:
        raise NotImplementedError

    def set_low_latency_mode(self, _on: bool) -> None: ...

    def close(self) -> None:
        self._near.close()
        self._far.close()


class SingleAnswers(Answers):
    """Answers of a PN532 with three chips. From its second inventory on it repeats those of the first."""

    def __init__(self) -> None:
        super().__init__()
        self._line = Pn532Line(None, INSTANT_TIMES, 0.0, 1)
        self._line.antenna.set_chips([bytes.fromhex(uid) for uid in UIDS], 0.0)
        self._recorded: list[bytes] = []
        self._told = 0
        """Answers given since the set-up; the first inventory is recorded."""

    def reply(self, data: bytes) -> bytes:
        if self._told < SET_UP + INVENTORY:
            answer = b"".join(piece for _, piece in self._line.receive(data, time.monotonic()))
            self._recorded.append(answer)
        else:
            answer = self._recorded[SET_UP + (self._told - SET_UP) % INVENTORY]
        self._told += 1
        return answer


class BoardAnswers(Answers):
    """Answers of a seat board with three chips in each circle."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[bytes, bytes] = {}

    def reply(self, data: bytes) -> bytes:
        if data not in self._known:
            self._known[data] = self._answer(data)
        return self._known[data]

    @staticmethod
    def _answer(data: bytes) -> bytes:
        request = decode_frame(data.rstrip())
        if request is None:
            raise ValueError(f"no frame: {data!r}")
        fields: Sequence[str] = {
            "HELLO": ("WELCOME", "1", "CCT-SEAT", "0001", "1.0", "AB12", "7"),
            "SETUP": ("READY", CIRCLE[1], "PN532 1.6"),
            "READ": ("CHIPS", CIRCLE[1], "3", "90", " ".join(UIDS)),
        }[request.kind]
        return encode_frame(request.number, *fields)


class FeigAnswers(Answers):
    """Answers of a FEIG reader with its multiplexer and three chips. Each command gets the answer that it got
    first."""

    def __init__(self) -> None:
        super().__init__()
        self._device = FeigDevice(Random(1), 0.0, self.baudrate)
        antenna = self._device.antennas[OUTPUT_OF[CIRCLE[1]]]
        antenna.set_chips([bytes.fromhex(uid) for uid in FEIG_UIDS], 0.0)
        self._known: dict[bytes, bytes] = {}

    def reply(self, data: bytes) -> bytes:
        if data not in self._known:
            (request,) = RequestCutter().feed(data, 0.0)
            reply = self._device.execute(request, 0.0)
            if reply is None:
                raise ValueError(f"no answer to {data.hex()}")
            answer = encode_feig(self._device.address, reply, request.advanced)
            if request.control not in (HOST_COMMAND, TRANSPARENT):
                return answer
            self._known[data] = answer
        return self._known[data]


def _chip(kind: str) -> ReaderChip:
    if kind == "seat_board":
        return BoardReader(BoardLink("board", lambda _path: cast("Serial", BoardAnswers())), CIRCLE[1], 0.0)
    if kind == FEIG:
        return FeigReader(FeigLink("feig", 0.0, lambda _path: cast("Serial", FeigAnswers())), CIRCLE[1])
    answers = cast("Serial", SingleAnswers())
    return Pn532("reader", 0.0, sleep=lambda _seconds: None, open_port=lambda path: FramePort(answers, path))


class Scan:
    """One reader with its schedule, and the engine that takes its readings, on one thread: with the scanner's
    own threads the counts would vary."""

    def __init__(self, kind: str, engine: Engine) -> None:
        """Open the reader. The drivers' clock is stopped, because a machine slowed by the counter would make
        every reader miss its timeout."""
        self._engine, self._monotonic = engine, time.monotonic
        time.monotonic = _standing
        self._schedule = Schedule([CIRCLE], "all")
        self._reader = CircleReader(CIRCLE, _chip(kind), time.monotonic)
        if not self._reader.open(1.0):
            raise RuntimeError(f"{kind}: {self._reader.why}")

    def read(self, times: int, quick: Quick | None = None) -> None:
        """Take `times` readings, or looks that confirm the chips of `quick`. Raises RuntimeError if one
        fails."""
        for _ in range(times):
            slot = self._schedule.next(0.0)
            (inventory,) = self._reader.look(quick)
            if inventory.answer != "chips" or inventory.confirmed is (quick is None):
                raise RuntimeError(f"{inventory}")
            self._schedule.done(slot, [inventory], 0.0, 0.0)
            self._engine.inbox.put_readings([inventory])
            self._engine.step()

    def stop(self) -> None:
        self._reader.close()
        time.monotonic = self._monotonic


def _standing() -> float:
    return 0.0
