"""`python -m tests.trials.evidence`: rounds until a cheat who knows the middle card is found.

Every sitting has the same length; its cards follow from the seed. Five other seats hold cards that cannot be
the middle card. The output is the number of rounds to each bound, at the median and at 90 %. `python -m
tests.trials.evidence.volume` plays the honest players.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np

from controller.common.terminal import ProgressLine
from controller.evidence.factor import CARELESS, STRENGTHS, evidence_of
from controller.evidence.tables import first_table
from controller.rules.odds.cards import DECK_SIZE
from controller.rules.odds.cli import bar
from controller.rules.odds.subject import shipped
from tests.trials.evidence.cheating import round_of
from tests.trials.evidence.players import Player, cheats, honest
from tests.trials.evidence.values import Floats, Hands, Ints, Tables, deal_hands

BOUNDS = (3, 6, 9)
BATCH = 20_000


def factors(tables: Tables, hands: Hands, bets: Ints) -> Floats:
    """Return (strength, round): the logarithms of the factors, which must equal those of
    controller/evidence/factor.py. `bets`: (decision, round), in antes."""
    gone = np.concatenate([hands.hole, hands.across, hands.down, hands.others])
    made = np.cumprod(np.vstack([np.ones(bets.shape[1], bool), bets[:2] > 0]), axis=0).astype(bool)
    total, turned, many = (np.zeros((len(STRENGTHS), bets.shape[1])) for _ in range(3))
    for card in range(DECK_SIZE):
        free = (gone != card).all(axis=0)
        joint = np.ones_like(total)
        values = tables.at(hands, bets[:2], np.where(free, card, hands.middle))
        for each, bet, here in zip(values, bets, made, strict=True):
            joint *= np.where(here, _chances(each, np.searchsorted([0, *tables.odds.multiples], bet)), 1.0)
        total += np.where(free, joint, 0.0)
        many += free
        turned += np.where(card == hands.middle, joint, 0.0)
    return np.log(turned * many / total)


def largest_difference(tables: Tables, rounds: int = 200) -> float:
    """Return the largest difference between these logarithms and those of the command, over random rounds."""
    dice = np.random.default_rng(7)
    hands = deal_hands(dice, rounds)
    bets = honest(tables.odds)["erratic"](hands, dice)
    found, first = factors(tables, hands, bets), first_table(tables.odds)
    worst = 0.0
    for at in range(rounds):
        seat = round_of(hands, at).seat(bets[:, at].tolist())
        own = evidence_of(tables.odds, first, seat).weights.sum(axis=0)
        worst = max(worst, float(np.abs(own - found[:, at]).max()))
    return worst


def _chances(values: Floats, choice: Ints) -> Floats:
    """Return (strength, round): the probability of a choice under the model."""
    off = values - values.max(axis=0)
    powers = np.exp(np.array(STRENGTHS)[:, None, None] * off)
    made = np.take_along_axis(powers, choice[None, None], axis=1)[:, 0]
    found: Floats = CARELESS / len(values) + (1 - CARELESS) * made / powers.sum(axis=1)
    return found


def sittings(tables: Tables, player: Player, count: int, length: int, seed: int) -> Iterator[Floats]:
    """Yield the logarithms of the evidence after each round, (sitting, round), for batches of sittings, at
    least `count` in all. `length`: rounds of a sitting."""
    dice = np.random.default_rng(seed)
    each = max(1, BATCH // length)
    for _ in range(-(-count // each)):
        hands = deal_hands(dice, each * length)
        found = factors(tables, hands, player(hands, dice))
        running = np.cumsum(found.reshape(len(STRENGTHS), each, length), axis=2)
        yield np.logaddexp.reduce(running, axis=0) - np.log(len(STRENGTHS))


def power(logs: Floats) -> str:
    """Return the rounds to each bound, at the median and at 90 % of the sittings."""
    words = []
    for bound in BOUNDS:
        reached = logs >= bound * np.log(10)
        first = np.where(reached.any(axis=1), reached.argmax(axis=1) + 1, np.iinfo(np.int64).max)
        at = np.sort(first)[[len(first) // 2, len(first) * 9 // 10]]
        words.append(
            " / ".join(str(each) if each <= logs.shape[1] else f"over {logs.shape[1]}" for each in at)
        )
    return ", ".join(f"10^{bound}: {word}" for bound, word in zip(BOUNDS, words, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.trials.evidence", description=__doc__)
    parser.add_argument("--rules", default="pennsylvania", metavar="KEY")
    parser.add_argument("--cheats", type=int, default=1_000, metavar="N", help="sittings of each cheat")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    args = parser.parse_args()
    odds, progress = shipped(args.rules).odds, ProgressLine()
    tables = Tables(odds, lambda done, of: progress.show(bar(done, of)))
    progress.clear()
    print(f"largest difference of a factor's logarithm from the command's: {largest_difference(tables):.4f}")
    for name, player in cheats(odds, tables).items():
        length = 100 if name == "always" else 1_000
        logs = np.concatenate(list(sittings(tables, player, args.cheats, length, args.seed)))
        print(f"cheat {name}, {len(logs)} sittings, median / 90 %: {power(logs)}", flush=True)


if __name__ == "__main__":
    main()
