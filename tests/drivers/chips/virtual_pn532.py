"""A table with PN532 readers and chips that prove themselves, in virtual time.

The real driver, its library and the real schedules run over the simulated readers: six seats of seven
circles. Each seat has its own clock within a slot. The next slot begins when the last seat is done, as in the
scanner. There is no thread, port or wall clock; the host's own time is left out.
"""

from __future__ import annotations

import random
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence

from drivers.chips.pn532 import SETTLE_S, Pn532
from drivers.chips.proofs import ProofSchedule
from drivers.chips.reader import CircleReader, NoAnswer, Proof
from drivers.chips.reading_order import ReadingOrder
from drivers.chips.sim.line import BYTE_S, Pn532Line
from drivers.chips.sim.ntag424 import Iso14443Chip
from drivers.chips.sim.pn532 import DEVICE_TIMES
from drivers.ports import CircleId, Inventory
from tests.drivers.chips.proving import house_chip, house_module

WAGERS = (
    "ante_across", "ante_down", "five_card_bonus", "six_card_bonus", "across", "down", "middle",
)  # fmt: skip


class VirtualPort:
    """Stands in for `FramePort` in the driver. `now`: the reader's clock, in s."""

    noise = stale = 0

    def __init__(self, seed: int) -> None:
        self.now = 0.0
        self.line = Pn532Line(None, DEVICE_TIMES, BYTE_S, seed)
        self._due: deque[tuple[float, bytes]] = deque()
        self._deadline = 0.0

    def expect(self, timeout_s: float) -> None:
        self._deadline = self.now + timeout_s

    @property
    def in_waiting(self) -> int:
        if not self._due or self._due[0][0] > self._deadline:
            self.now = self._deadline
            raise NoAnswer("no answer")
        self.now = max(self.now, self._due[0][0])
        return len(self._due[0][1])

    def read(self, count: int) -> bytes:
        return self._due.popleft()[1]

    def write(self, data: bytes) -> int:
        self.now += len(data) * BYTE_S
        self._due.extend(self.line.receive(data, self.now))
        return len(data)

    def reset_input_buffer(self) -> None:
        self._due.clear()

    def low_latency(self) -> bool:
        return True

    def cancel(self, timeout_s: float) -> None: ...

    def close(self) -> None: ...


class ProvingTable:
    """Six seats. `slot` reads the next slot or runs proofs. `gaps`: longest time in s between the beginnings
    of two readings of a circle; `proof_slots`: beginning of each slot of proofs, with its chips."""

    def __init__(
        self,
        chips: int,
        due: Sequence[CircleId] = (),
        random_s: float = 10.0,
        card: Callable[[str], Iso14443Chip | None] = house_chip,
        proving: bool = True,
    ) -> None:
        self.now = 0.0
        self.circles: list[CircleId] = [(seat, wager) for seat in range(1, 7) for wager in WAGERS]
        self.ports = {circle: VirtualPort(number) for number, circle in enumerate(self.circles)}
        self.readers = {circle: self._reader(circle) for circle in self.circles}
        self.order = ReadingOrder(self.circles, "all", quick=False)
        self.proofs = ProofSchedule(self.circles, "all", lambda uid: True, random_s, random.Random(1))
        self.module = house_module()
        self.proofs.prove(() if proving else None)
        self.order.watch(due)
        self.proofs.watch(due)
        self.began: dict[CircleId, float] = {}
        self.gaps: defaultdict[CircleId, float] = defaultdict(float)
        self.proof_slots: list[tuple[float, list[Proof]]] = []
        for number, circle in enumerate(self.circles):
            antenna = self.ports[circle].line.antenna
            antenna.card_of = lambda uid: card(uid.hex().upper())
            uids = [f"04{number:02X}{each:010X}" for each in range(chips)]
            antenna.set_chips([bytes.fromhex(uid) for uid in uids], 0.0)

    def _reader(self, circle: CircleId) -> CircleReader:
        port = self.ports[circle]

        def sleep(seconds: float) -> None:
            port.now += seconds

        chip = Pn532("", SETTLE_S, lambda: port.now, sleep=sleep, open_port=lambda path: port)  # type: ignore[arg-type,return-value]
        reader = CircleReader(circle, chip, lambda: port.now)
        assert reader.open(1.0), reader.why
        return reader

    def slot(self) -> list[Inventory]:
        began = self.now
        due = self.proofs.next(began)
        if due:
            proofs = [self._at(circle, began).prove(uid, self.module) for circle, uid in due.items()]
            self.now = max(self.ports[circle].now for circle in due)
            self.proofs.done(proofs, began, self.now)
            self.proof_slots.append((began, proofs))
            return []
        chosen = self.order.next(began)
        found = [each for circle in chosen for each in self._at(circle, began).look(None)]
        self.now = max(self.ports[circle].now for circle in chosen)
        self.order.done(chosen, found, began, self.now)
        self.proofs.note(found)
        for each in found:
            self.gaps[each.circle] = max(self.gaps[each.circle], began - self.began.get(each.circle, began))
            self.began[each.circle] = began
        return found

    def until(self, end: float) -> Iterable[Inventory]:
        while self.now < end:
            yield from self.slot()

    def _at(self, circle: CircleId, now: float) -> CircleReader:
        self.ports[circle].now = now
        return self.readers[circle]
