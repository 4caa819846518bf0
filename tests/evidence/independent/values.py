"""Independent count of the first decision's values with one known card of the cross, and of the worth of each
kind of hole: half a minute of plain Python a hole, and 2 s a kind.

Written from controller/evidence/EVIDENCE.md "The export"; it must never import controller.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from operator import add
from typing import Any

from tests.evidence.independent.factors import AT, DECK, Hole, kind

CLOSE = 2e-6
"""Largest relative difference of a value that is stored with 24 bits."""
EXAMPLES = (*combinations(range(13), 2), *((rank, rank + 13) for rank in range(13)),
            *((one, two + 13) for one, two in combinations(range(13), 2)))  # fmt: skip
"""A hole of each kind: suited, a pair, of two suits."""
_NONE = 11
"""Class of no hand, above all others."""
ByCard = dict[int, list[float]]
"""Values of the smallest and of the largest Across bet by the known card."""


def differences(pack: Mapping[str, Any], examples: Iterable[tuple[int, int]] = EXAMPLES) -> Iterator[str]:
    """Yield a line for each value of a pack that differs from the one counted here. `examples`: holes whose
    kinds have their worth counted."""
    for name, tables in pack["holes"].items():
        hole = Hole([AT[card] for card in name.split(" ")], pack)
        across, down = with_pair_card(hole)
        middle = {card: with_middle(hole, card) for card in hole.without()}
        for table, counted in (("across", across), ("down", down), ("middle", middle)):
            given = tables[table]
            if given.keys() != {DECK[card] for card in counted}:
                yield f"{name}: {table}: has not the cards of the deck without the hole"
                continue
            for card, bets in counted.items():
                if not are_close(bets, given[DECK[card]]):
                    yield f"{name} with {DECK[card]} known, {table}: {bets}, not {given[DECK[card]]}"
    for example in examples:
        name, worth = kind(example), worth_of(Hole(example, pack))
        if not is_close(worth, pack["worth"].get(name, 0.0)):
            yield f"the worth of {name}: {worth}, not {pack['worth'].get(name)}"


def worth_of(hole: Hole) -> float:
    """Return the worth of a hole to a player who knows the middle card. Cards of one rank in suits that the
    hole does not have are worth the same, so one of them is counted."""
    own, counted = {card // 13 for card in hole.cards}, dict[tuple[int, int], float]()
    total = 0.0
    for card in hole.without():
        suit = card // 13
        alike = card % 13, suit if suit in own else -1
        if alike not in counted:
            counted[alike] = max(-2.0, *with_middle(hole, card))
        total += counted[alike]
    return total / len(DECK)


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


def with_pair_card(hole: Hole) -> tuple[ByCard, ByCard]:
    """Return the values to a player who knows one card of the Across pair, and to one who knows a card of the
    Down pair: the Down bet is chosen after the Across pair, the Middle bet after the Down pair."""
    lines = {pair: _Line(hole, pair) for pair in combinations(hole.without(), 2)}
    bets = [(bet, down) for bet in (hole.least, hole.most) for down in (hole.least, hole.most)]
    across, down = ({card: [0.0, 0.0] for card in hole.without()} for _ in range(2))
    for one in lines.values():
        sums, by_card = [0] * 4, {card: [0] * 4 for card in hole.without(*one.pair)}
        for two in lines.values():
            if not one.held & two.held:
                results = _results(hole, one, two, bets)
                for each in (sums, *(by_card[card] for card in two.pair)):
                    each[:] = map(add, each, results)
        for choice, bet in enumerate((hole.least, hole.most)):
            at, deals = 2 * choice, 48 * 47 // 2 * 46
            for card in one.pair:
                across[card][choice] += max(-(2 + bet) * deals, *sums[at : at + 2]) / (49 * deals)
            for card, each in by_card.items():
                best = max(-(2 + bet) * 47 * 46, *each[at : at + 2])
                down[card][choice] += best / (49 * 48 // 2 * 47 * 46)
    return across, down


class _Line:
    """Pair of the cross. `made`: class of its hand by middle card, or _NONE for a card that cannot lie there.
    `antes`, `bets`: what an ante and one ante on its bet win, by middle card."""

    def __init__(self, hole: Hole, pair: tuple[int, int]) -> None:
        self.pair, self.held = pair, {*pair}
        cards = hole.without(*pair)
        self.made = [hole.made(*pair, card) if card in cards else _NONE for card in range(len(DECK))]
        self.antes = [[*hole.antes, 0][each] for each in self.made]
        self.bets = [[*hole.pays, 0][each] for each in self.made]
        self.all_antes, self.all_bets = sum(self.antes), sum(self.bets)

    def beside(self, other: _Line) -> tuple[int, int]:
        """Return the sums of antes and bets over the middle cards that are not in the other pair."""
        one, two = other.pair
        antes = self.all_antes - self.antes[one] - self.antes[two]
        return antes, self.all_bets - self.bets[one] - self.bets[two]


def _results(hole: Hole, across: _Line, down: _Line, bets: list[tuple[int, int]]) -> list[int]:
    """Return the sum of the results over all middle cards by Across and Down bet, with the best Middle
    bet."""
    pays = [*hole.pays, 0]
    higher = sum(pays[made] for made in map(max, across.made, down.made))
    middle = (hole.most if higher > 0 else hole.least) * higher
    (antes, on_across), (more, on_down) = across.beside(down), down.beside(across)
    laid = antes + more + middle
    return [max(laid + one * on_across + two * on_down, -(2 + one + two) * 46) for one, two in bets]


def are_close(ones: list[float], others: list[float]) -> bool:
    return len(ones) == len(others) and all(map(is_close, ones, others))


def is_close(one: float, two: float) -> bool:
    return abs(one - two) <= CLOSE * max(1.0, abs(one))
