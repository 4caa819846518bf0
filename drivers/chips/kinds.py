"""The kinds of reader that a table file may name (`readers.kind`), each a chip standard and its driver."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from drivers.chips.pn532 import Pn532
from drivers.chips.reader import Clock, MakeChip, ReaderChip
from drivers.chips.seat_board import seat_boards
from drivers.ports import CircleId

MakeChips: TypeAlias = Callable[[Mapping[CircleId, str], float, Clock], dict[CircleId, ReaderChip]]
"""Maker of the readers, from each circle's port, the time that a chip needs after the field is on, and the
clock. Opens nothing yet."""


def each(make: MakeChip) -> MakeChips:
    """A reader on a line of its own for each circle."""

    def made(ports: Mapping[CircleId, str], settle_s: float, clock: Clock) -> dict[CircleId, ReaderChip]:
        return {circle: make(port, settle_s, clock) for circle, port in ports.items()}

    return made


DEFAULT = "pn532_uart"
SHARED = "seat_board"
"""The kind whose circles of one seat share a port."""
KINDS: dict[str, MakeChips] = {DEFAULT: each(Pn532), SHARED: seat_boards}
