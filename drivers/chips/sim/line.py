"""The wire of one simulated PN532: its frames in, its frames out, at the device's pace."""

from __future__ import annotations

import random
from pathlib import Path

from drivers.chips.frames import ACK, NACK, Cutter, payload
from drivers.chips.sim.faults import FaultyWire
from drivers.chips.sim.field import Antenna
from drivers.chips.sim.pn532 import Pn532, RfTimes
from drivers.chips.sim.pty_line import PtyLine, TimedBytes
from drivers.uart import BITS

PN532_BAUD = 115200
"""Speed of a PN532's line."""
BYTE_S = BITS / PN532_BAUD
_WAKE_UP = 0x55


class Pn532Line(PtyLine):
    """One PN532's wire, with the bytes received and those due to be sent. Used under the bank's lock."""

    def __init__(self, link: Path | None, times: RfTimes, byte_s: float, seed: int) -> None:
        super().__init__(link, FaultyWire(seed), PN532_BAUD, byte_s)
        self.antenna = Antenna(times.settle_s, random.Random(seed))
        self.chip = Pn532(self.antenna, times)
        self._cutter = Cutter()

    def power_on(self) -> None:
        self.chip.reset()
        self._cutter.reset()

    def receive(self, data: bytes, now: float) -> TimedBytes:
        if self.wire.deaf:
            return []
        if _WAKE_UP in data:
            self.chip.wake()
        if self.chip.asleep:
            return []
        out: TimedBytes = []
        for whole in self._cutter.feed(self.to_device(data)):
            out += self._execute(whole, now)
        return out

    def poll_again(self, now: float) -> TimedBytes:
        answer = self.chip.poll_again(now)
        return self._send(answer.frame, now + answer.after_s) if answer and answer.frame else []

    def _execute(self, whole: bytes, now: float) -> TimedBytes:
        if whole == ACK:
            self.generation += 1
            self.chip.abort()
            return []
        if whole == NACK:
            return self._send(self._last_answer, now) if self._last_answer else []
        inner = payload(whole)
        if inner is None:
            return []  # UM0701-02, 6.2.1: a frame with a wrong checksum is not acknowledged
        self.generation += 1
        self._last_command = whole
        self._sent_until = now
        out = self._send(ACK, now)
        answer = self.chip.execute(inner, now)
        if answer.frame:
            out += self._send(answer.frame, self._sent_until + answer.after_s)
        return out

    def _send(self, data: bytes, begin: float) -> TimedBytes:
        is_answer = data != ACK
        if is_answer:
            self._last_answer = data
        whole_at = max(begin, self._sent_until) + len(data) * self._byte_s
        pieces = [(whole_at + delay, piece) for delay, piece in self.wire.send(data, is_answer)]
        # A frame in pieces delays the next one; a late frame does not make the chip slower.
        self._sent_until = pieces[-1][0] if len(pieces) > 2 else whole_at
        return pieces
