"""`python -m tests.trials.evidence.hands`: the hypotheses on other hands against six kinds of honest players.

The players are those of `python -m tests.trials.evidence.volume`, which tests all hypotheses but needs the
tables of the cross first. The seat is number 2 of six; one player copies seat 1. The output is, by player and
hypothesis, the mean evidence after one round with its standard error, and the number of sittings that ever
reach each bound.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np

from controller.evidence.hypotheses import PackValues
from controller.evidence.known_middle import HOLE_KINDS
from controller.evidence.tables import first_tables
from controller.rules.odds.subject import shipped
from tests.trials.evidence.alarms import guarantee
from tests.trials.evidence.players import honest
from tests.trials.evidence.values import Floats
from tests.trials.evidence.volume.deals import deal
from tests.trials.evidence.volume.other_hands import HandFactors
from tests.trials.evidence.volume.tally import running_evidence

BOUNDS = (10, 100, 1_000)
LENGTH = 100
"""Number of rounds of a sitting."""
BATCH = 50
"""Number of sittings computed at once."""


def batches(values: PackValues, sittings: int, seed: int) -> Iterator[dict[tuple[str, str], Floats]]:
    """Yield for each batch of sittings the logarithms of the factors (column, round), by player and
    hypothesis."""
    odds, dice = values.odds, np.random.default_rng(seed)
    for _ in range(-(-sittings // BATCH)):
        deals = deal(dice, BATCH * LENGTH, range(len(HOLE_KINDS)))
        factors, found = HandFactors(values, deals), {}
        for player, choose in honest(odds).items():
            choices = np.searchsorted([0, *odds.multiples], choose(deals.hands, dice))
            found |= {(player, name.value): logs for name, logs in factors.logs(choices).items()}
        yield found


def line(player: str, name: str, every: list[Floats]) -> str:
    """Return a line with the figures of one player for one hypothesis. `every`: logarithms of the factors, by
    batch."""
    rounds = np.concatenate([np.exp(logs).mean(axis=0) for logs in every])
    peaks = np.concatenate([running_evidence(logs, LENGTH).max(axis=1) for logs in every])
    mean, error = rounds.mean(), rounds.std() / len(rounds) ** 0.5
    reached = ", ".join(f"{bound:,}: {(peaks >= bound).sum()}" for bound in BOUNDS)
    return f"{player}, {name}: round {mean:.6f} ± {error:.6f} (z {(mean - 1) / error:+.2f}); {reached}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.trials.evidence.hands", description=__doc__)
    parser.add_argument("--rules", default="pennsylvania", metavar="KEY")
    parser.add_argument("--sittings", type=int, default=500, metavar="N", help="of each player, at least")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    args = parser.parse_args()
    odds = shipped(args.rules).odds
    logs: dict[tuple[str, str], list[Floats]] = {}
    for found in batches(PackValues(odds, first_tables(odds)), args.sittings, args.seed):
        for key, each in found.items():
            logs.setdefault(key, []).append(each)
    sittings = len(next(iter(logs.values()))) * BATCH
    promised = guarantee(sittings, BOUNDS)
    print(f"{sittings * LENGTH:,} rounds of each player; guarantee of peaks, mean at most: {promised}")
    for (player, name), every in logs.items():
        print(line(player, name, every))


if __name__ == "__main__":
    main()
