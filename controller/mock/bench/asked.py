"""What a scenario or the technician's page asks of the simulated devices: cards and faults. Data alone."""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.game.model.names import Circle

SHOE_FAULTS = (
    "jam", "double", "empty", "door", "shuffle", "silent", "unplug", "noise", "duplicate", "late", "slip",
    "clear",
)  # fmt: skip
READER_FAULTS = ("silent", "unplug", "noise", "clear")


@dataclass(frozen=True, slots=True)
class CardToken:
    """One card in front of what comes out next: `face` None is drawn, `up` found face up (``^TD``),
    `read` False is not read by the shoe (``??``)."""

    face: str | None = field(repr=False)
    up: bool = False
    read: bool = True


@dataclass(frozen=True, slots=True)
class Fault:
    """`circle` None: the shoe. `after`: None at once, else when that card from now would go out."""

    circle: Circle | None
    kind: str
    after: int | None = None
