"""`python -m tests.trials.evidence.hypotheses`: power of every hypothesis, by the program's own functions.

Each kind of knowledge is used at three strengths: every round, one round in three, only for large gains. The
output is the number of rounds until the combined evidence reaches each bound, at the median and at 90 % of
the sittings. `--plot FILE` draws the medians. `python -m tests.trials.evidence.volume` plays the honest
players.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from controller.evidence.hypotheses import Hypothesis, PackValues, evidence_by_hypothesis
from controller.evidence.sitting import Sitting
from controller.evidence.tables import first_tables
from controller.rules.odds.pack import Odds
from controller.rules.odds.plots import Bar, bars
from controller.rules.odds.subject import shipped
from controller.rules.volume.best import Best
from tests.trials.evidence.cheating import ANTE, LARGE_ANTE, Round, gain, hole_worth, knowing_bets, round_of
from tests.trials.evidence.players import best_bets
from tests.trials.evidence.values import Floats, deal_hands

BOUNDS = (3, 6, 9)
LENGTHS = {"every round": 100, "one in three": 500, "large gains": 700}
"""Rounds of a cheat's sitting, by strength."""
LARGE_GAIN = 2.0
"""Minimum gain in antes at the first decision for a cheat who waits for large gains."""
USUAL_WORTH = 0.26
"""Worth in antes that half of all holes exceed."""
TEN = float(np.log(10))


@dataclass(frozen=True, slots=True)
class Trial:
    """Values of a pack, and the dice."""

    values: PackValues
    best: Best
    dice: np.random.Generator


def cheated(trial: Trial, hypothesis: Hypothesis, strength: str) -> Floats:
    """Return the running combined evidence of one cheat's sitting, as logarithms. It ends once the last bound
    is reached."""
    hands = deal_hands(trial.dice, LENGTHS[strength])
    plain, sitting, logs = best_bets(trial.best, hands), Sitting(1, "1"), []
    for at in range(LENGTHS[strength]):
        dealt, bets = round_of(hands, at), plain[:, at].tolist()
        ante, bonus = ANTE, bool(trial.dice.random() < 0.35)
        if _uses(trial, hypothesis, strength, dealt, bets):
            if hypothesis is Hypothesis.BONUS:
                bonus = bonus_pays(trial.values.odds, dealt) > 0
            elif hypothesis is Hypothesis.ANTE:
                ante = LARGE_ANTE if hole_worth(trial.values, dealt) > USUAL_WORTH else ANTE
            else:
                bets = knowing_bets(trial.values, hypothesis, dealt, bets)
        add(trial, sitting, at, dealt, bets, ante, bonus)
        logs.append(sitting.log)
        if sitting.log > BOUNDS[-1] * TEN:
            break
    return np.array(logs)


def _uses(trial: Trial, hypothesis: Hypothesis, strength: str, dealt: Round, plain: list[int]) -> bool:
    """Return whether the cheat uses the knowledge in this round."""
    if strength == "one in three":
        return bool(trial.dice.random() < 1 / 3)
    if strength == "every round":
        return True
    if hypothesis is Hypothesis.BONUS:
        return bonus_pays(trial.values.odds, dealt) >= LARGE_GAIN
    if hypothesis is Hypothesis.ANTE:
        return hole_worth(trial.values, dealt) >= LARGE_GAIN
    return gain(trial.values, hypothesis, dealt, plain) >= LARGE_GAIN


def bonus_pays(odds: Odds, dealt: Round) -> int:
    return odds.side_bets[0][1][dealt.bonus_class()]


def add(
    trial: Trial, sitting: Sitting, number: int, dealt: Round, bets: list[int], ante: int, bonus: bool
) -> None:
    """Add a round to a sitting, as the command does."""
    cards = dealt.cards(bets, ante, bonus)
    sitting.add(number, evidence_by_hypothesis(trial.values, cards, sitting.habits), cards.early)


def power(sittings: list[Floats], length: int) -> list[tuple[int, int]]:
    """Return the rounds to each bound at the median and at 90 %; `length` + 1 if the bound is not reached."""
    found = []
    for bound in BOUNDS:
        over = [logs >= bound * TEN for logs in sittings]
        first = np.sort([int(each.argmax()) + 1 if each.any() else length + 1 for each in over])
        found.append((int(first[len(first) // 2]), int(first[len(first) * 9 // 10])))
    return found


def report_cheats(trial: Trial, count: int, kinds: Sequence[Hypothesis]) -> list[Bar]:
    """Print the power against each cheat; return the bars of the plot."""
    drawn = []
    for hypothesis in kinds:
        for strength, length in LENGTHS.items():
            found = power([cheated(trial, hypothesis, strength) for _ in range(count)], length)
            shown = [[str(each) if each <= length else f"over {length}" for each in two] for two in found]
            words = ", ".join(
                f"10^{bound}: {' / '.join(two)}" for bound, two in zip(BOUNDS, shown, strict=True)
            )
            print(f"cheat {hypothesis}, {strength}, {count} sittings, median / 90 %: {words}", flush=True)
            label = f"{hypothesis.removeprefix('sees_').replace('_', ' ')}, {strength}"
            drawn.append(Bar(label, float(found[1][0]), shown[1][0]))
    return drawn


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.trials.evidence.hypotheses", description=__doc__)
    parser.add_argument("--rules", default="pennsylvania", metavar="KEY")
    parser.add_argument("--cheats", type=int, default=11, metavar="N", help="sittings of each cheat")
    parser.add_argument(
        "--only", nargs="+", choices=[*Hypothesis], default=[*Hypothesis], metavar="NAME", help="these cheats"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the rounds to a million, as SVG")
    args = parser.parse_args()
    odds = shipped(args.rules).odds
    trial = Trial(PackValues(odds, first_tables(odds)), Best(odds), np.random.default_rng(args.seed))
    drawn = report_cheats(trial, args.cheats, [Hypothesis(each) for each in args.only])
    if args.plot:
        title = "Rounds until the combined evidence passes a million, at the median"
        args.plot.write_text(bars(drawn, title), encoding="utf-8")


if __name__ == "__main__":
    main()
