"""`python -m tests.odds.fortune`: comparison of luck with its variance over many rounds of the kernel, for
each pack.

If expectation and variance are right, luck is zero on average and its square equals the variance on average,
for any players. Both deviations are printed in standard errors; the standard error of the squares is
estimated from the rounds. `--laid` uses only public data at the moment when all wagers were laid, and prints
the number of periods outside the band that should contain 95 % of them.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from controller.game.model.names import Method, Wager
from controller.game.model.record import RoundRecord
from controller.game.model.rules import RulePack
from controller.rules.odds import odds_files
from controller.rules.odds.expected import Expected, PackFigures, expected_of_round, expected_when_laid
from controller.rules.odds.pack import odds_of
from controller.rules.packs.loader import find_pack, load_pack
from controller.rules.volume.best_player import Best
from controller.rules.volume.deal import deal, dealt_places, shuffled
from controller.rules.volume.play import Stakes, Strategy, play, same_every_round
from controller.rules.volume.rules import rules_of
from controller.rules.volume.strategies import RandomStrategy
from controller.rules.volume.table_view import TableView

Numbers: TypeAlias = NDArray[np.float64]


def figures_of(pack: RulePack) -> PackFigures:
    known = odds_files.find_odds(odds_of(pack))
    assert known is not None
    return PackFigures(odds_of(pack), known)


def records(
    pack: RulePack, seats: int, rounds: int, seed: int, players: Strategy | None = None
) -> Iterator[RoundRecord]:
    """Yield the records of `rounds` rounds of `players`, or of random players if None. Some rounds have the
    bonuses that the pack offers."""
    dice, boxes = np.random.default_rng(seed), tuple(range(1, seats + 1))
    method = Method.HOUSE_ORDER if Method.HOUSE_ORDER in pack.deals else Method.AUTOMATED_SHOE
    decks = shuffled(dice, rounds, len(dealt_places(pack, method, boxes)))
    antes = same_every_round([500 * (1 + seat % 2) for seat in range(seats)], rounds)
    laid = np.where(dice.random(antes.shape) < 0.5, 500, 0) * (antes > 0)
    stakes = Stakes(antes, {Wager(bonus): laid for bonus in pack.bonuses})
    played = play(rules_of(pack), deal(pack, method, boxes, decks), stakes, players or RandomStrategy(dice))
    for number in range(rounds):
        yield TableView(played, number).record()


PERIODS = (50, 200, 1000)
"""Lengths in rounds of the periods whose z-value is evaluated."""


def worked_out(
    pack: RulePack,
    seats: int,
    rounds: int,
    seed: int,
    how: Callable[[PackFigures, RoundRecord], Expected] = expected_of_round,
    players: Strategy | None = None,
) -> tuple[Numbers, Numbers]:
    """Return two arrays: the luck and the variance of each round."""
    figures = figures_of(pack)
    found = [how(figures, record) for record in records(pack, seats, rounds, seed, players)]
    return np.array([each.luck for each in found]), np.array([each.variance for each in found])


def measured(luck: Numbers, variance: Numbers) -> tuple[float, float, float]:
    """Return three figures: luck in standard deviations, squared luck divided by the variance, and the
    standard error of this quotient."""
    ratio = luck @ luck / variance.sum()
    error = np.sqrt(len(luck) * (luck**2 - ratio * variance).var()) / variance.sum()
    return float(luck.sum() / np.sqrt(variance.sum())), float(ratio), float(error)


def outside(luck: Numbers, variance: Numbers, rounds: int) -> float:
    """Return the share of periods of `rounds` rounds whose win is outside the 95 % band."""
    whole = len(luck) // rounds * rounds
    sums, spreads = (each[:whole].reshape(-1, rounds).sum(axis=1) for each in (luck, variance))
    return float((np.abs(sums) > 1.96 * np.sqrt(spreads)).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=500)
    parser.add_argument("--seats", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--laid", action="store_true")
    parser.add_argument("--best", action="store_true", help="each player plays optimally")
    parser.add_argument("packs", nargs="*", default=["pennsylvania", "six_card_bonus"])
    args = parser.parse_args()
    for key in args.packs:
        pack, how = load_pack(find_pack(key)), expected_when_laid if args.laid else expected_of_round
        players = Best(odds_of(pack)) if args.best else None
        luck, variance = worked_out(pack, args.seats, args.rounds, args.seed, how, players)
        z, ratio, error = measured(luck, variance)
        print(
            f"{key}, {args.seats} seats, {args.rounds} rounds: z {z:+.2f}, ratio {ratio:.3f} +- {error:.3f}"
        )
        for rounds in PERIODS if args.laid else ():
            print(f"  {outside(luck, variance, rounds):.1%} of periods of {rounds} rounds outside")


if __name__ == "__main__":
    main()
