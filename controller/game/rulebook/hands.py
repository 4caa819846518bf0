"""Five cards as a poker hand: category, rank among hands, name and pay table line. An ace is high, and low
in the straight A-2-3-4-5.

Pure arithmetic on the two letters of a card; it must never depend on a card's place or visibility. Sources:
58 Pa. Code § 674a.6, MGC Criss-Cross Poker § 5, Maryland Chapter 6.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations

from controller.game.model.cards import RANKS, SUITS, Card, rank_value
from controller.game.model.hand import Category, Hand

PAIR_OF_JACKS_OR_BETTER = "pair_of_jacks_or_better"
PAIR_OF_6S_TO_10S = "pair_of_6s_to_10s"

HAND_LINES: tuple[str, ...] = (
    *(category.name.lower() for category in sorted(Category, reverse=True) if category > Category.PAIR),
    PAIR_OF_JACKS_OR_BETTER,
    PAIR_OF_6S_TO_10S,
)
"""All lines that a pay table may have, high to low."""

_JACK, _SIX = 11, 6
_NAMES = {11: "jack", 12: "queen", 13: "king", 14: "ace"}


def rank_name(rank: int) -> str:
    """Return the name of a rank: ``jack``, ``10``."""
    return _NAMES.get(rank, str(rank))


def _line(category: Category, ranks: Sequence[int]) -> str | None:
    if category > Category.PAIR:
        return category.name.lower()
    if category is Category.PAIR and ranks[0] >= _JACK:
        return PAIR_OF_JACKS_OR_BETTER
    return PAIR_OF_6S_TO_10S if category is Category.PAIR and ranks[0] >= _SIX else None


def _text(category: Category, ranks: Sequence[int]) -> str:
    if category > Category.PAIR:
        return category.name.lower().replace("_", " ")
    name = rank_name(ranks[0])
    return f"pair of {name}s" if category is Category.PAIR else f"{name} high"


def _make(category: Category, *ranks: int) -> Hand:
    return Hand(category, ranks, _line(category, ranks), _text(category, ranks))


_SHAPES = {
    (4, 1): Category.FOUR_OF_A_KIND,
    (3, 2): Category.FULL_HOUSE,
    (3, 1, 1): Category.THREE_OF_A_KIND,
    (2, 2, 1): Category.TWO_PAIR,
    (2, 1, 1, 1): Category.PAIR,
}
_WHEEL = (14, 5, 4, 3, 2)


def _straight_high(ranks: tuple[int, ...]) -> int | None:
    """Return the top rank of five different ranks in sequence, or None. The ace is low only in A-2-3-4-5; a
    sequence never continues around it (58 Pa. Code § 674a.6(a))."""
    if ranks == _WHEEL:
        return 5
    return ranks[0] if ranks[0] - ranks[4] == 4 else None


def _of_mixed_suits(ranks: Iterable[int]) -> Hand:
    groups = sorted(((n, rank) for rank, n in Counter(ranks).items()), reverse=True)
    high_first = tuple(rank for _, rank in groups)
    shape = tuple(n for n, _ in groups)
    if shape in _SHAPES:
        return _make(_SHAPES[shape], *high_first)
    high = _straight_high(high_first)
    return _make(Category.HIGH_CARD, *high_first) if high is None else _make(Category.STRAIGHT, high)


def _of_one_suit(ranks: Iterable[int]) -> Hand:
    high_first = tuple(sorted(ranks, reverse=True))
    high = _straight_high(high_first)
    if high is None:
        return _make(Category.FLUSH, *high_first)
    return _make(Category.ROYAL_FLUSH) if high == 14 else _make(Category.STRAIGHT_FLUSH, high)


class _Known(dict[int, Hand]):
    """Cache of the hands computed so far, by the sum of their cards' weights. There are at most 7,462 of
    them."""

    def __init__(self, work_out: Callable[[Iterable[int]], Hand]) -> None:
        super().__init__()
        self._work_out = work_out

    def __missing__(self, key: int) -> Hand:
        hand = self[key] = self._work_out(_ranks_of(key))
        return hand


def _ranks_of(key: int) -> Iterable[int]:
    for rank in range(2, len(RANKS) + 2):
        key, count = divmod(key, 5)
        yield from [rank] * count


# One base 5 digit per rank: no two hands of one deck have the same sum, in any order of the cards, because a
# deck has a rank at most four times.
_WEIGHT: Mapping[str, int] = {
    rank + suit: 5 ** (rank_value(Card(rank + suit)) - 2) for rank in RANKS for suit in SUITS
}
_MIXED = _Known(_of_mixed_suits)
_SUITED = _Known(_of_one_suit)


def evaluate(five: Sequence[Card]) -> Hand:
    """Return the poker hand of exactly five different cards."""
    a, b, c, d, e = five
    weight = _WEIGHT
    key = weight[a] + weight[b] + weight[c] + weight[d] + weight[e]
    if a[1] == b[1] == c[1] == d[1] == e[1]:
        return _SUITED[key]
    return _MIXED[key]


def best_of(cards: Sequence[Card]) -> Hand:
    """Return the best hand of five out of five or more cards."""
    if len(cards) == 5:
        return evaluate(cards)
    return max(map(evaluate, combinations(cards, 5)))
