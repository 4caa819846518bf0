"""Copies of chips (counterfeit, cloned): one number at two tables in less time than a chip needs to be
carried there. Pure.

A table sends the numbers of the chips in its circles when they change, and every twenty seconds. Only its
newest message proves that it still has a chip, so each message is compared with earlier ones of other tables,
never the other way round. A lost, late or repeated message must never make a carried chip look like a copy.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from controller.common.clock import parse_utc
from controller.floor.uplink.wire import SILENT_S, Chips

MIN_CARRY_S = 5.0
"""Shortest time in seconds in which a chip gets from a circle of one table to a circle of another."""
MAX_SEEN_LATE_S = 10.0
"""Maximum time in seconds after which a reader reports that a chip was taken away or laid: 9.3 s with stacks
of twenty in all circles (`whole apart` of `python -m tests.trials.feig_times`, twice)."""
_MIN_REPORTED_S = MIN_CARRY_S - MAX_SEEN_LATE_S
"""Minimum reported time in seconds from the departure of a carried chip to its arrival, below zero if a late
reader reports the departure after it. In less time it must be a copy.
"""


@dataclass(frozen=True, slots=True)
class Copy:
    """A number that was at two tables. `at`: UTC time since which the second table has it."""

    uid: str
    tables: tuple[str, str]
    at: str

    def words(self) -> str:
        """Return the line for the log and the page of refusals."""
        first, second = self.tables
        return (
            f"the chip number {self.uid} is at tables {first} and {second} at the same time, or was carried "
            "from one to the other faster than anyone can: one of the two chips is a copy; a floorperson "
            "compares both"
        )


@dataclass(frozen=True, slots=True)
class _Arrival:
    """Arrival of a chip at a table. `at`: its UTC time by the table's clock; `known`: receipt of the first
    message with it, in monotonic seconds."""

    at: str
    known: float


@dataclass(frozen=True, slots=True)
class _Newest:
    """Newest message of a table. `received_at`: its receipt, in monotonic seconds; `arrivals`: the last
    arrival of each chip that it names. That of a chip that has left is absent if no message had it."""

    chips: Chips
    received_at: float
    arrivals: dict[str, _Arrival]

    @property
    def names(self) -> set[str]:
        return self.chips.chips.keys() | self.chips.left.keys()


@dataclass(slots=True)
class ChipCopies:
    """The chips of all tables. Feed it with each message of a table's own stream."""

    _tables: dict[str, _Newest] = field(default_factory=dict)
    _places: dict[str, set[str]] = field(default_factory=dict)
    """Tables whose newest message names a chip, by UID; a message is compared with these only."""
    _reported: set[tuple[str, tuple[str, str]]] = field(default_factory=set)

    def receive(self, chips: Chips, now: float) -> list[Copy]:
        """Return the copies that a message reveals. A copy is returned once for as long as its number stays
        at a table.

        `now`: monotonic seconds at the message's receipt.
        """
        self._replace(_Newest(chips, now, self._arrivals(chips, now)))
        self._reported = {one for one in self._reported if self._is_anywhere(one[0], now)}
        found = {(uid, _sorted(chips.table, other)) for uid, other in self._found(chips, now)}
        fresh = sorted(found - self._reported)
        self._reported |= found
        return [Copy(uid, tables, self._later(uid, tables)) for uid, tables in fresh]

    def _arrivals(self, chips: Chips, now: float) -> dict[str, _Arrival]:
        """Return the arrival of each chip that the message names, as far as it is known."""
        before = self._newest(chips.table, now)
        former = before.arrivals if before else {}
        same = {uid: former[uid] for uid in chips.left if uid in former}
        for uid, at in chips.chips.items():
            known = former[uid].known if uid in former and former[uid].at == at else now
            same[uid] = _Arrival(at, known)
        return same

    def _found(self, chips: Chips, now: float) -> Iterator[tuple[str, str]]:
        """Yield each copy. The table that had a chip first may still report it because its reader is late;
        the other one cannot have got it before it left the first."""
        for uid, since in chips.chips.items():
            for name, other in self._others(uid, chips.table, now):
                arrival, left = other.arrivals.get(uid), other.chips.left.get(uid)
                if arrival is None:
                    continue
                if _seconds(since, arrival.at) >= 0:
                    if now - arrival.known >= MAX_SEEN_LATE_S:
                        yield uid, name
                elif left is not None and _seconds(left, since) < _MIN_REPORTED_S:
                    yield uid, name

    def _newest(self, table: str, now: float) -> _Newest | None:
        """Return the newest message of a table, or None if it is silent."""
        newest = self._tables.get(table)
        return newest if newest is not None and now - newest.received_at <= SILENT_S else None

    def _others(self, uid: str, table: str, now: float) -> Iterator[tuple[str, _Newest]]:
        for name in self._places.get(uid, ()):
            newest = self._newest(name, now)
            if name != table and newest is not None:
                yield name, newest

    def _is_anywhere(self, uid: str, now: float) -> bool:
        return any(uid in newest.chips.chips for _, newest in self._others(uid, "", now))

    def _replace(self, newest: _Newest) -> None:
        """Replace a table's former message by this one, also in the index by chip."""
        table = newest.chips.table
        former = self._tables.get(table)
        self._tables[table] = newest
        named = newest.names
        for uid in former.names - named if former else ():
            self._places[uid].discard(table)
            if not self._places[uid]:
                del self._places[uid]
        for uid in named:
            self._places.setdefault(uid, set()).add(table)

    def _later(self, uid: str, tables: tuple[str, str]) -> str:
        return max(self._tables[name].chips.chips.get(uid, "") for name in tables)


def _seconds(start: str, end: str) -> float:
    return parse_utc(end) - parse_utc(start)


def _sorted(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)
