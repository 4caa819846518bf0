"""Figures that a monitor reads from a pit."""

from __future__ import annotations

from controller.common.files.openmetrics import answer
from controller.floor.pit.counts import Counts, Waiting
from controller.floor.pit.floor import PitFloor
from controller.floor.pit.metrics import families

READY = {"broker": "", "writer": "", "store": "", "audit": ""}


def figures(counts: Counts, floor: PitFloor | None = None, accept: str = "") -> str:
    """Return the text of `/metrics`."""
    shown = floor or PitFloor(lambda: 0.0, lambda: 0.0)
    return answer(families(shown, counts, Waiting(), READY), accept)[0].decode()
