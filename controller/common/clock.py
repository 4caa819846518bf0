"""Clock of the table: the only place in the program that reads the time.

Logic uses `ms`, which is monotonic and continues across restarts; records carry UTC. Setting the UTC clock
changes no order and no duration: if the system clock jumps, the jump is reported. Devices are timed with
`seconds()`, the plain monotonic clock, so that moving the table clock never looks like a silent device.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Protocol

from controller.game.model.events import Stamp

PLAUSIBLE_FROM = datetime(2024, 1, 1, tzinfo=UTC).timestamp()
"""Earliest plausible time: a machine without a battery-backed clock starts at an earlier date."""
PLAUSIBLE_PAUSE_S = 400 * 86_400
FAULT_S = 5.0
STEADY_S = 60.0
"""Time in seconds for which UTC and the monotonic clock must agree before the fault counts as over."""


class Clock(Protocol):
    """Clock of the engine. Tests and the mock without wires use a `ManualClock`."""

    def stamp(self) -> Stamp:
        """Return the current time of the table."""

    def seconds(self) -> float:
        """Return monotonic seconds, by which devices are timed. They never jump, unlike the table clock."""

    def table_ms(self, seconds: float) -> int:
        """Return a time of `seconds()` in ms of the table clock."""

    def fault(self) -> str | None:
        """Return the fault while UTC and the monotonic clock disagree, else None."""


def utc_text(timestamp: float) -> str:
    """Return ISO 8601 with milliseconds, the form of the round record."""
    text = datetime.fromtimestamp(timestamp, UTC).isoformat(timespec="milliseconds")
    return text.removesuffix("+00:00") + "Z"


def utc_now() -> str:
    """Return the current UTC for data outside a table, such as a trainee's book."""
    return utc_text(time.time())


def posix_now() -> int:
    """Return POSIX seconds for a witness, as used in a cosignature."""
    return int(time.time())


def parse_utc(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def pause_ms(last: Stamp, utc: float) -> int:
    """Return the ms for which the table was off, if UTC is plausible; at least 1, so that time advances."""
    pause = utc - parse_utc(last.utc)
    believable = utc >= PLAUSIBLE_FROM and 0 < pause <= PLAUSIBLE_PAUSE_S
    return max(1, round(pause * 1000)) if believable else 1


def jump_text(seconds: float) -> str:
    return f"the UTC clock jumped by {seconds:+.0f} s against the table's clock"


def early_text(utc: float, earliest: float) -> str:
    return f"the UTC clock is wrong: it is {utc_text(utc)}, before {utc_text(earliest)}"


class SystemClock:
    """The real clock. It continues from the journal's last row."""

    def __init__(self, last: Stamp | None, *, utc_continues: bool = False) -> None:
        """`utc_continues`: UTC is never before the last row, for a mock table whose UTC clock was moved."""
        self._earliest = PLAUSIBLE_FROM if last is None else max(PLAUSIBLE_FROM, parse_utc(last.utc))
        utc = time.time()
        self._utc_shift = max(0.0, self._earliest - utc) if utc_continues else 0.0
        begin = 0 if last is None else last.ms + pause_ms(last, utc)
        self._offset_ms = begin - time.monotonic() * 1000
        self._reference = self._difference() if last is None else parse_utc(last.utc) - last.ms / 1000
        self._candidate = self._reference
        self._since = time.monotonic()
        self._words: str | None = None

    def stamp(self) -> Stamp:
        # rounded up, while a device's time is rounded down: a reading that began in the same ms as a press
        # may have begun before it
        return Stamp(self.table_ms(time.monotonic()) + 1, utc_text(self._utc()))

    def seconds(self) -> float:
        return time.monotonic()

    def table_ms(self, seconds: float) -> int:
        return int(seconds * 1000 + self._offset_ms)

    def _utc(self) -> float:
        return time.time() + self._utc_shift

    def _difference(self) -> float:
        return self._utc() - time.monotonic() - self._offset_ms / 1000

    def fault(self) -> str | None:
        """Return the fault, or None. After a jump the new difference is accepted once it has lasted for
        `STEADY_S`. UTC before the last row of the start, or not plausible, is never accepted."""
        difference, now, utc = self._difference(), time.monotonic(), self._utc()
        if utc < self._earliest - FAULT_S:
            return early_text(utc, self._earliest)
        if abs(difference - self._reference) <= FAULT_S:
            self._words = None
        elif self._words is None or abs(difference - self._candidate) > FAULT_S:
            self._words = jump_text(difference - self._reference)
            self._candidate, self._since = difference, now
        elif now - self._since >= STEADY_S:
            self._reference, self._words = self._candidate, None
        return self._words

    def forward(self, ms: int) -> None:
        """Advance the table clock and UTC together by `ms`, which must not be negative."""
        self._offset_ms += ms
        self._utc_shift += ms / 1000

    def shift_utc(self, ms: int) -> None:
        """Shift UTC alone, as a person or a time server may."""
        self._utc_shift += ms / 1000


class ManualClock:
    """Clock that moves only on command: the same moves give the same times."""

    def __init__(self, ms: int = 0, utc: float = 1_795_206_000.0) -> None:
        self._ms = ms
        self._utc = utc
        self.words: str | None = None

    def stamp(self) -> Stamp:
        return Stamp(self._ms, utc_text(self._utc))

    def seconds(self) -> float:
        return self._ms / 1000

    def table_ms(self, seconds: float) -> int:
        return int(round(seconds * 1000, 3))

    def fault(self) -> str | None:
        return self.words

    def forward(self, ms: int) -> None:
        self._ms += ms
        self._utc += ms / 1000

    def resume(self, last: Stamp | None) -> None:
        """Continue after the journal's last row: advance both clocks to its times, if they are later."""
        if last is not None and last.ms > self._ms:
            self._ms, self._utc = last.ms, parse_utc(last.utc)

    def shift_utc(self, ms: int) -> None:
        self._utc += ms / 1000
        self.words = jump_text(ms / 1000)
