"""`python -m tests.trials.evidence.dealer`: power and false alarms of the evidence that a dealer's errors
favour a seat.

Six seats play every round to its end; the cards decide which wagers win or push. A dealer errs at a share of
these wagers. An error is for the player with one chance at the favoured seat, the third one to be settled,
and another one elsewhere. The evidence takes the first error of each round. The output is, for each dealer
who favours the seat, the bound and the number of the dealer's errors until the evidence reaches each level,
at the median and at 90 % of the sittings, and for honest dealers the number of sittings that ever reach each
bound, beside the guarantee. The bound is that to 10^6 of a test of pairs of all errors, two by two, that knew
both chances.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import log

import numpy as np

from controller.evidence.dealer_errors import DealerError, ErrorPairs
from controller.rules.odds.hands import CARD_KEYS, classes
from controller.rules.odds.pack import Odds
from controller.rules.odds.subject import shipped
from controller.rules.volume.deal import shuffled
from tests.trials.evidence.alarms import guarantee
from tests.trials.evidence.values import Floats, Ints

LEVELS = (3, 6, 9)
BOUNDS = (10, 100, 1_000)
RATES = (0.01, 0.05, 0.2)
"""Chances of an error for each wager that wins or pushes."""
FAVOURS = ((1.0, 0.0), (1.0, 0.5), (0.8, 0.5))
"""Chances that an error is to the player's advantage, at the favoured seat and at the others."""
HONEST = {
    "gives and takes alike": ((0.5, 0.5), 1.0, ""),
    "short at payouts, long at pushes": ((0.2, 0.8), 1.0, ""),
    "the same, and errs three times as often at the seat": ((0.2, 0.8), 3.0, ""),
    "too much first, too little after an alert of the round": ((1.0, 1.0), 1.0, "round"),
    "after each alert the other way": ((1.0, 1.0), 1.0, "ever"),
}
"""Honest dealers by name, each with three facts. The first is the chances that an error at a payout and at a
push is to the player's advantage, which are the same at all seats. The second is the factor by which the
dealer errs more often at the seat than elsewhere. The third is the past by which the dealer chooses the
direction instead (`alternating`), or ""."""
SEATS = 6
FAVOURED = 2
"""Index of the favoured seat in the order in which seats are settled."""
FIRST = 0
"""Index of the seat for which the evidence is computed if the dealer is honest. It is settled first."""
ROUNDS = 500
"""Number of rounds of an honest dealer's sitting, and of a batch."""
MAX_ERRORS = 10_000
"""Number of errors after which a favouring dealer's sitting ends."""
KINDS = ("", "win", "push")
HEAD = (
    "| for the player, at the seat | elsewhere | errors at | bound, 10^6 | 10^3 | 10^6 | 10^9 "
    "| rounds, 10^6 |\n|---:|---:|---:|---:|---:|---:|---:|---:|"
)


@dataclass(frozen=True, slots=True)
class Errors:
    """Errors of a dealer in many rounds, in order. `rounds`: number of the round of each error; `own`:
    whether it is at the seat; `kinds`: index in `KINDS`; `gives`: whether it is to the player's advantage."""

    rounds: Ints
    own: Ints
    kinds: Ints
    gives: Ints

    def __iter__(self) -> Iterator[tuple[int, bool, str, bool]]:
        every = (self.rounds, self.own, self.kinds, self.gives)
        for number, own, kind, gives in zip(*(each.tolist() for each in every), strict=True):
            yield number, bool(own), KINDS[kind], bool(gives)


def results(odds: Odds, dice: np.random.Generator, rounds: int) -> Ints:
    """Deal random rounds and return (round, seat, wager): the index in `KINDS` of each wager's result, 0 for
    a losing one."""
    keys = CARD_KEYS[shuffled(dice, rounds, 5 + 2 * SEATS)]
    own = keys[5:].reshape(SEATS, 2, rounds).sum(axis=1) + keys[4]
    one, two = (classes((own + keys[at : at + 2].sum(axis=0)).astype(np.int32)) for at in (0, 2))
    bets, antes = np.array(odds.bets), np.array(odds.antes)
    pays = np.stack([antes[one], antes[two], bets[one], bets[two], bets[np.maximum(one, two)]])
    return np.where(pays > 0, 1, np.where(pays == 0, 2, 0)).transpose(2, 1, 0)


def errors(found: Ints, seat: int, rate: Floats, for_player: Floats, dice: np.random.Generator) -> Errors:
    """Return a dealer's random errors. `found`: results of the wagers; `seat`: index of the seat for which
    the evidence is computed; `rate`: chance of an error at a wager that wins or pushes, by seat; `for_player`
    (seat, kind): chance that an error is to the player's advantage."""
    wrong = (found > 0) & (dice.random(found.shape) < rate[None, :, None])
    rounds, seats, wagers = np.nonzero(wrong)
    kinds = found[rounds, seats, wagers]
    gives = dice.random(len(rounds)) < for_player[seats, kinds - 1]
    return Errors(rounds, (seats == seat).astype(int), kinds, gives.astype(int))


def alternating(found: Errors, past: str) -> Errors:
    """Return the same errors with directions that a dealer chooses after seeing each alert. `past`: "round"
    if the first error of a round gives too much and the next ones too little, "ever" if each goes the other
    way than the one before."""
    number = np.arange(len(found.rounds))
    _, starts = np.unique(found.rounds, return_index=True)
    gives = np.isin(number, starts) if past == "round" else number % 2 == 0
    return Errors(found.rounds, found.own, found.kinds, gives.astype(int))


def added(pairs: ErrorPairs, found: Errors) -> Iterator[int]:
    """Add the first error of each round to the pairs. Yields the number of the round after every error, added
    or not."""
    last = -1
    for number, own, kind, gives in found:
        if number != last:
            pairs.add(DealerError(0, kind, gives), own=own)
        last = number
        yield number


def bound(at_seat: float, elsewhere: float) -> float:
    """Return the number of a dealer's errors after which a test that knew both chances would reach 10^6.

    Only pairs with two directions inform. The number follows from the information of such a pair, their share
    among all pairs with one error at the seat, and the errors that such a pair takes.
    """
    for_seat, against = at_seat * (1 - elsewhere), (1 - at_seat) * elsewhere
    unequal = for_seat + against
    shares = [each / unequal for each in (for_seat, against) if each]
    information = log(2) + sum(share * log(share) for share in shares)
    own = 1 / SEATS
    by_pair = 1 / (own * (1 - own))
    return 6 * log(10) * by_pair / (unequal * information)


def favoured(odds: Odds, rate: float, chances: tuple[float, float], dice: np.random.Generator) -> Ints:
    """Play one sitting of a favouring dealer. Returns (level, 2): the numbers of errors and of rounds until
    each level; MAX_ERRORS + 1 errors if it is not reached."""
    for_player = np.full((SEATS, 2), chances[1])
    for_player[FAVOURED] = chances[0]
    pairs, many, reached, before = ErrorPairs(), 0, list[tuple[int, int]](), 0
    while many < MAX_ERRORS:
        found = errors(results(odds, dice, ROUNDS), FAVOURED, np.full(SEATS, rate), for_player, dice)
        for number in added(pairs, found):
            many += 1
            while len(reached) < len(LEVELS) and pairs.peak >= LEVELS[len(reached)] * log(10):
                reached.append((many, before + number + 1))
            if len(reached) == len(LEVELS) or many == MAX_ERRORS:
                never = (MAX_ERRORS + 1, before + number + 1)
                return np.array([*reached, *(len(LEVELS) - len(reached)) * [never]])
        before += ROUNDS
    raise AssertionError("a sitting ends at its last error")


def power_row(
    odds: Odds, rate: float, chances: tuple[float, float], sittings: int, dice: np.random.Generator
) -> str:
    """Return a row about one dealer who favours the seat, over this number of sittings."""
    every = np.sort([favoured(odds, rate, chances, dice) for _ in range(sittings)], axis=0)
    median, most = every[sittings // 2], every[sittings * 9 // 10]
    spans = [f"{_errors(median[at, 0])} / {_errors(most[at, 0])}" for at in range(len(LEVELS))]
    rounds = f"{median[1, 1]:,}" if median[1, 0] <= MAX_ERRORS else ""
    at_seat, elsewhere = (f"{each:.0%}" for each in chances)
    cells = (at_seat, elsewhere, f"{rate:.0%}", f"{bound(*chances):,.0f}", *spans, rounds)
    return f"| {' | '.join(cells)} |"


def _errors(many: int) -> str:
    return f"{many:,}" if many <= MAX_ERRORS else f"over {MAX_ERRORS:,}"


def peaks(odds: Odds, rate: float, name: str, sittings: int, dice: np.random.Generator) -> Floats:
    """Return the largest evidence of each sitting of an honest dealer, as logarithms to base 10."""
    chances, times, past = HONEST[name]
    rates, found = np.full(SEATS, rate), []
    rates[FIRST] *= times
    for _ in range(sittings):
        pairs = ErrorPairs()
        made = errors(results(odds, dice, ROUNDS), FIRST, rates, np.tile(chances, (SEATS, 1)), dice)
        list(added(pairs, alternating(made, past) if past else made))
        found.append(pairs.peak / log(10))
    return np.array(found)


def alarms(odds: Odds, rate: float, name: str, sittings: int, dice: np.random.Generator) -> str:
    """Return a line about one honest dealer, with the number of sittings that reach each bound."""
    found = peaks(odds, rate, name, sittings, dice)
    reached = ", ".join(f"{each:,}: {(found >= np.log10(each)).sum()}" for each in BOUNDS)
    return f"honest, {name}, errors at {rate:.0%}: {reached}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.trials.evidence.dealer", description=__doc__)
    parser.add_argument("--rules", default="pennsylvania", metavar="KEY")
    parser.add_argument("--sittings", type=int, default=101, metavar="N", help="of each favouring dealer")
    parser.add_argument(
        "--honest", type=int, default=1_000, metavar="N", help="sittings of each honest dealer"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    args = parser.parse_args()
    odds, dice = shipped(args.rules).odds, np.random.default_rng(args.seed)
    print(HEAD, flush=True)
    for chances, rate in product(FAVOURS, RATES):
        print(power_row(odds, rate, chances, args.sittings, dice), flush=True)
    promised = guarantee(args.honest, BOUNDS)
    print(f"{args.honest:,} sittings of {ROUNDS} rounds; guarantee, mean at most: {promised}")
    for name, rate in product(HONEST, RATES):
        print(alarms(odds, rate, name, args.honest, dice), flush=True)


if __name__ == "__main__":
    main()
