"""Rounds of each kind, whose people repeat every act that a killed table did not receive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from controller.mock.bench.acts import Press, TakeStub, TouchPage
from controller.mock.bench.bench import Bench, Hands, Person, play
from controller.mock.bench.options import MockOptions
from controller.mock.run import Run, people
from drivers.chips.kinds import DEFAULT
from tests import recompute
from tests.trials.same_records.differing import difference

Record = Mapping[str, Any]

PROOFS = {"payouts_from": 10, "random_seconds": 1}
"""Section `proofs` of a table file, with frequent proofs."""


@dataclass(frozen=True)
class Kind:
    """One kind of round. `voids`: the floorperson stops every round. `proofs`: chips prove themselves, and
    none is a copy. `readers`: kind of the readers, over the wires."""

    name: str
    rules: str = "pennsylvania"
    seed: int = 1
    seats: int = 3
    voids: float = 0.0
    proofs: bool = False
    readers: str = DEFAULT

    def options(self, *, wires: bool) -> MockOptions:
        config = {"proofs": PROOFS} if self.proofs else {}
        return MockOptions(self.rules, config=config, seed=self.seed, wires=wires, readers=self.readers)

    def people(self, options: MockOptions) -> Sequence[Person]:
        run = Run(options, seats=self.seats, voids=self.voids)
        return people(run)[0]


KINDS = (
    Kind("settled"),
    Kind("void", seed=4, voids=1.0),
    Kind("folds", rules="massachusetts", seed=7, seats=6),
    Kind("maryland", rules="maryland", seed=3),
    Kind("six_card_bonus", rules="six_card_bonus", seed=5),
    Kind("proofs", seed=6, proofs=True),
)
"""Kinds of rounds, without misbehaving players: a start reads all circles again, so their chips would be
noticed at another time after a cut. The same holds for a copied chip."""


class Table:
    """A table's people with their knowledge; the bench with its devices may be killed and restarted."""

    def __init__(self, kind: Kind, bench: Bench) -> None:
        self.bench = bench
        self.hands = Hands(bench)
        self.people = kind.people(kind.options(wires=False))
        self.records: list[Record] = []

    async def until(self, rounds: int) -> None:
        """Play until that many records have been received. Errors of the bench are raised."""

        def over(_view: object) -> bool:
            self.records += self.bench.records()
            return len(self.records) >= rounds

        await play(self.hands, self.people, over)

    async def looks(self, count: int) -> None:
        """Play for that many views."""
        left = iter(range(count))
        await play(self.hands, self.people, lambda _view: next(left, None) is None)

    def came_back(self) -> None:
        """Forget acts that the table may not have received, such as key presses, touches and the taking of
        the stub. They are repeated if the table still requests them."""
        done = self.hands.done
        self.hands.done = {name: act for name, act in done.items() if act not in (Press, TouchPage, TakeStub)}


def apart(whole: Sequence[Record], cut: Sequence[Record]) -> list[str]:
    """Return the differences from a table without a power cut, and contradictions within the records."""
    found = [f"{len(cut)} records, not {len(whole)}"] if len(cut) != len(whole) else []
    for one, other in zip(whole, cut, strict=False):
        changed = difference(one, other)
        found += [f"round {one['round']}: {changed}"] if changed else []
    return [*found, *(words for record in cut for words in recompute.differences(record))]
