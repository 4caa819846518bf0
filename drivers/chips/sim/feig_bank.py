"""Simulated FEIG readers of a table, one per seat, with the interface of `ReaderBank`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from drivers.chips.sim.bank import LineBank
from drivers.chips.sim.feig_line import FeigLine
from drivers.chips.sim.feig_mux import OUTPUT_COUNT
from drivers.chips.sim.icode_dna import VicinityCard
from drivers.chips.sim.vicinity import VicinityField
from drivers.ports import CircleId
from hardware.seat_board.pins import READERS

FEIG_BAUD = 115200
"""Speed of the readers of a table that was set up as drivers/chips/FEIG.md says."""


def outputs(circles: Sequence[str]) -> dict[str, int]:
    """Return the output of each circle of a seat: its position on the seat board; other names get free
    outputs.

    The cables stay connected if a table file leaves a circle out. Raises ValueError if there are more circles
    than outputs.
    """
    if len(circles) > OUTPUT_COUNT:
        raise ValueError(f"{len(circles)} circles at one reader; allowed: {OUTPUT_COUNT}")
    places = {circle: output for output, circle in enumerate(READERS, start=1)}
    taken = {places[circle] for circle in circles if circle in places}
    free = iter(sorted(set(range(1, OUTPUT_COUNT + 1)) - taken))
    return {circle: places[circle] if circle in places else next(free) for circle in circles}


class FeigBank(LineBank[int, FeigLine]):
    """Readers of an entire table, by seat: `with FeigBank(dir, circles, pace) as bank`."""

    def __init__(
        self,
        directory: Path,
        circles: Sequence[CircleId],
        pace: float = 1.0,
        seed: int = 0,
        baud: int = FEIG_BAUD,
    ) -> None:
        seats = sorted({seat for seat, _ in circles})
        lines = {seat: FeigLine(directory / f"feig-{seat}", pace, seed * 1000 + seat, baud) for seat in seats}
        super().__init__(directory, lines, pace)
        self.card_of: Callable[[str], VicinityCard | None] = lambda uid: None
        """Returns the part by which a newly laid chip proves itself, by the chip's UID, or None for a chip
        without one."""
        for line in lines.values():
            for antenna in line.reader.antennas.values():
                antenna.card_of = lambda uid: self.card_of(uid.hex().upper())
        self._outputs = {
            (seat, circle): output
            for seat in seats
            for circle, output in outputs([circle for of, circle in circles if of == seat]).items()
        }

    def start_on(self, circle: CircleId, port: str) -> None:
        """Run one reader on a real serial port instead of a pseudo-terminal. Raises OSError if the port
        cannot be opened.
        """
        line = self._lines[circle[0]]
        self._start_on(line, port, line.baud, "E")

    # ------------------------------------------------------------- chips and faults

    def paths(self) -> dict[CircleId, str]:
        return {circle: self._lines[circle[0]].path for circle in self._outputs}

    def set_chips(self, circle: CircleId, uids: Iterable[str]) -> None:
        """Put exactly these chips in the circle; the same UID twice is two chips."""
        with self._changing():
            self._antenna(circle).set_chips([bytes.fromhex(uid) for uid in uids], time.monotonic())

    def lay(self, circle: CircleId, uid: str) -> None:
        with self._changing():
            self._antenna(circle).lay(bytes.fromhex(uid), time.monotonic())

    def take(self, circle: CircleId, uid: str) -> bool:
        with self._changing():
            return self._antenna(circle).take(bytes.fromhex(uid))

    def chips(self, circle: CircleId) -> tuple[str, ...]:
        with self._lock:
            return tuple(uid.hex().upper() for uid in self._antenna(circle).uids())

    def last_frames(self, circle: CircleId) -> tuple[bytes, bytes]:
        """Return the last request and answer while this circle's antenna was connected."""
        with self._lock:
            return self._lines[circle[0]].frames_at(self._outputs[circle])

    def fault(self, circle: CircleId, kind: str) -> None:
        """Apply a fault to one antenna, one of `feig_faults.AIR_VERBS` or `WIRE_VERBS`."""
        with self._changing():
            self._lines[circle[0]].fault(kind, time.monotonic(), self._outputs[circle])

    def fault_seat(self, seat: int, kind: str) -> None:
        """Apply a fault to a seat's reader, one of `feig_faults.FEIG_VERBS`."""
        with self._changing():
            line = self._lines[seat]
            line.fault(kind, time.monotonic())
            self._follow_plug(line, kind)

    def _antenna(self, circle: CircleId) -> VicinityField:
        return self._lines[circle[0]].reader.antennas[self._outputs[circle]]
