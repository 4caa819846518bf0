"""Readers for a physical table: simulated readers of one kind behind the real driver, over pseudo-terminals
or, for FEIG readers, in virtual time.

Chips lie in the simulated circles. A circle counts as read when the table would accept its content
(`CircleTracker`). Faults of readers belong to `tests.trouble.readers`.
"""

from __future__ import annotations

import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from queue import Empty, SimpleQueue
from random import Random
from types import TracebackType
from typing import Self

from controller.game.model.events import Chip, CircleRead
from controller.game.model.names import SEATS, Circle, Wager
from controller.game.watching.circles import CircleTracker, RawReading
from drivers.chips.kinds import FEIG, READER_KINDS
from drivers.chips.scanner import ChipScanner
from drivers.chips.sim.kinds import SIMULATED, UID_PREFIX
from drivers.ports import CircleId, Inventory
from tests.drivers.chips.virtual import VirtualTable

TIMEOUT_S = 30.0
"""Maximum wait in seconds for a content. A busy host may lose readers, which then have to be opened again."""
IDLE_S = 0.3
"""Virtual seconds for which readers go on after each content."""
CIRCLES: list[CircleId] = [(seat, str(wager)) for seat in SEATS for wager in Wager]


class WrongContent(AssertionError):
    """Raised if readers report chips that are not in a circle, or do not report those that are."""


class Readers(ABC):
    """Chip readers of one table of six seats, and the chips in their circles."""

    def __init__(self, kind: str) -> None:
        self._kind, self._prefix = kind, UID_PREFIX.get(kind, "")
        self._chips: dict[str, Chip] = {}
        self._lying: dict[Circle, tuple[Chip, ...]] = {}
        self._tracker = CircleTracker([Circle(seat, Wager(wager)) for seat, wager in CIRCLES])

    @abstractmethod
    def _lay(self, circle: CircleId, uids: Sequence[str]) -> None:
        """Put exactly these chips in the circle, which is due."""

    @abstractmethod
    def _read(self, wanted: set[Circle]) -> Sequence[Inventory]:
        """Return the next readings. Raises WrongContent if none comes for `wanted`."""

    def show(self, circle: Circle, chips: Sequence[Chip]) -> None:
        """Put exactly these chips in the circle, and return when the readers have shown them."""
        content = tuple(chips)
        if content == self._lying.get(circle, ()):
            return
        self._lying[circle] = content
        uids = {self._prefix + chip.uid: chip for chip in content}
        self._chips |= uids
        self._lay((circle.seat, str(circle.wager)), sorted(uids))
        self._wait({circle})

    def clear(self) -> None:
        """Take all chips out of the circles."""
        for circle in [circle for circle, chips in self._lying.items() if chips]:
            self.show(circle, ())

    def _wait(self, wanted: set[Circle]) -> None:
        """Wait until the table would have accepted the contents of these circles."""
        while wanted:
            wanted -= self._accepted(self._read(wanted))

    def _accepted(self, found: Sequence[Inventory]) -> set[Circle]:
        """Return the circles whose content the table would now accept. Raises WrongContent if that content
        differs from the chips that lie there."""
        events = self._tracker.observe(map(_raw, found), self._chips.__getitem__)
        return {self._verified(event) for event in events if isinstance(event, CircleRead)}

    def _verified(self, event: CircleRead) -> Circle:
        circle = Circle(event.seat, event.wager)
        lies = sorted(self._lying.get(circle, ()), key=lambda chip: chip.uid)
        if list(event.chips) != lies:
            raise WrongContent(f"{self._kind}: {circle} has {lies}, and {list(event.chips)} was read")
        return circle


class WiredReaders(Readers):
    """Readers of any kind over pseudo-terminals, without pauses: `with WiredReaders(kind) as readers`."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self._inbox: SimpleQueue[Sequence[Inventory]] = SimpleQueue()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="physical-")))
            self._bank = stack.enter_context(SIMULATED[self._kind](folder, CIRCLES, 0.0, 1))
            self._scanner = ChipScanner(READER_KINDS[self._kind](self._bank.paths(), 0.0, time.monotonic))
            stack.callback(self._scanner.stop)
            self._scanner.start(self._inbox.put)
            self._open = stack.pop_all()
        self._wait({Circle(seat, Wager(wager)) for seat, wager in CIRCLES})
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def _lay(self, circle: CircleId, uids: Sequence[str]) -> None:
        self._scanner.watch([circle])
        self._bank.set_chips(circle, uids)

    def _read(self, wanted: set[Circle]) -> Sequence[Inventory]:
        try:
            return self._inbox.get(timeout=TIMEOUT_S)
        except Empty:
            health = self._scanner.statistics()
            why = [health[seat, str(wager)].why for seat, wager in wanted]
            raise WrongContent(f"{self._kind}: {wanted} not read within {TIMEOUT_S} s: {why}") from None


class VirtualReaders(Readers):
    """FEIG readers in virtual time. `cut_s`: mean time in seconds between two losses of supply of all
    multiplexers; 0 for no loss."""

    def __init__(self, cut_s: float = 0.0) -> None:
        super().__init__(FEIG)
        self.table = VirtualTable()
        self._dice = Random(1)
        self._cut_s = cut_s
        self._next_cut = cut_s
        self._limit = TIMEOUT_S
        self.cuts = 0
        self._wait({Circle(seat, Wager(wager)) for seat, wager in CIRCLES})

    def _lay(self, circle: CircleId, uids: Sequence[str]) -> None:
        self.table.order.watch([circle])
        self.table.lay(circle, uids, self.table.now)
        self._limit = self.table.now + TIMEOUT_S

    def _read(self, wanted: set[Circle]) -> Sequence[Inventory]:
        now = self.table.now
        if wanted and now > self._limit:
            raise WrongContent(f"{wanted} not read within {TIMEOUT_S} s")
        while self._cut_s and self._next_cut <= now + 1.0:
            self.table.cut_supply(self._next_cut)
            self.cuts += 1
            self._next_cut += self._cut_s * self._dice.uniform(0.8, 1.2)
        return self.table.slot()

    def _wait(self, wanted: set[Circle]) -> None:
        super()._wait(wanted)
        end = self.table.now + IDLE_S
        while self.table.now < end:
            self._accepted(self._read(set()))


def _raw(found: Inventory) -> RawReading:
    seat, wager = found.circle
    return RawReading(Circle(seat, Wager(wager)), int(1000 * found.began), found.answer, found.uids)
