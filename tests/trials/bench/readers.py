"""The readers of a mock table in a separate process, at the device's pace.

The process lays and takes chips on request and does nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path

from drivers.chips.sim.kinds import SIMULATED
from drivers.ports import CircleId


def serve(near: Connection, folder: Path, circles: Sequence[CircleId], kind: str) -> None:
    """Run the process: lay and take chips on request, (circle, uids), until None is received."""
    bank = SIMULATED[kind](folder, circles, 1.0, 0)
    bank.start()
    try:
        near.send("ready")
        while (order := near.recv()) is not None:
            circle, uids = order
            bank.set_chips(circle, uids)
    finally:
        bank.stop()
    near.send(None)
