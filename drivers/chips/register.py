"""The chip register: what each UID is worth. A chip's value comes from here and never from a count or
from the chip itself.

Data alone: it is read from a file elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

Note: TypeAlias = Literal["", "unknown", "withdrawn", "foreign"]


@dataclass(frozen=True, slots=True)
class Chip:
    """``cents`` is None where the chip counts for nothing at this table; ``note`` says why."""

    uid: str
    cents: int | None
    note: Note = ""


class ChipRegister:
    """UIDs to chips. Asking for one that is not in it is no error: the answer says so."""

    def __init__(self, chips: Iterable[Chip]) -> None:
        self._chips = {chip.uid: chip for chip in chips}

    def look_up(self, uid: str) -> Chip:
        return self._chips.get(uid) or Chip(uid, None, "unknown")

    def __len__(self) -> int:
        return len(self._chips)

    def __iter__(self) -> Iterator[Chip]:
        """In the file's order; a player or a bank draws from it."""
        return iter(self._chips.values())
