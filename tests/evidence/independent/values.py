"""Independent count of the first decision's values with a known middle card, a second of plain Python a hole.

Written from controller/evidence/EVIDENCE.md "The export"; it must never import controller.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from tests.evidence.independent.factors import AT, DECK, Hole, kind

CLOSE = 2e-6
"""Largest relative difference of a value that is stored with 24 bits."""


def differences(pack: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each value of a pack that differs from the one counted here."""
    for name, tables in pack["holes"].items():
        hole = Hole([AT[card] for card in name.split(" ")], pack)
        counted = {DECK[card]: with_middle(hole, card) for card in hole.without()}
        for card, bets in counted.items():
            if not all(map(is_close, bets, tables["middle"][card])):
                yield f"{name} with {card} in the middle: {bets}, not {tables['middle'][card]}"
        worth = sum(max(-2.0, *bets) for bets in counted.values()) / len(DECK)
        if not is_close(worth, pack["worth"][kind(hole.cards)]):
            yield f"the worth of {name}: {worth}, not {pack['worth'][kind(hole.cards)]}"


def with_middle(hole: Hole, middle: int) -> list[float]:
    """Return the values of the smallest and of the largest Across bet to a player who knows the middle card:
    the Down bet is chosen after the Across pair, and the Middle bet after the Down pair."""
    pairs = {pair: hole.made(*pair, middle) for pair in combinations(hole.without(middle), 2)}
    every = Counter(pairs.values())
    held = Counter((card, made) for pair, made in pairs.items() for card in pair)
    both = hole.least, hole.most
    totals, deals = [0.0, 0.0], 0
    for pair, one in pairs.items():
        left = {two: many - sum(held[card, two] for card in pair) for two, many in every.items()}
        left[one] += 1  # the pair itself was taken away twice
        deals += sum(left.values())
        for choice, bet in enumerate(both):
            folded = -(2 + bet) * sum(left.values())
            sums = (sum(hole.best(one, two, bet, down) * left[two] for two in left) for down in both)
            totals[choice] += max(folded, *sums)
    return [total / deals for total in totals]


def is_close(one: float, two: float) -> bool:
    return abs(one - two) <= CLOSE * max(1.0, abs(one))
