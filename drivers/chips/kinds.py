"""The kinds of reader (PN532, seat board, FEIG) for `readers.kind` in a table file: the driver of each chip
standard.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from drivers.chips.feig import feig_readers
from drivers.chips.pn532 import Pn532
from drivers.chips.reader import MakeChip, MonotonicClock, ReaderChip
from drivers.chips.seat_board import seat_boards
from drivers.ports import CircleId

MakeChips: TypeAlias = Callable[[Mapping[CircleId, str], float, MonotonicClock], dict[CircleId, ReaderChip]]
"""Returns a reader for each circle, without opening it.

Arguments: port of each circle, settling time (s) of a chip after the field is on, clock."""


def one_per_circle(make: MakeChip) -> MakeChips:
    """Return a maker of readers that each have their own line."""

    def make_all(
        ports: Mapping[CircleId, str], settle_s: float, clock: MonotonicClock
    ) -> dict[CircleId, ReaderChip]:
        return {circle: make(port, settle_s, clock) for circle, port in ports.items()}

    return make_all


DEFAULT = "pn532_uart"
SEAT_BOARD = "seat_board"
FEIG = "feig_mux"
SHARED_PORT_KINDS = (SEAT_BOARD, FEIG)
"""Kinds of reader with one port for all circles of a seat."""
PROVING = (DEFAULT, FEIG)
"""Kinds of reader over which chips prove themselves."""
READER_KINDS: dict[str, MakeChips] = {
    DEFAULT: one_per_circle(Pn532), SEAT_BOARD: seat_boards, FEIG: feig_readers,
}  # fmt: skip
