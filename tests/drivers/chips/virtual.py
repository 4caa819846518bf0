"""A table with FEIG readers in virtual time: the real driver and schedule over the simulated reader.

Each seat has its own clock within a slot. The next slot begins when the last seat is done, as in the scanner.
There is no thread, port or wall clock; the host's own time is left out.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from random import Random

from drivers.chips.feig import OUTPUT_OF, FeigReader
from drivers.chips.feig_frames import Answer, request
from drivers.chips.feig_link import FeigLink
from drivers.chips.reader import CircleReader, NoAnswer
from drivers.chips.reading_order import ReadingOrder
from drivers.chips.sim.feig_frames import RequestCutter, encode_answer
from drivers.chips.sim.feig_line import BITS, DELAY_S
from drivers.chips.sim.feig_reader import FeigReader as Device
from drivers.ports import CircleId, Inventory

USUAL_BAUD = 115200


class SeatLink(FeigLink):
    """The connection to one simulated reader. `now`: the seat's clock, in s."""

    def __init__(self, table: VirtualTable, seat: int, baud: int) -> None:
        super().__init__(f"seat {seat}")
        self.now = 0.0
        self.device = Device(Random(seat), baud=baud)
        self._table = table
        self._seat = seat
        self._byte_s = BITS / self.device.baud
        self._configure(1.0)

    @contextmanager
    def turn(self, circle: str) -> Iterator[None]:
        yield

    def join(self, circle: str, output: int, timeout_s: float) -> None:
        self._users.add(circle)

    def call(self, control: int, data: bytes, timeout_s: float) -> Answer:
        raw = request(control, data, self._address)
        self.now += DELAY_S + len(raw) * self._byte_s
        self._table.move_chips(self._seat, self.now)
        (received,) = RequestCutter().feed(raw, self.now)
        reply = self.device.execute(received, self.now)
        if reply is None:
            raise NoAnswer(self.path)
        frame = encode_answer(0, reply, received.advanced)
        self.now += max(reply.after_s, DELAY_S) + len(frame) * self._byte_s
        return Answer(0, reply.control, reply.status, reply.data)


class VirtualTable:
    """Six seats of seven circles. `slots` reads one slot after the other and yields its inventories."""

    def __init__(self, seats: int = 6, baud: int = USUAL_BAUD, host_s: float = 0.0) -> None:
        self.now = 0.0
        self._host_s = host_s
        self._moves: dict[int, list[tuple[float, int, CircleId, Sequence[str]]]] = {
            seat: [] for seat in range(1, seats + 1)
        }
        self._cuts: dict[int, list[float]] = {seat: [] for seat in self._moves}
        self.circles: list[CircleId] = [(seat, wager) for seat in self._moves for wager in OUTPUT_OF]
        self.links = {seat: SeatLink(self, seat, baud) for seat in self._moves}
        self.readers = {circle: self._reader(circle) for circle in self.circles}
        self.order = ReadingOrder(self.circles, "all", quick=True)
        self._count = 0

    def lay(self, circle: CircleId, uids: Sequence[str], at: float = 0.0) -> None:
        """Put exactly these chips in the circle at the time `at` (s)."""
        self._count += 1
        heapq.heappush(self._moves[circle[0]], (at, self._count, circle, uids))

    def cut_supply(self, at: float) -> None:
        """Restart the multiplexer of each seat at `at` (s): from then on it is connected to no antenna."""
        for times in self._cuts.values():
            heapq.heappush(times, at)

    def move_chips(self, seat: int, now: float) -> None:
        """Apply the losses of supply and the movements of chips at a seat until `now`."""
        while self._cuts[seat] and self._cuts[seat][0] <= now:
            heapq.heappop(self._cuts[seat])
            self.links[seat].device.mux.power_on()
        while self._moves[seat] and self._moves[seat][0][0] <= now:
            at, _, (_, wager), uids = heapq.heappop(self._moves[seat])
            antenna = self.links[seat].device.antennas[OUTPUT_OF[wager]]
            antenna.set_chips([bytes.fromhex(uid) for uid in uids], at)

    def slot(self) -> list[Inventory]:
        """Read the next slot and return its inventories; `now` becomes its end."""
        began = self.now
        chosen = self.order.next(began)
        found: list[Inventory] = []
        for circle, quick in chosen.items():
            self.links[circle[0]].now = began
            found += self.readers[circle].look(quick)
        self.now = max(self.links[seat].now for seat, _ in chosen) + self._host_s
        self.order.done(chosen, found, began, self.now)
        return found

    def until(self, end: float) -> Iterable[Inventory]:
        while self.now < end:
            yield from self.slot()

    def _reader(self, circle: CircleId) -> CircleReader:
        link = self.links[circle[0]]
        made = CircleReader(circle, FeigReader(link, circle[1]), lambda: link.now)
        assert made.open(1.0), made.why
        return made


def stack(circle: CircleId, count: int, seed: int = 0) -> list[str]:
    """Return `count` UIDs as a factory makes them: random low digits, different in each circle."""
    dice = Random(f"{circle}-{seed}")
    return sorted(f"E0040150{dice.getrandbits(32):08X}" for _ in range(count))
