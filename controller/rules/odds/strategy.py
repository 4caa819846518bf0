"""The best strategy: the best decision for a given hand, and the first decision for every kind of hole.

The cards are written in the order in which they come: hole, antes bet Across, cards turned, antes bet Down,
cards turned. The answer is for a player without other knowledge.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from controller.game.model.cards import DECK, parse_card
from controller.game.model.names import BETS, Wager
from controller.rules.odds.cards import NUMBER, kind_of
from controller.rules.odds.counts import Counts
from controller.rules.odds.pack import Odds

FORM = "cards as they come, such as KH QD, then what was bet and turned: KH QD 3 9C 9S 1 2H 3D"
FOLD = 0


class BadSpot(ValueError):
    """Raised if a text does not describe a decision in a round. The message is one line."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Situation in which a player has to decide. `pairs`: the hole, then the turned pairs of Across and Down,
    as card numbers. `bets`: bets made so far, in antes."""

    pairs: tuple[tuple[int, int], ...]
    bets: tuple[int, ...]

    @property
    def decision(self) -> Wager:
        return BETS[len(self.bets)]


@dataclass(frozen=True, slots=True)
class Advice:
    """Values of the choices in a situation. `worth`: value of the round to the player in antes, by bet; 0 is
    a fold. `best`: best bet; of two equal ones the smaller."""

    worth: Mapping[int, float]

    @property
    def best(self) -> int:
        return max(sorted(self.worth), key=lambda bet: self.worth[bet])


def parse_spot(text: str, multiples: tuple[int, int]) -> Spot:
    """Parse the cards and bets before a decision. Raises BadSpot if the text is not valid."""
    words = text.replace(",", " ").split()
    if len(words) not in (2, 5, 8):
        raise BadSpot(f"{len(words)} words: {FORM}")
    pairs: list[tuple[int, int]] = []
    bets: list[int] = []
    for at in range(0, len(words), 3):
        pairs.append((_card(words[at]), _card(words[at + 1])))
        bets.extend(_bet(word, multiples) for word in words[at + 2 : at + 3])
    cards = [card for pair in pairs for card in pair]
    if len(set(cards)) < len(cards):
        raise BadSpot("a card is named twice")
    return Spot(tuple(pairs), tuple(bets))


def _card(word: str) -> int:
    try:
        return NUMBER[parse_card(word.upper())]
    except ValueError as error:
        raise BadSpot(f"{word!a}: {error}") from None


def _bet(word: str, multiples: tuple[int, int]) -> int:
    least, most = multiples
    if not word.isdecimal() or not least <= int(word) <= most:
        raise BadSpot(f"{word!a}: a bet is {least} to {most} antes")
    return int(word)


def advice(odds: Odds, counts: Counts, spot: Spot) -> Advice:
    """Return the value of each decision. Raises ImportError if NumPy is missing, which only the first
    decision does not need."""
    worth = {Wager.ACROSS: _across, Wager.DOWN: _down, Wager.MIDDLE: _middle}[spot.decision]
    return Advice({FOLD: -2.0 - sum(spot.bets), **worth(odds, counts, spot)})


def _across(_odds: Odds, counts: Counts, spot: Spot) -> dict[int, float]:
    kind = kind_of(spot.pairs[0])
    worths = next(hole.worth for hole in counts.holes if hole.name == kind)
    return {bet: float(worth.expectation) for bet, worth in worths.items()}


def _down(odds: Odds, _counts: Counts, spot: Spot) -> dict[int, float]:
    import numpy as np

    from controller.rules.odds.tree import Tree, Unseen

    hole, across = spot.pairs
    tree = Tree(odds, Unseen(hole, _without(hole)), np.array([across]))
    return {bet: float(tree.down_worth(spot.bets[0], bet)[0]) for bet in _all(odds)}


def _middle(odds: Odds, _counts: Counts, spot: Spot) -> dict[int, float]:
    from controller.rules.odds.tree import Tree, Unseen

    hole, across, down = spot.pairs
    tree = Tree(odds, Unseen(hole, _without(hole, across, down), across, down))
    antes, on_across, on_down, middle = (float(sums[0, 0]) for sums in (tree.antes, *tree.bets, tree.higher))
    played = antes + spot.bets[0] * on_across + spot.bets[1] * on_down
    return {bet: (played + bet * middle) / tree.middles for bet in _all(odds)}


def _without(*pairs: tuple[int, int]) -> tuple[int, ...]:
    gone = {card for pair in pairs for card in pair}
    return tuple(card for card in range(52) if card not in gone)


def _all(odds: Odds) -> range:
    return range(odds.multiples[0], odds.multiples[1] + 1)


def cards_in_words(pair: tuple[int, ...]) -> str:
    """Return a pair of card numbers as text: ``KH QD``."""
    return " ".join(DECK[card] for card in pair)
