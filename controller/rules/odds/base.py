"""One hole against every cross: the class of each hand, and the results of the wagers at each decision.

A hole is a player's two cards, as in every file of this package. Everything is counted over whole decks in
NumPy, and every figure is a whole number: results are summed over the cards that may still come, never
averaged. Matrix products use single precision, which is exact, if every partial sum stays below 2 to the
24th, else double precision. This module must never sample.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from controller.rules.odds.cards import Hole
from controller.rules.odds.hands import CARD_KEYS, Classes, classes
from controller.rules.odds.pack import LOSES, Odds, PayRow

Numbers = NDArray[np.floating[Any]]
"""Whole numbers as floats, for fast matrix products."""
Flags = NDArray[np.bool_]
Indices = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Spots:
    """A hole and the remaining cards. n cards make P = n(n - 1)/2 pairs; each may be the Across or the Down
    pair.

    `cards` (n): their numbers. `pairs` (P, 2): indices into `cards`. `lines` (P, n): class of the hand of
    the hole, the pair and each card as the Middle; not defined if the card is in the pair. `free` (P, n): 0
    if the card is in the pair, else 1.
    """

    hole: Hole
    cards: Indices
    pairs: Indices
    lines: Classes
    free: NDArray[np.float32]

    @property
    def middles(self) -> int:
        """Return the number of cards that may be the Middle beside two known pairs: 46 with a whole deck."""
        return len(self.cards) - 4


def spots(hole: Hole, dead: Sequence[int] = ()) -> Spots:
    """Return a hole with all its pairs and hand classes. `dead`: numbers of cards known to be out of play."""
    gone = {*hole, *dead}
    cards = np.array([card for card in range(52) if card not in gone])
    pairs = np.array(list(combinations(range(len(cards)), 2)))
    held = CARD_KEYS[list(hole)].sum(dtype=np.int32)
    two = held + CARD_KEYS[cards[pairs]].sum(axis=1, dtype=np.int32)
    free = np.ones((len(pairs), len(cards)), np.float32)
    free[np.arange(len(pairs))[:, None], pairs] = 0
    # the tables have no hand with the same card twice: a filler takes the place of the repeated card
    keys = np.where(
        free == 1, two[:, None] + CARD_KEYS[cards][None, :], two[:, None] + _filler(cards, pairs)[:, None]
    )
    return Spots(hole, cards, pairs, classes(keys), free)


def _filler(cards: Indices, pairs: Indices) -> NDArray[np.int32]:
    """Return for each pair the evaluation key of a card that is not in it."""
    other = np.where(pairs[:, 0] > 0, 0, np.where(pairs[:, 1] > 1, 1, 2))
    return CARD_KEYS[cards[other]]


def group_by_suits(found: Spots) -> tuple[Indices, Indices]:
    """Return one row index for each group of pairs that are equal up to an exchange of suits which leaves the
    hole unchanged, and the number of pairs in each group. For a whole deck only.
    """
    swaps = _swaps(found.hole)
    seen: dict[tuple[tuple[int, int], ...], int] = {}
    count: dict[int, int] = {}
    for row, pair in enumerate(found.cards[found.pairs].tolist()):
        name = min(tuple(sorted((swap[card // 13], card % 13) for card in pair)) for swap in swaps)
        first = seen.setdefault(name, row)
        count[first] = count.get(first, 0) + 1
    return np.array(list(count)), np.array(list(count.values()))


def _swaps(hole: Hole) -> list[tuple[int, ...]]:
    """Return the exchanges of suits that leave the hole unchanged."""
    held = sorted((card // 13, card % 13) for card in hole)
    return [
        swap for swap in permutations(range(4)) if sorted((swap[suit], rank) for suit, rank in held) == held
    ]


# ---------------------------------------------------------------------- results of the wagers


@dataclass(frozen=True, slots=True)
class Sums:
    """Results of one unit on each wager, summed over every card that may still come as the Middle. Each array
    is (Across pair, Down pair), `antes` for both antes together. A value is not defined if the two pairs
    share a card, where `apart` is false."""

    across: Numbers
    down: Numbers
    middle: Numbers
    antes: Numbers
    apart: Flags
    middles: int


def sums(found: Spots, odds: Odds, rows: Indices, *, middle: str = "higher") -> Sums:
    """Return the sums for the Across pairs in `rows`. `middle`: hand by which the Middle bet is decided.
    The rules only have `higher`; tests use `lower` to show the cost of the wrong hand."""
    kind = exact(odds, found.middles)
    free: Numbers = found.free.astype(kind)
    across = _worth(found, odds.bets, rows, kind) @ free.T
    down = free[rows] @ _worth(found, odds.bets, slice(None), kind).T
    lower = _lower(found, odds.bets, rows, kind)
    best = across + down - lower if middle == "higher" else lower
    lost = kind(found.middles)
    antes = across + down
    if odds.antes != odds.bets:
        antes = _worth(found, odds.antes, rows, kind) @ free.T
        antes += free[rows] @ _worth(found, odds.antes, slice(None), kind).T
    apart = free[rows] @ (1 - free).T == 2
    return Sums(across - lost, down - lost, best - lost, antes - 2 * lost, apart, found.middles)


def exact(odds: Odds, middles: int = 46) -> type[np.float32 | np.float64]:
    """Return the smallest float type in which sums over `middles` results of one unit are exact."""
    most = max(*odds.bets, *odds.antes) + 1
    return np.float32 if middles * most * (2 + 3 * odds.multiples[1]) < 2**24 else np.float64


def _worth(found: Spots, pays: PayRow, rows: Indices | slice, kind: type[np.floating[Any]]) -> Numbers:
    """Return (row, middle card): the result of one unit plus 1, so that a loss is 0. It is 0 too for a middle
    card that is in the pair."""
    worth = np.array(pays, dtype=kind) - kind(LOSES)
    gained: Numbers = worth[found.lines[rows]] * found.free[rows]
    return gained


def _lower(found: Spots, pays: PayRow, rows: Indices, kind: type[np.floating[Any]]) -> Numbers:
    """Return the result of one unit on the lower hand plus 1, summed over every Middle.

    A higher hand never pays less. So both hands reach a step of the pay table exactly if the lower one does,
    and it is enough to count for each step the Middles with which both reach it.
    """
    steps = [(at, high - low) for at, (low, high) in enumerate(pairwise(pays), 1) if high > low]
    mine = [np.where(found.lines[rows] >= at, found.free[rows] * kind(step), kind(0)) for at, step in steps]
    theirs = [np.where(found.lines >= at, found.free, np.float32(0)) for at, _ in steps]
    if not steps:
        return np.zeros((len(rows), len(found.pairs)), kind)
    return _joined(mine, kind) @ _joined(theirs, kind).T


def _joined(parts: Sequence[Numbers], kind: type[np.floating[Any]]) -> Numbers:
    whole: Numbers = np.hstack(list(parts)).astype(kind, copy=False)
    return whole
