"""The ports: what the runtime asks of each device, and nothing more.

The runtime is written against these Protocols; a driver, a wireless simulator or
another maker's device fits behind them. This module knows no controller and opens nothing.
Times are seconds of the monotonic clock that the runtime hands in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

CircleId: TypeAlias = tuple[int, str]
"""(seat 1..6, wager name), for example ``(3, "ante_across")``."""

# --------------------------------------------------------------------------- shoe


@dataclass(frozen=True, slots=True)
class ShoeReport:
    """One thing that the shoe said, in the order in which it said it.

    ``kind``: the frame's TYPE (``WELCOME STATE SHUFFLED READY CARD STACK TAKEN STUB FAULT
    CLEARED DONE REFUSED``), or ``LINK_LOST`` made by the driver.
    ``fields``: the frame's fields as text, already checked against drivers/shoe/LINK.md for number and
    form (a CARD whose face is no card of a deck keeps its text; the controller decides).
    ``mark``: what to hand back as ``last`` after a restart, ``None`` for what no frame carried.
    ``resumed``: a STATE that closes a resumption.
    """

    kind: str
    fields: tuple[str, ...] = ()
    mark: str | None = None
    resumed: bool = False

    def __repr__(self) -> str:
        """For logs and failed tests: no face (drivers/shoe/LINK.md, Security)."""
        shown = (*self.fields[:1], "**") if self.kind == "CARD" else self.fields
        return f"ShoeReport({self.kind!r}, {shown!r}, mark={self.mark!r}, resumed={self.resumed!r})"


@dataclass(frozen=True, slots=True)
class LinkStatistics:
    """Counters since start; names are the ones that the technician's page shows."""

    counts: Mapping[str, int] = field(default_factory=dict)
    up: bool = False
    protocol: str = "v1"
    remark: str = ""


class ShoePort(Protocol):
    """A dealing shoe. All calls and callbacks are made on the event loop's thread."""

    def start(self, sink: Callable[[ShoeReport], None], last: str | None) -> None:
        """Begin to (re)open the line; ``last`` is the last mark on stable storage."""

    def accept(self, report: ShoeReport) -> None:
        """The report is on stable storage: acknowledge it (drivers/shoe/LINK.md, Delivery)."""

    def command(self, kind: str, *fields: str) -> None:
        """Queue a command: ``DEAL``, ``STUBOUT``, ``SHUFFLE``, ``HOLD``, ``RELEASE``, ``SIGN``."""

    def statistics(self) -> LinkStatistics: ...

    def stop(self) -> None: ...


# ------------------------------------------------------------------------- readers

ReaderAnswer: TypeAlias = Literal["chips", "silent", "unstable"]


@dataclass(frozen=True, slots=True)
class Inventory:
    """One attempt to read one circle.

    ``answer``: ``chips`` a complete inventory (``uids`` may be empty: an empty circle);
    ``silent`` the reader did not answer; ``unstable`` it answered, but the inventory is not
    complete (a chip ignored the halt, two share a UID, more chips than it can tell apart).
    ``uids``: upper-case hex, sorted. ``why``: words for the technician, empty when fine.
    """

    circle: CircleId
    began: float
    ended: float
    answer: ReaderAnswer
    uids: tuple[str, ...] = ()
    why: str = ""


class ChipsPort(Protocol):
    """All readers of a table."""

    def start(self, sink: Callable[[Sequence[Inventory]], None]) -> None:
        """Scan for ever; ``sink`` may be called from any thread, once a slot."""

    def watch(self, first: Sequence[CircleId]) -> None:
        """Read these circles first and again, the others in turn."""

    def sweep(self) -> None:
        """A complete reading of every circle is wanted soon (NO MORE BETS was pressed)."""

    def statistics(self) -> Mapping[CircleId, Mapping[str, int | str]]: ...

    def stop(self) -> None: ...


# --------------------------------------------------------------------- lamps and keys

Colour: TypeAlias = Literal["off", "green", "red", "amber"]
Rhythm: TypeAlias = str
"""One period of a light, a quarter of a second a sign: ``#`` lit, ``.`` dark, never empty. ``"#"`` is steady,
``"##.."`` blinks once a second."""
SLOT_S = 0.25
"""How long one sign of a `Rhythm` lasts, s."""


@dataclass(frozen=True, slots=True)
class Signal:
    """What a lamp shows. Two-colour lamps: amber is both. Their meaning: controller/game/showing/lamps.py."""

    colour: Colour = "off"
    rhythm: Rhythm = "#"


class LampsPort(Protocol):
    """One two-colour lamp a circle."""

    def show(self, signals: Mapping[CircleId, Signal]) -> None:
        """The whole table; a circle that is not named is dark."""

    def tick(self, now: float) -> None:
        """Plays the rhythms from the one tick; latches the chain only when a bit changed."""

    def stop(self) -> None:
        """All dark."""


class KeysPort(Protocol):
    """The dealer's keys: ``no_more_bets``, ``confirm``, ``fold``, ``floor``."""

    def start(self, sink: Callable[[str], None]) -> None:
        """``sink`` may be called from any thread."""

    def stop(self) -> None: ...
