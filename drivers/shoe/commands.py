"""Queue of commands to the shoe at the controller's end, one long command in progress at a time. Sans-I/O.
The queue must never return a command twice.
"""

from __future__ import annotations

from collections import deque

from drivers.shoe.forms import LONG_COMMANDS
from drivers.shoe.sending import Flight


class Commands:
    """Commands waiting to be sent. A long command is busy from its ACK until its DONE or REFUSED; HOLD,
    RELEASE and SIGN are sent meanwhile."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[str, tuple[str, ...]]] = deque()
        self._busy: str | None = None
        """Acknowledged long command without a DONE or REFUSED yet."""

    def add(self, kind: str, fields: tuple[str, ...]) -> None:
        self._waiting.append((kind, fields))

    def next(self) -> tuple[str, tuple[str, ...]] | None:
        """Remove and return the next command that may be sent, or None."""
        for waiting in self._waiting:
            if self._busy is None or waiting[0] not in LONG_COMMANDS:
                self._waiting.remove(waiting)
                return waiting
        return None

    def on_ack(self, flight: Flight) -> None:
        if flight.kind in LONG_COMMANDS and not flight.answered:
            self._busy = flight.kind

    def on_answer(self, kind: str, flight: Flight | None) -> None:
        """Record that the shoe has answered a command with DONE or REFUSED. The answer may arrive before the
        ACK; then it is noted on `flight`, the frame that still waits for its ACK. `kind`: the command."""
        if self._busy == kind:
            self._busy = None
        elif flight is not None and flight.kind == kind:
            flight.answered = True

    def forget_busy(self) -> None:
        """Forget the busy command after a restart of the shoe, which does not resume it."""
        self._busy = None

    def void(self, flight: Flight | None) -> int:
        """Drop all commands that were not carried out, because the link is down. Return their number,
        including the command in `flight`."""
        sent = 1 if flight is not None and flight.kind != "HELLO" else 0
        count = sent + len(self._waiting)
        self._waiting.clear()
        return count
