"""Evidence of one seat in one round that it knew one card of the Across or of the Down pair.

The card is uniform over those that were dealt nowhere else, given all others. Only decisions before its turn
count: the first one for the Across pair, the first two for the Down pair (controller/evidence/EVIDENCE.md).
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from controller.evidence.factor import RoundEvidence, SeatRound, evidence_from
from controller.evidence.known_middle import CardNumbers, FirstValues, Values
from controller.evidence.known_pair_card import second_values_down
from controller.rules.odds.cards import DECK_SIZE
from controller.rules.odds.pack import Odds

PairName = Literal["across", "down"]
BEFORE_TURN = {"across": 1, "down": 2}
"""Number of decisions before a pair is turned."""


def evidence_of_pair_card(
    odds: Odds, first: FirstValues, seat: SeatRound, line: PairName, card: int
) -> RoundEvidence | None:
    """Return the evidence that the seat knew `card` of this pair; None if it made no decision before the
    turn, because its wagers were forfeited. `first`: first values of a player who knows one card of this
    pair."""
    bets = seat.bets[: BEFORE_TURN[line]]
    if not bets or (len(bets) < BEFORE_TURN[line] and bets[-1]):
        return None
    candidates = candidates_for(seat, card)
    at = int(np.flatnonzero(candidates == card)[0])
    return evidence_from(odds, bets, values_of(odds, first, seat, bets, candidates), at)


def candidates_for(seat: SeatRound, card: int) -> CardNumbers:
    """Return the cards that could lie at the place of `card`, given every other card that was dealt."""
    gone = {*seat.hole, *seat.across, *seat.down, seat.middle, *seat.others} - {card}
    return np.array([each for each in range(DECK_SIZE) if each not in gone], dtype=np.int64)


def values_of(
    odds: Odds, first: FirstValues, seat: SeatRound, bets: tuple[float, ...], candidates: CardNumbers
) -> list[Values]:
    """Return the values of each decision by candidate."""
    found = [first.at(seat.hole, candidates)]
    if len(bets) > 1:
        found.append(second_values_down(odds, seat.hole, seat.across, candidates, bets[0]))
    return found
