"""Seat board whose firmware runs without a line or a thread: bytes go in, bytes come out, over simulated
PN532s on its bus.
"""

from __future__ import annotations

import time
from functools import partial
from threading import Lock

from drivers.chips.board_frames import Frame, Lines, encode_frame
from drivers.chips.sim.board_spi import SpiBus, SpiChip
from drivers.chips.sim.pn532 import INSTANT_TIMES, RfTimes
from hardware.seat_board.board import Board
from hardware.seat_board.reading import Reader
from hardware.seat_board.spi import SeatPn532

CIRCLES = ("ante_across", "ante_down")
HELLO = ("HELLO", "1", "test")


class Seat:
    """A board with two readers."""

    def __init__(self, times: RfTimes = INSTANT_TIMES) -> None:
        self.chips = {name: SpiChip(times, 0.0, 1, Lock()) for name in CIRCLES}
        bus = SpiBus(list(self.chips.values()))
        self.readers = {
            name: Reader(
                partial(SeatPn532, bus, chip.select, chip.wait_low, time.sleep), chip.reset, now, time.sleep
            )
            for name, chip in self.chips.items()
        }
        self.sent: list[bytes] = []
        self.board = Board(self.readers, self.sent.append, now, "0001", "5F2C")
        self._number = 0

    def exchange(self, data: bytes) -> list[Frame]:
        """Give the board these bytes; return the frames with which it answers."""
        self.sent.clear()
        self.board.receive(data)
        return Lines().feed(b"".join(self.sent))

    def ask(self, kind: str, *fields: str) -> tuple[str, ...]:
        """Send a request with the next number; return type and fields of the last answer."""
        self._number += 1
        last = self.exchange(encode_frame(self._number, kind, *fields))[-1]
        assert last.number == self._number
        return last.kind, *last.fields

    def lay(self, circle: str, *uids: str) -> None:
        self.chips[circle].antenna.set_chips([bytes.fromhex(uid) for uid in uids], time.monotonic())

    def fields(self) -> list[str]:
        """Return the circles whose field is on."""
        return [name for name, chip in self.chips.items() if chip.antenna.on]


def ready() -> Seat:
    """Return a board that was greeted and whose readers are set up."""
    seat = Seat()
    seat.ask(*HELLO)
    for circle in CIRCLES:
        assert seat.ask("SETUP", circle, "0") == ("READY", circle, "PN532 1.6")
    return seat


def now() -> int:
    return time.monotonic_ns() // 1000
