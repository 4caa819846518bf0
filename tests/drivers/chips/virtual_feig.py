"""A table with FEIG readers and chips that prove themselves, in virtual time."""

from __future__ import annotations

import random
from collections.abc import Sequence

from drivers.chips.feig import OUTPUT_OF
from drivers.chips.proofs import ProofSchedule
from drivers.chips.reader import Proof
from drivers.chips.sim.icode_dna import IcodeDna
from drivers.chips.sim.software_module import chip_key
from drivers.ports import CircleId, Inventory
from tests.drivers.chips.proving import HOUSE_KEY, house_module
from tests.drivers.chips.virtual import VirtualTable, stack


def genuine(uid: bytes) -> IcodeDna:
    return IcodeDna(chip_key(HOUSE_KEY, uid.hex().upper()), random.Random(uid))


class ProvingFeigTable(VirtualTable):
    """`slot` reads the next slot or runs proofs. `asked`: end of each proof (s), and its result."""

    def __init__(self, seats: int, random_s: float = 1e9, seed: int = 1) -> None:
        super().__init__(seats=seats)
        self.module = house_module()
        self.asked: list[tuple[float, Proof]] = []
        dice = random.Random(seed)
        self.proofs = ProofSchedule(self.circles, "all", lambda uid: True, random_s, dice)
        self.proofs.prove(())
        for link in self.links.values():
            for antenna in link.device.antennas.values():
                antenna.card_of = genuine

    def lay_stacks(self, depth: int, *deeper: CircleId, chips: int = 20) -> None:
        """Lay a stack of `depth` chips in every circle, and of `chips` chips in the circles of `deeper`."""
        for circle in self.circles:
            self.lay(circle, stack(circle, chips if circle in deeper else depth), self.now)

    def exchange_for_copies(self, circle: CircleId, *uids: str) -> None:
        """Exchange these chips of the circle, or all, for copies with the same numbers."""
        for chip in self.links[circle[0]].device.antennas[OUTPUT_OF[circle[1]]]._chips:
            if not uids or chip.uid.hex().upper() in uids:
                chip.card = None

    def watch(self, due: Sequence[CircleId]) -> None:
        self.order.watch(due)
        self.proofs.watch(due)

    def pay(self, circle: CircleId) -> None:
        """Begin the payout of a circle: it is due, and its chips prove themselves again."""
        self.watch([circle])
        list(self.until(self.now + 2.0))
        self.proofs.prove([circle])

    def outstanding(self, *circles: CircleId) -> int:
        """Return the number of chips that have to prove themselves, at first in all circles."""
        return sum(
            chip.asks for circle in circles or self.circles for chip in self.proofs._chips[circle].values()
        )

    def slot(self) -> list[Inventory]:
        began = self.now
        due = self.proofs.next(began, lambda circle: self.readers[circle].state == "open")
        if not due:
            found = super().slot()
            self.proofs.note(found)
            return found
        for circle in due:
            self.links[circle[0]].now = began
        proofs = [self.readers[circle].prove(uid, self.module) for circle, uid in due.items()]
        self.now = max(self.links[seat].now for seat, _ in due)
        self.proofs.done(proofs, began, self.now)
        self.asked += [(self.now, proof) for proof in proofs]
        return []
