"""`python -m tests.odds.fortune`: luck against its variance over many rounds of the kernel, pack by pack.

If expectation and variance are right, luck is nothing on average and its square is the variance on average,
whoever plays. Both are told in standard errors, that of the squares from the rounds themselves.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np

from controller.game.model.names import Method, Wager
from controller.game.model.record import RoundRecord
from controller.game.model.rules import RulePack
from controller.odds import shelf
from controller.odds.expected import Figures, expected
from controller.odds.pack import odds_of
from controller.packs.loader import find_pack, load_pack
from controller.volume.deal import deal, places, shuffled
from controller.volume.play import Stakes, in_boxes, play
from controller.volume.rules import rules_of
from controller.volume.strategies import Anything
from controller.volume.told import Told


def figures_of(pack: RulePack) -> Figures:
    known = shelf.known(odds_of(pack))
    assert known is not None
    return Figures(odds_of(pack), known)


def records(pack: RulePack, seats: int, rounds: int, seed: int) -> Iterator[RoundRecord]:
    """Rounds of players who do anything, with the bonuses that the pack offers now and then."""
    dice, boxes = np.random.default_rng(seed), tuple(range(1, seats + 1))
    method = Method.HOUSE_ORDER if Method.HOUSE_ORDER in pack.deals else Method.AUTOMATED_SHOE
    decks = shuffled(dice, rounds, len(places(pack, method, boxes)))
    antes = in_boxes([500 * (1 + seat % 2) for seat in range(seats)], rounds)
    laid = np.where(dice.random(antes.shape) < 0.5, 500, 0) * (antes > 0)
    stakes = Stakes(antes, {Wager(bonus): laid for bonus in pack.bonuses})
    played = play(rules_of(pack), deal(pack, method, boxes, decks), stakes, Anything(dice))
    for number in range(rounds):
        yield Told(played, number).record()


def measured(pack: RulePack, seats: int, rounds: int, seed: int) -> tuple[float, float, float]:
    """(luck in standard deviations, its squares over the variance, the standard error of that)."""
    figures = figures_of(pack)
    found = [expected(figures, record) for record in records(pack, seats, rounds, seed)]
    luck = np.array([each.luck for each in found])
    variance = np.array([each.variance for each in found])
    ratio = luck @ luck / variance.sum()
    error = np.sqrt(rounds * (luck**2 - ratio * variance).var()) / variance.sum()
    return float(luck.sum() / np.sqrt(variance.sum())), float(ratio), float(error)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=500)
    parser.add_argument("--seats", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("packs", nargs="*", default=["pennsylvania", "six_card_bonus"])
    asked = parser.parse_args()
    for key in asked.packs:
        z, ratio, error = measured(load_pack(find_pack(key)), asked.seats, asked.rounds, asked.seed)
        print(
            f"{key}, {asked.seats} seats, {asked.rounds} rounds: z {z:+.2f}, ratio {ratio:.3f} +- {error:.3f}"
        )


if __name__ == "__main__":
    main()
