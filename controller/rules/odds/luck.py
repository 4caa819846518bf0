"""Value of the cards that came to a seat, decision by decision, in plain Python: no NumPy on a table.

A stage is luck where cards come, and a cost where a decision is not the best. Luck is measured against what
the seat itself could know, its own cards and what lay open, so it is nothing on average however they play.
About a tenth of a second a seat on a desk machine, several times that on a Raspberry Pi: never in the loop.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from controller.game.model.cards import Card
from controller.game.rulebook.hands import evaluate
from controller.rules.odds.pack import LINES, Odds, Pays

ANTES = 2
CLASS = {line: place for place, line in enumerate(LINES)}
Pair = tuple[Card, Card]
Worths = Mapping[Pair, float]
"""By pair, its cards in the order of the deck."""


@dataclass(frozen=True, slots=True)
class Lucky:
    """One stage's luck as it came, and by everything that could have come, in antes or units."""

    came: float = 0.0
    pairs: Worths = field(default_factory=dict)
    """At the Down pair: of each that might have lain there."""
    middles: Mapping[Card, float] = field(default_factory=dict)
    """At the middle card, likewise."""


NONE = Lucky()


@dataclass(frozen=True, slots=True)
class Bets:
    """Bets of a seat, in antes; 0 where it folded. A seat that folds lays nothing afterwards."""

    across: float
    down: float
    middle: float


@dataclass(frozen=True, slots=True)
class Later:
    """After the Across pair is turned. `worth`: of the round then, played best. `cost`: of the decisions at
    Down and Middle."""

    worth: float
    cost: float
    pair: Lucky
    middle: Lucky


def class_of(*five: Card) -> int:
    """The class of hand (`pack.LINES`)."""
    return CLASS[evaluate(five).line]


def later(
    odds: Odds, hole: Pair, cross: Sequence[Pair], middle: Card, live: Sequence[Card], bets: Bets
) -> Later:
    """`cross`: the Across and the Down pair; `live`: every card but the hole and the Across pair, in the
    order of the deck. The Across bet was made."""
    across, down = cross
    stage = _Stage(odds, hole, across, live, bets.across)
    worth, cost, pair, last = stage.worth(), 0.0, NONE, NONE
    if not bets.down:
        return Later(worth, worth + ANTES + bets.across, NONE, NONE)
    after = stage.after(bets.down)
    mean = sum(after.values()) / len(after)
    cost += worth - mean
    pair = Lucky(after[down] - mean, {each: found - mean for each, found in after.items()})
    if not bets.middle:
        cost += after[down] + ANTES + bets.across + bets.down
        return Later(worth, cost, pair, NONE)
    mean, last = at_the_middle(ends(odds, hole, cross, live, bets), middle)
    return Later(worth, cost + after[down] - mean, pair, last)


def ends(
    odds: Odds, hole: Pair, cross: Sequence[Pair], live: Sequence[Card], bets: Bets
) -> dict[Card, float]:
    """Return, by middle card, the result of the round in antes with all the bets that were made."""
    (across, down), pays, antes = cross, odds.bets, odds.antes
    found = {}
    for card in live:
        if card not in down:
            one, two = class_of(*hole, *across, card), class_of(*hole, *down, card)
            found[card] = (
                antes[one] + antes[two] + bets.across * pays[one] + bets.down * pays[two]
                + bets.middle * pays[max(one, two)]
            )  # fmt: skip
    return found


def ends_on_the_cross(pays: Pays, cross: Sequence[Pair], live: Sequence[Card]) -> dict[Card, float]:
    """Return, by middle card, the result of one unit on the five cards of the cross."""
    across, down = cross
    return {card: float(pays[class_of(*across, *down, card)]) for card in live if card not in down}


def at_the_middle(ends_: Mapping[Card, float], middle: Card) -> tuple[float, Lucky]:
    """(what could be expected before it was turned, its luck)."""
    mean = sum(ends_.values()) / len(ends_)
    return mean, Lucky(ends_[middle] - mean, middles={card: found - mean for card, found in ends_.items()})


class _Stage:
    """A seat that has bet Across: for every Down pair the sums over the middle card."""

    def __init__(self, odds: Odds, hole: Pair, across: Pair, live: Sequence[Card], bet: float) -> None:
        self._odds, self._hole, self._live, self._bet = odds, hole, live, bet
        self._across = {card: class_of(*hole, *across, card) for card in live}
        self._middles = len(live) - 2
        self._sum()

    def _sum(self) -> None:
        """`_rest`: of antes, Across and the best Middle bet; `_down`: of one ante on Down."""
        bets, antes, across = self._odds.bets, self._odds.antes, self._across
        pairs = list(combinations(self._live, 2))
        rest, down, higher = dict.fromkeys(pairs, 0.0), dict.fromkeys(pairs, 0), dict.fromkeys(pairs, 0)
        for a, b, c in combinations(self._live, 3):
            made = class_of(*self._hole, a, b, c)
            ante, bet = antes[made], bets[made]
            for pair, card in (((a, b), c), ((a, c), b), ((b, c), a)):
                rest[pair] += ante
                down[pair] += bet
                higher[pair] += bets[max(made, across[card])]
        mine = {card: antes[made] + self._bet * bets[made] for card, made in across.items()}
        whole = sum(mine.values())
        least, most = self._odds.multiples
        for pair in pairs:
            a, b = pair
            on_middle = max(least * higher[pair], most * higher[pair])
            rest[pair] += whole - mine[a] - mine[b] + on_middle
        self._rest, self._down = rest, down

    def after(self, down: float) -> dict[Pair, float]:
        """Return, by Down pair, the value of the round once it is turned."""
        folded, many, on_down = -(ANTES + self._bet + down), self._middles, self._down
        return {pair: max(folded, (rest + down * on_down[pair]) / many) for pair, rest in self._rest.items()}

    def worth(self) -> float:
        """With the best Down decision."""
        best = max(sum(self.after(bet).values()) for bet in set(self._odds.multiples)) / len(self._rest)
        return max(best, -(ANTES + self._bet))


def on_the_cross(pays: Pays, cross: Sequence[Pair], middle: Card, live: Sequence[Card]) -> Later:
    """The same for one unit on the five cards of the cross, where nothing is decided. `live`: every card but
    the Across pair; nobody's hole is known to a bet on the cross alone."""
    across, down = cross
    total = dict.fromkeys(combinations(live, 2), 0)
    for a, b, c in combinations(live, 3):
        pay = pays[class_of(*across, a, b, c)]
        total[a, b] += pay
        total[a, c] += pay
        total[b, c] += pay
    after = {pair: found / (len(live) - 2) for pair, found in total.items()}
    worth = sum(after.values()) / len(after)
    pair = Lucky(after[down] - worth, {pair: found - worth for pair, found in after.items()})
    _, last = at_the_middle(ends_on_the_cross(pays, cross, live), middle)
    return Later(worth, 0.0, pair, last)
