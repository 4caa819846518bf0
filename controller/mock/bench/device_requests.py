"""Requests to the simulated devices, from scenarios and the felt page: cards and faults. This module contains
data only.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Literal

from controller.game.model.names import Circle

SHOE_FAULTS = (
    "jam", "double", "empty", "door", "shuffle", "silent", "unplug", "noise", "duplicate", "late", "slip",
    "forged", "old_link", "stranger", "clear",
)  # fmt: skip
"""Faults of a shoe. The catalogue names the effect of each (`felt.fault_kinds.shoe`)."""
READER_FAULTS = ("silent", "unplug", "noise", "clear")
"""Faults of a reader. The catalogue names the effect of each (`felt.fault_kinds.reader`)."""


@dataclass(frozen=True, slots=True)
class CardToken:
    """One of the next cards. `face`: None for any card; `up`: found face up (``^TD``); `read`: False if the
    shoe cannot read it (``??``)."""

    face: str | None = field(repr=False)
    up: bool = False
    read: bool = True


@dataclass(frozen=True, slots=True)
class FaultRequest:
    """Fault of a device. `circle`: a reader, `all` for every reader, None for the shoe. `after`: number of
    cards until the fault occurs; None for at once."""

    circle: Circle | Literal["all"] | None
    kind: str
    after: int | None = None

    def readers(self, every: Collection[Circle]) -> Collection[Circle]:
        """Return the circles in `every` whose readers fail; none if the fault is the shoe's."""
        if self.circle is None:
            return ()
        return every if self.circle == "all" else (self.circle,)
