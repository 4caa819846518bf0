"""The ports: the controller's interface to each device.

The controller uses only these Protocols; a driver, a wireless simulator or another maker's device implements
them. This module is independent of the controller and opens nothing. Times are seconds of the monotonic clock
that the controller passes in.
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
    """One report of the shoe, in the order of its frames.

    ``kind``: the frame's TYPE (``WELCOME STATE SHUFFLED READY CARD STACK TAKEN STUB FAULT CLEARED DONE
    REFUSED``), or ``LINK_LOST``, ``TAMPERED`` (another sender is on the line) or ``UNPROVEN`` (the other
    end uses version 1 instead of 2), made by the driver. ``fields``: the frame's fields as text, checked
    against drivers/shoe/LINK.md for number and form (a CARD whose face is not in a deck keeps its text; the
    controller decides). ``mark``: the value to pass as ``last`` after a restart, ``None`` for a report
    without a frame. ``resumed``: a STATE that closes a resumption.
    """

    kind: str
    fields: tuple[str, ...] = ()
    mark: str | None = None
    resumed: bool = False

    def __repr__(self) -> str:
        """Return the text for logs and failed tests, without a face (drivers/shoe/LINK.md, Security)."""
        shown = (*self.fields[:1], "**") if self.kind == "CARD" else self.fields
        return f"ShoeReport({self.kind!r}, {shown!r}, mark={self.mark!r}, resumed={self.resumed!r})"


@dataclass(frozen=True, slots=True)
class LinkStatistics:
    """Statistics of a line.

    `counts`: counters since the start, by their names on the technician's page. `last_received`: time of the
    last complete frame. `unit`: model, serial number and firmware as the shoe reports them.
    """

    counts: Mapping[str, int] = field(default_factory=dict)
    up: bool = False
    protocol: str = "v1"
    remark: str = ""
    port: str = ""
    last_received: float | None = None
    unit: tuple[str, ...] = ()


class ShoePort(Protocol):
    """A dealing shoe. All calls and callbacks are made on the event loop's thread."""

    def start(self, sink: Callable[[ShoeReport], None], last: str | None) -> None:
        """Begin to open the line, and reopen it after each loss; ``last`` is the last mark on stable
        storage.
        """

    def accept(self, report: ShoeReport) -> None:
        """Acknowledge a report that is on stable storage (drivers/shoe/LINK.md, Delivery)."""

    def command(self, kind: str, *fields: str) -> None:
        """Queue a command: ``DEAL``, ``STUBOUT``, ``SHUFFLE``, ``HOLD``, ``RELEASE``, ``SIGN``.

        ``VERSION 1`` is not sent: from then on the driver uses version 1, until the shoe uses version 2
        again.
        """

    def statistics(self) -> LinkStatistics: ...

    def stop(self) -> None: ...


# ------------------------------------------------------------------------- readers

ReaderAnswer: TypeAlias = Literal["chips", "silent", "unstable"]


@dataclass(frozen=True, slots=True)
class Inventory:
    """One attempt to read one circle.

    ``answer``: ``chips`` for a complete inventory (``uids`` may be empty: an empty circle); ``silent`` if
    the reader did not answer; ``unstable`` if it answered without a complete inventory (a chip ignored the
    halt, two share a UID, more chips than it can separate). ``uids``: upper-case hex, sorted. ``why``:
    explanation for the technician, or "". ``confirmed``: a quick look has confirmed the last complete
    inventory. ``unproven``: those of the ``uids`` whose chips were asked to prove themselves and did not.
    ``pending``: those that still have to prove themselves because `ChipsPort.prove` requires it of this
    circle; empty from the reading on that found all proofs decided; None if it is not required.
    """

    circle: CircleId
    began: float
    ended: float
    answer: ReaderAnswer
    uids: tuple[str, ...] = ()
    why: str = ""
    confirmed: bool = False
    unproven: tuple[str, ...] = ()
    pending: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class ReaderHealth:
    """Health of one reader, counted since the start. Only requests to the reader itself are counted: a
    report of silence during a reconnection is not.

    `state`: not opened yet, in use, or reconnecting. `why`: the last fault, or "". `readings`: complete
    ones; `unanswered`, `unstable`: failed ones. `opened`: number of set-ups, the first included; `refused`:
    failed ones. `noise`: bytes outside frames; `stale`: late answers. `answered`: time of the last complete
    reading, `failed`: of the last failed one. `took_s`: recent duration of a reading divided by the number
    of chips plus one.
    """

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
    """While reconnecting: whether an invalid answer was received."""
    note: str = ""
    """Remark for the technician that does not prevent play, or ""."""


class ChipsPort(Protocol):
    """All readers of a table."""

    def start(self, sink: Callable[[Sequence[Inventory]], None]) -> None:
        """Scan until stopped; ``sink`` may be called from any thread, once per slot."""

    def watch(self, first: Sequence[CircleId]) -> None:
        """Read these circles first and repeatedly, the others in turn."""

    def sweep(self) -> None:
        """Request a complete reading of every circle soon (NO MORE BETS was pressed)."""

    def prove(self, circles: Sequence[CircleId] | None) -> None:
        """Require that each chip in these circles proves itself again, until the next call. None: begin no
        proof until the next call."""

    def module_fault(self) -> str:
        """Return the reason why chips cannot prove themselves, or "" if they can. The reasons are a secure
        module that does not answer and a required proof that takes too long."""

    def statistics(self) -> Mapping[CircleId, ReaderHealth]: ...

    def stop(self) -> None: ...


# --------------------------------------------------------------------- lamps and keys

Colour: TypeAlias = Literal["off", "green", "red", "amber"]
Rhythm: TypeAlias = str
"""One period of a light; each character is a quarter of a second: ``#`` lit, ``.`` dark; never empty. ``"#"``
is steady, ``"##.."`` blinks once a second.
"""
SLOT_S = 0.25
"""Length of one character of a `Rhythm`, in s."""


@dataclass(frozen=True, slots=True)
class Signal:
    """Signal of a two-colour lamp; amber is both colours. Meanings: controller/game/showing/lamps.py."""

    colour: Colour = "off"
    rhythm: Rhythm = "#"


@dataclass(frozen=True, slots=True)
class LampsHealth:
    """Health of the chain.

    `written`, `failed`: transfers since the start. `why`: the present fault, "" if the chain can be written
    and read back. `first`: the first fault. `lasting`: whether more than a few transfers failed, so that the
    lamps may be wrong.
    """

    port: str = ""
    written: int = 0
    failed: int = 0
    why: str = ""
    first: str = ""
    lasting: bool = False


MIN_LAMPS_PERCENT, MAX_LAMPS_PERCENT = 20, 100
"""Limits of the lamps' brightness: mean current, percent of 6.4 mA (hardware/parts.md). 20 % is 1.3 mA,
which an indicator LED needs to be seen in a lit room: no lamp is ever dimmed until it is dark."""


class LampsPort(Protocol):
    """Two-colour lamps, one for each circle."""

    def show(self, signals: Mapping[CircleId, Signal]) -> None:
        """Show the signals of the entire table; a circle that is not named is dark."""

    def tick(self, now: float) -> None:
        """Continue the rhythms. The chain is latched only if a bit has changed."""

    def dim(self, percent: int) -> None:
        """Set the brightness of all lamps, from MIN_LAMPS_PERCENT to MAX_LAMPS_PERCENT; colours and rhythms
        are kept."""

    def statistics(self) -> LampsHealth | None:
        """Return the health, or None if no lamps are fitted."""

    def stop(self) -> None:
        """Darken all lamps."""


@dataclass(frozen=True, slots=True)
class KeyHealth:
    """Health of a key. `presses`: number since the start; `pressed`: time of the last one; `stuck`: whether
    it has been down too long."""

    port: str = ""
    presses: int = 0
    pressed: float | None = None
    stuck: bool = False


class KeysPort(Protocol):
    """The dealer's keys: ``no_more_bets``, ``confirm``, ``fold``, ``floor``."""

    def start(self, sink: Callable[[str], None]) -> None:
        """Start; ``sink`` may be called from any thread."""

    def statistics(self) -> Mapping[str, KeyHealth]:
        """Return the health of each key by its name; empty if no keys are fitted."""

    def stop(self) -> None: ...
