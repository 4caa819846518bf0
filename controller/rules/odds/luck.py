"""Luck of a seat's cards, separated from the skill of its decisions, stage by stage, in plain Python, since
a table has no NumPy.

The result of a stage has two parts: luck, from the cards that come, and cost, from a decision that is not the
best. Luck is measured against the seat's own knowledge, its cards and the open ones, so its mean is zero
whatever the player does. One seat takes about a tenth of a second on a desktop machine, several times that on
a Raspberry Pi: never call it in the event loop.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from controller.game.model.cards import Card
from controller.game.rulebook.hands import evaluate
from controller.rules.odds.pack import LINES, Odds, PayRow

ANTES_STAKED = 2
CLASS = {line: place for place, line in enumerate(LINES)}
CardPair = tuple[Card, Card]
Worths = Mapping[CardPair, float]
"""Values by pair of cards. The two cards are in the order of the deck."""


@dataclass(frozen=True, slots=True)
class StageLuck:
    """Luck of one stage, the Down pair or the middle card, in antes or in units of a side bet. `came`: luck
    of the cards that came."""

    came: float = 0.0
    pairs: Worths = field(default_factory=dict)
    """Luck by Down pair, for each pair that might have come; empty at the middle card."""
    middles: Mapping[Card, float] = field(default_factory=dict)
    """Luck by middle card, for each card that might have come; empty at the Down pair."""


NO_LUCK = StageLuck()


@dataclass(frozen=True, slots=True)
class BetsInAntes:
    """Three bets of a seat, in antes; 0 for each bet after a fold."""

    across: float
    down: float
    middle: float


@dataclass(frozen=True, slots=True)
class Continuation:
    """Rest of a round after the Across pair is turned. `worth`: its value at that moment with the best play.
    `cost`: value that the player's decisions at Down and Middle lost. `pair`, `middle`: luck of the Down pair
    and of the middle card."""

    worth: float
    cost: float
    pair: StageLuck
    middle: StageLuck


def hand_class(*five: Card) -> int:
    """Return the class of the hand of these five cards (index in `pack.LINES`)."""
    return CLASS[evaluate(five).line]


def continuation(
    odds: Odds,
    hole: CardPair,
    cross: Sequence[CardPair],
    middle: Card,
    live: Sequence[Card],
    bets: BetsInAntes,
) -> Continuation:
    """Return value, cost and luck of the rest of a round in which the Across bet was made. `cross`: the
    Across and the Down pair. `live`: every card except the hole and the Across pair, in the order of the
    deck."""
    across, down = cross
    stage = _Stage(odds, hole, across, live, bets.across)
    worth, cost, pair, last = stage.worth(), 0.0, NO_LUCK, NO_LUCK
    if not bets.down:
        return Continuation(worth, worth + ANTES_STAKED + bets.across, NO_LUCK, NO_LUCK)
    after = stage.after(bets.down)
    mean = sum(after.values()) / len(after)
    cost += worth - mean
    pair = StageLuck(after[down] - mean, {each: found - mean for each, found in after.items()})
    if not bets.middle:
        cost += after[down] + ANTES_STAKED + bets.across + bets.down
        return Continuation(worth, cost, pair, NO_LUCK)
    mean, last = middle_luck(results_by_middle(odds, hole, cross, live, bets), middle)
    return Continuation(worth, cost + after[down] - mean, pair, last)


def results_by_middle(
    odds: Odds, hole: CardPair, cross: Sequence[CardPair], live: Sequence[Card], bets: BetsInAntes
) -> dict[Card, float]:
    """Return for each possible middle card the result of the round in antes. All three bets must have been
    made."""
    (across, down), pays, antes = cross, odds.bets, odds.antes
    found = {}
    for card in live:
        if card not in down:
            one, two = hand_class(*hole, *across, card), hand_class(*hole, *down, card)
            found[card] = (
                antes[one] + antes[two] + bets.across * pays[one] + bets.down * pays[two]
                + bets.middle * pays[max(one, two)]
            )  # fmt: skip
    return found


def cross_results_by_middle(
    pays: PayRow, cross: Sequence[CardPair], live: Sequence[Card]
) -> dict[Card, float]:
    """Return for each possible middle card the result of one unit of a side bet on the five cards of the
    cross."""
    across, down = cross
    return {card: float(pays[hand_class(*across, *down, card)]) for card in live if card not in down}


def middle_luck(ends_: Mapping[Card, float], middle: Card) -> tuple[float, StageLuck]:
    """Return the expectation before the middle card is turned, and the luck that the card brings. `ends_`:
    result by possible middle card."""
    mean = sum(ends_.values()) / len(ends_)
    return mean, StageLuck(
        ends_[middle] - mean, middles={card: found - mean for card, found in ends_.items()}
    )


class _Stage:
    """Values of a seat's round after its Across bet: sums over the middle cards for each Down pair."""

    def __init__(
        self, odds: Odds, hole: CardPair, across: CardPair, live: Sequence[Card], bet: float
    ) -> None:
        self._odds, self._hole, self._live, self._bet = odds, hole, live, bet
        self._across = {card: hand_class(*hole, *across, card) for card in live}
        self._middles = len(live) - 2
        self._sum()

    def _sum(self) -> None:
        """Compute `_rest`, the sums of antes, Across and the best Middle bet, and `_down`, those of one
        ante on Down."""
        bets, antes, across = self._odds.bets, self._odds.antes, self._across
        pairs = list(combinations(self._live, 2))
        rest, down, higher = dict.fromkeys(pairs, 0.0), dict.fromkeys(pairs, 0), dict.fromkeys(pairs, 0)
        for a, b, c in combinations(self._live, 3):
            made = hand_class(*self._hole, a, b, c)
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

    def after(self, down: float) -> dict[CardPair, float]:
        """Return the value of the round after a Down bet of `down` antes, for each Down pair that may be
        turned.
        """
        folded, many, on_down = -(ANTES_STAKED + self._bet + down), self._middles, self._down
        return {pair: max(folded, (rest + down * on_down[pair]) / many) for pair, rest in self._rest.items()}

    def worth(self) -> float:
        """Return the value of the round in antes before the Down decision, with the best one."""
        best = max(sum(self.after(bet).values()) for bet in set(self._odds.multiples)) / len(self._rest)
        return max(best, -(ANTES_STAKED + self._bet))


def cross_continuation(
    pays: PayRow, cross: Sequence[CardPair], middle: Card, live: Sequence[Card]
) -> Continuation:
    """Return `continuation` for a side bet of one unit on the five cards of the cross, which needs no
    decisions. `live`: every card except the Across pair, because such a bet knows no hole."""
    across, down = cross
    total = dict.fromkeys(combinations(live, 2), 0)
    for a, b, c in combinations(live, 3):
        pay = pays[hand_class(*across, a, b, c)]
        total[a, b] += pay
        total[a, c] += pay
        total[b, c] += pay
    after = {pair: found / (len(live) - 2) for pair, found in total.items()}
    worth = sum(after.values()) / len(after)
    pair = StageLuck(after[down] - worth, {pair: found - worth for pair, found in after.items()})
    _, last = middle_luck(cross_results_by_middle(pays, cross, live), middle)
    return Continuation(worth, 0.0, pair, last)
