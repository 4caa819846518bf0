"""The order in which circles are read (polled), and how often, slot by slot: pure, without thread or clock.

A slot reads the same circle in every seat, or in every other seat, so that neighbouring antennas are never
switched on at the same time (interference): active fields are at least a seat's width apart. Circles where
something is due are read first and repeatedly. Every circle is read regularly, and a circle whose readings
keep changing must not delay the others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from typing import Literal, TypeAlias

from drivers.ports import CircleId, Inventory

SlotRule: TypeAlias = Literal["all", "odd_even"]
Slot: TypeAlias = tuple[CircleId, ...]

ROUND_S = 2.0
"""Maximum time in seconds for one pass over all circles where nothing is due."""
SLOW_S = 0.5
"""Duration in seconds above which a slot is not repeated before the other circles have been read."""
_READINGS_AFTER_CHANGE = 2
"""Number of readings right after a change, because the reading that showed it may have begun before the chip
was laid.

A quick look that confirms the change ends them: it begins after the whole inventory that showed the change.
"""
_MAX_CHANGES = 2
"""Maximum number of consecutive changes that are read again at once; after that the circle waits its turn."""
_SWEEPS = 2
"""Number of rounds in a sweep, because a stable reading is two equal ones."""


def groups_of(circles: Sequence[CircleId], rule: SlotRule) -> list[Slot]:
    """Return the circles that may be read at the same time, in the order of the table file's wagers."""
    wagers = list(dict.fromkeys(wager for _, wager in circles))
    parities = ((0, 1),) if rule == "all" else ((1,), (0,))
    groups = [
        tuple(sorted(circle for circle in circles if circle[1] == wager and circle[0] % 2 in parity))
        for parity in parities
        for wager in wagers
    ]
    return [group for group in groups if group]


class Schedule:
    """The schedule of one table. `next` returns the next slot; `done` takes its result."""

    def __init__(self, circles: Sequence[CircleId], rule: SlotRule) -> None:
        self._groups = groups_of(circles, rule)
        self._share = ROUND_S / max(1, len(self._groups))
        self._home = {circle: number for number, group in enumerate(self._groups) for circle in group}
        self._last: dict[CircleId, tuple[str, ...] | None] = {}
        self._slots = 0
        self._read_in = dict.fromkeys(self._home, 0)
        """Number of the slot in which each circle was last read."""
        self._sweep: deque[int] = deque()
        self._due: dict[int, Slot] = {}
        self._due_turn: deque[int] = deque()
        self._due_left = 0
        self._repeat: Slot = ()
        self._repeats_left = 0
        self._streak = 0
        self._others_from = 0.0
        self._others_by: float | None = None
        self._wanted: Slot = ()
        self._wanted_from = 0.0

    def __len__(self) -> int:
        return len(self._groups)

    def watch(self, first: Collection[CircleId]) -> None:
        """Set the circles that are due. Circles without a reader are ignored."""
        due: dict[int, list[CircleId]] = {}
        for circle in sorted(set(first) & self._home.keys()):
            due.setdefault(self._home[circle], []).append(circle)
        fresh = {number: tuple(circles) for number, circles in due.items()}
        if fresh != self._due:
            if not self._due:
                self._others_by = None  # all circles have been read in turn so far
            self._due = fresh
            self._due_turn = deque(fresh)
            self._due_left = len(fresh)

    def sweep(self) -> None:
        """Read every circle twice soon, beginning after this call."""
        self._sweep = deque(list(range(len(self._groups))) * _SWEEPS)

    def others(self) -> list[Slot]:
        """Return the slots without the circles that are due."""
        rests = [
            tuple(circle for circle in group if circle not in self._due.get(number, ()))
            for number, group in enumerate(self._groups)
        ]
        return [rest for rest in rests if rest]

    def next(self, now: float, wanted: Slot = ()) -> Slot:
        """Return the next slot. `wanted`: slot of `others` to read before its turn; it waits for the circles
        that are due no longer than the last slot of the others took.
        """
        self._wanted = wanted
        if self._repeats_left:
            self._repeats_left -= 1
            return self._repeat
        if self._sweep:
            number = self._sweep.popleft()
            return self._groups[number]
        if wanted and now >= self._wanted_from:
            return wanted
        if self._due:
            return self._other(now) or self._next_due()
        return self._oldest(self._groups)

    def done(self, slot: Slot, inventories: Iterable[Inventory], began: float, now: float) -> None:
        """Record the result of a slot. A circle whose content changed is read again at once, unless the slot
        took so long that it delayed the others."""
        inventories = list(inventories)
        self._slots += 1
        self._read_in.update(dict.fromkeys(slot, self._slots))
        differ = {inventory.circle: self._differs(inventory) for inventory in inventories}
        changed = [circle for circle in differ if differ[circle]] if now - began < SLOW_S else []
        if inventories and all(inventory.confirmed for inventory in inventories):
            self._repeats_left = 0  # a quick look has shown the change a second time
        due = {circle for circles in self._due.values() for circle in circles}
        if self._due and due.isdisjoint(slot):
            once = min(now - began, self._share)
            self._wanted_from = now + once
            self._others_from = now + (once if slot == self._wanted else min(2 * once, self._share))
            self._others_by = now + self._share
            self._due_left = len(self._due)
        repeat = tuple(circle for circle in changed if not due or circle in due)
        if repeat and self._streak < _MAX_CHANGES:
            self._streak += 1
            self._repeat, self._repeats_left = repeat, _READINGS_AFTER_CHANGE
        elif not self._repeats_left:
            self._streak = 0
        if changed and not repeat:
            # the second reading of a circle that is not due comes right after the due ones
            self._read_in[changed[0]] = 0
            self._others_from = 0.0

    # -------------------------------------------------------------------- inside

    def _next_due(self) -> Slot:
        number = self._due_turn[0]
        self._due_turn.rotate(-1)
        self._due_left -= 1
        return self._due[number]

    def _other(self, now: float) -> Slot:
        """Return a slot of the circles that are not due, or () while the due circles still have turns left
        and the others have not waited long."""
        if self._others_by is None:
            self._others_by = now + self._share
        if now < self._others_from or (self._due_left > 0 and now < self._others_by):
            return ()
        return self._oldest(self.others())

    def _oldest(self, slots: Sequence[Slot]) -> Slot:
        """Return the slot with the circle whose last reading is the oldest; () if there is no slot."""
        return min(slots, key=lambda slot: min(self._read_in[circle] for circle in slot), default=())

    def _differs(self, inventory: Inventory) -> bool:
        reading = inventory.uids if inventory.answer == "chips" else None
        known = inventory.circle in self._last
        before = self._last.get(inventory.circle)
        self._last[inventory.circle] = reading
        return known and reading != before and inventory.answer != "silent"
