"""The serial line (UART) to one PN532 as the port object with four members that ``PN532_UART`` needs.

It returns only complete frames, waits in the kernel instead of the library's 10 ms sleeps, and turns every
failure of a line into `LineError`. Silence must never look like an answer: after the timeout of `expect` it
raises, and after `close` always.
"""

from __future__ import annotations

import select
import termios
import time
from collections import deque
from typing import TYPE_CHECKING

from drivers.chips.frames import Cutter
from drivers.chips.reader import Garbled, LineError, NoAnswer
from drivers.chips.serial_line import open_serial, read_from, set_low_latency, write_to

if TYPE_CHECKING:
    from serial import Serial

_BAUD = 115200
SLICE_S = 0.02
"""Maximum time of one wait in `in_waiting`, so that closing is noticed."""
_MAX_FRAMES = 8
_READ_BYTES = 512


class FramePort:
    """A frame-aware port on an open pyserial ``Serial`` (timeout=0, write_timeout=0).

    Used by one thread; only `cancel` may be called from another.
    """

    def __init__(self, serial: Serial, name: str) -> None:
        self.name = name
        self._serial = serial
        self._poll = select.poll()
        self._poll.register(serial.fileno(), select.POLLIN)
        self._cutter = Cutter()
        self._frames: deque[bytes] = deque(maxlen=_MAX_FRAMES)
        self._deadline: float | None = None
        self._noise_before = 0
        self._max_timeout_s = float("inf")
        self._closing = False
        self.stale = 0

    @classmethod
    def open(cls, path: str) -> FramePort:
        """Open ``path`` for this program alone. Raises LineError if it cannot be opened."""
        line = open_serial(path, _BAUD)
        try:
            return cls(line, path)
        except (OSError, ValueError) as error:
            line.close()
            raise LineError(f"{path}: {error}") from error

    def low_latency(self) -> bool:
        """Ask the driver not to delay short answers, as an FTDI does by 16 ms. Returns False if it cannot."""
        return set_low_latency(self._serial)

    def expect(self, timeout_s: float) -> None:
        """Require the next frame within ``timeout_s``; after that `NoAnswer` or `Garbled` is raised."""
        self._noise_before = self._cutter.noise
        self._deadline = time.monotonic() + min(timeout_s, self._max_timeout_s)

    @property
    def noise(self) -> int:
        return self._cutter.noise

    # ------------------------------------------------- the four members of PN532_UART

    @property
    def in_waiting(self) -> int:
        """Size of the next complete frame; waits up to `SLICE_S` for it."""
        if not self._frames:
            self._listen()
        return len(self._frames[0]) if self._frames else 0

    def read(self, count: int) -> bytes:
        """Return exactly one frame, whatever the count (the library asks for 73 bytes)."""
        del count
        if not self._frames:
            self._listen()
        return self._frames.popleft() if self._frames else b""

    def write(self, data: bytes) -> int:
        self._check_open()
        return write_to(self._serial, self.name, data)

    def reset_input_buffer(self) -> None:
        """Drop late bytes that answer a command already given up."""
        self._check_open()
        try:
            waiting = self._serial.in_waiting
        except (OSError, termios.error, TypeError) as error:
            raise LineError(f"{self.name}: is gone: {error}") from error
        if waiting:
            self._pull()
        self.stale += len(self._frames)
        self._frames.clear()
        self._cutter.reset()
        self._noise_before = self._cutter.noise

    # --------------------------------------------------------------------- inside

    def close(self) -> None:
        self._closing = True
        self._serial.close()

    def cancel(self, timeout_s: float) -> None:
        """Shorten every wait, the present one included, to `timeout_s`, because the table stops."""
        self._max_timeout_s = timeout_s
        self._deadline = min(self._deadline or float("inf"), time.monotonic() + timeout_s)

    def _listen(self) -> None:
        end = time.monotonic() + SLICE_S
        if self._deadline is not None:
            end = min(end, self._deadline)
        left = 0.0
        while not self._frames and left >= 0:
            self._check_open()
            left = end - time.monotonic()
            try:
                # also polls after the deadline: bytes may have come while the process was suspended
                ready = self._poll.poll(max(0.0, left) * 1000)
            except (OSError, ValueError) as error:
                raise LineError(f"{self.name}: {error}") from error
            if ready:
                self._pull()
        if not self._frames:
            self._check_timeout()

    def _pull(self) -> None:
        """Read the kernel's buffer."""
        self._frames.extend(self._cutter.feed(read_from(self._serial, self.name, _READ_BYTES)))

    def _check_open(self) -> None:
        if self._closing:
            raise LineError(f"{self.name}: is closed")

    def _check_timeout(self) -> None:
        if self._deadline is None or time.monotonic() < self._deadline:
            return
        rubbish = self._cutter.noise - self._noise_before + self._cutter.pending
        if rubbish:
            raise Garbled(f"{self.name}: {rubbish} bytes came, but no whole frame")
        raise NoAnswer(f"{self.name}: no answer")
