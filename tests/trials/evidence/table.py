"""`python -m tests.trials.evidence.table`: false alarms of the evidence at the whole table, not the kernel.

Mock tables of six seats with simulated players and a dealer are played by the daemon's own loop and journal.
Each sitting has the same number of rounds. Printed are, for each hypothesis and for all together, the mean of
the evidence at the end with its standard error, and the number of sittings that ever reach each bound, beside
the guarantee.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np

from controller.evidence.follow import Chosen, Follower
from controller.evidence.hypotheses import Hypothesis
from controller.evidence.sitting import Sitting
from tests.trials.evidence.cost import play

SEATS = 6
BOUNDS = (1, 2, 3)


def sittings(table: int, rounds: int) -> list[Sitting]:
    """Return the sittings of one mock table."""
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "journal.db"
        play(journal, SEATS, rounds, table)
        follower = Follower(Chosen([journal]))
        follower.read_all()
        return follower.sittings.found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.trials.evidence.table", description=__doc__)
    parser.add_argument("--tables", type=int, default=50, metavar="N")
    parser.add_argument("--rounds", type=int, default=100, metavar="N", help="of each table")
    args = parser.parse_args()
    found = [each for table in range(args.tables) for each in sittings(table, args.rounds)]
    promised = ", ".join(f"10^{bound}: {len(found) / 10**bound:g}" for bound in BOUNDS)
    print(f"{args.tables * args.rounds} rounds, {len(found)} sittings; guarantee, mean at most: {promised}")
    for name in (*Hypothesis, "combined"):
        every = found if name == "combined" else [each.strands[Hypothesis(name)] for each in found]
        ends, peaks = (
            np.exp([each.log for each in every]),
            np.array([each.peak for each in every]) / np.log(10),
        )
        reached = ", ".join(f"10^{bound}: {(peaks >= bound).sum()}" for bound in BOUNDS)
        error = ends.std() / len(ends) ** 0.5
        print(f"{name}: mean {ends.mean():.3f} ± {error:.3f}; {reached}")


if __name__ == "__main__":
    main()
