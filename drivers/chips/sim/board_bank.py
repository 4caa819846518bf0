"""Simulated seat boards of a table, with the interface of `ReaderBank`: chips, faults, names of lines.

Every method may be called from any thread; none waits, except for a board being unplugged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from time import monotonic

from drivers.chips.sim.bank import Bank
from drivers.chips.sim.board import SimBoard
from drivers.chips.sim.board_spi import SpiChip
from drivers.chips.sim.simulator import rf_times
from drivers.ports import CircleId


class BoardBank(Bank):
    """Boards, one per seat: `with BoardBank(dir, circles, pace) as bank`."""

    def __init__(
        self, directory: Path, circles: Sequence[CircleId], pace: float = 1.0, seed: int = 0
    ) -> None:
        times = rf_times(pace)
        self.boards = {
            seat: SimBoard(
                directory / f"board-{seat}",
                [circle for of, circle in circles if of == seat],
                times,
                pace,
                seed * 1000 + seat,
            )
            for seat in sorted({seat for seat, _ in circles})
        }
        self._circles = list(circles)

    def start(self) -> None:
        for board in self.boards.values():
            board.plug()

    def stop(self) -> None:
        for board in self.boards.values():
            board.close()

    def paths(self) -> dict[CircleId, str]:
        return {circle: str(self.boards[circle[0]].link) for circle in self._circles}

    def set_chips(self, circle: CircleId, uids: Iterable[str]) -> None:
        """Put exactly these chips in the circle; the same UID twice is two chips."""
        self._change()
        with self.boards[circle[0]].lock:
            self._chip(circle).antenna.set_chips([bytes.fromhex(uid) for uid in uids], monotonic())

    def lay(self, circle: CircleId, uid: str, ignores_halt: bool = False) -> None:
        self._change()
        with self.boards[circle[0]].lock:
            self._chip(circle).antenna.lay(bytes.fromhex(uid), monotonic(), ignores_halt)

    def take(self, circle: CircleId, uid: str) -> bool:
        self._change()
        with self.boards[circle[0]].lock:
            return self._chip(circle).antenna.take(bytes.fromhex(uid))

    def chips(self, circle: CircleId) -> tuple[str, ...]:
        with self.boards[circle[0]].lock:
            return tuple(uid.hex().upper() for uid in self._chip(circle).antenna.uids())

    def last_frames(self, circle: CircleId) -> tuple[bytes, bytes]:
        """Return the last command and answer between the board and that PN532."""
        return self._chip(circle).last_frames

    def fault(self, circle: CircleId, kind: str) -> None:
        """Apply a fault to one reader at its board, one of `faults.VERBS`."""
        self._change()
        with self.boards[circle[0]].lock:
            self._chip(circle).wire.set(kind)

    def fault_seat(self, seat: int, kind: str) -> None:
        """Apply a fault to an entire board and its line, one of `faults.VERBS`."""
        self._change()
        self.boards[seat].fault(kind)

    def restart(self, seat: int) -> None:
        """Interrupt a board's power for a moment."""
        self.boards[seat].restart()

    def _change(self) -> None:
        """Note a change at the table. For some time afterwards no board counts as quiet."""
        for board in self.boards.values():
            board.changed_at = monotonic()

    def _chip(self, circle: CircleId) -> SpiChip:
        return self.boards[circle[0]].chips[circle[1]]
