"""The connection to one seat board: one request at a time, repeated once after a timeout; an answer has the
request's number.

Seven readers share it (`seat_board.py`), from the seat's thread and the reconnect thread. The link must never
accept anything but the board's own answer, and raises if no answer comes in time. A lost board gets no
request before it has sent WELCOME again.
"""

from __future__ import annotations

import os
import select
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from drivers.chips.board_frames import Frame, Lines, encode_frame
from drivers.chips.reader import SHORT_TIMEOUT_S, Garbled, LineError, NoAnswer
from drivers.chips.serial_line import open_serial, read_from, write_to

if TYPE_CHECKING:
    from serial import Serial

_BAUD = 115200
PROTOCOL_VERSION = "1"
NAME = "crisscross"
WELCOME_FIELDS = 6
READ_TIMEOUT_S = 0.2
"""Timeout without any frame of the board, which sends BUSY every 50 ms while it works."""
BOARD_RETRY_S = 0.1
"""Time without a frame after which a request is sent again; the board never executes one twice."""
REFUSED_S = 0.2
"""Pause after a failed greeting, because seven readers try to open the board one after the other."""
MAX_TIMEOUT_S = 1.0
"""Maximum time for one request, even while the board is BUSY; the board's own limit is 0.6 s."""
_MAX_FRAMES = 16


def open_board(path: str) -> Serial:
    """Open a board's port. Raises LineError if it cannot be opened."""
    return open_serial(path, _BAUD)


class BoardLink:
    """Connection to one board. All methods may be called from any thread."""

    def __init__(self, path: str, open_port: Callable[[str], Serial] = open_board) -> None:
        self.path = path
        self.stale = 0
        """Number of answers that came too late or twice."""
        self._open_port = open_port
        self._lock = threading.Lock()
        self._serial: Serial | None = None
        self._poll = select.poll()
        self.waited_s: dict[str, float] = {}
        """Time in seconds that each circle has waited while the board served other circles."""
        self._lines = Lines()
        self._received: deque[Frame] = deque(maxlen=_MAX_FRAMES)
        self._number = os.urandom(1)[0]
        self._users: set[str] = set()
        self._refused: tuple[float, str] | None = None
        self._max_timeout_s = float("inf")

    @property
    def noise(self) -> int:
        return self._lines.noise

    def join(self, circle: str, timeout_s: float) -> None:
        """Register a user. On return the line is open and the board has greeted.

        Raises LineError if the board does not answer within `timeout_s`.
        """
        with self._lock:
            if self._serial is None:
                self._open(timeout_s)
            self._users.add(circle)

    def leave(self, circle: str) -> None:
        """Unregister a user. The last one closes the line."""
        with self._lock:
            self._users.discard(circle)
            if not self._users:
                self._close()

    def cancel(self) -> None:
        """Shorten every wait from now on to SHORT_TIMEOUT_S, because the table stops."""
        self._max_timeout_s = SHORT_TIMEOUT_S

    def ask(self, kind: str, circle: str, *fields: str) -> Frame:
        """Send a request and return the board's answer. Raises LineError if no answer comes; the line is then
        closed for all users."""
        started = time.monotonic()
        with self._lock:
            self.waited_s[circle] = self.waited_s.get(circle, 0.0) + time.monotonic() - started
            try:
                return self._ask(kind, (circle, *fields), READ_TIMEOUT_S)
            except LineError:
                self._close()
                raise

    # ----------------------------------------------------------------- inside, under the lock

    def _open(self, timeout_s: float) -> None:
        if self._refused is not None and time.monotonic() < self._refused[0]:
            raise LineError(self._refused[1])
        try:
            self._serial = self._open_port(self.path)
            self._poll = select.poll()
            self._poll.register(self._serial.fileno(), select.POLLIN)
            welcome = self._ask("HELLO", (PROTOCOL_VERSION, NAME), timeout_s)
            if (welcome.kind, welcome.fields[:1], len(welcome.fields)) != (
                "WELCOME",
                (PROTOCOL_VERSION,),
                WELCOME_FIELDS,
            ):
                raise Garbled(f"{self.path}: no seat board greets there")
        except LineError as error:
            self._close()
            self._refused = (time.monotonic() + REFUSED_S, str(error))
            raise
        self._refused = None

    def _close(self) -> None:
        line, self._serial = self._serial, None
        self._lines.reset()
        self._received.clear()
        if line is not None:
            line.close()

    def _ask(self, kind: str, fields: tuple[str, ...], timeout_s: float) -> Frame:
        """Send a request, repeat it if no frame comes, and wait as long as the board sends BUSY."""
        self._number = (self._number + 1) & 0xFF
        request, noise = encode_frame(self._number, kind, *fields), self._lines.noise
        self._write(request)
        received = begun = time.monotonic()
        repeated = False
        over = False
        while not over:
            now = time.monotonic()
            timeout = min(timeout_s, self._max_timeout_s)
            over = now - begun >= MAX_TIMEOUT_S or now - received >= timeout
            if not over and not repeated and now - received >= min(BOARD_RETRY_S, timeout / 2):
                self._write(request)
                repeated = True
            frame = self._next(received + (timeout if repeated else min(BOARD_RETRY_S, timeout / 2)) - now)
            if frame is None:
                continue
            if frame.kind == "KNOCK":
                raise LineError(f"{self.path}: the board was started anew")
            if frame.kind != "BUSY":
                return frame
            received = time.monotonic()
        if self._lines.noise + self._lines.pending > noise:
            raise Garbled(f"{self.path}: bytes came, but no whole frame")
        raise NoAnswer(f"{self.path}: no answer")

    def _next(self, seconds: float) -> Frame | None:
        """Return the next frame with the number of the last request, or None if none comes in time."""
        until = time.monotonic() + seconds
        while True:
            while self._received:
                frame = self._received.popleft()
                if frame.number == self._number:
                    return frame
                self.stale += 1
            left = until - time.monotonic()
            # also polls after the deadline: an answer may have come while the process was suspended
            if not self._poll.poll(max(0.0, left) * 1000):
                return None
            self._received.extend(self._lines.feed(self._read()))

    def _read(self) -> bytes:
        return read_from(self._line(), self.path)

    def _write(self, data: bytes) -> None:
        write_to(self._line(), self.path, data)

    def _line(self) -> Serial:
        if self._serial is None:
            raise LineError(f"{self.path}: the board is lost")
        return self._serial
