"""The chip register: how the number of a chip (its UID) becomes its value. A chip's value must never be
taken from the chip's own memory or from a count.

Data only: another module reads it from a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

UID_PATTERN = "[0-9A-F]{8}|[0-9A-F]{14}|E0[0-9A-F]{14}|[0-9A-F]{20}"
"""UIDs of ISO/IEC 14443 (4, 7 or 10 bytes) and of ISO/IEC 15693 (8 bytes, the first is E0)."""
UID_WORDS = "8, 14 or 20 digits of 0-9A-F, or 16 that begin with E0"
_TURNED = re.compile("(?!E0)[0-9A-F]{14}E0")
Note: TypeAlias = Literal["", "unknown", "withdrawn", "foreign"]


@dataclass(frozen=True, slots=True)
class RegisteredChip:
    """Registered chip. ``cents``: None if the chip does not count at this table; ``note``: the reason."""

    uid: str
    cents: int | None
    note: Note = ""


def is_random(uid: str) -> bool:
    """Return whether a chip draws this number anew each time it is asked (ISO/IEC 14443-3, 6.5.4)."""
    return len(uid) == 8 and uid.startswith("08")


def is_turned(uid: str) -> bool:
    """Return whether a UID of ISO/IEC 15693 has its lowest byte first, as some readers export it."""
    return uid.endswith("E0") and _TURNED.fullmatch(uid) is not None


class ChipRegister:
    """Chips by UID. A UID that is not registered is looked up as `unknown`."""

    def __init__(self, chips: Iterable[RegisteredChip]) -> None:
        self._chips = {chip.uid: chip for chip in chips}
        cents = {chip.cents for chip in self._chips.values() if chip.cents}
        self.values = tuple(sorted(cents, reverse=True))
        """Values of the chips that count, in cents, the largest first."""

    def look_up(self, uid: str) -> RegisteredChip:
        return self._chips.get(uid) or RegisteredChip(uid, None, "unknown")

    def __len__(self) -> int:
        return len(self._chips)

    def __iter__(self) -> Iterator[RegisteredChip]:
        """Yield the chips in the file's order, from which a simulated player or bank draws."""
        return iter(self._chips.values())
