"""Answers "on my way" of this pit to calls and holds, and the tables' replies.

An answer names one call or hold of one stream by its starting time. It is resent until the table replies or
the call or hold is over. Pure: it opens no connection and reads no clock.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from controller.floor.pit.tile import Tile
from controller.floor.uplink.wire import OnMyWay, OnTheWay

REPEAT_S = 4.0
"""Seconds after which an unanswered "on my way" is resent."""


@dataclass(frozen=True, slots=True)
class SentOnMyWay:
    """An "on my way" that was sent. `at`: last time of sending, in monotonic seconds.

    `shown`: whether the table's screens show it; None until the table has replied.
    """

    answer: OnMyWay
    at: float
    shown: bool | None = None
    by: str = ""
    """User who sent it, for the pit's own pages; "" without users. It is not sent to the table."""


def subjects(tile: Tile) -> tuple[str, ...]:
    """Return the active holds and the call of a table, by name and time, the most urgent first."""
    holds = tuple(f"hold {each.at}" for each in tile.holds)
    return (*holds, f"call {tile.called}") if tile.called else holds


class OnMyWayMessages:
    """Messages "on my way" of this pit, at most one for each table."""

    def __init__(self, pit: str) -> None:
        self._pit = pit
        self._sent: dict[str, SentOnMyWay] = {}

    def of(self, table: str, stream: str | None, tile: Tile) -> SentOnMyWay | None:
        """Return the message that was sent to a table, or None if its call, hold or stream is over."""
        sent = self._sent.get(table)
        if sent is None or sent.answer.stream != stream or sent.answer.about not in subjects(tile):
            return None
        return sent

    def send(self, table: str, stream: str, about: str, now: float, by: str = "") -> OnMyWay:
        """Store a message of the user `by` and return it for publishing."""
        answer = OnMyWay(pit=self._pit, table=table, stream=stream, about=about)
        self._sent[table] = SentOnMyWay(answer, now, by=by)
        return answer

    def answered(self, answer: OnTheWay) -> bool:
        """Store the table's reply. Returns False if this pit sent no such message."""
        sent = self._sent.get(answer.table)
        if sent is None or (sent.answer.about, sent.answer.stream) != (answer.about, answer.stream):
            return False
        self._sent[answer.table] = replace(sent, shown=answer.shown)
        return True

    def due(self, table: str, stream: str | None, tile: Tile, now: float) -> OnMyWay | None:
        """Return the message to a table if it must be resent; delete it if its call or stream is over."""
        sent = self.of(table, stream, tile)
        if sent is None:
            self._sent.pop(table, None)
            return None
        if sent.shown is not None or now - sent.at < REPEAT_S:
            return None
        self._sent[table] = replace(sent, at=now)
        return sent.answer
