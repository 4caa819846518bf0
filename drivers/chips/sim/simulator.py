"""Simulated PN532 readers on pseudo-terminals, one for each circle: a bank with one thread for all.

A reader is a wire (`line`) and a model (`pn532`, `field`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from drivers.chips.sim.bank import LineBank
from drivers.chips.sim.line import BYTE_S, PN532_BAUD, Pn532Line
from drivers.chips.sim.ntag424 import Iso14443Chip
from drivers.chips.sim.pn532 import DEVICE_TIMES, INSTANT_TIMES, RfTimes
from drivers.ports import CircleId


def rf_times(pace: float) -> RfTimes:
    """Return the radio times for ``pace``: 1 is the device's, 0 answers at once. Settling is not scaled."""
    if not pace:
        return INSTANT_TIMES
    at = DEVICE_TIMES
    return RfTimes(at.activation_s * pace, at.halt_s * pace, at.miss_s * pace, at.settle_s)


class ReaderBank(LineBank[CircleId, Pn532Line]):
    """Readers of an entire table: `with ReaderBank(dir, circles, pace) as bank`.

    Every method may be called from any thread, the loop of an asyncio program included; none waits.
    """

    def __init__(
        self, directory: Path, circles: Sequence[CircleId], pace: float = 1.0, seed: int = 0
    ) -> None:
        times, byte_s = rf_times(pace), BYTE_S * pace
        lines = {
            circle: Pn532Line(
                directory / f"reader-{circle[0]}-{circle[1]}", times, byte_s, seed * 1000 + number
            )
            for number, circle in enumerate(circles)
        }
        self.card_of: Callable[[str], Iso14443Chip | None] = lambda uid: None
        """Returns the application of a chip that is laid, by its UID; None for a chip with only a number."""
        for line in lines.values():
            line.antenna.card_of = lambda uid: self.card_of(uid.hex().upper())
        super().__init__(directory, lines, pace)

    def start_on(self, circle: CircleId, port: str) -> None:
        """Run one reader on a real serial port instead of a pseudo-terminal. Raises OSError if the port
        cannot be opened.
        """
        self._start_on(self._lines[circle], port, PN532_BAUD)

    # ------------------------------------------------------------- chips and faults

    def paths(self) -> dict[CircleId, str]:
        return {circle: line.path for circle, line in self._lines.items()}

    def set_chips(self, circle: CircleId, uids: Iterable[str]) -> None:
        """Put exactly these chips in the circle; the same UID twice is two chips."""
        with self._changing():
            line = self._lines[circle]
            line.antenna.set_chips([bytes.fromhex(uid) for uid in uids], time.monotonic())
            self._answer_waiting(line)

    def lay(self, circle: CircleId, uid: str, ignores_halt: bool = False) -> None:
        with self._changing():
            line = self._lines[circle]
            line.antenna.lay(bytes.fromhex(uid), time.monotonic(), ignores_halt)
            self._answer_waiting(line)

    def take(self, circle: CircleId, uid: str) -> bool:
        with self._changing():
            return self._lines[circle].antenna.take(bytes.fromhex(uid))

    def chips(self, circle: CircleId) -> tuple[str, ...]:
        with self._lock:
            return tuple(uid.hex().upper() for uid in self._lines[circle].antenna.uids())

    def last_frames(self, circle: CircleId) -> tuple[bytes, bytes]:
        """Return the last command and answer on the reader's wire."""
        with self._lock:
            return self._lines[circle].last_frames

    def fault(self, circle: CircleId, kind: str) -> None:
        """Apply a fault, one of `faults.VERBS`."""
        with self._changing():
            line = self._lines[circle]
            line.wire.set(kind)
            self._follow_plug(line, kind)

    def _answer_waiting(self, line: Pn532Line) -> None:
        if self._loop is not None:
            self._loop.poll_again(line)
