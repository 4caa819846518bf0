"""Notifies systemd's watchdog as long as the readers read and the shoe's link carries frames. Without a
notification systemd kills the hung daemon and restarts it.

The loop calls it once a second, so there is no notification if the loop hangs. Readings are counted when they
arrive from the readers, not when the engine takes them, because a table that waits for disk space is
healthy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from controller.common.clock import Clock
from drivers.ports import Inventory, LinkStatistics

SHOE_STALLED_S = 5.0
"""Seconds without progress after which a device that must answer counts as hung and the notifications
stop.
"""

Sink = Callable[[Sequence[Inventory]], None]


class WatchdogNotifier(Protocol):
    def watchdog(self) -> None: ...


class Watchdog:
    """Notifies the watchdog if fitted readers keep reading and an open link of version 1 or later carries
    frames.

    A plain link may be silent without a fault.
    """

    def __init__(self, clock: Clock, notifier: WatchdogNotifier, fitted: bool) -> None:
        self._notifier = notifier
        self._fitted = fitted
        self._readings = 0
        self._readers, self._link = ProgressCheck(clock), ProgressCheck(clock)

    def counting(self, sink: Sink) -> Sink:
        """Return a sink that counts readings before it passes them on to `sink`."""

        def count(inventories: Sequence[Inventory]) -> None:
            self._readings += len(inventories)
            sink(inventories)

        return count

    def check(self, link: LinkStatistics) -> None:
        reading = self._readers.is_recent(self._readings) or not self._fitted
        talking = self._link.is_recent(sum(link.counts.values())) or not link.up or link.protocol != "v1"
        if reading and talking:
            self._notifier.watchdog()


class ProgressCheck:
    """Detects whether a counter has changed in the last SHOE_STALLED_S seconds."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._seen = -1
        self._since = clock.seconds()

    def is_recent(self, count: int) -> bool:
        now = self._clock.seconds()
        if count != self._seen:
            self._seen, self._since = count, now
        return now - self._since < SHOE_STALLED_S
