"""`python -m tests.trials.evidence.hypotheses`: power of every hypothesis, by the program's own functions.

Each kind of knowledge is used at three strengths: every round, one round in three, only for large gains. The
output is a table: the bound (bounds.py), and the number of rounds until the combined evidence reaches each
level, at the median and at 90 % of the sittings. Each row has dice of its own, so `--only` and `--used` give
the same figures. `--plot FILE` draws the medians. `python -m tests.trials.evidence.volume` plays the honest
players.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import product
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from controller.evidence.hypotheses import Hypothesis, PackValues, evidence_by_hypothesis
from controller.evidence.sitting import Sitting
from controller.evidence.tables import first_tables
from controller.game.model.names import Wager
from controller.rules.odds.plots import Bar, bars
from controller.rules.odds.subject import shipped
from controller.rules.volume.best_player import Best
from tests.trials.evidence.bounds import bound
from tests.trials.evidence.cheating import STRENGTHS, Round, Strength, Trial, Wagers, round_of, wagers
from tests.trials.evidence.players import best_bets
from tests.trials.evidence.values import Floats, deal_hands

LEVELS = (3, 6, 9)
LENGTHS = {"every round": 200, "one in three": 1_500, "large gains": 1_500}
"""Number of rounds of a cheat's sitting, by strength."""
LENGTH_OF_HANDS = 500
"""Number of rounds of a sitting if the cheat knows hands and uses them in every round."""
TEN = float(np.log(10))
FONT = 'font-family="sans-serif" font-size="8"'
"""Attributes for the text of the plot, a file without a style sheet."""
HEAD = "| knowledge | used | bound, 10^6 | 10^3 | 10^6 | 10^9 |\n|---|---|---:|---:|---:|---:|"

_shared: list[Trial] = []
"""List with the one trial of this process, which is put in when the process starts."""


@dataclass(frozen=True, slots=True)
class Power:
    """Row of the table: the power of one hypothesis at one strength. `bound`: rounds after which a test that
    knew the policy would reach 10^6, with the standard error. `reached`: by level, the rounds at the median
    and at 90 % of the sittings; above the length of a sitting if the level is not reached."""

    hypothesis: Hypothesis
    strength: Strength
    bound: tuple[float, float]
    reached: Sequence[tuple[int, int]]

    def row(self) -> str:
        most, error = self.bound
        two = [" / ".join(map(self._rounds, each)) for each in self.reached]
        return f"| `{self.hypothesis}` | {self.strength} | {most:.0f} ± {error:.0f} | {' | '.join(two)} |"

    def bar(self) -> Bar:
        """Return the row as a bar of the plot: the median number of rounds to 10^6, with the bound as
        text."""
        label = f"{self.hypothesis.removeprefix('sees_').replace('_', ' ')}, {self.strength}"
        median = self.reached[LEVELS.index(6)][0]
        return Bar(label, float(median), f"{self._rounds(median)} (bound {self.bound[0]:.0f})")

    def _rounds(self, many: int) -> str:
        length = length_of(self.hypothesis, self.strength)
        return str(many) if many <= length else f"over {length}"


def power(row: tuple[Hypothesis, Strength], count: int, rounds: int, seed: int) -> Power:
    """Compute one row of the table. `count`: number of sittings; `rounds`: number of rounds over which the
    bound is computed."""
    (hypothesis, strength), (trial,) = row, _shared
    numbers = [seed, [*Hypothesis].index(hypothesis), STRENGTHS.index(strength)]
    own = Trial(trial.values, trial.best, np.random.default_rng(numbers))
    most = bound(own, hypothesis, strength, rounds)
    sittings = [cheated(own, hypothesis, strength) for _ in range(count)]
    return Power(hypothesis, strength, most, reached(sittings, length_of(hypothesis, strength)))


def length_of(hypothesis: Hypothesis, strength: Strength) -> int:
    """Return the number of rounds of a sitting."""
    hands = hypothesis in (Hypothesis.ONE_HAND, Hypothesis.OTHER_HANDS)
    return LENGTH_OF_HANDS if hands and strength == "every round" else LENGTHS[strength]


def cheated(trial: Trial, hypothesis: Hypothesis, strength: Strength) -> Floats:
    """Play one sitting of a cheat, until the last level is reached at most. Returns the logarithm of the
    combined evidence after each round."""
    length = length_of(hypothesis, strength)
    hands = deal_hands(trial.dice, length)
    plain, sitting, logs = best_bets(trial.best, hands), Sitting(1, "1"), []
    for at in range(length):
        dealt = round_of(hands, at)
        add(trial, sitting, at, dealt, wagers(trial, hypothesis, strength, dealt, plain[:, at].tolist()))
        logs.append(sitting.log)
        if sitting.log > LEVELS[-1] * TEN:
            break
    return np.array(logs)


def add(trial: Trial, sitting: Sitting, number: int, dealt: Round, laid: Wagers) -> None:
    """Add a round to a sitting with its evidence, as `crisscross evidence` does."""
    before = [Wager.ACROSS] if laid.late else []
    cards = dealt.cards(laid.bets, laid.ante, laid.bonus, before)
    sitting.add(number, evidence_by_hypothesis(trial.values, cards, sitting.habits), cards.early)


def reached(sittings: list[Floats], length: int) -> list[tuple[int, int]]:
    """Return by level the number of rounds until it is reached, at the median and at 90 % of the sittings;
    `length` + 1 if it is not reached."""
    found = []
    for level in LEVELS:
        over = [logs >= level * TEN for logs in sittings]
        first = np.sort([int(each.argmax()) + 1 if each.any() else length + 1 for each in over])
        found.append((int(first[len(first) // 2]), int(first[len(first) * 9 // 10])))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.trials.evidence.hypotheses", description=__doc__)
    parser.add_argument("--rules", default="pennsylvania", metavar="KEY")
    parser.add_argument("--cheats", type=int, default=11, metavar="N", help="sittings of each cheat")
    parser.add_argument("--rounds", type=int, default=5_000, metavar="N", help="of each bound")
    parser.add_argument(
        "--only", nargs="+", choices=[*Hypothesis], default=[*Hypothesis], metavar="NAME", help="these cheats"
    )
    parser.add_argument(
        "--used", nargs="+", choices=STRENGTHS, default=STRENGTHS, metavar="STRENGTH", help="these strengths"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the rounds to a million, as SVG")
    args = parser.parse_args()
    odds = shipped(args.rules).odds
    trial = Trial(PackValues(odds, first_tables(odds)), Best(odds), np.random.default_rng(args.seed))
    print(HEAD, flush=True)
    drawn = []
    rows = product(map(Hypothesis, args.only), args.used)
    measure = partial(power, count=args.cheats, rounds=args.rounds, seed=args.seed)
    # a forked process gets the tables without a copy, and keeps what it computes for its next row
    with ProcessPoolExecutor(args.jobs, get_context("fork"), _shared.append, (trial,)) as pool:
        for found in pool.map(measure, rows):
            print(found.row(), flush=True)
            drawn.append(found.bar())
    if args.plot:
        title = "Rounds until the combined evidence passes a million, at the median"
        args.plot.write_text(bars(drawn, title).replace("<svg", f"<svg {FONT}", 1), encoding="utf-8")


if __name__ == "__main__":
    main()
