"""The answers "on my way" of this pit to calls and holds: what was sent, and what the table answered.

An answer names one call or hold of one stream by the time at which that one began. It is sent again until the
table answers, as long as the call or hold stands. Pure: it opens no connection and reads no clock.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from controller.floor.pit.tile import Tile
from controller.floor.uplink.wire import OnMyWay, OnTheWay

REPEAT_S = 4.0
"""Between two times that an answer is sent."""


@dataclass(frozen=True, slots=True)
class Sent:
    """`at`: when it was sent last, in seconds of the monotonic clock. `shown`: whether the table's screens
    show it; None while the table has not answered."""

    answer: OnMyWay
    at: float
    shown: bool | None = None


def subjects(tile: Tile) -> tuple[str, ...]:
    """Return the holds and the call that stand at a table, by name and time, the most urgent first."""
    holds = tuple(f"hold {each.at}" for each in tile.holds)
    return (*holds, f"call {tile.called}") if tile.called else holds


class Answers:
    """Answers to the tables, at most one of each table."""

    def __init__(self, pit: str) -> None:
        self._pit = pit
        self._sent: dict[str, Sent] = {}

    def of(self, table: str, stream: str | None, tile: Tile) -> Sent | None:
        """Return the answer to a call or hold that stands at a table now, in the stream kept of it."""
        sent = self._sent.get(table)
        if sent is None or sent.answer.stream != stream or sent.answer.about not in subjects(tile):
            return None
        return sent

    def send(self, table: str, stream: str, about: str, now: float) -> OnMyWay:
        """Note an answer and return it, to be published."""
        answer = OnMyWay(pit=self._pit, table=table, stream=stream, about=about)
        self._sent[table] = Sent(answer, now)
        return answer

    def answered(self, answer: OnTheWay) -> bool:
        """Note the table's answer. Return False if it answers nothing that this pit sent."""
        sent = self._sent.get(answer.table)
        if sent is None or (sent.answer.about, sent.answer.stream) != (answer.about, answer.stream):
            return False
        self._sent[answer.table] = replace(sent, shown=answer.shown)
        return True

    def due(self, table: str, stream: str | None, tile: Tile, now: float) -> OnMyWay | None:
        """Return the answer of a table that is to be sent again; forget one whose call or stream is over."""
        sent = self.of(table, stream, tile)
        if sent is None:
            self._sent.pop(table, None)
            return None
        if sent.shown is not None or now - sent.at < REPEAT_S:
            return None
        self._sent[table] = replace(sent, at=now)
        return sent.answer
