"""`make mutants`: a sample of small errors in controller/game, and the share that its own tests detect.

The sample is drawn by --seed from all possible errors. No mutant is started after --seconds, so fewer may be
tried. The undetected ones are named: some show a missing test, others do not change the behaviour.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from random import Random
from tempfile import TemporaryDirectory

from tests.trials.mutants.mutations import mutations
from tests.trials.mutants.trial import ROOT, Mutant, Workshop

GAME = ROOT / "controller/game"


def sample(count: int, seed: int) -> list[Mutant]:
    every = [
        Mutant(str(path.relative_to(ROOT)), one)
        for path in sorted(GAME.rglob("*.py"))
        for one in mutations(path.read_text(encoding="utf-8"))
    ]
    print(f"{len(every)} mutants are possible, {min(count, len(every))} drawn with seed {seed}", flush=True)
    return Random(seed).sample(every, min(count, len(every)))


def tried(drawn: list[Mutant], workshops: list[Workshop], seconds: float) -> list[tuple[Mutant, bool]]:
    """Yield (mutant, whether it survived) for as many mutants as time allows."""
    free: Queue[Workshop] = Queue()
    for workshop in workshops:
        free.put(workshop)
    end = time.monotonic() + seconds

    def trial(mutant: Mutant) -> tuple[Mutant, bool] | None:
        if time.monotonic() > end:
            return None
        workshop = free.get()
        survived = workshop.survives(mutant)
        free.put(workshop)
        print(f"{'SURVIVED' if survived else 'noticed '} {mutant}", flush=True)
        return mutant, survived

    with ThreadPoolExecutor(len(workshops)) as pool:
        return [each for each in pool.map(trial, drawn) if each is not None]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.trials.mutants")
    parser.add_argument("--count", type=int, default=100, metavar="N", help="mutants to draw")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--seconds", type=float, default=600.0, metavar="S", help="no new one after that")
    parser.add_argument("--workers", type=int, default=2, metavar="N")
    args = parser.parse_args()
    drawn = sample(args.count, args.seed)
    with TemporaryDirectory() as folder:
        workshops = [Workshop(Path(folder) / str(number)) for number in range(args.workers)]
        if not workshops[0].passes():
            sys.exit("the tests fail without any mutant")
        results = tried(drawn, workshops, args.seconds)
    noticed = sum(not survived for _, survived in results)
    print(f"{noticed} of {len(results)} mutants noticed ({100 * noticed / max(1, len(results)):.0f} %)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
