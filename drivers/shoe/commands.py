"""The commands that wait for their turn at the controller's end. Sans-I/O.

It must never give out a command twice.
"""

from __future__ import annotations

from collections import deque

from drivers.shoe.forms import LONG_COMMANDS
from drivers.shoe.sending import Flight


class Commands:
    """A long one is carried out from its ACK to its DONE or REFUSED; HOLD and its like wait for none."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[str, tuple[str, ...]]] = deque()
        self._busy: str | None = None
        """The command that was acknowledged and whose DONE or REFUSED has not come."""

    def add(self, kind: str, fields: tuple[str, ...]) -> None:
        self._waiting.append((kind, fields))

    def next(self) -> tuple[str, tuple[str, ...]] | None:
        """The next that may go."""
        for waiting in self._waiting:
            if self._busy is None or waiting[0] not in LONG_COMMANDS:
                self._waiting.remove(waiting)
                return waiting
        return None

    def acknowledged(self, flight: Flight) -> None:
        if flight.kind in LONG_COMMANDS and not flight.answered:
            self._busy = flight.kind

    def answered(self, kind: str, flight: Flight | None) -> None:
        """DONE or REFUSED has come, perhaps before the ACK."""
        if self._busy == kind:
            self._busy = None
        elif flight is not None and flight.kind == kind:
            flight.answered = True

    def forget_busy(self) -> None:
        """A command does not outlive the shoe's power."""
        self._busy = None

    def void(self, flight: Flight | None) -> int:
        """None of those that wait, or are on the line, is sent any more. How many."""
        sent = 1 if flight is not None and flight.kind != "HELLO" else 0
        count = sent + len(self._waiting)
        self._waiting.clear()
        return count
