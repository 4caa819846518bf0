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
    CLEARED DONE REFUSED``), or ``LINK_LOST``, ``TAMPERED`` (somebody else spoke on the line) and
    ``UNPROVEN`` (whoever answers speaks version 1 instead of 2) made by the driver.
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
    """Statistics of a line. `counts`: since the start, by the names that the technician's page shows.
    `heard`: when the last whole frame came; `unit`: what the shoe says of itself: model, serial, firmware."""

    counts: Mapping[str, int] = field(default_factory=dict)
    up: bool = False
    protocol: str = "v1"
    remark: str = ""
    port: str = ""
    heard: float | None = None
    unit: tuple[str, ...] = ()


class ShoePort(Protocol):
    """A dealing shoe. All calls and callbacks are made on the event loop's thread."""

    def start(self, sink: Callable[[ShoeReport], None], last: str | None) -> None:
        """Begin to (re)open the line; ``last`` is the last mark on stable storage."""

    def accept(self, report: ShoeReport) -> None:
        """The report is on stable storage: acknowledge it (drivers/shoe/LINK.md, Delivery)."""

    def command(self, kind: str, *fields: str) -> None:
        """Queue a command: ``DEAL``, ``STUBOUT``, ``SHUFFLE``, ``HOLD``, ``RELEASE``, ``SIGN``. ``VERSION 1``
        is none: from here on the driver speaks version 1, until the shoe speaks version 2 again."""

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


@dataclass(frozen=True, slots=True)
class ReaderHealth:
    """Health of one reader, counted since the start. Only what was asked of the reader itself is counted: a
    circle that is reported silent because its reader is being looked for counts nothing.

    `state`: it has not been opened yet, is read, or is being looked for; `why`: its last trouble, empty when
    there is none. `readings`: complete; `unanswered`, `unstable`: those that were not. `opened`: how often it
    was set up, the first time included; `refused`: how often that failed. `noise`: bytes of no frame;
    `stale`: answers that came too late. `answered`: when it last gave a complete reading, `failed`: when it
    last gave none; `took_s`: what a reading takes lately, for each chip and the empty field after them."""

    port: str = ""
    firmware: str = ""
    state: Literal["new", "open", "sick"] = "open"
    why: str = ""
    readings: int = 0
    unanswered: int = 0
    unstable: int = 0
    opened: int = 0
    refused: int = 0
    noise: int = 0
    stale: int = 0
    answered: float | None = None
    failed: float | None = None
    took_s: float | None = None
    garbled: bool = False
    """While it is being looked for: something came, and was not understood."""


class ChipsPort(Protocol):
    """All readers of a table."""

    def start(self, sink: Callable[[Sequence[Inventory]], None]) -> None:
        """Scan for ever; ``sink`` may be called from any thread, once a slot."""

    def watch(self, first: Sequence[CircleId]) -> None:
        """Read these circles first and again, the others in turn."""

    def sweep(self) -> None:
        """A complete reading of every circle is wanted soon (NO MORE BETS was pressed)."""

    def statistics(self) -> Mapping[CircleId, ReaderHealth]: ...

    def stop(self) -> None: ...


# --------------------------------------------------------------------- lamps and keys

Colour: TypeAlias = Literal["off", "green", "red", "amber"]
Rhythm: TypeAlias = str
"""One period of a light, a quarter of a second a sign: ``#`` lit, ``.`` dark, never empty. ``"#"`` is steady,
``"##.."`` blinks once a second."""
SLOT_S = 0.25
"""Length of one sign of a `Rhythm`, in s."""


@dataclass(frozen=True, slots=True)
class Signal:
    """Signal of a lamp. Two-colour lamps: amber is both. Their meaning: controller/game/showing/lamps.py."""

    colour: Colour = "off"
    rhythm: Rhythm = "#"


@dataclass(frozen=True, slots=True)
class LampsHealth:
    """Health of the chain. `written`, `failed`: numbers since the start; `why`: the fault while it cannot be
    written, or does not give back what it was sent; `first`: what was wrong the first time; `lasting`: it is
    no single bad transfer, and what the lamps show may be wrong."""

    port: str = ""
    written: int = 0
    failed: int = 0
    why: str = ""
    first: str = ""
    lasting: bool = False


MIN_LAMPS_PERCENT, MAX_LAMPS_PERCENT = 20, 100
"""Bounds of the lamps' brightness: mean current, percent of 6.4 mA (hardware/parts.md). 20 % is 1.3 mA, which
an indicator LED needs to be seen in a lit room: no lamp is ever dimmed until it is dark."""


class LampsPort(Protocol):
    """One two-colour lamp a circle."""

    def show(self, signals: Mapping[CircleId, Signal]) -> None:
        """The whole table; a circle that is not named is dark."""

    def tick(self, now: float) -> None:
        """Plays the rhythms from the one tick; latches the chain only when a bit changed."""

    def dim(self, percent: int) -> None:
        """Set the brightness of all lamps, from MIN_LAMPS_PERCENT to MAX_LAMPS_PERCENT; colours and rhythms
        stay as they are."""

    def statistics(self) -> LampsHealth | None:
        """None: no lamps are fitted."""

    def stop(self) -> None:
        """All dark."""


@dataclass(frozen=True, slots=True)
class KeyHealth:
    """`presses` since the start, and when the last one was. `stuck`: it has been down too long."""

    port: str = ""
    presses: int = 0
    pressed: float | None = None
    stuck: bool = False


class KeysPort(Protocol):
    """The dealer's keys: ``no_more_bets``, ``confirm``, ``fold``, ``floor``."""

    def start(self, sink: Callable[[str], None]) -> None:
        """``sink`` may be called from any thread."""

    def statistics(self) -> Mapping[str, KeyHealth]:
        """By the key's name; none where no keys are fitted."""

    def stop(self) -> None: ...
