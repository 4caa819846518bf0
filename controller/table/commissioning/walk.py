"""Which reader is under which circle: a chip is laid on one circle after the other, and the readers tell.

Pure. A plug in the wrong socket gives a reader the wrong name, and every reader answers all the same: only a
chip whose place a person knows shows it. It must never call a circle right that no chip was seen on.
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
    """`order`: the circles as they are asked for. `seen_at`: where the chip that was laid there was read."""

    order: Sequence[CircleId]
    seen_at: dict[CircleId, CircleId] = field(default_factory=dict)
    _lying: dict[CircleId, frozenset[str]] = field(default_factory=dict)
    _number: int = 0

    @property
    def asked(self) -> CircleId | None:
        """The circle that a chip is to be laid on now; None at the end."""
        return self.order[self._number] if self._number < len(self.order) else None

    @property
    def all_heard(self) -> bool:
        """Every circle has been read once."""
        return self._lying.keys() >= set(self.order)

    def hear(self, circle: CircleId, uids: Sequence[str]) -> tuple[str, ...]:
        """A complete reading. The chips that are new in it; the first one anywhere answers what is asked."""
        before = self._lying.get(circle)
        self._lying[circle] = frozenset(uids)
        if before is None:  # what lay there at the beginning was laid by nobody
            return ()
        new = tuple(uid for uid in uids if uid not in before)
        if new and (asked := self.asked) is not None:
            self.seen_at[asked] = circle
            self._number += 1
        return new

    def pass_over(self) -> None:
        """No reader saw the chip, or nobody wants to lay one."""
        self._number += 1

    def findings(self) -> Iterator[ReportLine]:
        """One line for all that are right, one for each exchange of plugs, one for all that were not seen."""
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
    """Seats whose boards are exchanged, then plugs two by two, then what is left."""
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
    """Pairs of seats of which each circle, two or more a seat, was read at the same circle of the other."""
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
