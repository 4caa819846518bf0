"""`python -m tests.trials.evidence.table`: false alarms of the evidence at whole mock tables.

The tables are played by the daemon's own loop and journal, with simulated players and a dealer; the seed of a
table is its number. Each sitting has the same number of rounds. For each hypothesis and for all together the
output is the mean evidence at the end with its standard error, and the number of sittings that ever reach
each bound, beside the guarantee.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np

from controller.common.terminal import ProgressLine
from controller.evidence.hypotheses import Hypothesis
from controller.evidence.running_evidence import Chosen, RunningEvidence
from controller.rules.odds.cli import bar
from tests.trials.evidence.cost import play

BOUNDS = (1, 2, 3)
NAMES = (*Hypothesis, "combined")


def sittings(rounds: int, seats: int, table: int) -> list[list[tuple[float, float]]]:
    """Play one mock table and return its sittings: for each hypothesis, and combined, the logarithm of the
    evidence at the end and at its peak."""
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "journal.db"
        play(journal, seats, rounds, table)
        evidence = RunningEvidence(Chosen([journal]))
        evidence.read_all()
        return [
            [(each.log, each.peak) for each in (*sitting.strands.values(), sitting)]
            for sitting in evidence.sittings.found
        ]


def report(found: Iterable[list[tuple[float, float]]]) -> None:
    every = np.array([*found])
    promised = ", ".join(f"10^{bound}: {len(every) / 10**bound:g}" for bound in BOUNDS)
    print(f"{len(every)} sittings; guarantee, mean at most: {promised}")
    for column, name in enumerate(NAMES):
        ends, peaks = np.exp(every[:, column, 0]), every[:, column, 1] / np.log(10)
        reached = ", ".join(f"10^{bound}: {(peaks >= bound).sum()}" for bound in BOUNDS)
        print(f"{name}: mean {ends.mean():.3f} ± {ends.std() / len(ends) ** 0.5:.3f}; {reached}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.trials.evidence.table", description=__doc__)
    parser.add_argument("--tables", type=int, default=50, metavar="N")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="number of the first table")
    parser.add_argument("--seats", type=int, default=6, metavar="N")
    parser.add_argument("--rounds", type=int, default=100, metavar="N", help="of each table")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes")
    args = parser.parse_args()
    found, progress = [], ProgressLine()
    with ProcessPoolExecutor(args.jobs) as pool:
        tables = range(args.first, args.first + args.tables)
        for done, each in enumerate(pool.map(partial(sittings, args.rounds, args.seats), tables), 1):
            found.extend(each)
            progress.show(bar(done, args.tables))
    progress.clear()
    report(found)


if __name__ == "__main__":
    main()
