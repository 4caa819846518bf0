"""Simulated PN532 readers on pseudo-terminals: a bank with one thread for all.

A reader is a wire (`line`) and a model (`pn532`, `field`). The bank's thread does all the work; callers
only change models under its lock. It must keep a device's pace if requested, and stay cheap: forty-two
readers share one thread.
"""

from __future__ import annotations

import heapq
import os
import select
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from drivers.chips.sim.line import BYTE_S, Line
from drivers.chips.sim.pn532 import DEVICE_TIMES, INSTANT_TIMES, RfTimes
from drivers.chips.sim.pty_line import PtyLine
from drivers.ports import CircleId

if TYPE_CHECKING:
    from serial import Serial

_READ_BYTES = 4096
QUIET_S, IDLE_ANSWER_S = 1.0, 0.01
"""A bank that answers at once waits `IDLE_ANSWER_S` with each answer once nothing has changed at it for
`QUIET_S`: a table that waits for people then leaves the processor to others."""


def rf_times(pace: float) -> RfTimes:
    """Return the radio times for ``pace``: 1 is the device's, 0 answers at once. Settling is not scaled."""
    if not pace:
        return INSTANT_TIMES
    at = DEVICE_TIMES
    return RfTimes(at.activation_s * pace, at.halt_s * pace, at.miss_s * pace, at.settle_s)


class ReaderBank:
    """Readers of an entire table: `with ReaderBank(dir, circles, pace) as bank`.

    Every method may be called from any thread, the loop of an asyncio program included; none waits.
    """

    def __init__(
        self, directory: Path, circles: Sequence[CircleId], pace: float = 1.0, seed: int = 0
    ) -> None:
        times, byte_s = rf_times(pace), BYTE_S * pace
        self._idle_answer_s = 0.0 if pace else IDLE_ANSWER_S
        self._lock = threading.Lock()
        self._lines = {
            circle: Line(directory / f"reader-{circle[0]}-{circle[1]}", times, byte_s, seed * 1000 + number)
            for number, circle in enumerate(circles)
        }
        self._loop: BankLoop | None = None
        self._port: Serial | None = None
        self._directory = directory

    # ------------------------------------------------------------------- life

    def start(self) -> None:
        self._directory.mkdir(parents=True, exist_ok=True)
        self._loop = BankLoop(self._lock, self._idle_answer_s)
        for line in self._lines.values():
            line.plug()
            self._loop.add(line)
        self._loop.start()

    def start_on(self, circle: CircleId, port: str) -> None:
        """Run one reader on a real serial port instead. Raises OSError if the port cannot be opened."""
        import serial

        self._port = serial.Serial(port, 115200, timeout=0, exclusive=True)
        line = self._lines[circle]
        line.attach(self._port.fileno(), port)
        self._loop = BankLoop(self._lock)
        self._loop.add(line)
        self._loop.start()

    def stop(self) -> None:
        loop, self._loop = self._loop, None
        if loop is not None:
            loop.stop()
        for line in self._lines.values():
            line.unplug()
        if self._port is not None:
            self._port.close()
            self._port = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    # ------------------------------------------------------------- chips and faults

    def paths(self) -> dict[CircleId, str]:
        return {circle: line.path for circle, line in self._lines.items()}

    def set_chips(self, circle: CircleId, uids: Iterable[str]) -> None:
        """Put exactly these chips in the circle; the same UID twice is two chips."""
        with self._changing():
            line = self._lines[circle]
            line.antenna.set_chips([bytes.fromhex(uid) for uid in uids], time.monotonic())
            self._answer_waiting(line)

    def lay(self, circle: CircleId, uid: str, ignores_halt: bool = False) -> None:
        with self._changing():
            line = self._lines[circle]
            line.antenna.lay(bytes.fromhex(uid), time.monotonic(), ignores_halt)
            self._answer_waiting(line)

    def take(self, circle: CircleId, uid: str) -> bool:
        with self._changing():
            return self._lines[circle].antenna.take(bytes.fromhex(uid))

    def chips(self, circle: CircleId) -> tuple[str, ...]:
        with self._lock:
            return tuple(uid.hex().upper() for uid in self._lines[circle].antenna.uids())

    def last_frames(self, circle: CircleId) -> tuple[bytes, bytes]:
        """Return the last command and answer on the reader's wire."""
        with self._lock:
            return self._lines[circle].last_frames

    def fault(self, circle: CircleId, kind: str) -> None:
        """Apply a fault, one of `faults.VERBS`."""
        with self._changing():
            line = self._lines[circle]
            line.wire.set(kind)
            if self._loop is None or line.name:
                return
            if kind == "unplug" and line.fd >= 0:
                self._loop.remove(line)
                line.unplug()
            elif kind != "unplug" and line.fd < 0:
                line.plug()
                self._loop.add(line)

    def clear(self, circle: CircleId) -> None:
        self.fault(circle, "clear")

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Hold the lock for a change, after which the bank is not quiet."""
        with self._lock:
            if self._loop is not None:
                self._loop.changed_at = time.monotonic()
            yield

    def _answer_waiting(self, line: Line) -> None:
        if self._loop is not None:
            self._loop.poll_again(line)


class BankLoop:
    """The bank's thread, which waits for bytes or for the next due output.

    ``select`` on an epoll descriptor, because epoll's own timeout has a resolution of 1 ms. `changed_at` is
    the time of the last change at the bank, monotonic.
    """

    def __init__(self, lock: threading.Lock, idle_answer_s: float = 0.0) -> None:
        self.changed_at = time.monotonic()
        self._idle_answer_s = idle_answer_s
        self._lock = lock
        self._epoll = select.epoll()
        self._bell = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._epoll.register(self._bell, select.EPOLLIN)
        self._lines: dict[int, PtyLine] = {}
        self._due: list[tuple[float, int, PtyLine, int, bool, bytes]] = []
        self._number = 0
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="readers-simulated", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping = True
        self._wake()
        self._thread.join()
        self._epoll.close()
        os.close(self._bell)

    def add(self, line: PtyLine) -> None:
        self._lines[line.fd] = line
        self._epoll.register(line.fd, select.EPOLLIN)

    def remove(self, line: PtyLine) -> None:
        self._epoll.unregister(line.fd)
        del self._lines[line.fd]

    def poll_again(self, line: PtyLine) -> None:
        """Answer a command that waits for a chip. Call it under the lock, from any thread."""
        out = line.poll_again(time.monotonic())
        if out:
            self._queue(line, out)
            self._wake()

    # ------------------------------------------------------------------ the thread

    def _run(self) -> None:
        handle = self._epoll.fileno()
        while not self._stopping:
            timeout = None
            if self._due:
                timeout = max(0.0, self._due[0][0] - time.monotonic())
            ready, _, _ = select.select([handle], [], [], timeout)
            with self._lock:
                if self._stopping:
                    return
                if ready:
                    self._receive()
                self._deliver()

    def _receive(self) -> None:
        for fd, _ in self._epoll.poll(0):
            if fd == self._bell:
                with suppress(BlockingIOError):
                    os.eventfd_read(fd)
                continue
            line = self._lines[fd]
            try:
                data = os.read(fd, _READ_BYTES)
            except BlockingIOError:
                continue
            except OSError:  # a real port whose adapter was removed
                self.remove(line)
                line.unplug()
                continue
            now = time.monotonic()
            quiet = now - self.changed_at > QUIET_S
            at = line.arrival(len(data), now + self._idle_answer_s if quiet else now)
            if at > now:
                self._push(at, line, True, data)
            else:
                self._queue(line, line.receive(data, now))

    def _deliver(self) -> None:
        now = time.monotonic()
        while self._due and self._due[0][0] <= now:
            at, _, line, generation, heard, data = heapq.heappop(self._due)
            if line.fd < 0:
                continue
            if heard:
                self._queue(line, line.receive(data, at))
            elif generation == line.generation:
                line.put(data)

    def _queue(self, line: PtyLine, out: list[tuple[float, bytes]]) -> None:
        now = time.monotonic()
        if out and out[-1][0] <= now:
            line.put(b"".join(data for _, data in out))
            return
        for at, data in out:
            self._push(at, line, False, data)

    def _push(self, at: float, line: PtyLine, heard: bool, data: bytes) -> None:
        self._number += 1
        heapq.heappush(self._due, (at, self._number, line, line.generation, heard, data))

    def _wake(self) -> None:
        os.eventfd_write(self._bell, 1)
