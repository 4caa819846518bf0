"""The kinds of reader that a table file may name (`readers.kind`), each a chip standard and its driver."""

from __future__ import annotations

from drivers.chips.pn532 import Pn532
from drivers.chips.reader import MakeChip

KINDS: dict[str, MakeChip] = {"pn532": Pn532}
