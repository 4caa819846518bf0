"""Chips over one antenna, of any standard: put there and removed by their UIDs. Pure."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Generic, Protocol, TypeVar


class Numbered(Protocol):
    """A chip with its UID."""

    uid: bytes


C = TypeVar("C", bound=Numbered)


class ChipsOverAntenna(ABC, Generic[C]):
    """The chips over an antenna in the order in which they were laid. Two may have the same UID."""

    def __init__(self) -> None:
        self._chips: list[C] = []

    @abstractmethod
    def lay(self, uid: bytes, now: float) -> None:
        """Lay a chip over the antenna."""

    def uids(self) -> tuple[bytes, ...]:
        return tuple(chip.uid for chip in self._chips)

    def take(self, uid: bytes) -> bool:
        """Take the first chip with this UID. Returns False if there is none."""
        for index, chip in enumerate(self._chips):
            if chip.uid == uid:
                del self._chips[index]
                return True
        return False

    def set_chips(self, uids: Iterable[bytes], now: float) -> None:
        """Put exactly these chips over the antenna; those already there keep their state."""
        wanted = list(uids)
        stay = []
        for chip in self._chips:
            if chip.uid in wanted:
                wanted.remove(chip.uid)
                stay.append(chip)
        self._chips = stay
        for uid in wanted:
            self.lay(uid, now)
