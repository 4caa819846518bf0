"""`python -m tests.trials.two_worlds --pairs N [--seed S] [--watched]`: pairs of tables that differ only in
face-down cards, and the outputs that distinguish them."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from tests.trials.two_worlds.pairs import Outcome, play, play_watched

REPORTED = 20


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.trials.two_worlds", description=__doc__)
    parser.add_argument("--pairs", type=int, default=1_000)
    parser.add_argument(
        "--watched", action="store_true", help="the same cards; the evidence of one table is computed"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the first pair; each has its own")
    args = parser.parse_args()
    began = time.monotonic()
    played = play_watched if args.watched else play
    outcomes = [played(seed) for seed in range(args.seed, args.seed + args.pairs)]
    print(summary(outcomes), f"{time.monotonic() - began:.0f} s", sep="\n")
    apart = [outcome for outcome in outcomes if outcome.difference]
    for outcome in apart[:REPORTED]:
        print(f"seed {outcome.seed} {outcome.way[0]} {outcome.way[1]} {outcome.kind}: {outcome.difference}")
    return 1 if apart else 0


def summary(outcomes: list[Outcome]) -> str:
    counts = {
        "pairs": len(outcomes),
        "events": sum(outcome.events for outcome in outcomes),
        "with a face that differs, face down": sum(outcome.hidden for outcome in outcomes),
        "of these into the settlement, unseen": sum(outcome.settled for outcome in outcomes),
        "of these to be settled differently": sum(outcome.matters for outcome in outcomes),
        "round over, never seen": sum(outcome.ended for outcome in outcomes),
        "parted by a card that was turned": sum(outcome.parted for outcome in outcomes),
        "told apart": sum(outcome.difference is not None for outcome in outcomes),
    }
    kinds = Counter(outcome.kind for outcome in outcomes)
    return "\n".join([*(f"{count:>9,} {name}" for name, count in counts.items()), f"{dict(kinds)}"])


if __name__ == "__main__":
    sys.exit(main())
