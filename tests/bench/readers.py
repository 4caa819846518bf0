"""The readers of a mock table in a process of their own, at the device's pace.

It lays and takes chips as it is told and knows nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path

from drivers.chips.sim.simulator import ReaderBank
from drivers.ports import CircleId


def serve(near: Connection, folder: Path, circles: Sequence[CircleId]) -> None:
    """The process: (circle, uids) until None."""
    with ReaderBank(folder, circles, 1.0) as bank:
        near.send("ready")
        while (order := near.recv()) is not None:
            circle, uids = order
            bank.set_chips(circle, uids)
    near.send(None)
