"""`python -m tests.trials.evidence.cost`: processor time of a round's evidence at tables of 1, 3 and 6 seats.

The rounds are those of mock tables with fixed seeds. The output is the median, the 99th percentile and the
maximum time of one core, in ms. As in a process that follows a table, the pack's values are read and one
round is added before the first measured round.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

from controller.cli import main as crisscross
from controller.evidence.running_evidence import Chosen, RunningEvidence

SEATS = (1, 3, 6)


def times_ms(journal: Path) -> list[float]:
    """Return the processor time of each round's evidence in ms, in ascending order."""
    evidence, found = RunningEvidence(Chosen([journal])), []
    while ended := evidence.read():
        evidence.learn(ended)
        for each in ended:
            begun = time.process_time()
            evidence.add(each)
            found.append((time.process_time() - begun) * 1000)
    return sorted(found[1:])


def play(journal: Path, seats: int, rounds: int, seed: int) -> None:
    """Play a mock table into the journal, and suppress its output."""
    options = ["--no-wires", "--headless", "--json", "--seed", str(seed), "--journal", str(journal)]
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        crisscross(["mock", "--rounds", str(rounds), "--seats", str(seats), *options])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.trials.evidence.cost", description=__doc__)
    parser.add_argument("--rounds", type=int, default=201, metavar="N", help="of each table")
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        for seats in SEATS:
            journal = Path(folder) / f"{seats}.db"
            play(journal, seats, rounds, seats)
            found = times_ms(journal)
            median, late = found[len(found) // 2], found[(len(found) - 1) * 99 // 100]
            print(
                f"{seats} seats, {len(found)} rounds: {median:.1f} / {late:.1f} / {found[-1]:.1f} ms",
                flush=True,
            )


if __name__ == "__main__":
    main()
