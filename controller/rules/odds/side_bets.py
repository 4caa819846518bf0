"""Numbers of hands of five and of six cards by class, from which a side bet's odds follow.

Counted by ranks: for each way to hold so many ranks one hand is evaluated by the table's own function, and
stands for as many as suits can make of it. Flushes are counted apart. Plain Python, a second at most.
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


def cards_of(wager: Wager) -> int:
    """Return the number of cards that decide a side bet."""
    bet = SIDE_BETS[wager]
    return 5 * bet.cross + 2 * bet.own + 4 * bet.bonus_cards


def hands_of(odds: Odds) -> dict[Wager, tuple[int, ...]]:
    """Return the deals of each class, by side bet of a pack."""
    return {wager: hands(cards_of(wager)) for wager, _ in odds.side_bets}


@cache
def hands(cards: int) -> tuple[int, ...]:
    """Return the number of hands of five or six cards by class of their best five. Raises ValueError for
    others: more cards can make more than a flush beside a flush, which is not counted here."""
    if cards not in (5, 6):
        raise ValueError("allowed: five or six cards")
    found = [0] * len(LINES)
    for made, count in (*_mixed(cards), *_suited(cards)):
        found[LINES.index(best_of(made).line)] += count
    return tuple(found)


def _mixed(cards: int) -> Iterator[tuple[list[Card], int]]:
    """(one hand, how many are like it), of hands with no five cards of one suit."""
    for ranks in combinations_with_replacement(range(13), cards):
        held = [ranks.count(rank) for rank in set(ranks)]
        if max(held) <= 4:
            made = [Card(RANKS[rank] + SUITS[at % 4]) for at, rank in enumerate(ranks)]
            yield made, prod(comb(4, each) for each in held) - _with_flush(cards, len(held))


def _with_flush(cards: int, ranks: int) -> int:
    """Return the number of ways to give suits to so many cards of so many ranks, with five of one suit."""
    if ranks == cards:
        return 4 if cards == 5 else 4 + 4 * 6 * 3
    return 4 * 3 if (cards, ranks) == (6, 5) else 0


def _suited(cards: int) -> Iterator[tuple[list[Card], int]]:
    """(one hand, how many are like it), of hands with five or more of one suit. No sixth card of another suit
    makes more of a flush: four of a kind and a full house want three of a rank."""
    for suited in range(5, cards + 1):
        others = 39 if suited < cards else 1
        for ranks in combinations(range(13), suited):
            yield [Card(RANKS[rank] + SUITS[0]) for rank in ranks], 4 * others
