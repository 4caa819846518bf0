"""One reader as a person at a desk uses it: what lies on it now, read until two readings agree.

It opens the one port and nothing else; a table's daemon that has the port keeps it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from drivers.chips.kinds import KINDS
from drivers.chips.reader import READ_TIMEOUT_S, Clock, LineError, ReaderChip, Unreadable
from drivers.chips.scanner import MAX_READ_TIMEOUT_S
from drivers.ports import CircleId

ALONE: CircleId = (1, "ante_across")
"""Name of the reader used if no circle was named: any single reader, or the first of a seat board."""
READINGS = 8
"""Before it is said that a stack cannot be read: a hand may still have been at it."""


class AntennaError(Exception):
    """The reader cannot be used, or what lies on it cannot be read: what, and what to do."""


class Antenna:
    """`inventory` waits for a reader's answer, at most some seconds."""

    def __init__(self, chip: ReaderChip, port: str) -> None:
        self._chip = chip
        self._port = port

    def inventory(self) -> tuple[str, ...]:
        """The UIDs that lie there, sorted. AntennaError where no two readings running agree."""
        last: tuple[str, ...] | None = None
        why = "two readings running never agreed: is a chip held over it?"
        for _ in range(READINGS):
            self._chip.rest()
            try:
                read = self._chip.inventory(READ_TIMEOUT_S)
            except Unreadable as error:
                last, why = None, f"{error}; lay fewer chips, flat, and none on edge"
                continue
            except LineError as error:
                raise AntennaError(f"{self._port}: {error}") from None
            if read == last:
                return read
            last = read
        raise AntennaError(f"{self._port}: {why}")


@contextmanager
def antenna(
    port: str, kind: str, settle_s: float, clock: Clock, circle: CircleId = ALONE
) -> Iterator[Antenna]:
    """The reader on `port`, of several there that of `circle`, closed afterwards. AntennaError where there is
    none."""
    chip = KINDS[kind]({circle: port}, settle_s, clock)[circle]
    try:
        chip.open(MAX_READ_TIMEOUT_S)
    except (LineError, Unreadable) as error:
        chip.close()
        raise AntennaError(f"{port}: {error}") from None
    try:
        yield Antenna(chip, port)
    finally:
        chip.close()


def batches(reader: Antenna, lines: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Yield the chips on the reader at each line (ENTER) that was typed; "q" or the end of input ends it."""
    for line in lines:
        if line.strip().lower() in ("q", "quit"):
            return
        yield reader.inventory()
