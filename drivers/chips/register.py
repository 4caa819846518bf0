"""The chip register: how the number of a chip (its UID) becomes a value. A chip's value must never come from
a count or from the chip itself.

Data only: another module reads it from a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

Note: TypeAlias = Literal["", "unknown", "withdrawn", "foreign"]


@dataclass(frozen=True, slots=True)
class Chip:
    """A registered chip. ``cents`` is None if the chip does not count at this table; ``note`` says why."""

    uid: str
    cents: int | None
    note: Note = ""


class ChipRegister:
    """Chips by UID. A UID that is not registered is looked up as `unknown`."""

    def __init__(self, chips: Iterable[Chip]) -> None:
        self._chips = {chip.uid: chip for chip in chips}

    def look_up(self, uid: str) -> Chip:
        return self._chips.get(uid) or Chip(uid, None, "unknown")

    def __len__(self) -> int:
        return len(self._chips)

    def __iter__(self) -> Iterator[Chip]:
        """Yield the chips in the file's order, from which a simulated player or bank draws."""
        return iter(self._chips.values())
