"""Evidence of one seat in one round that it knew one card of the Across or of the Down pair.

Given all other cards, the card is equally likely to be any of those that were dealt nowhere else. Only
decisions before it is turned count: the first one for the Across pair, the first two for the Down pair
(controller/evidence/EVIDENCE.md).
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from controller.evidence.factor import RoundEvidence, SeatRound, chances_of, weights_of
from controller.evidence.known_middle import CardNumbers, FirstValues, Values
from controller.evidence.known_pair_card import second_values_down
from controller.rules.odds.cards import DECK_SIZE
from controller.rules.odds.pack import Odds

PairName = Literal["across", "down"]
BEFORE_TURN = {"across": 1, "down": 2}
"""Number of decisions that a seat makes before a pair is turned."""


def evidence_of_pair(
    odds: Odds, first: FirstValues, seat: SeatRound, line: PairName
) -> dict[int, RoundEvidence]:
    """Return the evidence that the seat knew a card of the pair `line`, by card number. Returns {} if the
    seat forfeited its wagers before it made these decisions. `first`: first values of a player who knows one
    card of this pair."""
    bets = seat.bets[: BEFORE_TURN[line]]
    if not bets or (len(bets) < BEFORE_TURN[line] and bets[-1]):
        return {}
    pair = seat.across if line == "across" else seat.down
    # one array serves both cards: the candidates of either card are these without the other card
    cards = candidates_for(seat, *pair)
    values = values_of(odds, first, seat, bets, cards)
    every, found = chances_of(odds, bets, values), {}
    for card, other in (pair, pair[::-1]):
        own, left = int(np.searchsorted(cards, card)), cards != other
        best = tuple(int(each[:, own].argmax()) for each in values)
        at = int(left[:own].sum())
        found[card] = RoundEvidence(weights_of(every[:, :, left], at), bets, best, len(cards) - 1)
    return found


def candidates_for(seat: SeatRound, *cards: int) -> CardNumbers:
    """Return the cards that could lie at the places of `cards`, given every other card that was dealt."""
    gone = {*seat.hole, *seat.across, *seat.down, seat.middle, *seat.others} - {*cards}
    return np.array([each for each in range(DECK_SIZE) if each not in gone], dtype=np.int64)


def values_of(
    odds: Odds, first: FirstValues, seat: SeatRound, bets: tuple[float, ...], candidates: CardNumbers
) -> list[Values]:
    """Return, for each decision that the seat made, the value of each choice by candidate for the known
    card."""
    found = [first.at(seat.hole, candidates)]
    if len(bets) > 1:
        found.append(second_values_down(odds, seat.hole, seat.across, candidates, bets[0]))
    return found
