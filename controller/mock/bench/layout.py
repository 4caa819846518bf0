"""Physical state of the mock table: the chips in its circles, the cards at their places, and the chip bank.

People and readers use this state; the controller never does. The module makes no decision, and its repr masks
faces.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from controller.common.files.money import dollars
from controller.game.model.chips import fewest_chips
from controller.game.model.names import Circle

MAX_READABLE_CHIPS = 12
"""Maximum number of chips in one circle that a PN532 can distinguish (hardware/FACTS.md)."""


UNKNOWN, WITHDRAWN = "04EE0000000001", "04EE0000000002"
"""UIDs of a chip that is in no register, and of a chip that the mock table's register lists as withdrawn."""
FORGED = "04EE0000000003"
"""UID of a chip of the house that is not at this table; the chip with this UID on the mock table is a copy
without its key. It is in the register of a table whose chips prove themselves.
"""


class BankEmpty(Exception):
    """Raised if the bank cannot make an amount. The message names the chips in the bank."""


class ChipBank:
    """Chips that are not on the table, by UID. They are used in a fixed order, the most recently returned one
    last. `forged`, `FORGED` as a UID of the readers' standard, has its value and is not part of the bank."""

    def __init__(self, register: Mapping[str, int], uid_prefix: str = "") -> None:
        self._cents = dict(register)
        self.forged = uid_prefix + FORGED
        free: defaultdict[int, deque[str]] = defaultdict(deque)
        for uid in sorted(register.keys() - {self.forged}):
            free[register[uid]].append(uid)
        self._free = dict(free)

    def plant_forged(self) -> None:
        """Put `forged` before the other chips of its value. Once taken off the table it does not return."""
        self._free[self._cents[self.forged]].appendleft(self.forged)

    def cents(self, uid: str) -> int:
        """Return the value in cents of the chip with this UID; 0 if it is not one of the house's."""
        return self._cents.get(uid, 0)

    def total(self, uids: Iterable[str]) -> int:
        return sum(self.cents(uid) for uid in uids)

    def values(self) -> tuple[int, ...]:
        return tuple(sorted(self._free, reverse=True))

    def make(self, cents: int) -> tuple[str, ...]:
        """Return chips worth `cents`, as few as the bank allows. Raises BankEmpty if it cannot make the
        amount."""
        chips, left = fewest_chips(
            cents, self._free, {value: len(free) for value, free in self._free.items()}
        )
        if left:
            raise BankEmpty(f"the bank cannot make {dollars(cents)}; it has chips of {self._values_text()}")
        return tuple(self._free[chip].popleft() for chip in chips)

    def _values_text(self) -> str:
        return ", ".join(map(dollars, self.values()))

    def pick(self, values: Sequence[int]) -> tuple[str, ...]:
        """Return chips of exactly these values, the largest at the bottom. Raises BankEmpty if one is
        missing."""
        uids: list[str] = []
        for value in sorted(values, reverse=True):
            if not self._free.get(value):
                self.put_back(uids)
                raise BankEmpty(
                    f"the bank has no chip of {dollars(value)} left; it has chips of {self._values_text()}"
                )
            uids.append(self._free[value].popleft())
        return tuple(uids)

    def put_back(self, uids: Iterable[str]) -> None:
        for uid in uids:
            if uid in self._cents and uid != self.forged:
                self._free[self._cents[uid]].append(uid)


@dataclass(slots=True)
class Felt:
    """Chips and cards on the layout. `moved`: called with each circle whose chips have changed."""

    bank: ChipBank
    uid_prefix: str = ""
    """Digits that turn `UNKNOWN` and `WITHDRAWN` into UIDs of the readers' standard."""
    moved: Callable[[Circle, tuple[str, ...]], None] = lambda _circle, _uids: None
    circles: dict[Circle, tuple[str, ...]] = field(default_factory=dict)
    cards: dict[str, str | None] = field(default_factory=dict, repr=False)
    """Face of the card at each place; None if only the shoe has read it (another maker's device)."""
    stub: int | None = None
    """Number of cards in the stub as a person counts them; None if it is not on the table."""

    def amount(self, circle: Circle) -> int:
        return self.bank.total(self.circles.get(circle, ()))

    def chips(self, circle: Circle) -> tuple[int, ...]:
        return tuple(self.bank.cents(uid) for uid in self.circles.get(circle, ()))

    def place(self, circle: Circle, uids: Sequence[str]) -> None:
        """Put exactly these chips into the circle; any others leave it."""
        if uids:
            self.circles[circle] = tuple(uids)
        else:
            self.circles.pop(circle, None)
        self.moved(circle, tuple(uids))

    def set_amount(self, circle: Circle, cents: int) -> None:
        """Lay or take as few chips as possible so that the circle contains `cents`. If a reader could not
        distinguish so many chips, they are exchanged for larger ones (coloured up)."""
        there = self.circles.get(circle, ())
        kept = _keep(there, self.bank.cents, cents)
        if (
            len(kept) + len(fewest_chips(cents - self.bank.total(kept), self.bank.values())[0])
            > MAX_READABLE_CHIPS
        ):
            kept = ()
        self._give_back(circle, [uid for uid in there if uid not in kept])
        self.place(circle, (*kept, *self.bank.make(cents - self.bank.total(kept))))

    def set_chips(self, circle: Circle, values: Sequence[int]) -> None:
        """Put chips of exactly these values into the circle. Chips of the house that fit stay where they
        are."""
        wanted, kept, gone = list(values), list[str](), list[str]()
        for uid in self.circles.get(circle, ()):
            stays = self.bank.cents(uid) in wanted and uid != self.bank.forged
            (kept if stays else gone).append(uid)
            if stays:
                wanted.remove(self.bank.cents(uid))
        self._give_back(circle, gone)
        self.place(circle, (*kept, *self.bank.pick(wanted)))

    def add_strange(self, circle: Circle, kind: str) -> None:
        """Add one chip that is not a wager to a circle. `kind`: `unknown` to any register, `withdrawn`, a
        `copy` of a chip in another circle, or `forged`."""
        elsewhere = [uids[0] for place, uids in sorted(self.circles.items()) if place != circle]
        if kind == "copy" and not elsewhere:
            raise BankEmpty("a copy: no chip lies in another circle")
        strange = {"unknown": UNKNOWN, "withdrawn": WITHDRAWN, "forged": FORGED}.get(kind)
        uid = elsewhere[0] if strange is None else self.uid_prefix + strange
        self.place(circle, (*self.circles.get(circle, ()), uid))

    def _give_back(self, circle: Circle, uids: Iterable[str]) -> None:
        """Return chips to the bank, except chips whose UID is still in another circle (copies)."""
        others = {uid for place, lying in self.circles.items() if place != circle for uid in lying}
        self.bank.put_back(uid for uid in uids if uid not in others)

    def add(self, circle: Circle, values: Sequence[int]) -> None:
        self.place(circle, (*self.circles.get(circle, ()), *self.bank.pick(values)))

    def carry(self, out_of: Circle, into: Circle, values: Sequence[int]) -> None:
        """Move chips of these values (cents) from one circle to another, the topmost first."""
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
    """Return the chips that may stay in a circle that is to contain `cents`: from the bottom up, each chip
    that does not exceed the remaining amount. A chip without value is removed."""
    kept: list[str] = []
    for uid in uids:
        value = worth(uid)
        if 0 < value <= cents:
            kept.append(uid)
            cents -= value
    return tuple(kept)
