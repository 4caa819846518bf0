"""A schedule of proofs with the circles that it reads and its own clock."""

from __future__ import annotations

import random

from drivers.chips.proofs import ProofRequests, ProofSchedule
from drivers.chips.reader import Proof, Verdict
from drivers.ports import CircleId, Inventory, ReaderAnswer

CIRCLES: list[CircleId] = [(seat, wager) for seat in (1, 2, 3) for wager in ("ante", "across")]
A: CircleId = (1, "ante")
ONE, TWO, OLD = "04000000000001", "04000000000002", "0A000001"
SLOT_S = 0.06


class ProofTable:
    """A schedule with its clock. `lay` shows a content twice; `ask` reads all contents once and runs the next
    proofs."""

    def __init__(self, random_s: float = 1000.0) -> None:
        self.now = 0.0
        self.schedule = ProofSchedule(
            CIRCLES, "all", lambda uid: uid.startswith("04"), random_s, random.Random(1)
        )
        self.schedule.prove(())
        self.laid: dict[CircleId, tuple[str, ...]] = {}

    def lay(self, circle: CircleId, *uids: str) -> None:
        self.laid[circle] = tuple(sorted(uids))
        for _ in range(2):
            self.read(circle)

    def read(self, *circles: CircleId, answer: ReaderAnswer = "chips") -> None:
        for circle in circles:
            uids = self.laid[circle] if answer == "chips" else ()
            self.schedule.note([Inventory(circle, self.now, self.now, answer, uids)])

    def ask(self, verdict: Verdict = "proven") -> ProofRequests:
        self.now += 2 * SLOT_S  # the pause after the last slot of proofs
        self.read(*self.laid)
        chosen = self.schedule.next(self.now)
        if chosen:
            self.done(chosen, verdict)
        return chosen

    def done(self, chosen: ProofRequests, verdict: Verdict) -> None:
        began, self.now = self.now, self.now + SLOT_S
        proofs = [Proof(circle, uid, verdict, "cut") for circle, uid in chosen.items()]
        self.schedule.done(proofs, began, self.now)
