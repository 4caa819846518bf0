"""Duration of a scan of the complete table, and time until a newly laid chip is known.

The simulated readers run in a separate process at a real device's pace; the real driver runs in this process.
The module returns figures without comparing them with wanted ones.
"""

from __future__ import annotations

import multiprocessing
import random
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median, quantiles

from drivers.chips.feig import OUTPUT_OF
from drivers.chips.kinds import DEFAULT, READER_KINDS
from drivers.chips.scanner import ChipScanner
from drivers.chips.schedule import SlotRule
from drivers.chips.sim.kinds import SIMULATED, UID_PREFIX
from drivers.ports import CircleId, Inventory

SEATS = 6
WAGERS = tuple(OUTPUT_OF)
CIRCLES_A_SEAT = len(WAGERS)
_WAIT_S = 20.0


def table_circles() -> list[CircleId]:
    return [(seat, wager) for seat in range(1, SEATS + 1) for wager in WAGERS]


def _uids(circle: CircleId, count: int, kind: str) -> list[str]:
    """Return numbers of chips. Those of ISO/IEC 15693 are random, because the anticollision of successive
    ones takes less time than that of real chips."""
    place = f"{circle[0]:02X}{WAGERS.index(circle[1]) + 1:02X}"
    prefix = UID_PREFIX.get(kind, "")
    dice = random.Random(f"{circle}")
    numbers = [dice.getrandbits(32) if prefix else number for number in range(count)]
    return sorted(f"{prefix}04{place}{number:08X}" for number in numbers)


def _serve(far: Connection, directory: str, pace: float, kind: str) -> None:
    """Run the child process, which simulates readers at this pace. On a request (circle, uids) it lays the
    chips and answers with the time at which they lay there."""
    bank = SIMULATED[kind](Path(directory), table_circles(), pace, 0)
    bank.start()
    try:
        far.send(bank.paths())
        while (order := far.recv()) is not None:
            circle, uids = order
            bank.set_chips(circle, uids)
            far.send(time.monotonic())
    finally:
        bank.stop()
    far.send(None)


class Watcher:
    """Receiver of the measured scanner's readings, which keeps the last readings of each circle and can wait
    for a condition."""

    def __init__(self) -> None:
        self._news = threading.Condition()
        self.readings: dict[CircleId, list[Inventory]] = {}

    def sink(self, inventories: Sequence[Inventory]) -> None:
        with self._news:
            for inventory in inventories:
                kept = self.readings.setdefault(inventory.circle, [])
                kept.append(inventory)
                del kept[:-8]
            self._news.notify()

    def wait(self, condition: Callable[[], bool], what: str) -> None:
        with self._news:
            if not self._news.wait_for(condition, _WAIT_S):
                raise TimeoutError(f"{what}: not within {_WAIT_S} s")

    def complete_since(self, begun: float) -> bool:
        return len(self.readings) == SEATS * CIRCLES_A_SEAT and all(
            kept[-1].answer == "chips" and kept[-1].began >= begun for kept in self.readings.values()
        )

    def stable(self, circle: CircleId, uids: tuple[str, ...], begun: float) -> bool:
        good = [
            inventory
            for inventory in self.readings.get(circle, ())
            if inventory.began >= begun and inventory.answer == "chips" and inventory.uids == uids
        ]
        return len(good) >= 2


class Rig:
    """Scanner in this process whose readers are simulated in another one."""

    def __init__(self, near: Connection, scanner: ChipScanner, watcher: Watcher, kind: str) -> None:
        self._near = near
        self._kind = kind
        self.scanner = scanner
        self.watcher = watcher

    def lay(self, circle: CircleId, count: int) -> float:
        """Lay exactly ``count`` chips in the circle; return the time at which they lay there."""
        self._near.send((circle, _uids(circle, count, self._kind)))
        laid: float = self._near.recv()
        return laid


@contextmanager
def rig(slots: SlotRule, chips: int, pace: float = 1.0, kind: str = DEFAULT) -> Iterator[Rig]:
    """Start the whole table with ``chips`` in every circle and all readers open and scanned."""
    context = multiprocessing.get_context("spawn")
    near, far = context.Pipe()
    with tempfile.TemporaryDirectory() as directory:
        child = context.Process(target=_serve, args=(far, directory, pace, kind), daemon=True)
        child.start()
        paths: dict[CircleId, str] = near.recv()
        for circle in paths:
            near.send((circle, _uids(circle, chips, kind)))
            near.recv()
        watcher = Watcher()
        readers = READER_KINDS[kind](paths, 0.005 if pace else 0.0, time.monotonic)
        scanner = ChipScanner(readers, slots=slots)
        scanner.start(watcher.sink)
        try:
            watcher.wait(lambda: watcher.complete_since(0.0), "first reading of every circle")
            yield Rig(near, scanner, watcher, kind)
        finally:
            scanner.stop()
            near.send(None)
            near.recv()
            child.join()
            near.close()
            far.close()
            child.close()


def measure_scan(
    slots: SlotRule, chips: int, scans: int = 5, pace: float = 1.0, kind: str = DEFAULT
) -> float:
    """Return the median ms of a full scan of 42 readers, with `chips` in every circle, from the first field
    on to the last reading delivered."""
    took = []
    with rig(slots, chips, pace, kind) as bench:
        for _ in range(scans):
            requested_s = time.monotonic()
            bench.scanner.sweep()
            bench.watcher.wait(partial(bench.watcher.complete_since, requested_s), "a full scan")
            first = min(kept[-1].began for kept in bench.watcher.readings.values())
            took.append((time.monotonic() - first) * 1000)
    return round(median(took), 1)


def measure_cost(kind: str, chips: int, seconds: float = 8.0) -> dict[str, float]:
    """Return the cost of reading with `chips` chips in every circle: `cpu_percent` of a processor while the
    table is scanned without a pause, and `cpu_ms` for a full scan."""
    with rig("all", chips, kind=kind) as bench:
        before = sum(reader.readings for reader in bench.scanner.statistics().values())
        began, busy = time.monotonic(), time.process_time()
        time.sleep(seconds)
        took, busy = time.monotonic() - began, time.process_time() - busy
        readings = sum(reader.readings for reader in bench.scanner.statistics().values()) - before
    scans = readings / (SEATS * CIRCLES_A_SEAT)
    return {"cpu_percent": round(100 * busy / took, 1), "cpu_ms": round(1000 * busy / scans, 1)}


def measure_laid(
    chips: int,
    times: int = 100,
    slots: SlotRule = "all",
    seed: int = 1,
    kind: str = DEFAULT,
    before: int | None = None,
    others: int | None = None,
) -> dict[str, float]:
    """Measure the time in ms from laying chips in a due circle, which then has ``chips``, to two equal
    complete readings. `before`: chips there until then, by default one less; `others`: chips in every other
    circle, by default as many. Chips are laid at random moments of the scan."""
    circle: CircleId = (3, WAGERS[3])
    order = random.Random(seed)
    fewer = chips - 1 if before is None else before
    took = []
    with rig(slots, chips if others is None else others, kind=kind) as bench:
        bench.scanner.watch([circle])
        for _ in range(times):
            begun = bench.lay(circle, fewer)
            lay = tuple(_uids(circle, fewer, kind))
            bench.watcher.wait(partial(bench.watcher.stable, circle, lay, begun), "before")
            time.sleep(0.25 + order.random() * 0.2)
            laid = bench.lay(circle, chips)
            after = tuple(_uids(circle, chips, kind))
            bench.watcher.wait(partial(bench.watcher.stable, circle, after, laid), "a laid chip")
            took.append((time.monotonic() - laid) * 1000)
    cuts = quantiles(took, n=100, method="inclusive")
    return {"p50": round(cuts[49], 1), "p99": round(cuts[98], 1), "max": round(max(took), 1)}
