"""Simulated PN532s on a seat board's SPI bus: their pins, on the model in `pn532.py`.

UM0701-02, 6.2.5: a transaction begins with a direction byte, every byte has its lowest bit first, IRQ is
low while data are available. A byte takes eight periods of the clock that the board has set. A chip must do
no more than a real one: in reset it does not answer and its field is off, it listens only some time later, it
understands no clock over 5 MHz, and data not read before the next command are lost.
"""

from __future__ import annotations

import random
import time
from collections import deque
from functools import reduce
from operator import and_
from threading import Lock

from drivers.chips.frames import ACK, NACK, Cutter, payload
from drivers.chips.sim.faults import FaultyWire
from drivers.chips.sim.field import Antenna
from drivers.chips.sim.pn532 import Pn532, RfTimes

WAKE_S = 0.002
"""Time from reset until the chip listens."""
COMMAND_S = 0.002
"""Time that CircuitPython on an RP2040 takes for one command, in both directions: calculated, not
measured."""
POWER_ON_HZ = 250_000
"""Clock of CircuitPython's busio.SPI until `configure` (ports/raspberrypi/common-hal/busio/SPI.c)."""
MAX_HZ = 5_000_000
"""Highest clock of a PN532 (data sheet, SPI timing)."""
_STATUS, _WRITE, _READ = 0x40, 0x80, 0xC0
_REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


class Pin:
    """An output of the board, with the interface of digitalio."""

    def __init__(self) -> None:
        self.value = True

    def switch_to_output(self, value: bool = False) -> None:
        self.value = value


class SpiChip:
    """One PN532 with its chip select, IRQ and RSTPDN; used by the board's thread only."""

    def __init__(self, times: RfTimes, pace: float, seed: int, lock: Lock) -> None:
        self.select = Pin()
        self.antenna = Antenna(times.settle_s, random.Random(seed))
        self.wire = FaultyWire(seed)
        self.last_frames = (b"", b"")
        self._chip = Pn532(self.antenna, times)
        self._command_s = COMMAND_S * pace
        self._cutter = Cutter()
        self._lock = lock
        self._out: deque[tuple[float, bytes]] = deque()
        self._last_answer = b""
        self._listens_at = float("inf")

    def reset(self, held: bool) -> None:
        """Set RSTPDN; `held` keeps the chip in reset."""
        now = time.monotonic()
        with self._lock:
            self.antenna.switch(False, now)
            self._chip.reset()
            self._cutter.reset()
            self._out.clear()
            self._listens_at = float("inf") if held else now + WAKE_S

    def wait_low(self, seconds: float) -> bool:
        """Return whether IRQ fell within that time."""
        left = self._out[0][0] - time.monotonic() if self._out else seconds
        ready = bool(self._out) and left <= seconds
        if (pause := left if ready else seconds) > 0:
            time.sleep(pause)
        return ready

    def transfer(self, out: bytes) -> bytes:
        """Return the bytes received while `out` is sent, in one transaction."""
        now = time.monotonic()
        with self._lock:
            if now < self._listens_at or self.wire.deaf:
                return b"\xff" * len(out)
            ready = bool(self._out) and self._out[0][0] <= now
            back = bytes((0xFF,))
            if out[0] == _STATUS:
                back += bytes((_REVERSED[ready],))
            elif out[0] == _WRITE:
                self._receive(bytes(_REVERSED[byte] for byte in out[1:]), now)
            elif out[0] == _READ and ready:
                back += bytes(_REVERSED[byte] for byte in self._out.popleft()[1])
        return back.ljust(len(out), b"\x00")[: len(out)]

    def _receive(self, data: bytes, now: float) -> None:
        for whole in self._cutter.feed(data):
            self._out.clear()
            inner = payload(whole)
            if whole == ACK:
                self._chip.abort()
            elif whole == NACK:
                self._send(self._last_answer, now)
            elif inner is not None:
                self._send(ACK, now + self._command_s)
                answer = self._chip.execute(inner, now)
                self.last_frames = (whole, answer.frame or b"")
                if answer.frame:
                    self._last_answer = answer.frame
                    self._send(answer.frame, now + self._command_s + answer.after_s)

    def _send(self, data: bytes, at: float) -> None:
        pieces = self.wire.send(data, data != ACK)
        if pieces:
            self._out.append((at + pieces[-1][0], b"".join(piece for _, piece in pieces)))


class SpiBus:
    """The bus, with the interface of busio.SPI: each selected chip receives the bytes written.

    `pace`: 1 takes the time of the wire, 0 none.
    """

    def __init__(self, chips: list[SpiChip], pace: float = 0.0) -> None:
        self._chips = chips
        self._pace = pace
        self.baudrate = POWER_ON_HZ

    def try_lock(self) -> bool:
        return True

    def unlock(self) -> None: ...

    def configure(self, *, baudrate: int, polarity: int = 0, phase: int = 0) -> None:
        if polarity or phase:
            raise ValueError("a PN532 takes SPI in mode 0 only")
        self.baudrate = baudrate

    def write(self, data: bytes) -> None:
        self._transfer(bytes(data))

    def write_readinto(self, out: bytes, back: bytearray) -> None:
        back[:] = self._transfer(bytes(out))

    def _transfer(self, out: bytes) -> bytes:
        """Return the bytes received. Two chips selected at once overwrite each other, as on a real bus."""
        if self._pace:
            time.sleep(8 * len(out) / self.baudrate * self._pace)
        understood = self.baudrate <= MAX_HZ
        backs = [chip.transfer(out) for chip in self._chips if understood and not chip.select.value]
        return (
            bytes(reduce(and_, column) for column in zip(*backs, strict=True))
            if backs
            else b"\xff" * len(out)
        )
