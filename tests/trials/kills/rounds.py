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
"""Section `proofs` of a table file: chips prove themselves at small payouts and about every second."""


@dataclass(frozen=True)
class Kind:
    """One kind of round that is played for the trial. `voids`: share of the rounds that the floorperson
    stops. `proofs`: chips prove themselves, and none is a copy. `readers`: kind of the readers, over the
    wires."""

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
"""Kinds of rounds of the trial. Players and dealer make no errors with chips, and no chip is a copy: a start
reads all circles again, so after a cut these would be noticed at another time."""


class Table:
    """People of one table, who remember what they did. The table itself, with its devices, may be killed and
    restarted."""

    def __init__(self, kind: Kind, bench: Bench) -> None:
        self.bench = bench
        self.hands = Hands(bench)
        self.people = kind.people(kind.options(wires=False))
        self.records: list[Record] = []

    async def until(self, rounds: int) -> None:
        """Play until `rounds` records have been received. Raises the errors of the bench."""

        def over(_view: object) -> bool:
            self.records += self.bench.records()
            return len(self.records) >= rounds

        await play(self.hands, self.people, over)

    async def looks(self, count: int) -> None:
        """Play until the people have seen `count` views."""
        left = iter(range(count))
        await play(self.hands, self.people, lambda _view: next(left, None) is None)

    def came_back(self) -> None:
        """Let the people forget acts that the killed table may not have received: key presses, touches,
        taking the stub. They repeat them if the table still asks for them."""
        done = self.hands.done
        self.hands.done = {name: act for name, act in done.items() if act not in (Press, TouchPage, TakeStub)}


def apart(whole: Sequence[Record], cut: Sequence[Record]) -> list[str]:
    """Compare the records of a table that was never cut (`whole`) with those of one that was (`cut`). Returns
    the differences, and contradictions within a record."""
    found = [f"{len(cut)} records, not {len(whole)}"] if len(cut) != len(whole) else []
    for one, other in zip(whole, cut, strict=False):
        changed = difference(one, other)
        found += [f"round {one['round']}: {changed}"] if changed else []
    return [*found, *(words for record in cut for words in recompute.differences(record))]
