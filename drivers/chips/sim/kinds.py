"""The simulated readers of each kind in `drivers/chips/kinds.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from drivers.chips.kinds import DEFAULT, FEIG, SEAT_BOARD
from drivers.chips.sim.bank import Bank
from drivers.chips.sim.board_bank import BoardBank
from drivers.chips.sim.feig_bank import FeigBank
from drivers.chips.sim.simulator import ReaderBank
from drivers.ports import CircleId

UID_PREFIX: dict[str, str] = {FEIG: "E0"}
"""Digits before an ISO/IEC 14443A UID that turn it into an ISO/IEC 15693 UID, for the kinds of reader that
need it.
"""
SEAT_LINES: dict[str, str] = {SEAT_BOARD: "board", FEIG: "feig"}
"""Name of a seat's line, before the seat's number, for the kinds with one line for all circles of a seat."""
MakeBank: TypeAlias = Callable[[Path, Sequence[CircleId], float, int], Bank]
"""Returns simulated readers. Arguments: folder for the lines, circles, pace, seed."""
SIMULATED: dict[str, MakeBank] = {DEFAULT: ReaderBank, SEAT_BOARD: BoardBank, FEIG: FeigBank}
