"""One simulated seat board: the real firmware over simulated PN532s, on a pseudo-terminal.

It must answer no sooner than a real board, and leave no device name behind when it is unplugged.
"""

from __future__ import annotations

import os
import select
import threading
import time
import tty
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random

from drivers.chips.sim.bank_loop import QUIET_S, idle_answer_s
from drivers.chips.sim.board_spi import SpiBus, SpiChip
from drivers.chips.sim.faults import FaultyWire
from drivers.chips.sim.pn532 import RfTimes
from drivers.uart import open_pseudo_terminal
from hardware.seat_board.board import Board
from hardware.seat_board.reading import Reader
from hardware.seat_board.spi import SeatPn532

USB_S = 0.001
"""Duration of a USB frame: a request and its answer each wait this long for the bus."""
_READ_BYTES = 4096


class SimBoard:
    """A board with a reader for each circle, on its own thread. Callers change models under `lock`.

    `changed_at`: time of the last change at the table, monotonic. While it is quiet, an answer at pace 0 is
    delayed.
    """

    def __init__(
        self, link: Path, circles: Sequence[str], times: RfTimes, pace: float, seed: int, byte_s: float = 0.0
    ) -> None:
        """Create the board with its power on. `byte_s`: seconds per byte on RS-485; 0 for USB."""
        self.link = link
        self._byte_s = byte_s
        self.lock = threading.Lock()
        self.chips = {
            circle: SpiChip(times, pace, seed * 10 + number, self.lock)
            for number, circle in enumerate(circles)
        }
        self.wire = FaultyWire(seed)
        self.changed_at = time.monotonic()
        self._pace = pace
        self._idle_answer_s = idle_answer_s(pace)
        self._dice = Random(seed)
        self._bus = SpiBus(list(self.chips.values()), pace)
        self._fd = self._far = -1
        self._bell = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._thread: threading.Thread | None = None
        self._board = self._power_on()

    def _power_on(self) -> Board:
        """Return the board as it is just after power-on."""
        readers = {
            circle: Reader(partial(self._connect, chip), chip.reset, _microseconds, time.sleep)
            for circle, chip in self.chips.items()
        }
        return Board(readers, self._send, _microseconds, "SIM", f"{self._dice.randrange(0x10000):04X}")

    def _connect(self, chip: SpiChip) -> SeatPn532:
        return SeatPn532(self._bus, chip.select, chip.wait_low, time.sleep)

    # ------------------------------------------------------------------- life

    def plug(self) -> None:
        """Create a new pseudo-terminal behind the same name."""
        # The far end stays open here, so that a host that closes it causes no hang-up.
        self._fd, self._far = open_pseudo_terminal()
        tty.setraw(self._far)
        os.set_blocking(self._fd, False)
        self.link.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.link.with_name(self.link.name + ".new")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(os.ttyname(self._far))
        fresh.replace(self.link)
        self._board = self._power_on()
        self._thread = threading.Thread(target=self._run, name=self.link.name, daemon=True)
        self._thread.start()

    def unplug(self) -> None:
        thread, self._thread = self._thread, None
        if thread is None:
            return
        os.eventfd_write(self._bell, 1)
        thread.join()
        os.eventfd_read(self._bell)
        self.link.unlink(missing_ok=True)
        os.close(self._fd)
        os.close(self._far)

    def close(self) -> None:
        self.unplug()
        os.close(self._bell)

    @property
    def plugged(self) -> bool:
        return self._thread is not None

    def restart(self) -> None:
        """Restart the board as after a loss of power that did not affect its line."""
        self._board = self._power_on()

    def fault(self, kind: str) -> None:
        """Apply a fault to the board itself, one of `faults.VERBS`; `clear` also restores its power."""
        self.wire.set(kind)
        if kind == "unplug":
            self.unplug()
        elif not self.plugged:
            self.plug()

    # ------------------------------------------------------------------ the thread

    def _run(self) -> None:
        poll = select.poll()
        poll.register(self._fd, select.POLLIN)
        poll.register(self._bell, select.POLLIN)
        while True:
            if self._bell in {fd for fd, _ in poll.poll()}:
                return
            with suppress(BlockingIOError):
                data = os.read(self._fd, _READ_BYTES)
                if not self.wire.deaf:
                    quiet = time.monotonic() - self.changed_at > QUIET_S
                    time.sleep(self._transit_s(data) + (self._idle_answer_s if quiet else 0.0))
                    self._board.receive(data)

    def _transit_s(self, data: bytes) -> float:
        """Return the time that these bytes take on the line. RS-485 has one pair for each direction, so there
        is no turn-around time."""
        return (len(data) * self._byte_s or USB_S) * self._pace

    def _send(self, data: bytes) -> None:
        """Write to the line; bytes that the host does not read are lost."""
        time.sleep(self._transit_s(data))
        elapsed = 0.0
        for delay, piece in self.wire.send(data, is_answer=True):
            time.sleep(max(0.0, delay - elapsed))
            elapsed = delay
            with suppress(BlockingIOError):
                os.write(self._fd, piece)


def _microseconds() -> int:
    return time.monotonic_ns() // 1000
