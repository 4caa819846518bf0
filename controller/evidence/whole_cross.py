"""Evidence of one seat in one round that it knew all five cards of the cross, or was signalled by someone who
did.

The cross is turned in three steps. The factor of each step divides two probabilities of the turned cards: the
prediction from the decisions so far, and that of a fair shuffle, both given the cards turned before
(controller/evidence/EVIDENCE.md). Crosses are counted by the classes of the two hands, on which the result
depends.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from controller.evidence.factor import STRENGTHS, Floats, RoundEvidence, SeatRound, chances
from controller.evidence.hands_beside import CLASSES, hands_beside, third_cards
from controller.evidence.known_middle import CardNumbers, Values
from controller.rules.odds.cards import DECK_SIZE
from controller.rules.odds.middle import best_results
from controller.rules.odds.pack import Odds
from controller.rules.odds.tree import ANTES


@dataclass(frozen=True, slots=True)
class Crosses:
    """Numbers of possible crosses, in arrays indexed by the class of the Across hand and then by the class of
    the Down hand. `every`: all crosses. `with_across`: crosses that contain the round's Across pair.
    `with_both`: crosses that contain both pairs of the round; here the middle card is the first index."""

    every: Floats
    with_across: Floats
    with_both: Floats


def evidence_of_cross(odds: Odds, seat: SeatRound) -> RoundEvidence | None:
    """Return the evidence that the seat knew the cross; None if it made no decision, because its wagers were
    forfeited."""
    if not seat.bets:
        return None
    live = live_cards(seat)
    crosses = crosses_of(seat, live)
    at = int(np.flatnonzero(middles_of(seat, live) == seat.middle)[0])
    weights, best = [], []
    chance = np.ones((len(STRENGTHS), CLASSES, CLASSES))
    one, two = np.argwhere(crosses.with_both[at])[0].tolist()
    steps = (crosses.every, crosses.with_across, crosses.with_both.sum(axis=0), crosses.with_both[at])
    for decision, bet in enumerate(seat.bets):
        values = values_by_classes(odds, seat.bets[:decision])
        best.append(int(values[:, one, two].argmax()))
        chance = chance * _chances(odds, seat.bets[:decision], bet)
        # a seat that folded decides no more, so its last factor covers all later steps
        last = len(steps) - 1 if not bet or decision == 2 else decision + 1
        weights.append(_gained(chance, steps[decision], steps[last]))
    return RoundEvidence(np.array(weights), seat.bets, tuple(best), int(crosses.every.sum()))


def live_cards(seat: SeatRound) -> CardNumbers:
    """Return the cards that the cross could consist of: those that were dealt to no hand and set nowhere
    else."""
    gone = {*seat.hole, *seat.others}
    return np.array([card for card in range(DECK_SIZE) if card not in gone], dtype=np.int64)


def middles_of(seat: SeatRound, live: CardNumbers) -> CardNumbers:
    """Return the cards of `live` that could be the middle card, given both pairs of the round."""
    return live[~_among(live, (*seat.across, *seat.down))]


def crosses_of(seat: SeatRound, live: CardNumbers) -> Crosses:
    """Count the possible crosses. `live`: the cards that they may consist of."""
    gone = tuple(sorted({*range(DECK_SIZE)} - {*live.tolist()}))
    with_card = third_cards(seat.hole, gone)[:, live][:, :, live].astype(float)
    pairs = with_card.sum(axis=1).T / 2  # each pair is counted twice, once for either of its cards
    rows = with_card.reshape(CLASSES, -1)
    every = pairs.T @ pairs - rows @ rows.T + np.diag(pairs.sum(axis=0))
    return Crosses(every, *_beside(seat, live, pairs, with_card.transpose(2, 0, 1)))


@lru_cache(maxsize=64)
def values_by_classes(odds: Odds, bets: tuple[float, ...]) -> Values:
    """Return the values of the next decision to a player who knows the cross. `bets`: earlier bets of the
    seat, in antes. The array is read-only and is indexed by the choice, the class of the Across hand and the
    class of the Down hand."""
    folded = np.full((CLASSES, CLASSES), -float(ANTES + sum(bets)))
    if not bets:
        played = [_after_across(odds, bet) for bet in odds.multiples]
    elif len(bets) == 1:
        played = [best_results(odds, bets[0], bet) for bet in odds.multiples]
    else:
        pays, antes = np.array(odds.bets, float), np.array(odds.antes, float)
        higher = pays[np.maximum.outer(np.arange(CLASSES), np.arange(CLASSES))]
        laid = (antes + bets[0] * pays)[:, None] + (antes + bets[1] * pays)[None, :]
        played = [laid + bet * higher for bet in odds.multiples]
    found = np.stack([folded, *played])
    found.flags.writeable = False
    return found


def _after_across(odds: Odds, bet: float) -> Floats:
    best = np.maximum.reduce([best_results(odds, bet, down) for down in odds.multiples])
    after: Floats = np.maximum(best, -float(ANTES + bet))
    return after


@lru_cache(maxsize=64)
def _chances(odds: Odds, before: tuple[float, ...], bet: float) -> Floats:
    """Return the chance, under the model, that a player bets `bet` antes. `before`: earlier bets of the seat,
    in antes. The array is read-only and is indexed by the strength, the class of the Across hand and the
    class of the Down hand."""
    values = values_by_classes(odds, before).reshape(3, -1)
    found = chances(values, bet, odds).reshape(len(STRENGTHS), CLASSES, CLASSES)
    found.flags.writeable = False
    return found


def _gained(chance: Floats, before: Floats, after: Floats) -> Floats:
    """Return the logarithm of the factor of one step, for each strength. `chance`: chance of the decisions so
    far, by strength and by the classes of both hands. `before`, `after`: numbers of crosses that are possible
    before and after the cards of the step are turned, by the classes of both hands."""
    predicted = (chance * after).sum(axis=(1, 2)) / (chance * before).sum(axis=(1, 2))
    found: Floats = np.log(predicted) - np.log(after.sum() / before.sum())
    return found


def _among(cards: CardNumbers, few: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return a mask of `cards`: True for each that is in `few`."""
    found: NDArray[np.bool_] = (cards[:, None] == few).any(axis=1)
    return found


def _beside(seat: SeatRound, live: CardNumbers, pairs: Floats, with_card: Floats) -> tuple[Floats, Floats]:
    """Return the fields `with_across` and `with_both` of `Crosses`. `pairs`: number of pairs that make a hand
    of a class, by middle card and class. `with_card`: number of those pairs that contain a card, by middle
    card, class and card."""
    made = hands_beside(seat.hole)
    free = ~_among(live, seat.across)
    beside = pairs - with_card[:, :, ~free].sum(axis=2)
    one, two = (made[live, *pair] for pair in (seat.across, seat.down))
    beside[free, one[free]] += 1  # the pair itself was subtracted twice
    with_across = np.zeros((CLASSES, CLASSES))
    np.add.at(with_across, one[free], beside[free])
    left = free & ~_among(live, seat.down)
    both = np.zeros((int(left.sum()), CLASSES, CLASSES))
    both[np.arange(len(both)), one[left], two[left]] = 1
    return with_across, both
