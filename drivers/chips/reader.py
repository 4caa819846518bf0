"""One circle's reader, whatever its chip standard: its state, its readings and its counters.

`ReaderChip` is the interface of the drivers, one for each standard; `kinds.py` lists them. A reader must
never report an empty circle unless its chip answered that it found none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, Protocol, TypeAlias, runtime_checkable

from drivers.chips.reading_order import Quick
from drivers.chips.secure_module import ModuleLost, NotGenuine, SecureModule
from drivers.ports import CircleId, Inventory, ReaderAnswer, ReaderHealth

READ_TIMEOUT_S = 0.2
SHORT_TIMEOUT_S = 0.05
"""Shorter timeout for a reader whose last reading failed, so that it does not delay its slot again."""
BUDGET_S = 0.6
"""Maximum time in seconds of one reading, however many chips answer; a good reader needs a third of it for
twelve.
"""
PROOF_S = 0.2
"""Maximum time in seconds of a chip's proof, without switching the field off. It allows three answers that
each take the full frame waiting time of an NTAG 424 DNA (38.7 ms); a good chip needs a third of it.
"""
GRACE_S = 0.6
"""Time for which a lost reader may try to reconnect before it is reported as out of order.

The reconnect thread tries at once and after 0.25 s, because a busy host looks like a dead reader.
"""

SMOOTHED = 8
"""Number of readings over which the duration of a reading is averaged."""

_State: TypeAlias = Literal["new", "open", "sick"]


class LineError(Exception):
    """Raised if the line is gone: unplugged, closed, taken by another program, or missing.

    It must not be an OSError: ``PN532.send_command`` swallows those, and the result would be "no chip".
    """


class NoAnswer(LineError):
    """Raised if the line is open but nothing came within the timeout."""


class Garbled(LineError):
    """Raised if bytes came within the timeout, but no complete frame."""


class Unreadable(Exception):
    """Raised if the reader answered, but not with a complete inventory."""


class TooSlow(Unreadable):
    """Raised if the reader answers everything, but so slowly that it would delay all others."""


@dataclass(frozen=True, slots=True)
class LineHealth:
    """State of a chip driver's line: port, firmware of the device, numbers of stray bytes and late answers,
    the time in seconds that this reader has waited for others on the same line, and a remark for the
    technician, or ""."""

    port: str
    firmware: str = ""
    noise: int = 0
    stale: int = 0
    waited_s: float = 0.0
    note: str = ""


class ReaderChip(Protocol):
    """One reader of a chip standard on its line. Used by one thread at a time; `cancel` from any thread.

    Every failure is a `LineError` or `Unreadable`; no call takes longer than its `timeout_s`.
    """

    def open(self, timeout_s: float) -> None:
        """Open the line and set up the reader, with its field off."""

    def rest(self) -> None:
        """Wait until the chips that the last reading halted can answer again."""

    def inventory(self, timeout_s: float) -> tuple[str, ...]:
        """Return the UIDs of all chips in the field, upper-case hex, sorted; switches the field off
        afterwards, unless a seat's circles share one field."""

    def quiet(self, timeout_s: float) -> None:
        """Switch the field off after a garbled answer, so that the line is ready for the next command."""

    def cancel(self) -> None:
        """End the present operation soon, because the table stops."""

    def close(self) -> None: ...

    def statistics(self) -> LineHealth: ...


@runtime_checkable
class QuickChip(ReaderChip, Protocol):
    """A reader that can confirm its last inventory without a new one."""

    def quick(self, look: Quick, timeout_s: float) -> tuple[str, ...] | None:
        """Return `look.holds` if the look confirms it; the only chip of a circle that was empty; or None if
        only an inventory can decide."""


@runtime_checkable
class ProvingChip(ReaderChip, Protocol):
    """A reader through which a chip can prove that it is not a copy."""

    def prove(self, uid: str, module: SecureModule, timeout_s: float) -> None:
        """Return if the chip with this UID has proven that it has its key; switches the field off, unless a
        seat's circles share one field.

        Raises NotGenuine if its answer is wrong, LineError or Unreadable if it did not complete the proof,
        and ModuleLost.
        """


Verdict: TypeAlias = Literal["proven", "false", "unfinished", "no module"]


@dataclass(frozen=True, slots=True)
class Proof:
    """Result of a chip's proof. `why`: explanation for the technician, or ""."""

    circle: CircleId
    uid: str
    verdict: Verdict
    why: str = ""


MonotonicClock: TypeAlias = Callable[[], float]
MakeChip: TypeAlias = Callable[[str, float, MonotonicClock], ReaderChip]
"""Returns a reader without opening it. Arguments: serial port, settling time (s) of a chip after the field
is on, clock."""


class CircleReader:
    """Reads one circle. Used by one thread at a time: the seat's while open, else the reconnect thread."""

    def __init__(
        self, circle: CircleId, chip: ReaderChip, clock: MonotonicClock, timeout_s: float = READ_TIMEOUT_S
    ) -> None:
        self.circle = circle
        self.state: _State = "new"
        self.why = "not opened yet"
        self.read_well = False
        """Whether there was a complete inventory since the reader was opened."""
        self._chip = chip
        self._clock = clock
        self._timeout_s = timeout_s
        self._failed = False
        self._sick_answer: ReaderAnswer = "silent"
        self._sick_since: float | None = None
        self._counts: Counter[str] = Counter()
        self._answered_at: float | None = None
        self._failed_at: float | None = None
        self._took_s: float | None = None

    def open(self, timeout_s: float) -> bool:
        """Open the line and set up the chip. Returns False, and sets `why`, if it does not answer."""
        self.close()
        self.read_well = False
        try:
            self._chip.open(timeout_s)
        except (LineError, Unreadable) as error:
            self._counts["refused"] += 1
            self._failed_at = self._clock()
            self._give_up(error)
            return False
        self._counts["opened"] += 1
        self.why = ""
        self.state = "open"  # set last, because from now on the seat's thread may use the reader
        return True

    def close(self) -> None:
        self._chip.close()

    def cancel(self) -> None:
        """End the present reading soon, with the field off, because the table stops. Any thread may call
        it.
        """
        self._chip.cancel()

    def statistics(self) -> ReaderHealth:
        """Return the counters. Any thread may call it."""
        counts, line = self._counts, self._chip.statistics()
        return ReaderHealth(
            line.port, line.firmware, self.state, self.why, counts["chips"], counts["silent"],
            counts["unstable"], counts["opened"], counts["refused"], line.noise, line.stale,
            self._answered_at, self._failed_at, self._took_s, self._sick_answer == "unstable", line.note,
        )  # fmt: skip

    def read(self) -> Inventory:
        """Return all chips in the circle now, or why they cannot be read."""
        if self.state != "open":
            return self.unavailable_inventory()
        self._chip.rest()
        began, waited = self._clock(), self._chip.statistics().waited_s
        try:
            uids = self._chip.inventory(SHORT_TIMEOUT_S if self._failed else self._timeout_s)
        except (LineError, Unreadable) as error:
            return self._count_failure(began, error)
        self._note_success()
        # waiting for a dead reader on the same line must not make this one look slow
        self._count_answer(began + self._chip.statistics().waited_s - waited, len(uids))
        return self._report("chips", began, uids, "")

    def look(self, quick: Quick | None) -> list[Inventory]:
        """Return the inventory that a quick look confirms. If it confirms none, or `quick` is None, make an
        inventory and return it. A chip that both the look and that inventory show is reported twice.
        """
        if quick is None or self.state != "open" or not isinstance(self._chip, QuickChip):
            return [self.read()]
        began = self._clock()
        try:
            shown = self._chip.quick(quick, self._timeout_s)
        except (LineError, Unreadable) as error:
            return [self._count_failure(began, error)]
        if shown == quick.holds:
            self._note_success()
            self._counts["chips"] += 1
            self._answered_at = self._clock()
            return [replace(self._report("chips", began, shown, ""), confirmed=True)]
        first = self._report("chips", began, shown or (), "")
        whole = self.read()
        return [first, whole] if (whole.answer, whole.uids) == ("chips", shown) else [whole]

    def prove(self, uid: str, module: SecureModule) -> Proof:
        """Have a chip of the circle prove itself."""
        if self.state != "open" or not isinstance(self._chip, ProvingChip):
            return Proof(self.circle, uid, "unfinished", self.why or "the reader asks no chip for a proof")
        self._chip.rest()
        try:
            self._chip.prove(uid, module, PROOF_S)
        except NotGenuine as error:
            return Proof(self.circle, uid, "false", str(error))
        except ModuleLost as error:
            return Proof(self.circle, uid, "no module", str(error))
        except (LineError, Unreadable) as error:
            # a silent chip makes the reader late; only a reader that does not recover counts as lost
            if not self._quiet():
                self._give_up(error)
            return Proof(self.circle, uid, "unfinished", str(error))
        return Proof(self.circle, uid, "proven")

    def _note_success(self) -> None:
        """Store a complete reading. Only a reading ends the time for which the reader has been lost: a reader
        that opens and then fails stays lost."""
        self._failed = False
        self._sick_since = None
        self.read_well = True
        self.why = ""

    def _count_answer(self, began: float, chips: int) -> None:
        self._counts["chips"] += 1
        self._answered_at = self._clock()
        took = (self._answered_at - began) / (chips + 1)
        mean = took if self._took_s is None else self._took_s
        self._took_s = mean + (took - mean) / SMOOTHED

    def out_of_order(self) -> bool:
        """Return whether the reader has been lost for longer than a reconnection takes."""
        since = self._sick_since
        return self.state == "sick" and since is not None and self._clock() - since >= GRACE_S

    def unavailable_inventory(self) -> Inventory:
        """Return the inventory of a circle whose reader is out of order, without any delay."""
        return self._report(self._sick_answer, self._clock(), (), self.why)

    def _report(self, answer: ReaderAnswer, began: float, uids: tuple[str, ...], why: str) -> Inventory:
        return Inventory(self.circle, began, self._clock(), answer, uids, why)

    def _count_failure(self, began: float, error: Exception) -> Inventory:
        """Count a failed reading and report it.

        A failed line goes to the reconnect thread, and so does a reader that is too slow for the others.
        After a garbled answer the reader stays in its slot.
        """
        self._failed = True
        if _is_silent(error) or isinstance(error, TooSlow) or not self._quiet():
            self._give_up(error)
        self.why = str(error)
        answer: ReaderAnswer = "silent" if _is_silent(error) else "unstable"
        self._counts[answer] += 1
        self._failed_at = self._clock()
        return self._report(answer, began, (), self.why)

    def _quiet(self) -> bool:
        try:
            self._chip.quiet(SHORT_TIMEOUT_S)
        except (LineError, Unreadable):
            return False
        return True

    def _give_up(self, error: Exception) -> None:
        self.why = str(error)
        self._failed = True
        self._sick_answer = "silent" if _is_silent(error) else "unstable"
        if self._sick_since is None:
            self._sick_since = self._clock()
        self.close()
        self.state = "sick"  # set last, because from now on the reconnect thread may use the reader


def _is_silent(error: Exception) -> bool:
    return isinstance(error, LineError) and not isinstance(error, Garbled)
