"""The house's register of chips and the operations on it (add, withdraw, restore, compare with a count),
each checked before it changes anything.

Pure. A `Stock` is immutable: each operation returns a new one or raises `StockRefused` with every reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from controller.common.files.money import dollars
from controller.settings.chip_register import RANDOM, TABLE_CURRENCY, ChipRow, Status
from drivers.chips.register import is_random

Totals = Mapping[tuple[str, int, Status], int]
"""Number of chips of each currency, value (cents) and status."""


class StockRefused(Exception):
    """Raised if an operation was refused and nothing was changed. `lines`: one line for each chip in
    conflict.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = tuple(lines)
        super().__init__("\n".join(self.lines))


@dataclass(frozen=True, slots=True)
class CountResult:
    """Comparison of a count with the register, by UID. `present`: number of chips found, by value (cents)."""

    present: Mapping[int, int]
    missing: tuple[ChipRow, ...]
    withdrawn: tuple[ChipRow, ...]
    foreign: tuple[ChipRow, ...]
    unknown: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        return not (self.missing or self.withdrawn or self.foreign or self.unknown)


class Stock:
    """All chips of a register, in the order of its file."""

    def __init__(self, rows: Iterable[ChipRow] = ()) -> None:
        self._rows = {row.uid: row for row in rows}

    def __len__(self) -> int:
        return len(self._rows)

    def rows(self) -> tuple[ChipRow, ...]:
        return tuple(self._rows.values())

    def find(self, uid: str) -> ChipRow | None:
        return self._rows.get(uid)

    def totals(self) -> Totals:
        return Counter((row.currency, row.value, row.status) for row in self._rows.values())

    def with_chips(self, uids: Iterable[str], cents: int) -> Stock:
        """Return the stock with chips of one value added. A chip already in use at that value is accepted.

        Raises StockRefused if a chip is in the register with another value or as withdrawn, or if its number
        is a random one.
        """
        uids = tuple(uids)
        if random := [f"{uid} is {RANDOM}" for uid in uids if is_random(uid)]:
            raise StockRefused(random)
        new = [ChipRow(uid=uid, cents=str(cents), currency=TABLE_CURRENCY, status="in_use") for uid in uids]
        return self.with_rows(new)

    def with_rows(self, rows: Iterable[ChipRow]) -> Stock:
        """Return the stock with the chips of another register added. Raises StockRefused if a chip has other
        facts in this one.
        """
        new = {row.uid: row for row in rows}
        against = [
            f"{uid}: the register has it as {chip_text(self._rows[uid])}, not {chip_text(row)}"
            for uid, row in new.items()
            if self._rows.get(uid, row) != row
        ]
        if against:
            raise StockRefused(against)
        return Stock({**self._rows, **new}.values())

    def with_status(self, uids: Collection[str], status: Status) -> Stock:
        """Return the stock with these chips withdrawn or restored, as `status` states. Raises StockRefused if
        one of them is not in the register."""
        unknown = [f"{uid}: not in the register" for uid in uids if uid not in self._rows]
        if unknown:
            raise StockRefused(unknown)
        changed = {uid: self._rows[uid].model_copy(update={"status": status}) for uid in uids}
        return Stock({**self._rows, **changed}.values())

    def reconcile(self, uids: Collection[str]) -> CountResult:
        """Compare a count of all the house's chips with the register: each chip in use has to be found."""
        found = sorted(set(uids))
        rows = [self._rows[uid] for uid in found if uid in self._rows]
        good = [row for row in rows if row.counts]
        return CountResult(
            present=Counter(row.value for row in good),
            missing=tuple(row for row in self._rows.values() if row.counts and row.uid not in uids),
            withdrawn=tuple(row for row in rows if row.status == "withdrawn"),
            foreign=tuple(row for row in rows if row.status == "in_use" and not row.counts),
            unknown=tuple(uid for uid in found if uid not in self._rows),
        )


def denomination(currency: str, cents: int) -> str:
    """Return the denomination of a chip as text: "$25", "EUR 10.00"."""
    return dollars(cents) if currency == TABLE_CURRENCY else f"{currency} {cents // 100}.{cents % 100:02d}"


def chip_text(row: ChipRow) -> str:
    """Return a chip as text: "$25", "$25 withdrawn"."""
    value = denomination(row.currency, row.value)
    return value if row.status == "in_use" else f"{value} withdrawn"
