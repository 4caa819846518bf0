"""Physical content of the mock table: chips in circles, cards at their places, the chip bank.

This is what people see and readers read; the controller never looks at it. It decides nothing. Faces are
masked in its repr.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from controller.common.files.money import dollars
from controller.game.model.chips import fewest
from controller.game.model.names import Circle

TOLD_APART = 12
"""More chips than this in one circle no PN532 can tell apart (hardware/FACTS.md)."""


UNKNOWN, WITHDRAWN = "04EE0000000001", "04EE0000000002"
"""A chip that is in no register, and one that is withdrawn in the mock table's register."""


class BankEmpty(Exception):
    """The bank cannot make an amount. It says which chips it has."""


class ChipBank:
    """Every chip that is not on the table, by UID. They are used in a fixed order: what came back last is
    used last."""

    def __init__(self, register: Mapping[str, int]) -> None:
        self._cents = dict(register)
        self._free: dict[int, deque[str]] = {}
        for uid in sorted(register):
            self._free.setdefault(register[uid], deque()).append(uid)

    def cents(self, uid: str) -> int:
        """Return the value of a chip; 0 if it is not one of the house."""
        return self._cents.get(uid, 0)

    def total(self, uids: Iterable[str]) -> int:
        return sum(self.cents(uid) for uid in uids)

    def values(self) -> tuple[int, ...]:
        return tuple(sorted(self._free, reverse=True))

    def make(self, cents: int) -> tuple[str, ...]:
        """Chips worth `cents`, as few as the bank allows."""
        chips, left = fewest(cents, self._free, {value: len(free) for value, free in self._free.items()})
        if left:
            raise BankEmpty(f"the bank cannot make {dollars(cents)}; it has chips of {self._known()}")
        return tuple(self._free[chip].popleft() for chip in chips)

    def _known(self) -> str:
        return ", ".join(map(dollars, self.values()))

    def pick(self, values: Sequence[int]) -> tuple[str, ...]:
        """Exactly these chips, largest at the bottom."""
        uids: list[str] = []
        for value in sorted(values, reverse=True):
            if not self._free.get(value):
                self.put_back(uids)
                raise BankEmpty(
                    f"the bank has no chip of {dollars(value)} left; it has chips of {self._known()}"
                )
            uids.append(self._free[value].popleft())
        return tuple(uids)

    def put_back(self, uids: Iterable[str]) -> None:
        for uid in uids:
            if uid in self._cents:
                self._free[self._cents[uid]].append(uid)


@dataclass(slots=True)
class Felt:
    """The layout. `moved` is called for every circle whose chips have changed."""

    bank: ChipBank
    moved: Callable[[Circle, tuple[str, ...]], None] = lambda _circle, _uids: None
    circles: dict[Circle, tuple[str, ...]] = field(default_factory=dict)
    cards: dict[str, str | None] = field(default_factory=dict, repr=False)
    """Place -> face; None if only the shoe knows it (another maker's device)."""
    stub: int | None = None
    """Cards in the stub, as a person would count them."""

    def amount(self, circle: Circle) -> int:
        return self.bank.total(self.circles.get(circle, ()))

    def chips(self, circle: Circle) -> tuple[int, ...]:
        return tuple(self.bank.cents(uid) for uid in self.circles.get(circle, ()))

    def place(self, circle: Circle, uids: Sequence[str]) -> None:
        """Exactly these chips lie in the circle now."""
        if uids:
            self.circles[circle] = tuple(uids)
        else:
            self.circles.pop(circle, None)
        self.moved(circle, tuple(uids))

    def set_amount(self, circle: Circle, cents: int) -> None:
        """Lay or take chips so that the circle holds `cents`, moving as few as possible; more than a reader
        can tell apart are coloured up."""
        there = self.circles.get(circle, ())
        kept = _keep(there, self.bank.cents, cents)
        if len(kept) + len(fewest(cents - self.bank.total(kept), self.bank.values())[0]) > TOLD_APART:
            kept = ()
        self._give_back(circle, [uid for uid in there if uid not in kept])
        self.place(circle, (*kept, *self.bank.make(cents - self.bank.total(kept))))

    def set_chips(self, circle: Circle, values: Sequence[int]) -> None:
        """The circle holds exactly chips of these values; those of them that lie there stay."""
        wanted, kept, gone = list(values), list[str](), list[str]()
        for uid in self.circles.get(circle, ()):
            stays = self.bank.cents(uid) in wanted
            (kept if stays else gone).append(uid)
            if stays:
                wanted.remove(self.bank.cents(uid))
        self._give_back(circle, gone)
        self.place(circle, (*kept, *self.bank.pick(wanted)))

    def add_strange(self, circle: Circle, kind: str) -> None:
        """Add a chip that is no wager: `unknown`, `withdrawn`, or a `copy` of one in another circle."""
        elsewhere = [uids[0] for place, uids in sorted(self.circles.items()) if place != circle]
        if kind == "copy" and not elsewhere:
            raise BankEmpty("a copy: no chip lies in another circle")
        uid = {"unknown": UNKNOWN, "withdrawn": WITHDRAWN}.get(kind) or elsewhere[0]
        self.place(circle, (*self.circles.get(circle, ()), uid))

    def _give_back(self, circle: Circle, uids: Iterable[str]) -> None:
        """Return chips to the bank, but not the original of a copy: it still lies elsewhere."""
        others = {uid for place, lying in self.circles.items() if place != circle for uid in lying}
        self.bank.put_back(uid for uid in uids if uid not in others)

    def add(self, circle: Circle, values: Sequence[int]) -> None:
        self.place(circle, (*self.circles.get(circle, ()), *self.bank.pick(values)))

    def carry(self, out_of: Circle, into: Circle, values: Sequence[int]) -> None:
        """Move chips of these values from one circle to another, the topmost first."""
        left, moved = list(self.circles.get(out_of, ())), []
        for value in values:
            uid = next(uid for uid in reversed(left) if self.bank.cents(uid) == value)
            left.remove(uid)
            moved.append(uid)
        self.place(out_of, left)
        self.place(into, (*self.circles.get(into, ()), *moved))

    def clear(self, circle: Circle) -> None:
        self.set_amount(circle, 0)


def _keep(uids: Sequence[str], worth: Callable[[str], int], cents: int) -> tuple[str, ...]:
    """The chips that may stay when `cents` are wanted: from the bottom up, as long as they fit. A chip that
    is worth nothing is no wager and goes."""
    kept: list[str] = []
    for uid in uids:
        value = worth(uid)
        if 0 < value <= cents:
            kept.append(uid)
            cents -= value
    return tuple(kept)
