"""Data of the technician's page about the devices, as a declared type.

JSON as it leaves the process. Ages are ms before the moment of the answer, null where it never was so;
counters run since the daemon was started. Nothing here follows from a card.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict

State: TypeAlias = Literal["silent", "garbled", "unsteady", "noisy", "slow", "waiting", "fine"]
"""State of a reader, the worst first: it does not answer, what it says is not understood, it fails now and
then, bytes come that are no answer, it takes longer than the others, it has not been opened yet."""
STATES: tuple[State, ...] = ("silent", "garbled", "unsteady", "noisy", "slow", "waiting", "fine")


class Reader(TypedDict):
    """One reader. `answered_ms`: since its last complete reading; `silent_ms`: the same, while it gives none.
    `lately`: readings of the last minute and how many of them failed."""

    seat: int
    wager: str
    port: str
    firmware: str
    state: State
    why: str
    answered_ms: int | None
    silent_ms: int | None
    readings: int
    unanswered: int
    unstable: int
    opened: int
    refused: int
    noise: int
    stale: int
    took_us: int | None
    lately: tuple[int, int]


class Line(TypedDict):
    """The shoe's line, or the lamps' chain."""

    fitted: bool
    port: str
    well: bool
    why: str
    unit: str
    heard_ms: int | None
    counts: dict[str, int]


class KeyLine(TypedDict):
    """One of the dealer's keys."""

    key: str
    port: str
    presses: int
    pressed_ms: int | None
    stuck: bool


class Machine(TypedDict):
    """Programs and machine of this table. `celsius_tenths`: null where the machine does not tell. `journal`:
    the damage of its old rows, "" if nothing is known."""

    version: str
    digest: str
    rules: str
    rules_title: str
    rules_digest: str
    python: str
    system: str
    up_ms: int
    celsius_tenths: int | None
    journal: str


class DevicesView(TypedDict):
    """The whole page."""

    table: str
    machine: Machine
    shoe: Line
    lamps: Line
    keys: list[KeyLine]
    readers: list[Reader]
    """Readers, the worst first."""
