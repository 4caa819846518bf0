"""Readers without wires, for a table at full volume: `ChipsPort` that tells what a circle holds.

Everything happens on the caller's thread through the given ``call_soon``, in the order of the
calls, so that two runs are alike. It must say no more than readers would: complete inventories
twice, silence, or instability, and nothing about a circle without a reader.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from drivers.ports import CircleId, Inventory, ReaderHealth

Sink: TypeAlias = Callable[[Sequence[Inventory]], None]
Fault: TypeAlias = Literal["silent", "unstable"]

_READINGS = 2
"""Stable means two equal complete readings."""
_UNSETTLED = 6
"""So many that disagree, and a reader's circle is called unstable; a real one goes on reading by itself."""
_FAULTS: dict[str, Fault] = {
    "silent": "silent",
    "unplug": "silent",
    "unstable": "unstable",
    "noise": "unstable",
}


class DirectChips:
    """``clock`` gives the readings' times; ``call_soon`` runs a callable later on the same thread."""

    def __init__(
        self,
        circles: Iterable[CircleId],
        clock: Callable[[], float],
        call_soon: Callable[[Callable[[], None]], object],
    ) -> None:
        self._chips: dict[CircleId, tuple[str, ...]] = dict.fromkeys(circles, ())
        self._faults: dict[CircleId, Fault] = {}
        self._clock = clock
        self._call_soon = call_soon
        self._sink: Sink | None = None
        self._watched: frozenset[CircleId] = frozenset()
        # Insertion order is the order of the changes.
        self._fresh: dict[CircleId, None] = {}
        self._asked = False
        self._told: dict[CircleId, Counter[str]] = {circle: Counter() for circle in self._chips}
        self._last: dict[tuple[CircleId, bool], float] = {}
        """Time of the last reading of a circle, good (True) or not."""

    # ------------------------------------------------------------------ ChipsPort

    def start(self, sink: Sink) -> None:
        self._sink = sink
        self.sweep()

    def watch(self, first: Sequence[CircleId]) -> None:
        """Circles that were not watched before are told at once, as a reader would come to them."""
        watched = frozenset(first) & self._chips.keys()
        fresh = sorted(watched - self._watched)
        self._watched = watched
        self._tell(fresh)

    def sweep(self) -> None:
        self._tell(self._chips)

    def statistics(self) -> Mapping[CircleId, ReaderHealth]:
        return {circle: self._health(circle, told) for circle, told in self._told.items()}

    def _health(self, circle: CircleId, told: Counter[str]) -> ReaderHealth:
        fault = self._faults.get(circle)
        why = f"simulated: {fault}" if fault else ""
        return ReaderHealth(
            "no wire", "simulated", "sick" if fault == "silent" else "open", why,
            told["chips"], told["silent"], told["unstable"], opened=1,
            answered=self._last.get((circle, True)), failed=self._last.get((circle, False)),
        )  # fmt: skip

    def stop(self) -> None:
        self._sink = None
        self._fresh.clear()

    # ---------------------------------------------------------- chips and faults

    def set_chips(self, circle: CircleId, uids: Iterable[str]) -> None:
        """Exactly these chips; two that share a UID are read as one."""
        laid = tuple(uids)
        if laid != self._chips[circle]:
            self._chips[circle] = laid
            self._tell((circle,))

    def chips(self, circle: CircleId) -> tuple[str, ...]:
        return self._chips[circle]

    def glimpse(self, circle: CircleId, uids: Iterable[str]) -> None:
        """One reading that is not like the others: a stack nudged, a chip read late."""
        now = self._clock()
        if self._sink is not None and circle not in self._faults:
            self._sink([Inventory(circle, now, now, "chips", tuple(sorted(set(uids))))])
            self._tell((circle,))

    def fault(self, circle: CircleId, kind: str) -> None:
        """``silent`` or ``unplug``, ``unstable`` or ``noise``; ``clear`` mends."""
        if kind == "clear":
            self.clear(circle)
            return
        if kind not in _FAULTS:
            raise ValueError(f"fault {kind!r}: without wires {', '.join(_FAULTS)} and clear are allowed")
        self._faults[circle] = _FAULTS[kind]
        self._tell((circle,))

    def clear(self, circle: CircleId) -> None:
        if self._faults.pop(circle, None):
            self._tell((circle,))

    # -------------------------------------------------------------------- inside

    def _tell(self, circles: Iterable[CircleId]) -> None:
        if self._sink is None:
            return
        self._fresh.update(dict.fromkeys(circles))
        if self._fresh and not self._asked:
            self._asked = True
            self._call_soon(self._deliver)

    def _deliver(self) -> None:
        self._asked = False
        fresh, self._fresh = self._fresh, {}
        unsettled = [circle for circle in fresh if self._faults.get(circle) == "unstable"]
        for number in range(_UNSETTLED if unsettled else _READINGS):
            told = fresh if number < _READINGS else unsettled
            if self._sink is None or not told:
                return
            self._sink([self._read(circle) for circle in told])

    def _read(self, circle: CircleId) -> Inventory:
        now = self._clock()
        fault = self._faults.get(circle)
        self._told[circle][fault or "chips"] += 1
        self._last[circle, fault is None] = now
        if fault is not None:
            return Inventory(circle, now, now, fault, (), f"simulated: {fault}")
        return Inventory(circle, now, now, "chips", tuple(sorted(set(self._chips[circle]))))
