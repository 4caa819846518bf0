"""Facts from readings: when a reading is stable enough to count, and when a reader is lost.

A reading of a circle counts once it is stable: two equal complete readings in succession, with no minimum
time. A reader is lost (reported silent) only after `SILENT_AFTER` missed answers in a row, and a circle
unstable after `UNSTABLE_AFTER`, so that a moved chip or a lost byte is not reported. Pure: times (ms of the
table's clock) come with the readings, chips from the given register.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from controller.game.model.events import (
    Chip,
    CircleEvent,
    CircleRead,
    CircleUnreadable,
    Proofs,
    SweepCompleted,
)  # fmt: skip
from controller.game.model.names import Circle

SILENT_AFTER = 2
"""Number of consecutive missed answers after which a reader is lost and its circle is reported silent."""
UNSTABLE_AFTER = 6
"""Number of consecutive readings, without two equal complete ones in succession, after which a circle is
reported unstable.
"""


@dataclass(frozen=True, slots=True)
class RawReading:
    """One attempt to read one circle, from drivers.ports.Inventory."""

    circle: Circle
    began_ms: int
    answer: Literal["chips", "silent", "unstable"]
    uids: tuple[str, ...] = ()
    unproven: tuple[str, ...] = ()
    """Those of the `uids` that have not proven themselves."""
    pending: tuple[str, ...] | None = None
    """Those that still have to prove themselves before a payout; None if that is not required."""


@dataclass(slots=True)
class _Track:
    """Readings of one circle."""

    reported: tuple[tuple[str, ...], tuple[str, ...], Proofs] | str | None = None
    """Reported UIDs, the unproven ones among them and the state of the required proofs, or the reason why the
    circle cannot be read."""
    last: tuple[str, ...] | None = None
    last_began: int = 0
    silent: int = 0
    unsettled: int = 0
    answered: int | None = None
    """Start in ms of the first of those readings that most recently decided the circle's state."""


@dataclass(slots=True)
class CircleTracker:
    """Tracker of the readings of all circles that have a reader; it returns events only for changes."""

    circles: Iterable[Circle]
    _tracks: dict[Circle, _Track] = field(init=False)
    _sweep: int | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self._tracks = {circle: _Track() for circle in self.circles}

    def request_sweep(self, since_ms: int | None) -> list[CircleEvent]:
        """Request a `SweepCompleted` once every circle has been read by readings begun after `since_ms`; None
        cancels the request. Returns the event at once if all circles have been read already, as for a table
        without readers.
        """
        self._sweep = since_ms
        return self._swept()

    def observe(self, readings: Iterable[RawReading], register: Callable[[str], Chip]) -> list[CircleEvent]:
        """Process readings in the order in which they were made, and return the resulting events."""
        events: list[CircleEvent] = []
        for reading in readings:
            track = self._tracks.get(reading.circle)
            if track is not None:
                events.extend(self._fold(track, reading, register))
        return events + self._swept()

    def _fold(self, track: _Track, reading: RawReading, register: Callable[[str], Chip]) -> list[CircleEvent]:
        if reading.answer == "silent":
            return self._silent(track, reading)
        track.silent = 0
        if reading.answer == "chips":
            return self._complete(track, reading, register)
        track.last, track.last_began = None, reading.began_ms
        track.unsettled += 1
        return self._unstable(track, reading.circle)

    def _complete(
        self, track: _Track, reading: RawReading, register: Callable[[str], Chip]
    ) -> list[CircleEvent]:
        equal = track.last == reading.uids
        began, track.last_began = track.last_began, reading.began_ms
        track.last = reading.uids
        if not equal:
            track.unsettled += 1
            return self._unstable(track, reading.circle)
        track.unsettled = 0
        track.answered = began
        found = (reading.uids, reading.unproven, _proofs(reading.pending))
        if track.reported == found:
            return []
        track.reported = found
        chips = tuple(_noted(register(uid), reading.unproven) for uid in reading.uids)
        return [CircleRead(reading.circle.seat, reading.circle.wager, chips, found[-1])]

    def _silent(self, track: _Track, reading: RawReading) -> list[CircleEvent]:
        track.last = None
        track.silent += 1
        if track.silent < SILENT_AFTER:
            return []
        track.answered = reading.began_ms
        return self._report(track, reading.circle, "silent")

    def _unstable(self, track: _Track, circle: Circle) -> list[CircleEvent]:
        if track.unsettled < UNSTABLE_AFTER:
            return []
        track.answered = track.last_began
        return self._report(track, circle, "unstable")

    @staticmethod
    def _report(track: _Track, circle: Circle, why: Literal["silent", "unstable"]) -> list[CircleEvent]:
        if track.reported == why:
            return []
        track.reported = why
        return [CircleUnreadable(circle.seat, circle.wager, why)]

    def _swept(self) -> list[CircleEvent]:
        since = self._sweep
        if since is None:
            return []
        for track in self._tracks.values():
            if track.answered is None or track.answered < since:
                return []
        self._sweep = None
        return [SweepCompleted(since)]


def _proofs(pending: tuple[str, ...] | None) -> Proofs:
    return "" if pending is None else "pending" if pending else "decided"


def _noted(chip: Chip, unproven: tuple[str, ...]) -> Chip:
    """Return the chip, marked as unproven unless the register has another note on it."""
    return replace(chip, note="unproven") if chip.uid in unproven and not chip.note else chip
