"""The wire of one simulated reader: a pseudo-terminal behind a stable name, byte times, faults.

It maps bytes and times to bytes and times; the bank's thread (`bank_loop`) waits. A reader must take as
long as its bytes take, and leave no device name behind when it is unplugged.
"""

from __future__ import annotations

import errno
import os
import tty
from abc import ABC, abstractmethod
from pathlib import Path
from typing import TypeAlias

from drivers.chips.sim.faults import FaultyWire
from drivers.uart import Parity, across, baud, open_pseudo_terminal, set_baud

TimedBytes: TypeAlias = list[tuple[float, bytes]]
"""Bytes to send, each piece with its time."""


class PtyLine(ABC):
    """One reader's wire, with the bytes received and those due to be sent. Used under the bank's lock."""

    def __init__(self, link: Path | None, wire: FaultyWire, baud: int, byte_s: float) -> None:
        self.link = link
        self.wire = wire
        self.fd = -1
        self.name = ""
        self.generation = 0
        self.lost = 0
        self.baud = baud
        self.host_parity: Parity = ""
        """Parity that the host is assumed to use, because a pseudo-terminal does not store it."""
        self.parity: Parity = ""
        self._usual_baud = baud
        self._byte_s = byte_s
        self._other = -1
        self._received_until = 0.0
        self._sent_until = 0.0
        self._last_answer = b""
        self._last_command = b""

    @abstractmethod
    def power_on(self) -> None:
        """Put the device into its state just after power-on."""

    @abstractmethod
    def receive(self, data: bytes, now: float) -> TimedBytes:
        """Take bytes that have crossed the wire; return the bytes to send with their times."""

    def poll_again(self, now: float) -> TimedBytes:
        """Return the answer of a command that waits for a chip, after a chip was laid."""
        return []

    def plug(self) -> None:
        """Create a new pseudo-terminal behind the same name, with the device just after power-on."""
        # The far end stays open here, so that a host that closes it causes no hang-up.
        self.fd, self._other = open_pseudo_terminal()
        tty.setraw(self._other)
        set_baud(self._other, self._usual_baud)
        os.set_blocking(self.fd, False)
        self.power_on()
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

    def _host_baud(self) -> int:
        """Return the speed that the host has set on the pseudo-terminal; on a real port, the usual one."""
        return self._usual_baud if self._other < 0 else baud(self._other)

    def to_device(self, data: bytes) -> bytes:
        """Return the bytes that the device's UART receives when the host sends `data`."""
        return across(data, self._host_baud(), self.baud, self.host_parity, self.parity)

    def put(self, data: bytes) -> None:
        """Write to the line; bytes that the host does not read are lost, as on a real line."""
        data = across(data, self.baud, self._host_baud(), self.parity, self.host_parity)
        try:
            self.lost += len(data) - os.write(self.fd, data)
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EIO):
                raise
            self.lost += len(data)
