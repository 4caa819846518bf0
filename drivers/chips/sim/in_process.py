"""Readers without wires, for a table at full speed: a `ChipsPort` that reports the contents of each circle.

All work is done on the caller's thread through ``call_soon``, in the order of the calls, so that two runs are
equal. It must report only what real readers report: each complete inventory twice, silence, or instability,
and nothing about a circle without a reader.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from drivers.ports import CircleId, Inventory, ReaderHealth

Sink: TypeAlias = Callable[[Sequence[Inventory]], None]
Fault: TypeAlias = Literal["silent", "unstable"]

_READINGS = 2
"""Number of readings of each circle, because a stable reading is two equal complete ones."""
_UNSETTLED = 6
"""Number of contradictory readings after which a circle is unstable, like a real reader that repeats by
itself.
"""
_FAULTS: dict[str, Fault] = {
    "silent": "silent",
    "unplug": "silent",
    "unstable": "unstable",
    "noise": "unstable",
}


class DirectChips:
    """Readers of a table. ``clock``: time of the readings; ``call_soon``: calls back later on the same
    thread."""

    def __init__(
        self,
        circles: Iterable[CircleId],
        clock: Callable[[], float],
        call_soon: Callable[[Callable[[], None]], object],
        keyless: Callable[[str], bool] = lambda uid: False,
    ) -> None:
        """`keyless`: returns whether the chip with a UID is asked for proofs and does not prove itself."""
        self._keyless = keyless
        self._proving = False
        self._required: frozenset[CircleId] = frozenset()
        self._accused: set[tuple[CircleId, str]] = set()
        """Chips that were asked for a proof and gave none, each with its circle."""
        self._chips: dict[CircleId, tuple[str, ...]] = dict.fromkeys(circles, ())
        self._faults: dict[CircleId, Fault] = {}
        self._clock = clock
        self._call_soon = call_soon
        self._sink: Sink | None = None
        self._watched: frozenset[CircleId] = frozenset()
        # insertion order: the order of the changes
        self._changed: dict[CircleId, None] = {}
        self._scheduled = False
        self._counts: dict[CircleId, Counter[str]] = {circle: Counter() for circle in self._chips}
        self._last: dict[tuple[CircleId, bool], float] = {}
        """Time of the last good (True) or failed reading of each circle."""

    # ------------------------------------------------------------------ ChipsPort

    def start(self, sink: Sink) -> None:
        self._sink = sink
        self.sweep()

    def watch(self, first: Sequence[CircleId]) -> None:
        """Report newly watched circles at once, as a reader would when it reads them first."""
        watched = frozenset(first) & self._chips.keys()
        fresh = sorted(watched - self._watched)
        self._watched = watched
        self._report(fresh)

    def sweep(self) -> None:
        self._report(self._chips)

    def prove(self, circles: Sequence[CircleId] | None) -> None:
        """Report the chips without a key once proofs are allowed, and each circle of which they are required
        or no longer required, as real readers would."""
        fresh, self._proving = circles is not None and not self._proving, circles is not None
        before, self._required = self._required, frozenset(circles or ()) & self._chips.keys()
        keyless = [c for c, uids in self._chips.items() if fresh and any(map(self._keyless, uids))]
        self._report((*keyless, *sorted(before ^ self._required)))

    def module_fault(self) -> str:
        return ""

    def statistics(self) -> Mapping[CircleId, ReaderHealth]:
        return {circle: self._health(circle, reported) for circle, reported in self._counts.items()}

    def _health(self, circle: CircleId, reported: Counter[str]) -> ReaderHealth:
        fault = self._faults.get(circle)
        why = f"simulated: {fault}" if fault else ""
        return ReaderHealth(
            "no wire", "simulated", "sick" if fault == "silent" else "open", why,
            reported["chips"], reported["silent"], reported["unstable"], opened=1,
            answered=self._last.get((circle, True)), failed=self._last.get((circle, False)),
        )  # fmt: skip

    def stop(self) -> None:
        self._sink = None
        self._changed.clear()

    # ---------------------------------------------------------- chips and faults

    def set_chips(self, circle: CircleId, uids: Iterable[str]) -> None:
        """Put exactly these chips in the circle; two with the same UID are read as one."""
        laid = tuple(uids)
        if laid != self._chips[circle]:
            self._chips[circle] = laid
            self._report((circle,))

    def chips(self, circle: CircleId) -> tuple[str, ...]:
        return self._chips[circle]

    def fault(self, circle: CircleId, kind: str) -> None:
        """Apply ``silent`` or ``unplug``, ``unstable`` or ``noise``; ``clear`` removes the fault."""
        if kind == "clear":
            self.clear(circle)
            return
        if kind not in _FAULTS:
            raise ValueError(f"fault {kind!r}: without wires {', '.join(_FAULTS)} and clear are allowed")
        self._faults[circle] = _FAULTS[kind]
        self._report((circle,))

    def clear(self, circle: CircleId) -> None:
        if self._faults.pop(circle, None):
            self._report((circle,))

    # -------------------------------------------------------------------- inside

    def _report(self, circles: Iterable[CircleId]) -> None:
        if self._sink is None:
            return
        self._changed.update(dict.fromkeys(circles))
        if self._changed and not self._scheduled:
            self._scheduled = True
            self._call_soon(self._deliver)

    def _deliver(self) -> None:
        self._scheduled = False
        fresh, self._changed = self._changed, {}
        unsettled = [circle for circle in fresh if self._faults.get(circle) == "unstable"]
        for number in range(_UNSETTLED if unsettled else _READINGS):
            reported = fresh if number < _READINGS else unsettled
            if self._sink is None or not reported:
                return
            self._sink([self._read(circle) for circle in reported])

    def _read(self, circle: CircleId) -> Inventory:
        now = self._clock()
        fault = self._faults.get(circle)
        self._counts[circle][fault or "chips"] += 1
        self._last[circle, fault is None] = now
        if fault is not None:
            return Inventory(circle, now, now, fault, (), f"simulated: {fault}")
        uids = tuple(sorted(set(self._chips[circle])))
        if self._proving:
            self._accused |= {(circle, uid) for uid in uids if self._keyless(uid)}
        self._accused -= {each for each in self._accused if each[0] == circle and each[1] not in uids}
        unproven = tuple(uid for uid in uids if (circle, uid) in self._accused)
        pending = () if circle in self._required else None
        return Inventory(circle, now, now, "chips", uids, unproven=unproven, pending=pending)
