"""Exact values of each decision to a player who knows one card of the Across or of the Down pair, for every
card that it may be.

Values are in antes, averaged over the cards that this player does not see. They rank the choices of a cheat.
The evidence is valid even if they are wrong (controller/evidence/EVIDENCE.md).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from controller.evidence.hands_beside import ThirdCardCounts, count_classes, hands_beside, third_cards
from controller.evidence.known_middle import HOLE_KINDS, CardNumbers, Values
from controller.rules.odds.cards import DECK_SIZE, Hole
from controller.rules.odds.hands import Classes
from controller.rules.odds.pack import Odds
from controller.rules.odds.tree import ANTES, CardTuple, Pairs, Tree, Unseen

Sums = NDArray[np.float64]


def first_values_across(odds: Odds, kind: int) -> Sums:
    """Return (card, smallest and largest bet): the values of the Across bets with one kind of hole, to a
    player who knows that this card is in the Across pair. The rows of the cards in the kind's example hole
    have no meaning."""
    tree = _tree(odds, HOLE_KINDS[kind].hole)
    held = containing(tree.across)
    many = np.maximum(held.sum(axis=0), 1)
    return np.stack([held.T @ tree.across_worth(bet) / many for bet in odds.multiples], axis=1)


def first_values_down(odds: Odds, kind: int) -> Sums:
    """Return the values as `first_values_across` does, to a player who knows a card of the Down pair."""
    tree = _tree(odds, HOLE_KINDS[kind].hole)
    held = containing(tree.down)
    deals = tree.possible.astype(np.float64) @ held * tree.middles
    many = np.maximum(deals.sum(axis=0), 1)
    found = []
    for bet in odds.multiples:
        folded = -(ANTES + bet) * deals
        best = np.maximum.reduce([folded, *(_down_sums(tree, bet, down) for down in odds.multiples)])
        found.append(best.sum(axis=0) / many)
    return np.stack(found, axis=1)


def second_values_down(
    odds: Odds, hole: Hole, across: CardTuple, candidates: CardNumbers, bet: float
) -> Values:
    """Return the values of the Down decision after an Across bet of `bet` antes to a player who knows one
    card of the Down pair."""
    return _second_values(odds, hole, across, bet)[:, candidates]


@lru_cache(maxsize=1)  # both cards of a pair need the same values, one after the other
def _second_values(odds: Odds, hole: Hole, across: CardTuple, bet: float) -> Values:
    """Return the values of `second_values_down` for every card of the deck. The columns of the cards in the
    hole and in the Across pair have no meaning."""
    bets, antes = np.array(odds.bets, float), np.array(odds.antes, float)
    live = np.array([card for card in range(DECK_SIZE) if card not in {*hole, *across}])
    made = hands_beside(hole)[live]
    one = made[:, across[0], across[1]]
    alone = np.zeros(DECK_SIZE)
    alone[live] = (antes + bet * bets)[one]
    two = third_cards(hole, across)
    higher = _at_least(two, made, one)
    on_antes, on_down = np.tensordot([antes, bets], two, 1)
    lying = alone.sum() - alone[:, None] - alone + on_antes
    on_middle = np.tensordot(bets, higher, 1)
    middles = len(live) - 2
    last = np.maximum(*(multiple * on_middle for multiple in odds.multiples))
    found = np.full((3, DECK_SIZE), -float(ANTES + bet))
    for choice, down in enumerate(odds.multiples, 1):
        best = np.maximum(lying + down * on_down + last, -(ANTES + bet + down) * middles)
        np.fill_diagonal(best, 0)
        found[choice] = best[live].sum(axis=0) / ((len(live) - 1) * middles)
    return found


def _at_least(counts: ThirdCardCounts, made: Classes, least: Classes) -> ThirdCardCounts:
    """Return the numbers of third cards by class of the higher of two hands: the one in `made`, and the one
    whose class the third card has in `least`.

    `counts`: the same numbers for `made` alone. Most third cards have one class in `least`, so only the
    others are counted anew.
    """
    many = np.bincount(least)
    usual = int(many.argmax())
    found, rest = np.zeros_like(counts), counts
    for each in np.flatnonzero(many).tolist():
        if each != usual:
            few = count_classes(made[least == each])
            rest = rest - few
            found += _raised(few, each)
    return found + _raised(rest, usual)


def _raised(counts: ThirdCardCounts, least: int) -> ThirdCardCounts:
    """Return the counts with each hand of a class below `least` counted in the class `least`."""
    found = counts.copy()
    found[least] = counts[: least + 1].sum(axis=0)
    found[:least] = 0
    return found


def containing(pairs: Pairs) -> Sums:
    """Return (pair, card): 1 if the pair has the card, else 0."""
    found = np.zeros((len(pairs), DECK_SIZE))
    np.put_along_axis(found, pairs, 1.0, axis=1)
    return found


def _tree(odds: Odds, hole: Hole) -> Tree:
    return Tree(odds, Unseen(hole, tuple(card for card in range(DECK_SIZE) if card not in hole)))


def _down_sums(tree: Tree, across: float, down: float) -> Sums:
    """Return (Across pair, card of the Down pair): the sum of the results after these bets."""
    sums: Sums = tree.after_down(across, down).astype(np.float64) @ containing(tree.down)
    return sums
