"""Classes of the hands that a seat's two cards make with three others, for all of a deck at once.

All hypotheses about a seat in a round count the same hands, so those of the last hole are cached.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from controller.rules.odds.cards import DECK_SIZE, Hole
from controller.rules.odds.hands import CARD_KEYS, Classes, classes
from controller.rules.odds.pack import LINES

CLASSES = len(LINES)
NO_HAND = CLASSES
"""Class of three cards that cannot be: two are the same, or one is a card of the hole."""
ThirdCardCounts = NDArray[np.int8]
"""Array (class, card, card): number of third cards that complete two cards and a hole to a hand of the
class."""


@lru_cache(maxsize=1)
def hands_beside(hole: Hole) -> Classes:
    """Return (card, card, card): the class of the hand that a hole makes with three cards, or NO_HAND."""
    keys, place = _triples()
    made = classes((CARD_KEYS[list(hole)].sum() + keys).astype(np.int32))
    found: Classes = np.append(made, np.int8(NO_HAND))[place]
    found[list(hole)] = found[:, list(hole)] = found[:, :, list(hole)] = NO_HAND
    found.flags.writeable = False
    return found


@lru_cache(maxsize=2)
def third_cards(hole: Hole, gone: tuple[int, ...]) -> ThirdCardCounts:
    """Return (class, card, card): the number of third cards outside `gone` that make a hand of this class."""
    return all_third_cards(hole) - count_classes(hands_beside(hole)[list(gone)])


@lru_cache(maxsize=1)
def all_third_cards(hole: Hole) -> ThirdCardCounts:
    """Return (class, card, card): the number of third cards of the whole deck that make a hand of this
    class."""
    return count_classes(hands_beside(hole))


def count_classes(made: Classes) -> ThirdCardCounts:
    """Count the classes along the first axis: return (class, ...), the number of entries of `made` with each
    class. No count may exceed 127, the limit of int8."""
    found = np.empty((CLASSES, *made.shape[1:]), np.int8)
    for each, counts in enumerate(found):
        np.add.reduce((made == each).view(np.int8), axis=0, out=counts)
    return found


@cache
def _triples() -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the sum of the evaluation keys of each set of three cards, and an array (card, card, card) with
    the index of the set in it. For cards that are not distinct the index is the number of sets."""
    triples = np.array([*combinations(range(DECK_SIZE), 3)])
    place = np.full((DECK_SIZE,) * 3, len(triples))
    for order in permutations(range(3)):
        place[tuple(triples[:, order].T)] = np.arange(len(triples))
    return CARD_KEYS[triples].sum(axis=1), place
