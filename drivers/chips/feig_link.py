"""The connection to one FEIG reader: one request at a time, each answered by its address and control byte.

The seven circles of a seat share it (`feig.py`), from the seat's thread and the reconnect thread. The line
runs at the speed at which the reader answers. The link must never accept an answer that does not fit the
request. After such an answer it ends the reading: answers have no number, so the following ones could be late
too.
"""

from __future__ import annotations

import select
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from drivers.chips.feig_configuration import Setting, lost_setting, mark, prepare
from drivers.chips.feig_frames import (
    ANY_ADDRESS,
    DONE,
    RF_ON_OFF,
    RF_RESET,
    SOFTWARE_VERSION,
    STATUS,
    TRANSPARENT,
    Answer,
    AnswerSplitter,
    request,
    select_output,
)  # fmt: skip
from drivers.chips.reader import SHORT_TIMEOUT_S, Garbled, LineError, NoAnswer, Unreadable
from drivers.chips.serial_line import open_serial, read_from, set_low_latency, set_speed, write_to

if TYPE_CHECKING:
    from serial import Serial

BAUDS = (115200, 38400)
"""Speeds at which a reader is tried: the wanted one, and that of a reader as delivered."""
PARITY = "E"
SLOW = (
    "the reader's line runs at {baud} baud, and chips are known later than at {best}: set CFG1 byte 2 to 0A, "
    "save CFG1 alone in the reader's EEPROM, then switch the reader off and on (drivers/chips/FEIG.md, Speed)"
)
STARTING_DELAY_S = 0.005
"""Silence on the line, in seconds, that the reader needs before a request; the default of
`readers.settle_ms`.
"""
QUIET_S = 0.02
"""Seconds of silence before a request after a failed exchange: longer than the longest gap between the
characters of a frame.
"""
MIN_TIMEOUT_S = 0.1
"""Shortest timeout of a request: a transparent command alone may take 20 ms on the antenna side."""
REFUSED_S = 0.2
"""Pause after a failed opening, because seven circles try to open the reader one after the other."""


def open_reader(path: str) -> Serial:
    """Open a reader's port. Raises LineError if it cannot be opened."""
    line = open_serial(path, BAUDS[0], PARITY)
    set_low_latency(line)
    return line


class FeigLink:
    """Connection to one reader. All methods may be called from any thread; `call` only inside `turn`."""

    def __init__(
        self,
        path: str,
        starting_delay_s: float = STARTING_DELAY_S,
        open_port: Callable[[str], Serial] = open_reader,
    ) -> None:
        self.path = path
        self._starting_delay_s = starting_delay_s
        self.stale = 0
        """Number of answers that fitted no request."""
        self.firmware = ""
        self.waited_s: dict[str, float] = {}
        """Time in seconds that each circle has waited while the reader served other circles."""
        self._open_port = open_port
        self._lock = threading.Lock()
        self._serial: Serial | None = None
        self._poll = select.poll()
        self._answers = AnswerSplitter()
        self._users: set[str] = set()
        self._refused: tuple[float, Exception] | None = None
        self._max_timeout_s = float("inf")
        self._output: int | None = None
        self._baud = BAUDS[0]
        self._address = ANY_ADDRESS
        self._settings: tuple[Setting, ...] = ()
        """Settings that show whether the reader was restarted; empty if its address shows that."""
        self._failed = False

    @property
    def noise(self) -> int:
        return self._answers.noise

    @property
    def note(self) -> str:
        """Remark for the technician, or ""."""
        slow = self._baud != BAUDS[0] and self.firmware
        return SLOW.format(baud=self._baud, best=BAUDS[0]) if slow else ""

    def join(self, circle: str, output: int, timeout_s: float) -> None:
        """Register a user. On return the reader has the configuration of host mode and the multiplexer
        answers.

        Raises LineError or Unreadable.
        """
        with self.turn(circle):
            if self._serial is None:
                self._open(timeout_s)
            try:
                self.select(output, timeout_s)
            except Unreadable:
                if not self._users:
                    self._close()
                raise
            self._users.add(circle)

    def leave(self, circle: str) -> None:
        """Unregister a user. The last one switches the field off and closes the line."""
        with self._lock:
            if circle not in self._users:
                return
            self._users.discard(circle)
            if not self._users and self._serial is not None:
                with suppress(LineError, Unreadable):
                    self.call(RF_ON_OFF, b"\x00", MIN_TIMEOUT_S)
                self._close()

    def cancel(self) -> None:
        """Shorten every wait from now on to SHORT_TIMEOUT_S, because the table stops."""
        self._max_timeout_s = SHORT_TIMEOUT_S

    @contextmanager
    def turn(self, circle: str) -> Iterator[None]:
        """Reserve the reader for one reading. A lost line is closed for all circles."""
        started = time.monotonic()
        with self._lock:
            self.waited_s[circle] = self.waited_s.get(circle, 0.0) + time.monotonic() - started
            try:
                yield
            except Garbled:
                raise
            except LineError:
                self._close()
                raise

    def select(self, output: int, timeout_s: float, anew: bool = False) -> None:
        """Connect the reader to one of the multiplexer's outputs, unless it is connected already and no
        exchange has failed since. `anew`: connect it in any case, because a multiplexer that lost its supply
        is connected to none. Raises Unreadable if that fails."""
        if output == self._output and not self._failed and not anew:
            return
        self._output = None
        answer = self.call(TRANSPARENT, select_output(output), timeout_s)
        if answer.status != DONE:
            raise Unreadable(
                "the multiplexer does not answer: look at its supply and its cable to the reader "
                f"({status_text(answer.status)})"
            )
        if len(answer.data) != 4 or answer.data[:2] != b"\x00\x00":
            raise Unreadable(f"the multiplexer refuses output {output}: it says {answer.data.hex()}")
        self._output = output

    def reset_field(self, timeout_s: float) -> None:
        """Switch the field off for 15 ms, after which no chip is in the state Quiet. Raises Unreadable if
        that fails."""
        self.done(RF_RESET, b"", timeout_s)

    def done(self, control: int, data: bytes, timeout_s: float) -> bytes:
        """Return the data of an answer with status 00. Raises Unreadable on any other status."""
        answer = self.call(control, data, timeout_s)
        if answer.status != DONE:
            raise Unreadable(f"command {control:02X} failed: {status_text(answer.status)}")
        return answer.data

    def check(self, timeout_s: float) -> None:
        """Raise LineError if the reader has lost its configuration because it was restarted. A reader with a
        marked address is not asked, because it would not have answered after a restart."""
        fault = lost_setting(lambda control, data: self.call(control, data, timeout_s), self._settings)
        if fault:
            raise LineError(f"{self.path}: the reader was restarted: {fault}")

    def call(self, control: int, data: bytes, timeout_s: float) -> Answer:
        """Return the answer to a request. Raises NoAnswer, Garbled, or LineError if the line is gone."""
        timeout = min(max(timeout_s, MIN_TIMEOUT_S), self._max_timeout_s)
        self._clear()
        self._failed = True
        noise = self._answers.noise
        self._write(request(control, data, self._address))
        end = time.monotonic() + timeout
        answer = self._next(end)
        if answer is None:
            if self._answers.noise + self._answers.pending > noise:
                raise Garbled(f"{self.path}: bytes came, but no whole frame")
            raise NoAnswer(f"{self.path}: no answer")
        if answer.control != control or self._address not in (answer.address, ANY_ADDRESS):
            self.stale += 1
            raise Garbled(
                f"{self.path}: the answer is of reader {answer.address} to command {answer.control:02X}, "
                f"not of reader {self._address} to {control:02X}"
            )
        self._failed = False
        return answer

    # ----------------------------------------------------------------- inside, under the lock

    def _open(self, timeout_s: float) -> None:
        if self._refused is not None and time.monotonic() < self._refused[0]:
            raise self._refused[1]
        try:
            self._serial = self._open_port(self.path)
            self._poll = select.poll()
            self._poll.register(self._serial.fileno(), select.POLLIN)
            version = self._find(timeout_s)
            revision = f"{version[4:5].hex()} {version[:2].hex()}".upper()
            self.firmware = f"FEIG {revision} at {self._baud} baud"
            self._configure(timeout_s)
            self.done(RF_ON_OFF, b"\x01", timeout_s)
        except (LineError, Unreadable) as error:
            self._close()
            self._refused = (time.monotonic() + REFUSED_S, error)
            raise
        self._refused = None

    def _find(self, timeout_s: float) -> bytes:
        """Return the version of the reader, at the speed and address at which it answers. The speed at which
        it answered last is tried first. Raises NoAnswer or Garbled if it answers at none.
        """
        self._address = ANY_ADDRESS
        wrong: LineError | None = None
        for baud in sorted(BAUDS, key=lambda each: each != self._baud):
            set_speed(self._line(), self.path, baud)
            try:
                answer = self.call(SOFTWARE_VERSION, b"", timeout_s)
            except (NoAnswer, Garbled) as error:
                wrong = wrong or error
                continue
            if answer.status != DONE:
                raise Unreadable(f"no software version: {status_text(answer.status)}")
            self._baud, self._address = baud, answer.address
            return answer.data
        raise wrong or NoAnswer(f"{self.path}: no answer")

    def _configure(self, timeout_s: float) -> None:
        """Set the reader's configuration, and mark it so that a restart is noticed."""
        found = self._address
        self._settings = prepare(lambda control, data: self.call(control, data, timeout_s))
        self._address = ANY_ADDRESS  # the new address may be in the answer that acknowledges it
        address = mark(lambda control, data: self.call(control, data, timeout_s))
        self._address = found
        if address is None:
            return
        self._address = address
        try:
            self.done(SOFTWARE_VERSION, b"", timeout_s)
        except (NoAnswer, Garbled):
            self._address = found  # a reader that keeps its address until a reset
        else:
            self._settings = ()

    def _close(self) -> None:
        line, self._serial = self._serial, None
        self._output = None
        self._answers.reset()
        if line is not None:
            line.close()

    def _clear(self) -> None:
        """Drop received bytes until the line is quiet, so that no late answer looks like the next one."""
        quiet = QUIET_S if self._failed else self._starting_delay_s
        while self._poll.poll(quiet * 1000):
            self.stale += len(self._answers.feed(self._read()))
        self._answers.reset()

    def _next(self, end: float) -> Answer | None:
        """Return the next answer, or None at `end` (time.monotonic()) or after a broken one."""
        noise = self._answers.noise
        while True:
            left = end - time.monotonic()
            # also polls after the deadline: an answer may have come while the process was suspended
            if not self._poll.poll(max(0.0, left) * 1000):
                return None
            found = self._answers.feed(self._read())
            if found:
                self.stale += len(found) - 1
                return found[0]
            if self._answers.noise > noise:
                return None

    def _read(self) -> bytes:
        return read_from(self._line(), self.path)

    def _write(self, data: bytes) -> None:
        write_to(self._line(), self.path, data)

    def _line(self) -> Serial:
        if self._serial is None:
            raise LineError(f"{self.path}: the reader is lost")
        return self._serial


def status_text(status: int) -> str:
    """Return the text of a status."""
    return f"the reader says {status:02X}, {STATUS.get(status, 'which no page explains')}"
