"""One hole's decisions when the middle card is known: each hand then depends on its own pair only.

The result of a round depends on the two classes of hand, so Down pairs are counted by class instead of one
by one. The counts leave out pairs that share a card with the Across pair.
"""

from __future__ import annotations

import numpy as np

from controller.rules.odds.hands import KEYS, classes
from controller.rules.odds.pack import LINES, Odds
from controller.rules.odds.tree import ANTES, Pair, Pairs, SumArray, Unseen, groups, pairs_of


def worth_with_middle(odds: Odds, unseen: Unseen, across_seen: int = 0) -> float:
    """Return the value of the hole before the first decision, in antes. `unseen.middle` must be one card.
    `across_seen`: number of cards of the Across pair that are seen too."""
    across, down = (pairs_of(known, unseen.live) for known in (unseen.across, unseen.down))
    mine = _classes(unseen, across)
    counts = _beside(across, down, np.eye(len(LINES))[_classes(unseen, down)], unseen)
    left, rows = counts.sum(axis=1), groups(across, across_seen)
    total = -ANTES * (rows.T @ left)
    for bet in sorted(set(odds.multiples)):
        after = [(_comes_to(odds, bet, more)[mine] * counts).sum(axis=1) for more in set(odds.multiples)]
        best = np.maximum(np.maximum.reduce(after), -(ANTES + bet) * left)
        total = np.maximum(total, rows.T @ best)
    return float(total.sum() / (rows.T @ left).sum())


def _classes(unseen: Unseen, pairs: Pairs) -> np.ndarray[tuple[int, ...], np.dtype[np.int8]]:
    held: Pair = (*unseen.hole, *unseen.middle)
    return classes((KEYS[list(held)].sum() + KEYS[pairs].sum(axis=1)).astype(np.int32))


def _beside(across: Pairs, down: Pairs, one_of: SumArray, unseen: Unseen) -> SumArray:
    """Return the number of Down pairs of each class that share no card with the Across pair, by Across
    pair."""
    with_card = np.zeros((52, len(LINES)))
    for column in range(2):
        np.add.at(with_card, down[:, column], one_of)
    counts: SumArray = one_of.sum(axis=0) - with_card[across].sum(axis=1)
    if not unseen.across and not unseen.down:
        counts += one_of  # the Across pair itself was subtracted twice, once for each of its cards
    return counts


def _comes_to(odds: Odds, across: int, down: int) -> SumArray:
    """Return the result of a round in antes, at the best Middle bet or fold, by the classes of the Across
    (rows) and the Down hand."""
    bets, antes = np.array(odds.bets, float), np.array(odds.antes, float)
    higher = np.maximum.outer(np.arange(len(bets)), np.arange(len(bets)))
    least, most = odds.multiples
    middle = np.where(bets > 0, most, least) * bets
    played = (antes + across * bets)[:, None] + (antes + down * bets)[None, :] + middle[higher]
    best: SumArray = np.maximum(played, -(ANTES + across + down))
    return best
