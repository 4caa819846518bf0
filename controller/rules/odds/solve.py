"""Finds the best play of the base game by enumeration of every deal. The house edge is the share of an ante
that the house keeps against that strategy.

The best decision has the highest expectation over every card that may still come; of two equal ones, the
smaller wager is taken. The result is counts of deals, from which `figures.py` computes the house edge and
every other figure. A decision must never use a card that a player would not know at that moment.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from controller.rules.odds.base import Flags, Indices, Numbers, Spots, Sums, group_by_suits, spots, sums
from controller.rules.odds.cards import HoleKind, kinds
from controller.rules.odds.counts import Counts, Hole, Made, after
from controller.rules.odds.pack import LINES, Odds

CLASSES = len(LINES)
ReportProgress = Callable[[int, int], None]
"""Progress callback: number of kinds done, total number."""


@dataclass(frozen=True, slots=True)
class Stage:
    """Best play after an Across bet of `across` antes with one hole, for each of R possible Across pairs.
    `worth` (R): result of this play, summed over all Down pairs and Middles. `down` (R): best Down bet in
    antes, or 0 to fold."""

    across: int
    worth: Numbers
    down: Indices


def solve(
    odds: Odds,
    progress: ReportProgress = lambda done, of: None,
    *,
    middle: str = "higher",
    everything: Sequence[HoleKind] = kinds(),
) -> Counts:
    """Return the counts of the base game at the best play, for all kinds of hole or those in `everything`.
    `middle` as in `sums`."""
    done: list[Made] = []
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for made in threads.map(lambda kind: solve_kind(kind, odds, middle=middle), everything):
            done.append(made)
            progress(len(done), len(everything))
    return Counts.of(done)


def solve_kind(kind: HoleKind, odds: Odds, *, middle: str = "higher") -> Made:
    """Return the counts of deals of one kind of hole at the best play. `middle`: as in `sums`."""
    found = spots(kind.hole)
    rows, weights = group_by_suits(found)
    table = sums(found, odds, rows, middle=middle)
    stages = {across: stage(table, odds, across) for across in across_bets(odds)}
    worth = {across: [int(each) for each in made.worth] for across, made in stages.items()}
    ways = [int(weight) for weight in weights]
    hole = Hole(kind.name, kind.count, *after(worth, ways, deals(found), odds.multiples))
    if hole.across == 0:
        return Made(hole, {(0,): kind.count * deals(found)}, {})
    chosen = stages[hole.across]
    folded, played = _outcomes(found, table, odds, rows, weights * kind.count, chosen)
    return Made(hole, folded, played)


def deals(found: Spots) -> int:
    """Return the number of deals of both pairs and the Middle to a hole."""
    left = len(found.cards)
    return len(found.pairs) * (left - 2) * (left - 3) // 2 * found.middles


def across_bets(odds: Odds) -> range:
    """Return the Across bets, in antes, that are evaluated, including those that a best player never
    makes."""
    least, most = odds.multiples
    return range(least, most + 1) if most - least < 10 else range(least, most + 1, most - least)


def stage(table: Sums, odds: Odds, across: int) -> Stage:
    """Return the best play after an Across bet of `across` antes, for each Across pair."""
    down_pairs = int(table.apart[0].sum())
    worth = np.full(len(table.apart), -(2.0 + across) * down_pairs * table.middles)
    down = np.zeros(len(worth), np.intp)
    rest = best_middle(table, odds) + across * table.across
    for bet in sorted(set(odds.multiples)):
        going_on = rest + bet * table.down
        best = np.maximum(going_on, -float(table.middles) * (2 + across + bet), dtype=going_on.dtype)
        whole = np.where(table.apart, best, 0).sum(axis=1, dtype=float)
        down[whole > worth] = bet
        worth = np.maximum(worth, whole)
    return Stage(across, worth, down)


def best_middle(table: Sums, odds: Odds) -> Numbers:
    """Return (Across pair, Down pair): the result of both antes and the Middle bet, if the player does not
    fold and makes the best Middle bet."""
    least, most = odds.multiples
    best: Numbers = table.antes + np.maximum(least * table.middle, most * table.middle)
    return best


def goes_on(table: Sums, odds: Odds, chosen: Stage) -> Flags:
    """Return (Across pair, Down pair): whether the best Middle bet is better than a fold."""
    bets = 2 + chosen.across + chosen.down[:, None]
    whole = best_middle(table, odds) + chosen.across * table.across + chosen.down[:, None] * table.down
    going: Flags = (whole > -float(table.middles) * bets) & table.apart
    return going


# ---------------------------------------------------------------------- counting the deals


def _outcomes(
    found: Spots, table: Sums, odds: Odds, rows: Indices, weights: Indices, chosen: Stage
) -> tuple[dict[tuple[int, ...], int], dict[tuple[int, int, int], tuple[tuple[int, ...], ...]]]:
    """Count the deals of a hole. Returns the folded ones by the bets before the fold, and those played out by
    bets and by the classes of both hands."""
    apart = int(table.apart[0].sum()) * table.middles
    folded: dict[tuple[int, ...], int] = {}
    folded[chosen.across, 0] = int(weights[chosen.down == 0].sum()) * apart
    played = {}
    going, hands = goes_on(table, odds, chosen), _by_class(found)
    for down in sorted(set(odds.multiples)):
        part = np.flatnonzero(chosen.down == down)
        gone = (table.apart[part] & ~going[part]).sum(axis=1) @ weights[part]
        folded[chosen.across, down, 0] = int(gone) * table.middles
        for bet, taken in _bets(table, odds, part, going[part]):
            counted = _joint(hands, taken, rows[part], weights[part])
            played[chosen.across, down, bet] = counted
    return folded, played


def _bets(table: Sums, odds: Odds, part: Indices, going: Flags) -> Iterator[tuple[int, Flags]]:
    least, most = odds.multiples
    if least == most:
        yield least, going
    else:
        high = table.middle[part] > 0
        yield least, going & ~high
        yield most, going & high


def _by_class(found: Spots) -> Numbers:
    """Return (pair, middle card, class): 1 at the class of the hand that the card makes, else 0; all 0 for a
    card that is in the pair."""
    made: Numbers = (found.lines[:, :, None] == np.arange(CLASSES)).astype(np.float32)
    made *= found.free[:, :, None]
    return made


def _joint(hands: Numbers, taken: Flags, rows: Indices, weights: Indices) -> tuple[tuple[int, ...], ...]:
    """Return the number of deals by the class of the Across hand, then of the Down hand. `taken` (row, pair):
    which combinations of both pairs are counted."""
    cards = hands.shape[1]
    down = (taken.astype(np.float32) @ hands.reshape(len(hands), -1)).reshape(-1, cards, CLASSES)
    across = hands[rows] * weights[:, None, None]
    joint = across.transpose(1, 2, 0).astype(float) @ down.transpose(1, 0, 2).astype(float)
    return tuple(tuple(int(count) for count in line) for line in joint.sum(axis=0))
