"""The thread of a bank of simulated readers: waits for bytes or for the next due output.

It must keep a device's pace if requested, and stay cheap: forty-two readers share one thread.
"""

from __future__ import annotations

import heapq
import os
import select
import threading
import time
from contextlib import suppress

from drivers.chips.sim.pty_line import PtyLine

_READ_BYTES = 4096
QUIET_S = 0.3
"""Seconds without a change after which a bank counts as quiet."""
IDLE_ANSWER_S = 0.01
"""Delay of an answer of a quiet bank at pace 0. Without it an idle table would occupy two processors."""


def idle_answer_s(pace: float) -> float:
    return 0.0 if pace else IDLE_ANSWER_S


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
        if self._thread.ident is not None:
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
        """Send the answer to a command that waits for a chip. Call it under the lock, from any thread."""
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
            at, _, line, generation, is_request, data = heapq.heappop(self._due)
            if line.fd < 0:
                continue
            if is_request:
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

    def _push(self, at: float, line: PtyLine, is_request: bool, data: bytes) -> None:
        self._number += 1
        heapq.heappush(self._due, (at, self._number, line, line.generation, is_request, data))

    def _wake(self) -> None:
        os.eventfd_write(self._bell, 1)
