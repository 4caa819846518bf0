"""Rounds over the wires with faults of readers, boards and lines: `python -m tests.trouble.readers`.

It causes the faults of `honest.py`, and sometimes faults of all lines of a seat at once. Every record is
recomputed; it ends with status 1 if one differs or is missing. False alarms are counted and printed: a seat
whose lines fail for most of a second may be reported as lost. `--kind` selects the wiring of the readers.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

from drivers.chips.kinds import DEFAULT, READER_KINDS
from drivers.chips.sim.board_bank import BoardBank
from drivers.chips.sim.feig_bank import FeigBank
from tests.recompute import differences
from tests.trouble.between import circles_of, dice_of, play_with, wait
from tests.trouble.honest import Honest

SHARE = 0.05
"""Share of views at which all lines of a seat are bad."""
A_TABLE = 50
LINE = ("drop", "flip", "noise", "split", "duplicate", "late", "silent", "unplug")


class BadLines(Honest):
    """Honest hands, faulty readers, and faulty lines."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._lots = dice_of(self.seed, "lines")

    async def episode(self, bench: Any) -> None:
        if self._lots.random() >= SHARE:
            await super().episode(bench)
            return
        seat, kind = self._lots.randint(1, 6), self._lots.choice(LINE)
        self.done[f"a seat's lines: {kind}, for up to 0.8 s"] += 1
        _strike(bench, seat, kind)
        await wait(bench, self._lots.uniform(0.05, 0.8))
        _strike(bench, seat, "clear")


def _strike(bench: Any, seat: int, kind: str) -> None:
    """Break the one line of a seat, or each line of the seat's readers."""
    if isinstance(bench.bank, BoardBank | FeigBank):
        bench.bank.fault_seat(seat, kind)
        return
    for circle in circles_of(bench.view()):
        if circle.seat == seat:
            bench.bank.fault(circle, kind)


def played(kind: str, rounds: int, seed: int) -> tuple[BadLines, list[str]]:
    """Play one table; return it and the differences from its recomputation."""
    table = BadLines(seed)
    records = play_with(table.episode, rounds, seed, wires=True, readers=kind)
    table.count(records)
    return table, [line for record in records for line in differences(record)]


def report_lines(done: Counter[str], false: Counter[str]) -> Iterator[str]:
    yield from (f"- {kind}: {times}" for kind, times in sorted(done.items()))
    yield from (f"- accused of {code}: {times}" for code, times in sorted(false.items()))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.trouble.readers", description=__doc__)
    parser.add_argument("--kind", choices=list(READER_KINDS), default=DEFAULT)
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1, help="of the first table; each table plays 50 rounds")
    args = parser.parse_args()
    done, false, wrong, rounds = Counter[str](), Counter[str](), list[str](), 0
    for table in range(math.ceil(args.rounds / A_TABLE)):
        troubled, differ = played(args.kind, min(A_TABLE, args.rounds - rounds), args.seed + table)
        done, false, rounds = done + troubled.done, false + troubled.false, rounds + troubled.rounds
        wrong += differ
        print(
            f"{args.kind}: {rounds} rounds, {done.total()} troubles, {false.total()} false alarms, "
            f"{len(wrong)} differences",
            flush=True,
        )
    print("\n".join([*report_lines(done, false), *wrong]))
    return 1 if wrong or rounds != args.rounds else 0


if __name__ == "__main__":
    sys.exit(main())
