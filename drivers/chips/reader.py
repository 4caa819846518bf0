"""One circle's reader, whatever its chip standard: its state, its readings, what it answered.

What a standard must do is `ReaderChip`, a driver each; `kinds.py` names them. A reader must never report an
empty circle unless its chip itself answered that it found none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from drivers.ports import CircleId, Inventory, ReaderAnswer, ReaderHealth

READ_TIMEOUT_S = 0.2
SHORT_PATIENCE_S = 0.05
"""For a reader whose last reading failed: it shall not hold its slot up twice."""
BUDGET_S = 0.6
"""For one reading, however many chips answer: twelve take a sound reader a third of it."""
GRACE_S = 0.6
"""So long a reader that fell out may take to come back before it is reported as out of order: the
opener tries it again at once and after 0.25 s, and a busy host is no dead reader."""

SMOOTHED = 8
"""Number of readings over which the mean time of one is formed."""

State: TypeAlias = Literal["new", "open", "sick"]


class LineError(Exception):
    """The line is gone: unplugged, closed, taken by another program, or not there at all.

    Not an OSError on purpose: ``PN532.send_command`` swallows those and "no chip" would be read.
    """


class NoAnswer(LineError):
    """The line stands, but nothing came within the patience given."""


class Garbled(LineError):
    """Bytes came within the patience given, but no whole frame was among them."""


class Unreadable(Exception):
    """The reader answered, but what it said is no complete inventory."""


class TooSlow(Unreadable):
    """The reader answers everything, and would hold all the others up."""


@dataclass(frozen=True, slots=True)
class LineHealth:
    """State of a chip driver's line: its place, the device that answers, bytes that were no answer."""

    port: str
    firmware: str = ""
    noise: int = 0
    stale: int = 0


class ReaderChip(Protocol):
    """One reader of a chip standard on its line. One thread at a time uses it; `hurry` any thread.

    Whatever fails is a `LineError` or `Unreadable`; nothing takes longer than the patience it is given."""

    def open(self, patience_s: float) -> None:
        """Open the line and set the reader up, its field off."""

    def rest(self) -> None:
        """Wait until chips that the last reading put to sleep can answer again."""

    def inventory(self, patience_s: float) -> tuple[str, ...]:
        """The UIDs of everything in the field, upper-case hex, sorted; the field is off afterwards."""

    def quiet(self, patience_s: float) -> None:
        """After an answer that was not understood: the field off, the line ready for the next command."""

    def hurry(self) -> None:
        """The table stops: whatever is under way ends soon."""

    def close(self) -> None: ...

    def statistics(self) -> LineHealth: ...


Clock: TypeAlias = Callable[[], float]
MakeChip: TypeAlias = Callable[[str, float, Clock], ReaderChip]
"""Maker of a reader, from a serial port, the time that a chip needs after the field is on, and the clock.
Opens nothing yet."""


class CircleReader:
    """Reads one circle. One thread at a time uses it: the seat's while open, else the opener's."""

    def __init__(
        self, circle: CircleId, chip: ReaderChip, clock: Clock, patience_s: float = READ_TIMEOUT_S
    ) -> None:
        self.circle = circle
        self.state: State = "new"
        self.why = "not opened yet"
        self.read_well = False
        """Since it was opened it gave at least one complete inventory."""
        self._chip = chip
        self._clock = clock
        self._patience_s = patience_s
        self._failed = False
        self._sick_answer: ReaderAnswer = "silent"
        self._sick_since: float | None = None
        self._counts: Counter[str] = Counter()
        self._answered_at: float | None = None
        self._failed_at: float | None = None
        self._took_s: float | None = None

    def open(self, patience_s: float) -> bool:
        """Open the line and set the chip up; False (and `why`) when it is not there."""
        self.close()
        self.read_well = False
        try:
            self._chip.open(patience_s)
        except (LineError, Unreadable) as error:
            self._counts["refused"] += 1
            self._failed_at = self._clock()
            self._give_up(error)
            return False
        self._sick_since = None
        self._counts["opened"] += 1
        self.why = ""
        self.state = "open"  # last: from here on the seat's thread may use it
        return True

    def close(self) -> None:
        self._chip.close()

    def hurry(self) -> None:
        """The table stops: a reading under way ends soon, with its field off; any thread may call it."""
        self._chip.hurry()

    def statistics(self) -> ReaderHealth:
        """Any thread may ask."""
        counts, line = self._counts, self._chip.statistics()
        return ReaderHealth(
            line.port, line.firmware, self.state, self.why, counts["chips"], counts["silent"],
            counts["unstable"], counts["opened"], counts["refused"], line.noise, line.stale,
            self._answered_at, self._failed_at, self._took_s, self._sick_answer == "unstable",
        )  # fmt: skip

    def read(self) -> Inventory:
        """Return all chips in the circle now, or why they cannot be read."""
        if self.state != "open":
            return self.excuse()
        self._chip.rest()
        began = self._clock()
        try:
            uids = self._chip.inventory(SHORT_PATIENCE_S if self._failed else self._patience_s)
        except (LineError, Unreadable) as error:
            return self._trouble(began, error)
        self._failed = False
        self.read_well = True
        self.why = ""
        self._answered(began, len(uids))
        return self._report("chips", began, uids, "")

    def _answered(self, began: float, chips: int) -> None:
        self._counts["chips"] += 1
        self._answered_at = self._clock()
        took = (self._answered_at - began) / (chips + 1)
        mean = took if self._took_s is None else self._took_s
        self._took_s = mean + (took - mean) / SMOOTHED

    def out_of_order(self) -> bool:
        """Whether the reader has been gone for longer than one that only fell out takes to come back."""
        since = self._sick_since
        return self.state == "sick" and since is not None and self._clock() - since >= GRACE_S

    def excuse(self) -> Inventory:
        """Return the reason for a circle whose reader is out of order; costs no time."""
        return self._report(self._sick_answer, self._clock(), (), self.why)

    def _report(self, answer: ReaderAnswer, began: float, uids: tuple[str, ...], why: str) -> Inventory:
        return Inventory(self.circle, began, self._clock(), answer, uids, why)

    def _trouble(self, began: float, error: Exception) -> Inventory:
        """A line that fails goes to the opener, and so does a reader that is too slow, for the others' sake;
        a muddled answer leaves the reader in its slot."""
        self._failed = True
        if _is_silence(error) or isinstance(error, TooSlow) or not self._quiet():
            self._give_up(error)
        self.why = str(error)
        answer: ReaderAnswer = "silent" if _is_silence(error) else "unstable"
        self._counts[answer] += 1
        self._failed_at = self._clock()
        return self._report(answer, began, (), self.why)

    def _quiet(self) -> bool:
        try:
            self._chip.quiet(SHORT_PATIENCE_S)
        except (LineError, Unreadable):
            return False
        return True

    def _give_up(self, error: Exception) -> None:
        self.why = str(error)
        self._failed = True
        self._sick_answer = "silent" if _is_silence(error) else "unstable"
        if self._sick_since is None:
            self._sick_since = self._clock()
        self.close()
        self.state = "sick"  # last: from here on the opener may use it


def _is_silence(error: Exception) -> bool:
    return isinstance(error, LineError) and not isinstance(error, Garbled)
