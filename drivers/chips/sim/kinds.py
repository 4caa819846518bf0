"""The simulated readers of each kind that `drivers/chips/kinds.py` names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol, TypeAlias

from drivers.chips.kinds import DEFAULT, SHARED
from drivers.chips.sim.board_bank import BoardBank
from drivers.chips.sim.simulator import ReaderBank
from drivers.ports import CircleId


class Bank(Protocol):
    """Readers of a whole table, whatever their kind."""

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def paths(self) -> dict[CircleId, str]: ...

    def set_chips(self, circle: CircleId, uids: Iterable[str]) -> None: ...

    def fault(self, circle: CircleId, kind: str) -> None: ...

    def last_frames(self, circle: CircleId) -> tuple[bytes, bytes]: ...


MakeBank: TypeAlias = Callable[[Path, Sequence[CircleId], float, int], Bank]
"""Maker of the simulated readers, from a folder for the lines, the circles, the pace and a seed."""
SIMULATED: dict[str, MakeBank] = {DEFAULT: ReaderBank, SHARED: BoardBank}
