"""Poker hand evaluator in NumPy: the class of millions of hands at a time, the same as the table's own.

The classes are not computed here: both lookup tables are filled by `evaluate`, the function that a table
settles by, called once for each of the 6,175 combinations of five ranks and the 1,287 flushes. Each card has
a key, and the sum of five keys identifies their ranks and whether they are of one suit.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from controller.game.model.cards import RANKS, SUITS, Card
from controller.game.model.hand import Hand
from controller.game.rulebook.hands import evaluate
from controller.rules.odds.pack import LINES

Ints = NDArray[np.int32]
Classes = NDArray[np.int8]
Ranks = NDArray[np.int16]

# No two combinations of five ranks, at most four of each, have the same sum (a test adds up all of them).
WEIGHTS = (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415)
_SUIT_AT = 19
"""Number of bits that the sum of the rank weights uses. Above them each suit has three bits that count its
cards.
"""
_RANKS = (1 << _SUIT_AT) - 1
CARD_KEYS: Ints = np.array(
    [weight + (8**suit << _SUIT_AT) for suit in range(4) for weight in WEIGHTS], dtype=np.int32
)
"""Key of each card. The sum of five keys is the index of a hand."""


def classes(keys: Ints) -> Classes:
    """Return the class of hand (0 to 10, `pack.LINES`) for each sum of five keys, in the shape of `keys`."""
    return _tables()[0][_index(keys)]


def ranks(keys: Ints) -> Ranks:
    """Return the index in `hands()` for each sum of five keys: a higher index is a higher hand, equal hands
    have the same index."""
    return _tables()[1][_index(keys)]


def hands() -> tuple[Hand, ...]:
    """Return all 7,462 different hands, the lowest first."""
    return _tables()[2]


def _index(keys: Ints) -> Ints:
    at: Ints = (keys & _RANKS) | _one_suit()[keys >> _SUIT_AT]
    return at


@cache
def _one_suit() -> Ints:
    """Return the offset of the flushes in the tables for each pattern of suits (upper bits of a sum) with all
    cards of one suit, else 0."""
    found = np.zeros(5 * 8**3 + 1, dtype=np.int32)
    found[[5 * 8**suit for suit in range(4)]] = 1 << _SUIT_AT
    return found


@cache
def _tables() -> tuple[Classes, Ranks, tuple[Hand, ...]]:
    by_sum = {total: evaluate(five) for total, five in _one_of_each()}
    ordered = tuple(sorted(set(by_sum.values())))
    number = {hand: place for place, hand in enumerate(ordered)}
    found, rank = np.zeros(2 << _SUIT_AT, np.int8), np.zeros(2 << _SUIT_AT, np.int16)
    for total, hand in by_sum.items():
        found[total], rank[total] = LINES.index(hand.line), number[hand]
    return found, rank, ordered


def _one_of_each() -> list[tuple[int, list[Card]]]:
    """Return one example for each entry of the tables, as sum of keys and five cards: mixed suits for all
    combinations of ranks, one suit also if all ranks differ."""
    found = []
    for five in combinations_with_replacement(range(13), 5):
        if max(map(five.count, five)) > 4:
            continue
        total = sum(WEIGHTS[rank] for rank in five)
        found.append((total, _mixed(five)))
        if len(set(five)) == 5:
            found.append((total + (1 << _SUIT_AT), [Card(RANKS[rank] + SUITS[0]) for rank in five]))
    return found


def _mixed(five: tuple[int, ...]) -> list[Card]:
    """Return cards of these ranks that are not all of one suit: equal ranks get different suits, and the
    first of five different ranks gets another suit than the rest."""
    suits = [five[:place].count(rank) for place, rank in enumerate(five)]
    if len(set(five)) == 5:
        suits[0] = 1
    return [Card(RANKS[rank] + SUITS[suit]) for rank, suit in zip(five, suits, strict=True)]
