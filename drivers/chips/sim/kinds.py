"""The simulated reader of each kind that `drivers/chips/kinds.py` names."""

from __future__ import annotations

from drivers.chips.sim.line import Line

SIMULATED: dict[str, type[Line]] = {"pn532": Line}
