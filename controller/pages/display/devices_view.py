"""Data of the technician's page about the devices, as declared types.

These types describe the JSON that the page process returns. Ages are ms before the answer, null if the event
never occurred. Counters run since the daemon's start. Nothing here is derived from a card.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict

LineState: TypeAlias = Literal["silent", "garbled", "unsteady", "noisy", "slow", "waiting", "fine"]
"""State of a reader, the worst first.

silent: no answer; garbled: unintelligible answers; unsteady: occasional failures; noisy: stray bytes; slow:
slower than the other readers; waiting: not opened yet.
"""
STATES: tuple[LineState, ...] = ("silent", "garbled", "unsteady", "noisy", "slow", "waiting", "fine")


class Reader(TypedDict):
    """State of one reader for the page. `answered_ms`: ms since its last complete reading; `silent_ms`: the
    same, but null unless the newest reading failed.

    `lately`: number of readings in the last minute, and number of those that failed.
    """

    seat: int
    wager: str
    port: str
    firmware: str
    state: LineState
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


class DeviceLine(TypedDict):
    """State of the connection to the shoe or to the lamp chain. `heard_ms`: ms since its last message."""

    fitted: bool
    port: str
    well: bool
    why: str
    unit: str
    heard_ms: int | None
    counts: dict[str, int]


class KeyLine(TypedDict):
    """State of one of the dealer's keys."""

    key: str
    port: str
    presses: int
    pressed_ms: int | None
    stuck: bool


class Machine(TypedDict):
    """State of the program and the machine of this table.

    `celsius_tenths`: null if the machine does not report it. `journal`: known damage of the journal's old
    rows, or "".
    """

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
    """Data of the technician's page about the devices."""

    table: str
    machine: Machine
    shoe: DeviceLine
    lamps: DeviceLine
    keys: list[KeyLine]
    readers: list[Reader]
    """Readers, the worst first."""
