"""Requests to the simulated devices, from scenarios and the felt page: cards and faults. Data only."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal

from controller.game.model.names import Circle

SHOE_FAULTS: Mapping[str, str] = {
    "jam": "a card sticks on its way out; the shoe stops and says so",
    "double": "two cards come out as one; the shoe notices and stops",
    "empty": "the shoe finds no card where one should be",
    "door": "the door is opened while cards are in it",
    "shuffle": "the shuffler fails; the deck in play can still be dealt",
    "silent": "the shoe is switched on and neither sends nor receives",
    "unplug": "its cable is pulled out",
    "noise": "rubbish on the line before each frame",
    "duplicate": "every frame comes twice",
    "late": "every frame comes 150 ms late",
    "slip": "it lets a card out without a request, and does not report it",
    "forged": "another sender on its line sends a card, under a number that the shoe has used",
    "old_link": "an older shoe takes its place, with the same cards in it, which proves nothing",
    "stranger": "another shoe is plugged in, with the same cards in it",
    "clear": "everything is put right and plugged in",
}
"""Faults of a shoe, each with its effect in words for the technician."""
READER_FAULTS: Mapping[str, str] = {
    "silent": "the reader neither sends nor receives",
    "unplug": "its cable is pulled out",
    "noise": "rubbish on the line before each frame and inside most",
    "clear": "it is put right and plugged in",
}


@dataclass(frozen=True, slots=True)
class CardToken:
    """One of the next cards. `face` None: any card; `up`: found face up (``^TD``); `read` False: the shoe
    cannot read it (``??``).
    """

    face: str | None = field(repr=False)
    up: bool = False
    read: bool = True


@dataclass(frozen=True, slots=True)
class FaultRequest:
    """Fault of a device. `circle`: a reader, `all` for every reader, None for the shoe. `after`: number of
    cards until the fault occurs; None for now."""

    circle: Circle | Literal["all"] | None
    kind: str
    after: int | None = None

    def readers(self, every: Collection[Circle]) -> Collection[Circle]:
        """Return the circles whose readers fail, out of `every` circle with a reader; none if the fault is
        the shoe's.
        """
        if self.circle is None:
            return ()
        return every if self.circle == "all" else (self.circle,)
