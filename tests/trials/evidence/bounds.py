"""Bound of the power for every hypothesis and strength: the information that a cheat's wagers reveal.

The strongest possible test knows a cheat's exact policy. In each round it gains the logarithm of a ratio: the
chance of the wagers given the card that lies there, divided by their mean chance over all cards that could.
The mean of this gain, in nats, bounds the growth of any evidence (Kelly).
"""

from __future__ import annotations

import numpy as np

from controller.evidence.factor import SeatRound, decision_values
from controller.evidence.hypotheses import PLACES, Hypothesis, PackValues
from controller.evidence.known_middle import Values
from controller.evidence.other_hands import first_worth, weighed
from controller.evidence.pair_card import BEFORE_TURN, PairName, candidates_for, values_of
from controller.evidence.whole_cross import crosses_of, live_cards, middles_of, values_by_classes
from controller.game.model.names import ROW
from controller.rules.odds.side_bets import hands
from controller.rules.volume.best_player import KIND, PAIR
from tests.trials.evidence.cheating import (
    BONUS_SHARE,
    HAND,
    LARGE_ANTE,
    ONE_IN_THREE,
    USUAL_WORTH,
    Round,
    Strength,
    Trial,
    Wagers,
    large_gain,
    round_of,
    wagers,
)
from tests.trials.evidence.players import best_bets
from tests.trials.evidence.values import Floats, Ints, deal_hands

DRAWN = 2_000
"""Number of random draws of the cards in all later hands, since there are too many sets to count each."""
MILLION = 6 * float(np.log(10))


def bound(trial: Trial, hypothesis: Hypothesis, strength: Strength, rounds: int) -> tuple[float, float]:
    """Return the number of rounds after which a test that knew the cheat's policy would reach 10^6, and its
    standard error. `rounds`: number of random rounds over which the mean gain is taken."""
    dealt = deal_hands(trial.dice, rounds)
    plain = best_bets(trial.best, dealt)
    found = [
        gained(trial, hypothesis, strength, round_of(dealt, at), plain[:, at].tolist())
        for at in range(rounds)
    ]
    mean = float(np.mean(found))
    return MILLION / mean, MILLION / mean**2 * float(np.std(found)) / rounds**0.5


def gained(trial: Trial, hypothesis: Hypothesis, strength: Strength, dealt: Round, plain: list[int]) -> float:
    """Return the nats that a cheat's wagers reveal in one round to a test that knows the cheat's policy.
    `plain`: bets of the best honest player."""
    values, laid = trial.values, wagers(trial, hypothesis, strength, dealt, plain)
    if hypothesis is Hypothesis.BONUS:
        return _of_bonus(values, strength, dealt, laid)
    if hypothesis in (Hypothesis.ANTE, Hypothesis.LATE):
        return _of_own_cards(values, strength, dealt, raised=laid.late or laid.ante == LARGE_ANTE)
    if hypothesis in (Hypothesis.ONE_HAND, Hypothesis.OTHER_HANDS):
        return _of_hands(trial, hypothesis, strength, dealt, laid, plain)
    seat = dealt.seat(laid.bets)
    if hypothesis is Hypothesis.CROSS:
        return _of_cross(values, strength, seat, plain)
    return _of_card(values, hypothesis, strength, dealt.cross, seat, plain)


def share_used(hypothesis: Hypothesis, strength: Strength, gains: Floats) -> Floats:
    """Return the chance that a cheat of this strength uses the knowledge. `gains`: gains of using it, in
    antes."""
    always = np.ones_like(gains)
    return {
        "every round": always, "one in three": always * ONE_IN_THREE,
        "large gains": (gains >= large_gain(hypothesis)).astype(float),
    }[strength]  # fmt: skip


def _of_bonus(values: PackValues, strength: Strength, dealt: Round, laid: Wagers) -> float:
    pays = np.array(values.odds.side_bets[0][1], float)
    used = share_used(Hypothesis.BONUS, strength, pays)
    bets = used * (pays > 0) + (1 - used) * BONUS_SHARE
    chance = bets if laid.bonus else 1 - bets
    return float(np.log(chance[dealt.bonus_class()] / np.average(chance, weights=hands(5))))


def _of_own_cards(values: PackValues, strength: Strength, dealt: Round, *, raised: bool) -> float:
    """Return the nats revealed by a cheat who raises the ante, or adds chips late, if their own two cards are
    good. `raised`: whether they did so in this round."""
    early = dealt.cards([0], 1, bonus=False).early
    assert early is not None
    worth = values.first.middle.holes[KIND[PAIR[early.holes[:, 0], early.holes[:, 1]]]]
    used = share_used(Hypothesis.ANTE, strength, worth) * (worth > USUAL_WORTH)
    chance = used if raised else 1 - used
    return float(np.log(chance[early.at] / chance.mean()))


def _of_card(
    values: PackValues, hypothesis: Hypothesis, strength: Strength, cross: dict[str, int], seat: SeatRound,
    plain: list[int],
) -> float:  # fmt: skip
    odds, bets = values.odds, seat.bets
    if hypothesis is Hypothesis.MIDDLE:
        candidates, card = seat.candidates, seat.middle
        every = list(decision_values(odds, values.first.middle, seat, candidates))
    else:
        place = PLACES[hypothesis]
        line: PairName = "across" if place in ROW else "down"
        bets, card = bets[: BEFORE_TURN[line]], cross[place]
        candidates = candidates_for(seat, card)
        table = values.first.across if place in ROW else values.first.down
        every = values_of(odds, table, seat, bets, candidates)
    choices = np.array((0, *odds.multiples))
    same = [choices[each.argmax(axis=0)] == bet for each, bet in zip(every, bets, strict=True)]
    used = share_used(hypothesis, strength, _gains(every[0], choices, plain))
    chance = used * np.all(same, axis=0) + (1 - used) * (bets == tuple(plain[: len(bets)]))
    return float(np.log(chance[candidates == card].sum() / chance.mean()))


def _of_cross(values: PackValues, strength: Strength, seat: SeatRound, plain: list[int]) -> float:
    live = live_cards(seat)
    crosses = crosses_of(seat, live)
    at = int(np.flatnonzero(middles_of(seat, live) == seat.middle)[0])
    steps = (crosses.every, crosses.with_across, crosses.with_both.sum(axis=0), crosses.with_both[at])
    choices, same, total = np.array((0, *values.odds.multiples)), np.ones_like(crosses.every), 0.0
    used = share_used(Hypothesis.CROSS, strength, _gains(values_by_classes(values.odds, ()), choices, plain))
    for decision, bet in enumerate(seat.bets):
        same = same * (choices[values_by_classes(values.odds, seat.bets[:decision]).argmax(axis=0)] == bet)
        plainly = seat.bets[: decision + 1] == tuple(plain[: decision + 1])
        chance = used * same + (1 - used) * plainly
        before, after = steps[decision], steps[decision + 1 if bet else -1]
        total += float(np.log((chance * after).sum() / (chance * before).sum() * before.sum() / after.sum()))
    return total


def _of_hands(
    trial: Trial, hypothesis: Hypothesis, strength: Strength, dealt: Round, laid: Wagers, plain: list[int]
) -> float:
    """Return the nats that the first bet of a cheat who knows other hands reveals."""
    odds = trial.values.odds
    worth = first_worth(odds, trial.values.first, dealt.hole)
    known = _known_sets(trial, hypothesis, dealt)
    values = worth.plain[:, None] + weighed(known.shape[1]) * worth.effects[:, known].sum(axis=2)
    choices = np.array((0, *odds.multiples))
    used = share_used(hypothesis, strength, _gains(values, choices, plain))
    same, plainly = choices[values.argmax(axis=0)] == laid.bets[0], laid.bets[0] == plain[0]
    chance = used * same + (1 - used) * plainly
    return float(np.log(chance[0] / chance.mean()))


def _known_sets(trial: Trial, hypothesis: Hypothesis, dealt: Round) -> Ints:
    """Return (set, card): sets of cards that could be the known ones, the set that was dealt first. For one
    hand these are all pairs, for all hands random draws, each with the cards of the earlier hands."""
    after = dealt.after(0.0)
    one = hypothesis is Hypothesis.ONE_HAND
    hands = [dealt.hands[HAND]] if one else after.later.values()
    own = [card for hand in hands for card in hand]
    pool = np.array([*own, *after.free])
    if one:
        return pool[np.stack(np.triu_indices(len(pool), 1), axis=1)]
    order = trial.dice.random((DRAWN, len(pool))).argpartition(len(own), axis=1)[:, : len(own)]
    sets = np.vstack([own, pool[order]])
    given = np.array([card for card in after.known if card not in own])
    return np.hstack([sets, np.tile(given, (len(sets), 1))])


def _gains(first: Values, choices: Floats, plain: list[int]) -> Floats:
    """Return the gain, in antes, of knowing the card at the first decision, over the bet `plain[0]`. `first`:
    (choice, ...), values of the choices to a player who knows it."""
    gains: Floats = first.max(axis=0) - first[choices.tolist().index(plain[0])]
    return gains
