"""Readings of the circles: their order, and for each circle a whole inventory or a quick look. Pure.

A whole inventory lists all chips in a circle. A quick look only checks that the circle still holds the chips
of the last inventory; if it does not confirm them, a whole inventory follows at once. Two readings must agree
before quick looks may confirm a content. Every circle gets whole inventories regularly, because only these
detect a chip that was laid on a stack.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import TypeAlias

from drivers.chips.schedule import Schedule, Slot, SlotRule
from drivers.ports import CircleId, Inventory

WHOLE_S = 2.0
"""Maximum age in seconds of a circle's last whole inventory, as long as there is time for the next one."""
IN_TURN_S = 1.6
"""Age in seconds from which a circle gets a whole inventory at its turn: a circle that is due, or any circle
while none is due. The turn after that may be 0.4 s later.
"""
MAX_LOOK_GAP_S = 0.45
"""Maximum time in seconds between two looks at a circle while none is due. A whole inventory waits as long as
it would exceed this, but not longer than one pass of quick looks over all circles.
"""
_SHARE = 0.5
"""Time for quick looks after a regular whole inventory, as a fraction of the inventory's duration."""
_MAX_CHANGES = 2
"""Maximum number of consecutive changes after which a circle is read again at once."""
_ADDRESSED = 2
"""Number of chips of a stack that a quick look addresses; successive looks address different chips."""
MANY = 10
"""Number of new chips above which the look after their whole inventory addresses only one of them. That look
still detects every chip that answers without being addressed. If so many chips are new, one or two addressed
ones do not show that another was taken; the next whole inventory shows it.
"""


@dataclass(frozen=True, slots=True)
class Quick:
    """A quick look: the check that a circle still holds `holds` (UIDs, sorted).

    `alone`: whether no chip may answer an inventory of one slot, because the circle was empty or a whole
    inventory has just silenced its chips. `address`: chips that must acknowledge.
    """

    holds: tuple[str, ...]
    alone: bool
    address: tuple[str, ...]


Chosen: TypeAlias = Mapping[CircleId, Quick | None]
"""The circles of a slot, each with its quick look, or None for a whole inventory."""


@dataclass(slots=True)
class _Known:
    """Knowledge of one circle.

    `holds`: its last inventory, or None if that failed; `whole_at`: beginning of its last whole inventory;
    `asked_at`: the same, even if it failed or its reader is out of order; `whole_s`: duration of that slot;
    `looked_at`: beginning of its last look; `shown_twice`: whether a second look has confirmed it; `added`:
    its new chips; `changes`: number of consecutive looks that showed another content.
    """

    holds: tuple[str, ...] | None = None
    whole_at: float = -inf
    asked_at: float = -inf
    whole_s: float = 0.0
    looked_at: float = -inf
    shown_twice: bool = False
    added: tuple[str, ...] = ()
    changes: int = 0
    turn: int = 0


class ReadingOrder:
    """The looks of one table. `quick`: whether its readers can take quick looks."""

    def __init__(self, circles: Sequence[CircleId], rule: SlotRule, quick: bool) -> None:
        self._schedule = Schedule(circles, rule)
        self._known = {circle: _Known() for circle in circles} if quick else {}
        self._due: frozenset[CircleId] = frozenset()
        self._swept_at = -inf
        self._regular = False
        self._regular_from = 0.0
        self._regular_ended = 0.0
        self._wanted_from = 0.0
        self._quick_s = 0.0
        """Duration of the last slot of quick looks that confirmed everything."""
        self._last: dict[int, CircleId] = {}

    def __len__(self) -> int:
        return len(self._schedule)

    def watch(self, first: Collection[CircleId]) -> None:
        """Set the circles that are due."""
        self._due = frozenset(first) & self._known.keys()
        self._schedule.watch(first)

    def sweep(self, now: float) -> None:
        """Read every circle twice soon, once by a whole inventory that begins after this call."""
        self._swept_at = now
        self._schedule.sweep()

    def next(self, now: float) -> Chosen:
        """Return the circles of the next slot with their looks."""
        if not self._known:
            return dict.fromkeys(self._schedule.next(now))
        wanted = self._wanted(now)
        slot = self._schedule.next(now, wanted)
        self._regular = slot == wanted or (not self._due and self._regular_in_turn(slot, now))
        return {circle: self._look(circle, now) for circle in slot}

    def done(self, chosen: Chosen, inventories: Sequence[Inventory], began: float, now: float) -> None:
        """Record the result of a slot."""
        if self._known:
            self._note(chosen, inventories, began, now)
            # a circle that keeps changing would delay the others
            inventories = [each for each in inventories if self._known[each.circle].changes <= _MAX_CHANGES]
            if self._regular:
                self._regular_ended = now
                self._regular_from = now + _SHARE * (now - began)
                self._wanted_from = now + (now - began)
        self._schedule.done(tuple(chosen), inventories, began, now)

    # -------------------------------------------------------------------- inside

    def _wanted(self, now: float) -> Slot:
        """Return the slot that must have its whole inventory before its turn, because other circles are due;
        () if all are in time.

        The slot with the oldest whole inventory is first. Each slot takes its share of WHOLE_S, so the first
        one is returned early enough for all slots behind it to be in time.
        """
        if not self._due and now < self._wanted_from:
            return ()
        queue = sorted((self._asked_at(slot), slot) for slot in self._schedule.others())
        share = WHOLE_S / len(self._schedule)
        late = any(now - at + place * share >= WHOLE_S for place, (at, _) in enumerate(queue))
        oldest = queue[0][1] if late else ()
        return oldest if self._due or not oldest or self._leaves_time(oldest, now) else ()

    def _regular_in_turn(self, slot: Slot, now: float) -> bool:
        """Return whether the slot's circles get a whole inventory at this turn, while no circle is due."""
        asked_at = self._asked_at(slot)
        if now - asked_at < IN_TURN_S:
            return False
        others = self._others(slot)
        if any(self._asked_at(other) < asked_at for other in others):
            return False
        return self._looked_since(others) or (now >= self._regular_from and self._leaves_time(slot, now))

    def _leaves_time(self, slot: Slot, now: float) -> bool:
        """Return whether the looks at all other circles stay within MAX_LOOK_GAP_S if the slot gets a whole
        inventory now."""
        begin = now + max(self._known[circle].whole_s for circle in slot)
        looks = sorted(self._looked_at(other) for other in self._others(slot))
        return all(begin + place * self._quick_s - at <= MAX_LOOK_GAP_S for place, at in enumerate(looks))

    def _looked_since(self, others: Iterable[Slot]) -> bool:
        """Return whether all these slots were looked at since the last regular whole inventory."""
        return all(self._looked_at(other) >= self._regular_ended for other in others)

    def _others(self, slot: Slot) -> list[Slot]:
        return [other for other in self._schedule.others() if other != slot]

    def _looked_at(self, slot: Slot) -> float:
        """Return the time of the slot's oldest look, counting only the last look at each of its circles."""
        return min((self._known[circle].looked_at for circle in slot), default=inf)

    def _asked_at(self, slot: Slot) -> float:
        """Return the time of the slot's oldest whole inventory, counting only the last one of each of its
        circles. All its circles get the next one together, since a slot lasts as long as its longest look."""
        return min((self._known[circle].asked_at for circle in slot), default=inf)

    def _look(self, circle: CircleId, now: float) -> Quick | None:
        known = self._known[circle]
        if known.holds is None or known.whole_at < self._swept_at:
            return None
        if self._regular and now - known.asked_at >= WHOLE_S / 2:
            return None
        if not known.shown_twice:
            # the chips are quiet only until another circle of the seat is connected
            if self._last.get(circle[0]) != circle:
                return None
            shown = known.added or known.holds
            return Quick(known.holds, True, _some(shown, 0, 1 if len(shown) > MANY else _ADDRESSED))
        if circle in self._due and (known.holds or now - known.asked_at >= IN_TURN_S):
            return None
        known.turn += 1
        return Quick(known.holds, not known.holds, _some(known.holds, known.turn, _ADDRESSED))

    def _note(self, chosen: Chosen, inventories: Sequence[Inventory], began: float, now: float) -> None:
        if inventories and all(inventory.confirmed for inventory in inventories):
            self._quick_s = now - began
        for circle, quick in chosen.items():
            known = self._known[circle]
            known.looked_at = began
            if quick is None:
                known.asked_at, known.whole_s = began, now - began
        for inventory in inventories:
            known = self._known[inventory.circle]
            self._last[inventory.circle[0]] = inventory.circle
            if inventory.answer != "chips":
                known.changes += known.holds is not None
                known.holds, known.shown_twice = None, False
                continue
            known.shown_twice = inventory.uids == known.holds
            known.changes = 0 if known.shown_twice else known.changes + 1
            if not inventory.confirmed:
                known.added = tuple(sorted(set(inventory.uids) - set(known.holds or ())))
                known.whole_at = known.asked_at = inventory.began
            known.holds = inventory.uids


def _some(uids: Sequence[str], turn: int, most: int) -> tuple[str, ...]:
    """Return at most `most` of the chips; the next call returns the chips after them."""
    count = min(most, len(uids))
    return tuple(uids[(turn * count + number) % len(uids)] for number in range(count))
