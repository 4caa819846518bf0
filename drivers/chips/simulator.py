"""Simulated PN532 readers on pseudo-terminals: a bank of them in one thread of its own.

A line is a wire (pty behind a stable symlink, byte times, faults) and a model (`sim_pn532`,
`field`), two objects. The bank's thread does everything; callers only change models under its
lock. It must keep a device's pace when told to, and must never answer a reader that is faulty.
"""

from __future__ import annotations

import errno
import heapq
import os
import pty
import random
import select
import threading
import time
import tty
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from drivers.chips.field import Antenna
from drivers.chips.frames import ACK, NACK, Cutter, payload
from drivers.chips.sim_faults import FaultyWire
from drivers.chips.sim_pn532 import AT_ONCE, DEVICE_TIMES, Pn532, RfTimes
from drivers.ports import CircleId

BYTE_S = 10 / 115200
_MOST_READ = 4096
_ASLEEP_BYTES = b"\x55"


def rf_times(pace: float) -> RfTimes:
    """``pace`` 1 is the device's, 0 answers at once; settling is a chip's own and is not stretched."""
    if not pace:
        return AT_ONCE
    at = DEVICE_TIMES
    return RfTimes(at.activation_s * pace, at.halt_s * pace, at.miss_s * pace, at.settle_s)


class Line:
    """One reader's wire: what has arrived, what is due to go out. Used under the bank's lock."""

    def __init__(self, link: Path | None, times: RfTimes, byte_s: float, seed: int) -> None:
        self.link = link
        self.antenna = Antenna(times.settle_s, random.Random(seed))
        self.chip = Pn532(self.antenna, times)
        self.wire = FaultyWire(seed)
        self.fd = -1
        self.generation = 0
        self._byte_s = byte_s
        self._cutter = Cutter()
        self._other = -1
        self._heard_until = 0.0
        self._said_until = 0.0
        self._last_answer = b""
        self.lost = 0

    def plug(self) -> None:
        """A new pseudo-terminal behind the same name; the chip has just got its power."""
        # The far end stays open here, so that a host that closes is no hang-up for us.
        self.fd, self._other = pty.openpty()
        tty.setraw(self._other)
        os.set_blocking(self.fd, False)
        self.chip.reset()
        self._cutter.reset()
        if self.link is not None:
            fresh = self.link.with_name(self.link.name + ".new")
            fresh.unlink(missing_ok=True)
            fresh.symlink_to(os.ttyname(self._other))
            fresh.replace(self.link)

    def attach(self, fd: int) -> None:
        """Use a serial port that somebody else opened, in place of a pseudo-terminal."""
        self.fd = fd
        os.set_blocking(fd, False)

    def unplug(self) -> None:
        self.generation += 1
        if self.link is not None:
            self.link.unlink(missing_ok=True)
        for fd in (self.fd, self._other):
            if fd >= 0:
                os.close(fd)
        self.fd = self._other = -1

    @property
    def path(self) -> str:
        if self.link is not None:
            return str(self.link)
        return os.ttyname(self._other) if self._other >= 0 else ""

    def arrival(self, count: int, now: float) -> float:
        """When the last of ``count`` bytes written now has crossed the wire."""
        self._heard_until = max(now, self._heard_until) + count * self._byte_s
        return self._heard_until

    def hear(self, data: bytes, now: float) -> list[tuple[float, bytes]]:
        """Bytes have crossed the wire: what goes out, and when."""
        if self.wire.deaf:
            return []
        if _ASLEEP_BYTES in data:
            self.chip.wake()
        if self.chip.asleep:
            return []
        out: list[tuple[float, bytes]] = []
        for whole in self._cutter.feed(data):
            out += self._obey(whole, now)
        return out

    def poll_again(self, now: float) -> list[tuple[float, bytes]]:
        """A chip was laid: a command that listens without end may have its answer now."""
        answer = self.chip.poll_again(now)
        return self._say(answer.frame, now + answer.after_s) if answer and answer.frame else []

    def _obey(self, whole: bytes, now: float) -> list[tuple[float, bytes]]:
        if whole == ACK:
            self.generation += 1
            self.chip.abort()
            return []
        if whole == NACK:
            return self._say(self._last_answer, now) if self._last_answer else []
        inner = payload(whole)
        if inner is None:
            return []  # UM0701-02, 6.2.1: a frame with a wrong checksum is not acknowledged
        self.generation += 1
        self._said_until = now
        out = self._say(ACK, now)
        answer = self.chip.execute(inner, now)
        if answer.frame:
            out += self._say(answer.frame, self._said_until + answer.after_s)
        return out

    def _say(self, data: bytes, begin: float) -> list[tuple[float, bytes]]:
        is_answer = data != ACK
        if is_answer:
            self._last_answer = data
        whole_at = max(begin, self._said_until) + len(data) * self._byte_s
        pieces = [(whole_at + delay, piece) for delay, piece in self.wire.send(data, is_answer)]
        # A frame in pieces holds the next one up, a late one does not make the chip slower.
        self._said_until = pieces[-1][0] if len(pieces) > 2 else whole_at
        return pieces

    def put(self, data: bytes) -> None:
        """Onto the wire; what the host does not fetch is lost, as on a real line."""
        try:
            self.lost += len(data) - os.write(self.fd, data)
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EIO):
                raise
            self.lost += len(data)


class ReaderBank:
    """Readers of a whole table. ``with ReaderBank(dir, circles, pace) as bank: ...``

    Every method may be called from any thread, an asyncio program's loop included.
    """

    def __init__(
        self, directory: Path, circles: Sequence[CircleId], pace: float = 1.0, seed: int = 0
    ) -> None:
        times, byte_s = rf_times(pace), BYTE_S * pace
        self._lock = threading.Lock()
        self._lines = {
            circle: Line(directory / f"reader-{circle[0]}-{circle[1]}", times, byte_s, seed * 1000 + number)
            for number, circle in enumerate(circles)
        }
        self._loop = BankLoop(self._lock)
        self._directory = directory

    # ------------------------------------------------------------------- life

    def start(self) -> None:
        self._directory.mkdir(parents=True, exist_ok=True)
        with self._lock:
            for line in self._lines.values():
                line.plug()
                self._loop.add(line)
        self._loop.start()

    def stop(self) -> None:
        self._loop.stop()
        with self._lock:
            for line in self._lines.values():
                line.unplug()

    def __enter__(self) -> ReaderBank:
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
        """Exactly these chips lie in the circle; the same UID twice is two chips."""
        with self._lock:
            line = self._lines[circle]
            line.antenna.set_chips([bytes.fromhex(uid) for uid in uids], time.monotonic())
            self._loop.poll_again(line)

    def lay(self, circle: CircleId, uid: str, ignores_halt: bool = False) -> None:
        with self._lock:
            line = self._lines[circle]
            line.antenna.lay(bytes.fromhex(uid), time.monotonic(), ignores_halt)
            self._loop.poll_again(line)

    def take(self, circle: CircleId, uid: str) -> bool:
        with self._lock:
            return self._lines[circle].antenna.take(bytes.fromhex(uid))

    def chips(self, circle: CircleId) -> tuple[str, ...]:
        with self._lock:
            return tuple(uid.hex().upper() for uid in self._lines[circle].antenna.uids())

    def fault(self, circle: CircleId, kind: str) -> None:
        """One of `sim_faults.VERBS`."""
        with self._lock:
            line = self._lines[circle]
            line.wire.set(kind)
            if kind == "unplug" and line.fd >= 0:
                self._loop.remove(line)
                line.unplug()
            elif kind != "unplug" and line.fd < 0:
                line.plug()
                self._loop.add(line)

    def clear(self, circle: CircleId) -> None:
        self.fault(circle, "clear")


class BankLoop:
    """The bank's thread: waits for bytes and for the next thing that is due, whichever is first.

    ``select`` over an epoll descriptor, because epoll's own timeout counts whole milliseconds.
    """

    def __init__(self, lock: threading.Lock) -> None:
        self._lock = lock
        self._lines: dict[int, Line] = {}
        self._due: list[tuple[float, int, Line, int, bool, bytes]] = []
        self._number = 0
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="readers-simulated", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        with self._lock:
            self._stopping = True
            self._wake()
        self._thread.join()
        self._epoll.close()
        os.close(self._bell)

    def add(self, line: Line) -> None:
        if not hasattr(self, "_epoll"):
            self._epoll = select.epoll()
            self._bell = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
            self._epoll.register(self._bell, select.EPOLLIN)
        self._lines[line.fd] = line
        self._epoll.register(line.fd, select.EPOLLIN)

    def remove(self, line: Line) -> None:
        self._epoll.unregister(line.fd)
        del self._lines[line.fd]

    def poll_again(self, line: Line) -> None:
        self._queue(line, line.poll_again(time.monotonic()))
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
                data = os.read(fd, _MOST_READ)
            except BlockingIOError:
                continue
            now = time.monotonic()
            at = line.arrival(len(data), now)
            if at > now:
                self._push(at, line, True, data)
            else:
                self._queue(line, line.hear(data, now))

    def _deliver(self) -> None:
        now = time.monotonic()
        while self._due and self._due[0][0] <= now:
            at, _, line, generation, heard, data = heapq.heappop(self._due)
            if line.fd < 0:
                continue
            if heard:
                self._queue(line, line.hear(data, at))
            elif generation == line.generation:
                line.put(data)

    def _queue(self, line: Line, out: list[tuple[float, bytes]]) -> None:
        now = time.monotonic()
        if out and out[-1][0] <= now:
            line.put(b"".join(data for _, data in out))
            return
        for at, data in out:
            self._push(at, line, False, data)

    def _push(self, at: float, line: Line, heard: bool, data: bytes) -> None:
        self._number += 1
        heapq.heappush(self._due, (at, self._number, line, line.generation, heard, data))

    def _wake(self) -> None:
        os.eventfd_write(self._bell, 1)
