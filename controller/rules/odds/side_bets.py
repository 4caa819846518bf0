"""Number of hands of each class among five and six cards, from which the odds (probabilities) of a side bet
follow.

Counted by ranks: for each combination of ranks one hand is evaluated by the table's own function, and the
result counts for all hands that differ only in suits. Flushes are counted separately. Plain Python, a second
at most.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod

from controller.game.model.cards import RANKS, SUITS, Card
from controller.game.model.names import Wager
from controller.game.model.side_bets import SIDE_BETS
from controller.game.rulebook.hands import best_of
from controller.rules.odds.pack import LINES, Odds


def hands_of(odds: Odds) -> dict[Wager, tuple[int, ...]]:
    """Return the number of hands of each class, for each side bet of a pack."""
    return {wager: hands(SIDE_BETS[wager].cards) for wager, _ in odds.side_bets}


@cache
def hands(cards: int) -> tuple[int, ...]:
    """Return the number of hands of five or six cards, by class of their best five. Raises ValueError for
    other numbers: larger hands may have both a flush and a better hand, which is not counted here."""
    if cards not in (5, 6):
        raise ValueError("allowed: five or six cards")
    found = [0] * len(LINES)
    for made, count in (*_mixed(cards), *_suited(cards)):
        found[LINES.index(best_of(made).line)] += count
    return tuple(found)


def _mixed(cards: int) -> Iterator[tuple[list[Card], int]]:
    """Yield a hand without five cards of one suit, and the number of hands that it represents."""
    for ranks in combinations_with_replacement(range(13), cards):
        held = [ranks.count(rank) for rank in set(ranks)]
        if max(held) <= 4:
            made = [Card(RANKS[rank] + SUITS[at % 4]) for at, rank in enumerate(ranks)]
            yield made, prod(comb(4, each) for each in held) - _with_flush(cards, len(held))


def _with_flush(cards: int, ranks: int) -> int:
    """Return the number of ways to give suits to `cards` cards of `ranks` ranks with at least five of one
    suit."""
    if ranks == cards:
        return 4 if cards == 5 else 4 + 4 * 6 * 3
    return 4 * 3 if (cards, ranks) == (6, 5) else 0


def _suited(cards: int) -> Iterator[tuple[list[Card], int]]:
    """Yield a hand with five or more cards of one suit, and the number of hands that it represents. A sixth
    card of another suit never improves a flush: four of a kind and a full house need three cards of a
    rank."""
    for suited in range(5, cards + 1):
        others = 39 if suited < cards else 1
        for ranks in combinations(range(13), suited):
            yield [Card(RANKS[rank] + SUITS[0]) for rank in ranks], 4 * others
