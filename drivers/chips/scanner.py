"""All readers of a table as a `ChipsPort`: one thread per seat polls its circles, slot after slot.

The thread that finishes a slot last reports it and starts the next one, so that no slot begins while a field
of the previous one is on. A reader that does not answer is broken: it is removed from the slots, and the
reconnect thread tries to open it again, less often after each failure (`RETRY_S`). A broken reader must never
delay the others. Between slots of readings there may be one of proofs, in which chips prove themselves
(`proofs.py`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from queue import SimpleQueue
from typing import TYPE_CHECKING

from drivers.chips.reader import READ_TIMEOUT_S, CircleReader, MonotonicClock, Proof, QuickChip, ReaderChip
from drivers.chips.reading_order import Chosen, ReadingOrder
from drivers.chips.schedule import SlotRule
from drivers.chips.secure_module import SecureModule
from drivers.ports import CircleId, Inventory, ReaderHealth

if TYPE_CHECKING:
    from drivers.chips.proofs import ProofRequests, ProofSchedule

FIRST_TIMEOUT_S = 0.1
MAX_READ_TIMEOUT_S = 1.0
"""Maximum timeout for opening: on a Pi the first bytes of a new USB port may take a second
(hardware/FACTS.md)."""
RETRY_S = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0)
"""Seconds until a broken reader is tried again, after one failure, two failures, and so on."""
_IDLE_S = 0.05
"""Pause after a complete round of slots in which no reader answered."""


@dataclass(frozen=True, slots=True)
class Proving:
    """The proofs of a table: their schedule, and the module that verifies them."""

    schedule: ProofSchedule
    module: SecureModule


class ChipScanner:
    """`ChipsPort` on the readers' chip drivers, one for each circle."""

    def __init__(
        self,
        chips: Mapping[CircleId, ReaderChip],
        *,
        slots: SlotRule = "all",
        timeout_s: float = READ_TIMEOUT_S,
        clock: MonotonicClock = time.monotonic,
        proving: Proving | None = None,
    ) -> None:
        """Prepare the readers; `start` begins to scan. `proving`: the proofs of the table's chips; None for
        chips without keys."""
        self._clock = clock
        self._proving = proving
        self._due_proofs: ProofRequests = {}
        self._proofs: list[Proof] = []
        self._readers = {
            circle: CircleReader(circle, chip, clock, timeout_s) for circle, chip in chips.items()
        }
        self._lock = threading.Lock()
        quick = all(isinstance(chip, QuickChip) for chip in chips.values())
        self._order = ReadingOrder(list(chips), slots, quick)
        self._inboxes: dict[int, SimpleQueue[CircleId | None]] = {
            seat: SimpleQueue() for seat in sorted({seat for seat, _ in chips})
        }
        self._stopping = threading.Event()
        self._slot: Chosen = {}
        self._slot_began = 0.0
        self._results: list[Inventory] = []
        self._unfinished = 0
        self._fruitless = 0
        self._opener = ReconnectThread(list(self._readers.values()), self._stopping, clock)
        self._threads: list[threading.Thread] = []
        self._sink: Callable[[Sequence[Inventory]], None] = _ignore

    # ------------------------------------------------------------------ ChipsPort

    def start(self, sink: Callable[[Sequence[Inventory]], None]) -> None:
        self._sink = sink
        self._threads = [threading.Thread(target=self._opener.run, name="readers-open", daemon=True)]
        for seat in self._inboxes:
            name = f"readers-seat-{seat}"
            self._threads.append(threading.Thread(target=self._work, args=(seat,), name=name, daemon=True))
        for thread in self._threads:
            thread.start()
        if self._inboxes:
            # The first seat's thread plans the first slot.
            self._inboxes[min(self._inboxes)].put(_PLAN)

    def watch(self, first: Sequence[CircleId]) -> None:
        with self._lock:
            self._order.watch(first)
            if self._proving is not None:
                self._proving.schedule.watch(first)

    def sweep(self) -> None:
        with self._lock:
            self._order.sweep(self._clock())

    def prove(self, circles: Sequence[CircleId] | None) -> None:
        with self._lock:
            if self._proving is not None:
                self._proving.schedule.prove(circles)

    def module_fault(self) -> str:
        return self._proving.schedule.module_fault(self._clock()) if self._proving is not None else ""

    def statistics(self) -> Mapping[CircleId, ReaderHealth]:
        return {circle: reader.statistics() for circle, reader in self._readers.items()}

    def stop(self) -> None:
        self._stopping.set()
        self._opener.wake()
        for inbox in self._inboxes.values():
            inbox.put(None)
        for reader in self._readers.values():
            reader.cancel()
        for thread in self._threads:
            thread.join()
        self._threads = []
        for reader in self._readers.values():
            reader.close()

    # ---------------------------------------------------------------- seat threads

    def _work(self, seat: int) -> None:
        inbox = self._inboxes[seat]
        while (circle := inbox.get()) is not None:
            mine = self._plan(seat) if circle == _PLAN else circle
            while mine is not None:
                found = self._read(mine)
                if self._readers[mine].state == "sick":
                    self._opener.wake()
                mine = self._store_reading(seat, found)

    def _read(self, circle: CircleId) -> Sequence[Inventory]:
        """Read the circle; in a slot of proofs, have one of its chips prove itself."""
        uid = self._due_proofs.get(circle)
        if uid is None or self._proving is None:
            return self._readers[circle].look(self._slot[circle])
        proof = self._readers[circle].prove(uid, self._proving.module)
        with self._lock:
            self._proofs.append(proof)
        return ()

    def _store_reading(self, seat: int, found: Sequence[Inventory]) -> CircleId | None:
        """Store the result of one look; the thread that stores the last one of a slot starts the next
        slot.
        """
        with self._lock:
            self._results += found
            self._unfinished -= 1
            if self._unfinished:
                return None
        return self._report_and_plan(seat)

    def _report_and_plan(self, seat: int) -> CircleId | None:
        with self._lock:
            if self._due_proofs:
                self._end_proofs()
            else:
                self._order.done(self._slot, self._results, self._slot_began, self._clock())
            results = self._marked(self._results)
        if results and not self._stopping.is_set():
            self._sink(results)
        return self._plan(seat)

    def _plan(self, seat: int) -> CircleId | None:
        """Start the next slot. Return the circle in it that this seat's thread must read, or None."""
        while not self._stopping.is_set():
            if self._fruitless > len(self._order):
                self._stopping.wait(_IDLE_S)
            self._slot_began = self._clock()
            with self._lock:
                if self._proving is not None and self._begin_proofs(self._proving.schedule):
                    return self._dispatch(seat, list(self._due_proofs))
                self._slot = self._order.next(self._slot_began)
            able = self._readable_circles()
            if able:
                self._fruitless = 0
                return self._dispatch(seat, able)
            self._fruitless += 1
            with self._lock:
                self._order.done(self._slot, self._results, self._slot_began, self._clock())
            if self._results:
                with self._lock:
                    results = self._marked(self._results)
                self._sink(results)
        return None

    # --------------------------------------------------------------------- proofs

    def _begin_proofs(self, schedule: ProofSchedule) -> bool:
        """Begin a slot of proofs if one is due. Chips without a working reader prove nothing."""
        self._due_proofs = schedule.next(
            self._slot_began, lambda circle: self._readers[circle].state == "open"
        )
        self._proofs, self._results = [], []
        return bool(self._due_proofs)

    def _end_proofs(self) -> None:
        if self._proving is not None:
            self._proving.schedule.done(self._proofs, self._slot_began, self._clock())
        self._due_proofs = {}

    def _marked(self, results: Sequence[Inventory]) -> Sequence[Inventory]:
        """Return the inventories, each marked with the chips that have not proven themselves and those that
        still have to."""
        if self._proving is None:
            return results
        schedule = self._proving.schedule
        schedule.note(results)
        return [
            replace(each, unproven=schedule.unproven(each.circle), pending=schedule.pending(each.circle))
            for each in results
        ]

    # ---------------------------------------------------------------------- slots

    def _readable_circles(self) -> list[CircleId]:
        """Return the slot's readable circles, and report those out of order, which takes no time."""
        readers = [self._readers[circle] for circle in self._slot]
        self._results = [reader.unavailable_inventory() for reader in readers if reader.out_of_order()]
        return [reader.circle for reader in readers if reader.state == "open"]

    def _dispatch(self, seat: int, able: list[CircleId]) -> CircleId | None:
        self._unfinished = len(able)
        mine = None
        for circle in able:
            if circle[0] == seat:
                mine = circle
            else:
                self._inboxes[circle[0]].put(circle)
        return mine


class ReconnectThread:
    """Opens every reader once, then reopens the lost ones at growing intervals."""

    def __init__(
        self, readers: Sequence[CircleReader], stopping: threading.Event, clock: MonotonicClock
    ) -> None:
        self._readers = readers
        self._stopping = stopping
        self._clock = clock
        self._wake = threading.Event()
        self._failures = [0] * len(readers)
        self._try_at = [0.0] * len(readers)

    def wake(self) -> None:
        """Wake the thread: a reader was lost, or the table stops."""
        self._wake.set()

    def run(self) -> None:
        self._open_all()
        while not self._stopping.is_set():
            self._wake.wait(self._until_next())
            self._wake.clear()
            for number, reader in enumerate(self._readers):
                self._reset_interval(number, reader)
                if reader.state == "sick" and self._clock() >= self._try_at[number]:
                    self._try(number)

    def _open_all(self) -> None:
        """Open all seats in parallel, so that a dead board delays only its own seat's readers."""
        seats: dict[int, list[int]] = {}
        for number, reader in enumerate(self._readers):
            seats.setdefault(reader.circle[0], []).append(number)
        threads = [
            threading.Thread(
                target=self._open_seat, args=(numbers,), name=f"readers-open-{seat}", daemon=True
            )
            for seat, numbers in seats.items()
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _open_seat(self, numbers: Sequence[int]) -> None:
        for number in numbers:
            self._try(number)

    def _reset_interval(self, number: int, reader: CircleReader) -> None:
        """Reset the retry interval of a lost reader that had read well since it was opened."""
        if reader.state == "sick" and reader.read_well and self._failures[number]:
            self._failures[number] = 0
            self._try_at[number] = 0.0

    def _try(self, number: int) -> None:
        if self._stopping.is_set():
            return
        failures = self._failures[number]
        self._readers[number].open(min(FIRST_TIMEOUT_S * 2**failures, MAX_READ_TIMEOUT_S))
        # Opening is not a reading: the interval also grows for a reader that opens and then fails.
        self._try_at[number] = self._clock() + RETRY_S[min(failures, len(RETRY_S) - 1)]
        self._failures[number] = min(failures + 1, len(RETRY_S))

    def _until_next(self) -> float | None:
        waits = [
            self._try_at[number] - self._clock()
            for number, reader in enumerate(self._readers)
            if reader.state == "sick"
        ]
        return max(0.0, min(waits)) if waits else None


_PLAN: CircleId = (0, "")


def _ignore(inventories: Sequence[Inventory]) -> None:
    del inventories
