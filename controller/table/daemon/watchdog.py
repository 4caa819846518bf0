"""Feeding of systemd's watchdog: while readers read and the shoe's link talks.

The loop looks once a second, so a loop that hangs feeds nothing. Readings are counted as they come from
the readers, not as the engine takes them: a table that waits for a full disk is healthy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from controller.common.clock import Clock
from drivers.ports import Inventory, LinkStatistics

STALLED_S = 5.0
"""Time after which a device that must answer and does not counts as hung: the watchdog is no longer fed."""

Sink = Callable[[Sequence[Inventory]], None]


class Feeding(Protocol):
    def watchdog(self) -> None: ...


class Watchdog:
    """Readers that are fitted must go on reading, and a link that is up must carry something. A plain link
    may be silent."""

    def __init__(self, clock: Clock, told: Feeding, fitted: bool) -> None:
        self._told = told
        self._fitted = fitted
        self._readings = 0
        self._readers, self._link = Progress(clock), Progress(clock)

    def counting(self, sink: Sink) -> Sink:
        """The same sink, for the readers to be started with: what goes into it is counted."""

        def count(inventories: Sequence[Inventory]) -> None:
            self._readings += len(inventories)
            sink(inventories)

        return count

    def look(self, link: LinkStatistics) -> None:
        reading = self._readers.made(self._readings) or not self._fitted
        talking = self._link.made(sum(link.counts.values())) or not link.up or link.protocol != "v1"
        if reading and talking:
            self._told.watchdog()


class Progress:
    """Whether a count has moved lately."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._seen = -1
        self._since = clock.seconds()

    def made(self, count: int) -> bool:
        now = self._clock.seconds()
        if count != self._seen:
            self._seen, self._since = count, now
        return now - self._since < STALLED_S
