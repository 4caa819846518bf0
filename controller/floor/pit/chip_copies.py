"""Copies of chips: one number at two tables in less time than a chip needs to be carried there. Pure.

A table sends the numbers in its circles when they change, and every twenty seconds. Only its newest message
proves that it still has a chip, so that each message is compared with earlier ones of other tables, never the
other way round. A message that is lost, late or repeated must never turn a chip that was carried into a copy.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from controller.common.clock import parse_utc
from controller.floor.uplink.wire import SILENT_S, Chips

MIN_CARRY_S = 5.0
"""Shortest time in seconds in which a chip gets from a circle of one table to a circle of another."""
MAX_SEEN_LATE_S = 4.0
"""Maximum time in seconds after which a reader reports that a chip was taken away or laid
(`MAX_WHOLE_S` of drivers/chips/looks.py)."""
_MIN_REPORTED_S = MIN_CARRY_S - MAX_SEEN_LATE_S
"""Reported time between two tables that only a copy can be below."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A number that was at two tables. `at`: UTC time since which the later one has it."""

    uid: str
    tables: tuple[str, str]
    at: str


@dataclass(frozen=True, slots=True)
class _Newest:
    """Newest message of a table. `heard`: its receipt; `known`: receipt of the first message with each of its
    chips. In monotonic seconds."""

    chips: Chips
    heard: float
    known: dict[str, float]


@dataclass(slots=True)
class ChipCopies:
    """The chips of all tables. Feed it with each message of a table's own stream."""

    _tables: dict[str, _Newest] = field(default_factory=dict)
    _reported: set[tuple[str, tuple[str, str]]] = field(default_factory=set)

    def receive(self, chips: Chips, now: float) -> list[Copy]:
        """Return the copies that a message shows, each once as long as its number stays at a table.

        `now`: monotonic seconds at its receipt.
        """
        self._tables = {name: each for name, each in self._tables.items() if now - each.heard <= SILENT_S}
        before = self._tables.get(chips.table)
        known = {uid: before.known.get(uid, now) if before else now for uid in chips.chips}
        self._tables[chips.table] = _Newest(chips, now, known)
        present = {uid for each in self._tables.values() for uid in each.known}
        self._reported = {one for one in self._reported if one[0] in present}
        found = {(uid, _sorted(chips.table, other)) for uid, other in self._found(chips, now)}
        fresh = sorted(found - self._reported)
        self._reported |= found
        return [Copy(uid, tables, self._later(uid, tables)) for uid, tables in fresh]

    def _found(self, chips: Chips, now: float) -> Iterator[tuple[str, str]]:
        for name, other in self._tables.items():
            if name == chips.table:
                continue
            for uid in other.chips.left.keys() & chips.chips.keys():
                if _seconds(other.chips.left[uid], chips.chips[uid]) < _MIN_REPORTED_S:
                    yield uid, name
            for uid in other.known.keys() & chips.chips.keys():
                first = _seconds(chips.chips[uid], other.chips.chips[uid]) >= 0
                if first and now - other.known[uid] >= MAX_SEEN_LATE_S:
                    yield uid, name

    def _later(self, uid: str, tables: tuple[str, str]) -> str:
        return max(self._tables[name].chips.chips.get(uid, "") for name in tables)


def _seconds(start: str, end: str) -> float:
    return parse_utc(end) - parse_utc(start)


def _sorted(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)
