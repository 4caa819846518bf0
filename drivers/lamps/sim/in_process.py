"""Lamps without pins, for a table with ``--no-wires``. This module keeps the last signals and must never open
a device.
"""

from __future__ import annotations

from collections.abc import Mapping

from drivers.ports import CircleId, LampsHealth, Signal


class DirectLamps:
    """A `LampsPort` whose signals can be read back; a circle that is not in ``signals`` is dark."""

    def __init__(self) -> None:
        self.signals: Mapping[CircleId, Signal] = {}
        self.percent = 100
        self.shown = 0
        """Number of calls of `show`."""

    def show(self, signals: Mapping[CircleId, Signal]) -> None:
        self.signals = {circle: signal for circle, signal in signals.items() if signal.colour != "off"}
        self.shown += 1

    def dim(self, percent: int) -> None:
        self.percent = percent

    def tick(self, now: float) -> None:
        """Do nothing: the signal contains the rhythm."""

    def statistics(self) -> LampsHealth:
        return LampsHealth("no wire", written=self.shown)

    def stop(self) -> None:
        self.signals = {}
