"""The wire of one simulated PN532: a pseudo-terminal behind a stable name, byte times, faults.

It maps bytes and times to bytes and times; the bank's thread (`simulator`) waits. A reader must take as
long as its bytes take, and leave no device name behind when it is unplugged.
"""

from __future__ import annotations

import errno
import os
import pty
import random
import tty
from pathlib import Path

from drivers.chips.frames import ACK, NACK, Cutter, payload
from drivers.chips.sim.faults import FaultyWire
from drivers.chips.sim.field import Antenna
from drivers.chips.sim.pn532 import Pn532, RfTimes
from drivers.uart import BITS, across, baud, set_baud

BAUD = 115200
BYTE_S = BITS / BAUD
_WAKE_UP = 0x55


class Line:
    """One reader's wire, with the bytes received and those due to be sent. Used under the bank's lock."""

    def __init__(self, link: Path | None, times: RfTimes, byte_s: float, seed: int) -> None:
        self.link = link
        self.antenna = Antenna(times.settle_s, random.Random(seed))
        self.chip = Pn532(self.antenna, times)
        self.wire = FaultyWire(seed)
        self.fd = -1
        self.name = ""
        self.generation = 0
        self._byte_s = byte_s
        self._cutter = Cutter()
        self._other = -1
        self._received_until = 0.0
        self._sent_until = 0.0
        self._last_answer = b""
        self._last_command = b""
        self.lost = 0

    def plug(self) -> None:
        """Create a new pseudo-terminal behind the same name, with the chip just after power-on."""
        # The far end stays open here, so that a host that closes it causes no hang-up.
        self.fd, self._other = pty.openpty()
        tty.setraw(self._other)
        set_baud(self._other, BAUD)
        os.set_blocking(self.fd, False)
        self.chip.reset()
        self._cutter.reset()
        if self.link is not None:
            fresh = self.link.with_name(self.link.name + ".new")
            fresh.unlink(missing_ok=True)
            fresh.symlink_to(os.ttyname(self._other))
            fresh.replace(self.link)

    def attach(self, fd: int, name: str) -> None:
        """Use a real serial port that the caller has opened; its bytes take their own time."""
        self.fd = fd
        self.name = name
        self._byte_s = 0.0
        os.set_blocking(fd, False)

    def unplug(self) -> None:
        """Close the pseudo-terminal, a hang-up for the host. A real port is released and stays open."""
        self.generation += 1
        if self.name:
            self.fd = -1
            return
        if self.link is not None:
            self.link.unlink(missing_ok=True)
        for fd in (self.fd, self._other):
            if fd >= 0:
                os.close(fd)
        self.fd = self._other = -1

    @property
    def path(self) -> str:
        if self.link is not None and not self.name:
            return str(self.link)
        return self.name or (os.ttyname(self._other) if self._other >= 0 else "")

    @property
    def last_frames(self) -> tuple[bytes, bytes]:
        """Last command received and last answer, as complete frames."""
        return self._last_command, self._last_answer

    def arrival(self, count: int, now: float) -> float:
        """Return the time at which the last of ``count`` bytes written now has crossed the wire."""
        self._received_until = max(now, self._received_until) + count * self._byte_s
        return self._received_until

    def receive(self, data: bytes, now: float) -> list[tuple[float, bytes]]:
        """Take bytes that have crossed the wire; return the bytes to send with their times."""
        if self.wire.deaf:
            return []
        if _WAKE_UP in data:
            self.chip.wake()
        if self.chip.asleep:
            return []
        out: list[tuple[float, bytes]] = []
        for whole in self._cutter.feed(across(data, self._host_baud(), BAUD)):
            out += self._execute(whole, now)
        return out

    def poll_again(self, now: float) -> list[tuple[float, bytes]]:
        """Return the answer of a command that waits for a chip, after a chip was laid."""
        answer = self.chip.poll_again(now)
        return self._send(answer.frame, now + answer.after_s) if answer and answer.frame else []

    def _execute(self, whole: bytes, now: float) -> list[tuple[float, bytes]]:
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

    def _send(self, data: bytes, begin: float) -> list[tuple[float, bytes]]:
        is_answer = data != ACK
        if is_answer:
            self._last_answer = data
        whole_at = max(begin, self._sent_until) + len(data) * self._byte_s
        pieces = [(whole_at + delay, piece) for delay, piece in self.wire.send(data, is_answer)]
        # A frame in pieces delays the next one; a late frame does not make the chip slower.
        self._sent_until = pieces[-1][0] if len(pieces) > 2 else whole_at
        return pieces

    def _host_baud(self) -> int:
        """Return the speed that the host has set on the pseudo-terminal; a real port sees to its own."""
        return BAUD if self._other < 0 else baud(self._other)

    def put(self, data: bytes) -> None:
        """Write to the line; bytes that the host does not read are lost, as on a real line."""
        data = across(data, BAUD, self._host_baud())
        try:
            self.lost += len(data) - os.write(self.fd, data)
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EIO):
                raise
            self.lost += len(data)
