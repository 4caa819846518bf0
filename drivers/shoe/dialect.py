"""Interface of a dialect towards the serial driver: bytes and time in, bytes and reports out. Sans-I/O.

`session.py` and `plain.py` implement it.
"""

from __future__ import annotations

from collections import Counter
from typing import Protocol

from drivers.ports import ShoeReport
from drivers.shoe.trace import Trace


class Dialect(Protocol):
    """Interface of a dialect. Every call may produce bytes and reports: fetch both after each call."""

    remark: str
    last_received: float | None
    """Time of the last complete frame or line."""
    unit: tuple[str, ...]
    """Identity of the shoe: model, serial number, firmware."""
    trace: Trace

    @property
    def protocol(self) -> str:
        """Return the protocol for `LinkStatistics`."""

    @property
    def up(self) -> bool: ...

    def opened(self, now: float) -> None:
        """Note that the port is open, for the first time or again."""

    def closed(self, now: float) -> None:
        """Note that the port is closed."""

    def receive(self, data: bytes, now: float) -> None: ...

    def accept(self, report: ShoeReport, now: float) -> None:
        """Note that the report is on stable storage."""

    def command(self, kind: str, fields: tuple[str, ...], now: float) -> None: ...

    def tick(self, now: float) -> None:
        """Carry out all actions that are due at `now`."""

    def next_deadline(self) -> float | None: ...

    def take_bytes(self) -> bytes: ...

    def take_reports(self) -> list[ShoeReport]: ...

    def counts(self) -> Counter[str]: ...
