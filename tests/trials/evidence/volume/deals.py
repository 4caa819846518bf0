"""Deals of one batch, with the suits exchanged so that each hole becomes its kind's example.

No value depends on the names of the suits, so the tables need only 169 holes. The 50 cards beside a hole have
the local numbers 0 to 49 in the order of the deck, and their 1,225 pairs the numbers 0 to 1,224.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from controller.evidence.known_middle import HOLE_KINDS
from controller.rules.odds.cards import DECK_SIZE
from controller.rules.volume.best_player import KIND, PAIR
from tests.trials.evidence.values import Hands, Ints, deal_hands, suit_swaps, swapped

Singles = NDArray[np.float32]
BESIDE = DECK_SIZE - 2
FIRST, SECOND = np.triu_indices(BESIDE, 1)
"""First and second card of each pair, by the pair's number."""
PAIRS = len(FIRST)
LEFT, RIGHT, FAR, NEAR, MIDDLE = range(5)
"""Row numbers in `Deals.cross`."""


def _pair_numbers() -> Ints:
    """Return (card, card): the number of the pair; 0 for two equal cards."""
    number = np.zeros((BESIDE, BESIDE), np.int64)
    number[FIRST, SECOND] = number[SECOND, FIRST] = np.arange(PAIRS)
    return number


PAIR_NUMBER = _pair_numbers()


@dataclass(frozen=True, slots=True)
class Deals:
    """Many rounds of one seat. `hands`: cards as dealt, in the order of play.

    All other arrays are sorted by kind of hole. `order`: number of each round in the order of play. `groups`:
    (kind, slice of its rounds). `row`: index of the kind among those of the tables. `cross`: (5, round),
    `others`: (card, round), both in local numbers. `free`: (round, card), 1 for a card that was not dealt,
    else 0.
    """

    hands: Hands
    order: Ints
    groups: Sequence[tuple[int, slice]]
    row: Ints
    cross: Ints
    others: Ints
    free: Singles


def deal(dice: np.random.Generator, rounds: int, kinds: Sequence[int]) -> Deals:
    """Return random deals. `kinds`: kinds of hole that the tables have, in their order."""
    hands = deal_hands(dice, rounds)
    held = PAIR[hands.hole[0], hands.hole[1]]
    placed = np.concatenate([hands.across, hands.down, hands.middle[None], hands.others])
    order = np.argsort(KIND[held], kind="stable")
    kind = KIND[held][order]
    local = np.stack([_LOCAL[kind, swapped(_SWAPS[held[order]], each[order])] for each in placed])
    free = np.ones((rounds, BESIDE), np.float32)
    free[np.arange(rounds), local] = 0
    row_of = np.full(len(HOLE_KINDS), -1)
    row_of[list(kinds)] = np.arange(len(kinds))
    return Deals(hands, order, _groups(kind), row_of[kind], local[:5], local[5:], free)


def beside(kind: int) -> list[int]:
    """Return the 50 cards that are not in the example hole of a kind, in the order of their local numbers."""
    return [card for card in range(DECK_SIZE) if card not in HOLE_KINDS[kind].hole]


def _groups(kind: Ints) -> list[tuple[int, slice]]:
    names, start, count = np.unique(kind, return_index=True, return_counts=True)
    each = zip(names.tolist(), start.tolist(), (start + count).tolist(), strict=True)
    return [(name, slice(one, end)) for name, one, end in each]


def _local_numbers() -> Ints:
    """Return (kind, card): the local number of the card; -1 for a card of the example hole."""
    found = np.full((len(HOLE_KINDS), DECK_SIZE), -1)
    for kind in range(len(HOLE_KINDS)):
        found[kind, beside(kind)] = np.arange(BESIDE)
    return found


_SWAPS, _LOCAL = suit_swaps(), _local_numbers()
