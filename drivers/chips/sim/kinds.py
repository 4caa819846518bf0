"""The simulated readers of each kind in `drivers/chips/kinds.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol, TypeAlias

from drivers.chips.kinds import DEFAULT, FEIG, SEAT_BOARD
from drivers.chips.sim.board_bank import BoardBank
from drivers.chips.sim.feig_bank import FeigBank
from drivers.chips.sim.simulator import ReaderBank
from drivers.ports import CircleId


class Bank(Protocol):
    """Readers of an entire table, of any kind."""

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def paths(self) -> dict[CircleId, str]: ...

    def set_chips(self, circle: CircleId, uids: Iterable[str]) -> None: ...

    def fault(self, circle: CircleId, kind: str) -> None: ...

    def last_frames(self, circle: CircleId) -> tuple[bytes, bytes]: ...


UID_PREFIX: dict[str, str] = {FEIG: "E0"}
"""Digits that make an ISO/IEC 14443A UID one of ISO/IEC 15693, for the kinds that read those."""
SEAT_LINES: dict[str, str] = {SEAT_BOARD: "board", FEIG: "feig"}
"""Name of a seat's line, before its number, for the kinds with one line for all circles of a seat."""
MakeBank: TypeAlias = Callable[[Path, Sequence[CircleId], float, int], Bank]
"""Returns simulated readers. Arguments: folder for the lines, circles, pace, seed."""
SIMULATED: dict[str, MakeBank] = {DEFAULT: ReaderBank, SEAT_BOARD: BoardBank, FEIG: FeigBank}
