"""Independent count of the first decision's values with one known card of the cross, and of the worth of each
kind of hole. Plain Python takes a quarter of a minute for a hole, and 2 s for a kind.

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
"""Largest relative difference allowed, since stored values have 24 bits."""
EXAMPLES = (*combinations(range(13), 2), *((rank, rank + 13) for rank in range(13)),
            *((one, two + 13) for one, two in combinations(range(13), 2)))  # fmt: skip
"""One hole of each of the 169 kinds: two ranks of one suit, pairs, two ranks of two suits."""
CLASSES = range(11)
ByCard = dict[int, list[float]]
"""Values of the smallest and of the largest Across bet, by known card."""


def differences(pack: Mapping[str, Any], examples: Iterable[tuple[int, int]] = EXAMPLES) -> Iterator[str]:
    """Yield a line for each value of an exported pack that differs from the one counted here. `examples`:
    holes for whose kinds the worth is counted too."""
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
    """Return the mean result in antes of a player with this hole who knows the middle card and then folds or
    makes the better bet. Middle cards of one rank in suits that the hole does not have give the same result,
    so only one of them is counted."""
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
    """Return the values of the smallest and of the largest Across bet to a player who knows the middle card.
    The Down bet is chosen after the Across pair is turned, the Middle bet after the Down pair."""
    pairs = {pair: hole.made(*pair, middle) for pair in combinations(hole.without(middle), 2)}
    every = Counter(pairs.values())
    held = Counter((card, made) for pair, made in pairs.items() for card in pair)
    both = hole.least, hole.most
    totals, deals = [0.0, 0.0], 0
    for pair, one in pairs.items():
        left = {two: many - sum(held[card, two] for card in pair) for two, many in every.items()}
        left[one] += 1  # the pair itself was subtracted twice, once for each card
        deals += sum(left.values())
        for choice, bet in enumerate(both):
            folded = -(2 + bet) * sum(left.values())
            sums = (sum(hole.best(one, two, bet, down) * left[two] for two in left) for down in both)
            totals[choice] += max(folded, *sums)
    return [total / deals for total in totals]


def with_pair_card(hole: Hole) -> tuple[ByCard, ByCard]:
    """Return the values to a player who knows one card of the Across pair, and to one who knows a card of the
    Down pair. The Down bet is chosen after the Across pair is turned, the Middle bet after the Down pair."""
    lines = [_Line(hole, pair) for pair in combinations(hole.without(), 2)]
    bets = [(bet, down) for bet in (hole.least, hole.most) for down in (hole.least, hole.most)]
    across, down = ({card: [0.0, 0.0] for card in hole.without()} for _ in range(2))
    for one, two in combinations(lines, 2):
        if not one.own & two.own:
            _add_results(hole, one, two, bets)
    for line in lines:
        by_card = line.by_card
        # every other pair was counted for both of its cards
        sums = [sum(each) // 2 for each in zip(*by_card.values(), strict=True)]
        for choice, bet in enumerate((hole.least, hole.most)):
            at, deals = 2 * choice, 48 * 47 // 2 * 46
            for card in line.pair:
                across[card][choice] += max(-(2 + bet) * deals, *sums[at : at + 2]) / (49 * deals)
            for card, each in by_card.items():
                best = max(-(2 + bet) * 47 * 46, *each[at : at + 2])
                down[card][choice] += best / (49 * 48 // 2 * 47 * 46)
    return across, down


class _Line:
    """Two cards that may be the Across or the Down pair. Sets of cards are integers with one bit for each
    card.

    `own`: the pair; `left`: middle cards that are possible beside it; `at_least`: for each class from 1 on,
    the middle cards that make a hand of that class or a higher one. `antes`, `bets`: win of an ante, and of
    one ante bet on the pair's hand, by middle card. `by_card`: sums of results with this pair as the Across
    pair, by card of the Down pair.
    """

    def __init__(self, hole: Hole, pair: tuple[int, int]) -> None:
        self.pair, self.own = pair, bits(pair)
        made = {card: hole.made(*pair, card) for card in hole.without(*pair)}
        self.left = bits(made)
        self.at_least = [bits(card for card in made if made[card] >= each) for each in CLASSES[1:]]
        self.antes = [hole.antes[made[card]] if card in made else 0 for card in range(len(DECK))]
        self.bets = [hole.pays[made[card]] if card in made else 0 for card in range(len(DECK))]
        self.all_antes, self.all_bets = sum(self.antes), sum(self.bets)
        self.by_card = {card: [0] * 4 for card in made}

    def beside(self, other: _Line) -> tuple[int, int]:
        """Return the sums of `antes` and `bets` over the middle cards that are not in the other pair."""
        one, two = other.pair
        antes = self.all_antes - self.antes[one] - self.antes[two]
        return antes, self.all_bets - self.bets[one] - self.bets[two]


def bits(cards: Iterable[int]) -> int:
    return sum(1 << card for card in cards)


def _add_results(hole: Hole, one: _Line, two: _Line, bets: list[tuple[int, int]]) -> None:
    """Add the results of two pairs over all middle cards, each pair once as the Across pair. `bets`:
    combinations of Across and Down bet; the best Middle bet is made.

    The Middle bet pays by the higher hand. That sum is counted as if all hands were of class 0, plus for each
    class that is reached the additional odds of the class.
    """
    free, higher = one.left & two.left, 46 * hole.pays[0]
    for more, first, second in zip(hole.pays_more, one.at_least, two.at_least, strict=True):
        reached = (first | second) & free
        if not reached:
            break  # no card makes a hand of a higher class either
        higher += more * reached.bit_count()
    (antes, on_one), (others, on_two) = one.beside(two), two.beside(one)
    laid = antes + others + (hole.most if higher > 0 else hole.least) * higher
    won = {(x, y): max(laid + x * on_one + y * on_two, -(2 + x + y) * 46) for x, y in bets}
    there, back = [won[x, y] for x, y in bets], [won[y, x] for x, y in bets]
    for across, down, results in ((one, two, there), (two, one, back)):
        for card in down.pair:
            across.by_card[card][:] = map(add, across.by_card[card], results)


def are_close(ones: list[float], others: list[float]) -> bool:
    return len(ones) == len(others) and all(map(is_close, ones, others))


def is_close(one: float, two: float) -> bool:
    return abs(one - two) <= CLOSE * max(1.0, abs(one))
