"""`python -m tests.trials.evidence.following`: honest players beside a cheat, whose evidence of the middle
card breaks its bound.

The player knows no card. The neighbour at seat 1, who decides before them, knows the middle card in every
round. The output is the mean factor of a round, which is one without the cheat, and its standard error: for a
player who bets what the neighbour bets; and for one who always bets the most, in rounds that were dealt by
hand, which give no evidence if the neighbour folds.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import numpy as np

from controller.evidence.factor import evidence_of
from controller.evidence.hypotheses import Hypothesis, PackValues
from controller.evidence.tables import first_tables
from controller.rules.odds.subject import shipped
from tests.trials.evidence.cheating import Round, knowing_bets, round_of
from tests.trials.evidence.values import Floats, deal_hands

NEIGHBOUR = 1
COPIES, BESIDE = "copies the neighbour", "always the most, dealt by hand"


def neighbour_of(played: Round) -> Round:
    """Return the round as the neighbour sees it."""
    hands = {seat: hand for seat, hand in played.hands.items() if seat != NEIGHBOUR}
    return replace(played, hole=played.hands[NEIGHBOUR], hands={2: played.hole, **hands})


def factors(values: PackValues, dice: np.random.Generator, rounds: int) -> dict[str, Floats]:
    """Return the factors of the rounds with evidence, by the player."""
    hands, found = deal_hands(dice, rounds), dict[str, list[float]]({COPIES: [], BESIDE: []})
    most = float(values.odds.multiples[1])
    for at in range(rounds):
        played = round_of(hands, at)
        theirs = knowing_bets(values, Hypothesis.MIDDLE, neighbour_of(played), [1, 1, 1])
        shown = {COPIES: theirs} | ({} if 0 in theirs else {BESIDE: [most] * 3})
        for name, bets in shown.items():
            weights = evidence_of(values.odds, values.first.middle, played.seat(bets)).weights
            found[name].append(float(np.exp(weights.sum(axis=0)).mean()))
    return {name: np.array(each) for name, each in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.trials.evidence.following", description=__doc__)
    parser.add_argument("--rules", default="pennsylvania", metavar="KEY")
    parser.add_argument("--rounds", type=int, default=2_500, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    args = parser.parse_args()
    odds = shipped(args.rules).odds
    values = PackValues(odds, first_tables(odds))
    for name, found in factors(values, np.random.default_rng(args.seed), args.rounds).items():
        error = found.std() / len(found) ** 0.5
        print(f"{name}: {len(found):,} rounds, mean factor {found.mean():.3f} ± {error:.3f}", flush=True)


if __name__ == "__main__":
    main()
