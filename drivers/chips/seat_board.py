"""Readers on seat boards: seven circles share one board's line, and each is its own `ReaderChip`.

The board reads its PN532s itself (hardware/seat_board): a request names the circle, and one answer contains
its complete inventory. An answer with another circle's name or an invalid list of UIDs is never accepted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from drivers.chips.board_frames import Frame
from drivers.chips.board_link import BoardLink
from drivers.chips.reader import (
    LineError,
    LineHealth,
    MonotonicClock,
    NoAnswer,
    ReaderChip,
    TooSlow,
    Unreadable,
)
from drivers.ports import CircleId

_UID = re.compile(r"(?:[0-9A-F]{8}|[0-9A-F]{14}|[0-9A-F]{20})")


class BoardReader:
    """`ReaderChip` of one circle. The board switches the field off before it answers."""

    def __init__(self, link: BoardLink, circle: str, settle_s: float) -> None:
        self._link = link
        self._circle = circle
        self._settle_ms = str(round(settle_s * 1000))
        self._firmware = ""

    def open(self, timeout_s: float) -> None:
        self._link.join(self._circle, timeout_s)
        answer = self._ask("SETUP", self._settle_ms)
        if answer.kind != "READY" or len(answer.fields) != 2:
            raise Unreadable(f"not understood: the board says {answer.kind}")
        self._firmware = answer.fields[1]

    def rest(self) -> None:
        """Do nothing: the board itself waits until its chips can answer again."""

    def inventory(self, timeout_s: float) -> tuple[str, ...]:
        answer = self._ask("READ")
        if answer.kind != "CHIPS" or len(answer.fields) != 4:
            raise Unreadable(f"not understood: the board says {answer.kind}")
        uids = answer.fields[3].split()
        if len(set(uids)) != len(uids) or not all(_UID.fullmatch(uid) for uid in uids):
            raise Unreadable("not understood: the board sends no list of UIDs")
        return tuple(sorted(uids))

    def quiet(self, timeout_s: float) -> None:
        """Do nothing: the board switches the field off before it reports a failed reading."""

    def cancel(self) -> None:
        self._link.cancel()

    def close(self) -> None:
        self._link.leave(self._circle)

    def statistics(self) -> LineHealth:
        link = self._link
        waited_s = link.waited_s.get(self._circle, 0.0)
        return LineHealth(link.path, self._firmware, link.noise, link.stale, waited_s)

    def _ask(self, kind: str, *fields: str) -> Frame:
        """Return the answer. Raises LineError or Unreadable if it is a fault or names another circle."""
        answer = self._link.ask(kind, self._circle, *fields)
        if answer.kind == "REFUSED" and len(answer.fields) == 2:
            raise LineError(f"{self._link.path}: the board refuses: {answer.fields[1]}")
        if answer.fields[:1] != (self._circle,):
            raise Unreadable("not understood: the board answers for another circle")
        if answer.kind == "FAULT":
            raise self._fault(*answer.fields[1:3])
        return answer

    def _fault(self, code: str = "", words: str = "") -> Exception:
        if code == "UNSTABLE":
            return Unreadable(words or "two readings differ")
        if code == "SLOW":
            return TooSlow(words or "the board took too long")
        return NoAnswer(f"{self._link.path}: {self._circle}: {words or 'no answer'}")


def seat_boards(
    ports: Mapping[CircleId, str], settle_s: float, _clock: MonotonicClock
) -> dict[CircleId, ReaderChip]:
    """Return a reader for each circle. Circles with the same port share a board."""
    links = {port: BoardLink(port) for port in ports.values()}
    return {circle: BoardReader(links[port], circle[1], settle_s) for circle, port in ports.items()}
