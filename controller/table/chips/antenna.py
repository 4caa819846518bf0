"""One chip reader at a desk, for a person: returns the chips on it once two readings agree.

It opens only the port of this reader. It refuses while a table's daemon has the port open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from drivers.chips.kinds import PROVING, READER_KINDS
from drivers.chips.proofs import FALSE_AFTER, UNFINISHED_AFTER
from drivers.chips.reader import (
    PROOF_S,
    READ_TIMEOUT_S,
    LineError,
    MonotonicClock,
    ProvingChip,
    ReaderChip,
    Unreadable,
)
from drivers.chips.scanner import MAX_READ_TIMEOUT_S
from drivers.chips.secure_module import ModuleLost, NotGenuine, SecureModule
from drivers.ports import CircleId

DEFAULT_CIRCLE: CircleId = (1, "ante_across")
"""Circle of the reader used if no circle was named: any single reader, or the first of a seat board."""
MAX_READINGS = 8
"""Maximum number of readings before two must agree: a hand may still be moving the stack."""


class AntennaError(Exception):
    """Raised if the reader cannot be used or its chips cannot be read. States the cause and the remedy."""


class Antenna:
    """An open reader. `inventory` waits a few seconds at most for each reading."""

    def __init__(self, chip: ReaderChip, port: str) -> None:
        self._chip = chip
        self._port = port

    def inventory(self) -> tuple[str, ...]:
        """Return the UIDs on the reader, sorted.

        Raises AntennaError if no two consecutive readings agree, or if the line fails.
        """
        last: tuple[str, ...] | None = None
        why = "two readings running never agreed: is a chip held over it?"
        for _ in range(MAX_READINGS):
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

    def failed_proof(self, uid: str, module: SecureModule) -> str:
        """Have a chip on the reader prove itself, as often as at a table. Return why it did not, or "" if it
        did.

        Raises AntennaError if the reader asks no chip, or if the module does not answer.
        """
        if not isinstance(self._chip, ProvingChip):
            raise AntennaError(f"{self._port}: asks no chip for a proof; allowed: {' or '.join(PROVING)}")
        wrong = unfinished = 0
        why = ""
        while wrong < FALSE_AFTER and unfinished < UNFINISHED_AFTER:
            self._chip.rest()
            try:
                self._chip.prove(uid, module, PROOF_S)
            except NotGenuine as error:
                wrong, why = wrong + 1, str(error)
            except ModuleLost as error:
                raise AntennaError(str(error)) from None
            except (LineError, Unreadable) as error:
                unfinished, why = unfinished + 1, str(error)
                self._settle()
            else:
                return ""
        return why

    def _settle(self) -> None:
        """Make the line ready after an answer that did not arrive whole."""
        try:
            self._chip.quiet(READ_TIMEOUT_S)
        except (LineError, Unreadable) as error:
            raise AntennaError(f"{self._port}: {error}") from None


@contextmanager
def antenna(
    port: str, kind: str, settle_s: float, clock: MonotonicClock, circle: CircleId = DEFAULT_CIRCLE
) -> Iterator[Antenna]:
    """Open the reader of `circle` on `port` while the block runs. `settle_s`: seconds from field on to the
    reading. Raises AntennaError if it does not answer.
    """
    chip = READER_KINDS[kind]({circle: port}, settle_s, clock)[circle]
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
    """Yield the UIDs on the reader after each typed line (ENTER) until "q" or the end of input."""
    for line in lines:
        if line.strip().lower() in ("q", "quit"):
            return
        yield reader.inventory()
