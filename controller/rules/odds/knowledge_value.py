"""Value of a round to a player who knows cards too early, at the best play with that knowledge.

Exact: every hole is computed against all cards that may lie at unseen places. Holes that differ only by an
exchange of suits that leaves the known cards unchanged are computed once. This module must never sample.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import combinations, permutations

from controller.game.model.names import Place
from controller.rules.odds.middle import worth_with_middle
from controller.rules.odds.pack import Odds
from controller.rules.odds.player_knowledge import PAIR_PLACES, Knowledge
from controller.rules.odds.solve import ReportProgress
from controller.rules.odds.tree import CardTuple, Sight, Tree, Unseen

MIDDLE = (Place.MIDDLE,)


@dataclass(frozen=True, slots=True)
class HoleCase:
    """A hole, and the middle card if the player has looked at it. `count`: number of holes that it
    represents."""

    hole: CardTuple
    middle: CardTuple
    count: int


def distinct_cases(known: Knowledge) -> tuple[HoleCase, ...]:
    """Return the cases to compute. Each remaining hole equals one of these with its suits exchanged, and is
    included in the `count` of that case.
    """
    swaps = tuple(_swaps(known.cards))
    found: Counter[tuple[CardTuple, CardTuple]] = Counter()
    for hole, middle in _dealt(known):
        found[min((_swapped(hole, swap), _swapped(middle, swap)) for swap in swaps)] += 1
    return tuple(HoleCase(hole, middle, count) for (hole, middle), count in found.items())


def value_with_knowledge(
    odds: Odds, known: Knowledge, progress: ReportProgress = lambda done, of: None
) -> float:
    """Return the value of a round to a player with this knowledge, in antes, before their own cards are
    dealt. `progress` is the progress callback: number of cases done, number of all cases.
    """
    every = distinct_cases(known)
    total = 0.0
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for done, found in enumerate(threads.map(lambda case: value_of_case(odds, known, case), every), 1):
            total += every[done - 1].count * found
            progress(done, len(every))
    return total / sum(case.count for case in every)


def value_of_case(odds: Odds, known: Knowledge, case: HoleCase) -> float:
    """Return the player's mean win with this hole before the first decision, in antes, at the best play with
    that knowledge."""
    across, down = known.at(PAIR_PLACES["across"]), known.at(PAIR_PLACES["down"])
    middle = case.middle or known.at(MIDDLE)
    gone = {*case.hole, *known.cards, *middle}
    live = tuple(card for card in range(52) if card not in gone)
    sight = Sight(_sees(known, "across"), _sees(known, "down"))
    unseen = Unseen(case.hole, live, across, down, middle)
    if middle and not sight.down:
        return worth_with_middle(odds, unseen, sight.across)
    return Tree(odds, unseen).worth(sight)


def _sees(known: Knowledge, name: str) -> int:
    """Return the number of cards of a pair that the player knows before the first decision: cards looked at
    and cards known by face. Returns 0 if the player looks at neither card of the pair.
    """
    looked = known.looks(PAIR_PLACES[name])
    return looked + len(known.at(PAIR_PLACES[name])) if looked else 0


def _dealt(known: Knowledge) -> Iterator[tuple[CardTuple, CardTuple]]:
    left = [card for card in range(52) if card not in known.cards]
    looked = known.looks(MIDDLE) > 0
    for hole in combinations(left, 2):
        if looked:
            yield from ((hole, (card,)) for card in left if card not in hole)
        else:
            yield hole, ()


def _swaps(fixed: CardTuple) -> Iterator[tuple[int, ...]]:
    """Yield the exchanges of suits that leave each of these cards unchanged."""
    suits = {card // 13 for card in fixed}
    return (swap for swap in permutations(range(4)) if all(swap[suit] == suit for suit in suits))


def _swapped(cards: CardTuple, swap: tuple[int, ...]) -> CardTuple:
    return tuple(sorted(13 * swap[card // 13] + card % 13 for card in cards))
