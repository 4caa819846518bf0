"""Finds the reader under each circle: a person lays a chip on one circle after the other.

Pure. A plug in the wrong socket gives a reader the wrong name, although every reader answers; only a chip at
a place known to a person reveals this. This module must never report a circle as right if no chip was seen on
it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from controller.table.commissioning.lines import ReportLine
from drivers.ports import CircleId


def name(circle: CircleId) -> str:
    return f"seat {circle[0]} {circle[1].replace('_', ' ')}"


@dataclass(slots=True)
class Walk:
    """State of the check. `order`: circles in the order in which a person is asked for a chip. `seen_at`: for
    each of them so far, the circle whose reader read the chip.
    """

    order: Sequence[CircleId]
    seen_at: dict[CircleId, CircleId] = field(default_factory=dict)
    _present: dict[CircleId, frozenset[str]] = field(default_factory=dict)
    _number: int = 0

    @property
    def due(self) -> CircleId | None:
        """Circle on which the person is to lay a chip now; None at the end."""
        return self.order[self._number] if self._number < len(self.order) else None

    @property
    def all_read(self) -> bool:
        """Whether every circle has been read once."""
        return self._present.keys() >= set(self.order)

    def take_reading(self, circle: CircleId, uids: Sequence[str]) -> tuple[str, ...]:
        """Handle a complete reading of `circle`, and return the UIDs that were not in its previous reading.
        If there are any, the circle that the person was asked for counts as read by the reader of
        `circle`."""
        before = self._present.get(circle)
        self._present[circle] = frozenset(uids)
        if before is None:  # chips in the first reading were present before the check
            return ()
        new = tuple(uid for uid in uids if uid not in before)
        if new and (due := self.due) is not None:
            self.seen_at[due] = circle
            self._number += 1
        return new

    def advance(self) -> None:
        """Go on to the next circle without a result, because no reader saw the chip or the person skips the
        circle.
        """
        self._number += 1

    def findings(self) -> Iterator[ReportLine]:
        """Yield the result: one line for all circles that are right, one for each exchange, one for all
        circles without an answer.
        """
        right = [circle for circle in self.order if self.seen_at.get(circle) == circle]
        wrong = {circle: at for circle, at in self.seen_at.items() if circle != at}
        unseen = [circle for circle in self.order if circle not in self.seen_at]
        yield ReportLine(f"circles: {len(right)} of {len(self.order)} were read under their own name")
        yield from _exchanged(wrong)
        if unseen:
            yield ReportLine(
                f"no chip was seen at {', '.join(map(name, unseen))}", todo="lay one there in another walk"
            )


def _exchanged(wrong: Mapping[CircleId, CircleId]) -> Iterator[ReportLine]:
    """Yield lines for exchanged seats, then for exchanged pairs of plugs, then for each other wrong
    circle.
    """
    left = dict(wrong)
    for one, other in _seats(left):
        for circle in [circle for circle in left if circle[0] in (one, other)]:
            del left[circle]
        yield ReportLine(
            f"seat {one} and seat {other} are exchanged", "change over the cables of the two seats"
        )
    for circle, at in list(left.items()):
        if left.get(circle) == at and left.get(at) == circle:
            del left[circle], left[at]
            yield ReportLine(f"{name(circle)} and {name(at)} are exchanged", "change over their plugs")
    for circle, at in left.items():
        yield ReportLine(
            f"a chip on {name(circle)} was read as {name(at)}",
            f"that reader's plug belongs to {name(circle)}",
        )


def _seats(wrong: Mapping[CircleId, CircleId]) -> list[tuple[int, int]]:
    """Return pairs of exchanged seats: for at least two circles of each, the chip was read at the same circle
    of the other.
    """
    found = []
    for one in sorted({seat for seat, _ in wrong}):
        across = {at[0] for (seat, wager), at in wrong.items() if seat == one and at[1] == wager}
        if len(across) != 1 or (other := min(across)) < one:
            continue
        pairs = {(seat, wager): at for (seat, wager), at in wrong.items() if seat in (one, other)}
        mirrored = all(at == (other if seat == one else one, wager) for (seat, wager), at in pairs.items())
        if mirrored and len(pairs) >= 4:
            found.append((one, other))
    return found
