"""Cheats of the trial: the wagers that each makes in one round, and the round's cards as the evidence gets
them.

Each kind of knowledge is used at three strengths: every round, one round in three, only for large gains.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from controller.evidence.early_wagers import EarlyRound
from controller.evidence.factor import SeatRound
from controller.evidence.hypotheses import PLACES, Hypothesis, PackValues, SeatCards
from controller.evidence.known_middle import Values, down_values, middle_values
from controller.evidence.known_pair_card import second_values_down
from controller.evidence.late_chips import LateChips
from controller.evidence.other_hands import HandsAfter, first_worth
from controller.evidence.whole_cross import values_by_classes
from controller.game.model.names import ROW, SEATS, Place, Wager
from controller.rules.odds.hands import CARD_KEYS, classes
from controller.rules.odds.pack import LINES, Odds
from controller.rules.volume.best_player import KIND, PAIR, Best
from tests.trials.evidence.values import Hands

BONUS = Wager.FIVE_CARD_BONUS
ANTE, LARGE_ANTE = 1000, 2000
BONUS_SHARE = 0.35
"""Share of the rounds with a bonus bet, for a player who does not know its result."""
LARGE_GAIN, LARGE_GAIN_OF_DOWN = 2.0, 1.0
"""Gain in antes, at the first decision, from which a cheat who waits for large gains uses the knowledge. A
card of the Down pair never gains two antes there."""
LARGE_GAIN_OF_HANDS = 0.1
"""Gain in antes from which a cheat who knows other hands and waits for large gains uses the knowledge. One
known hand seldom gains more."""
SEAT = 2
"""Number of the cheat's seat. Seat 1 has the neighbour whom an honest player may copy; four seats come
later."""
HAND = SEAT + 2
"""First seat whose hand counts as that of another patron, since the patron of SEAT may play the adjacent box
too (58 Pa. Code § 674a.7(g))."""
USUAL_WORTH = 0.26
"""Median worth of a hole, in antes: half of all holes exceed it."""
ONE_IN_THREE = 1 / 3
Strength = Literal["every round", "one in three", "large gains"]
STRENGTHS: tuple[Strength, ...] = get_args(Strength)


@dataclass(frozen=True, slots=True)
class Trial:
    """Values of a rule pack, the best honest player, and the random generator of a trial."""

    values: PackValues
    best: Best
    dice: np.random.Generator


@dataclass(frozen=True, slots=True)
class Wagers:
    """Wagers of a cheat in one round. `bets`: antes bet at Across, Down and Middle. `ante`: cents. `bonus`:
    whether a bonus is bet. `late`: whether chips are added to the ante after both own cards were dealt."""

    bets: list[int]
    ante: int
    bonus: bool
    late: bool = False


@dataclass(frozen=True, slots=True)
class Round:
    """Cards of one round: those of the seat SEAT, the cross by place, and the other hands by seat."""

    hole: tuple[int, int]
    cross: dict[str, int]
    hands: dict[int, tuple[int, int]]

    @property
    def others(self) -> frozenset[int]:
        """Return the cards in other hands."""
        return frozenset(card for hand in self.hands.values() for card in hand)

    def seat(self, bets: list[int]) -> SeatRound:
        """Return the round of the seat with these bets, up to a fold."""
        across, down = (
            _pair(self.cross[one], self.cross[two])
            for one, two in ((Place.ACROSS_LEFT, Place.ACROSS_RIGHT), (Place.DOWN_FAR, Place.DOWN_NEAR))
        )
        used = bets[: bets.index(0) + 1] if 0 in bets else bets
        middle = self.cross[Place.MIDDLE]
        return SeatRound(self.hole, across, down, middle, self.others, tuple(map(float, used)))

    def cards(
        self, bets: list[int], ante: int, bonus: bool, before: Sequence[Wager] = ()
    ) -> SeatCards:  # fmt: skip
        """Return the round in the form from which the program computes evidence. `before`: decisions before
        which chips were added late."""
        seat = self.seat(bets)
        gone = {*self.cross.values(), *self.others}
        free = np.array([card for card in range(52) if card not in gone])
        holes = free[np.stack(np.triu_indices(len(free), 1), axis=1)]
        at = int(np.flatnonzero((holes == self.hole).all(axis=1))[0])
        early = EarlyRound(ante, {BONUS: 500 * bonus}, {BONUS: LINES[self.bonus_class()]}, holes, at)
        late = LateChips(seat, tuple(before)) if before else None
        return SeatCards(seat, seat, self.cross, early, late, self.after(seat.bets[0]))

    def after(self, bet: float) -> HandsAfter:
        """Return the first decision, a bet of `bet` antes at Across, with the hands of the seats that decide
        later."""
        later = {seat: hand for seat, hand in self.hands.items() if seat >= HAND}
        free = frozenset(range(52)) - {*self.hole, *self.cross.values(), *self.others}
        return HandsAfter(self.hole, bet, later, self.others, free, ordered=True)

    def bonus_class(self) -> int:
        return int(classes(CARD_KEYS[list(self.cross.values())].sum().astype(np.int32)))


def round_of(hands: Hands, at: int) -> Round:
    """Return round number `at` of many rounds in arrays."""
    left, right = hands.across[:, at].tolist()
    far, near = hands.down[:, at].tolist()
    cross = {
        Place.ACROSS_LEFT: left, Place.ACROSS_RIGHT: right, Place.DOWN_FAR: far, Place.DOWN_NEAR: near,
        Place.MIDDLE: int(hands.middle[at]),
    }  # fmt: skip
    named = {str(place): card for place, card in cross.items()}
    others = hands.others[:, at].reshape(-1, 2).tolist()
    seats = [seat for seat in SEATS if seat != SEAT]
    held = {seat: _pair(*hand) for seat, hand in zip(seats, others, strict=False)}
    return Round(_pair(*hands.hole[:, at].tolist()), named, held)


def wagers(
    trial: Trial, hypothesis: Hypothesis, strength: Strength, dealt: Round, plain: list[int]
) -> Wagers:
    """Return the wagers of a cheat with the knowledge of the hypothesis. `plain`: bets of the best honest
    player."""
    bonus = bool(trial.dice.random() < BONUS_SHARE)
    if not _uses(trial, hypothesis, strength, dealt, plain):
        return Wagers(plain, ANTE, bonus)
    if hypothesis is Hypothesis.BONUS:
        return Wagers(plain, ANTE, bonus_pays(trial.values.odds, dealt) > 0)
    if hypothesis is Hypothesis.ANTE:
        return Wagers(plain, LARGE_ANTE if hole_worth(trial.values, dealt) > USUAL_WORTH else ANTE, bonus)
    if hypothesis is Hypothesis.LATE:
        return Wagers(plain, ANTE, bonus, hole_worth(trial.values, dealt) > USUAL_WORTH)
    return Wagers(knowing_bets(trial.values, hypothesis, dealt, plain), ANTE, bonus)


def large_gain(hypothesis: Hypothesis) -> float:
    """Return the gain, in antes, from which a cheat who waits for large gains uses the knowledge."""
    if hypothesis in (Hypothesis.ONE_HAND, Hypothesis.OTHER_HANDS):
        return LARGE_GAIN_OF_HANDS
    of_down = hypothesis in (Hypothesis.DOWN_FAR, Hypothesis.DOWN_NEAR)
    return LARGE_GAIN_OF_DOWN if of_down else LARGE_GAIN


def _uses(trial: Trial, hypothesis: Hypothesis, strength: Strength, dealt: Round, plain: list[int]) -> bool:
    """Decide whether a cheat of this strength uses the knowledge in this round."""
    if strength == "one in three":
        return bool(trial.dice.random() < ONE_IN_THREE)
    if strength == "every round":
        return True
    if hypothesis is Hypothesis.BONUS:
        gains: float = bonus_pays(trial.values.odds, dealt)
    elif hypothesis in (Hypothesis.ANTE, Hypothesis.LATE):
        gains = hole_worth(trial.values, dealt)
    else:
        gains = gain(trial.values, hypothesis, dealt, plain)
    return gains >= large_gain(hypothesis)


def bonus_pays(odds: Odds, dealt: Round) -> int:
    return odds.side_bets[0][1][dealt.bonus_class()]


def knowing_bets(values: PackValues, hypothesis: Hypothesis, dealt: Round, plain: list[int]) -> list[int]:
    """Return the bets of a player who knows the cards of the hypothesis. `plain`: bets of the best honest
    player."""
    choices, bets = (0, *values.odds.multiples), list(plain)
    for decision in range(3):
        found = knowing_values(values, hypothesis, dealt, bets[:decision])
        if found is not None:
            bets[decision] = choices[int(found.argmax())]
        if not bets[decision]:
            return bets
        bets[decision + 1 :] = [bet or choices[1] for bet in plain[decision + 1 :]]
    return bets


def knowing_values(
    values: PackValues, hypothesis: Hypothesis, dealt: Round, bets: list[int]
) -> Values | None:
    """Return the values of the next decision to a player who knows the cards of the hypothesis, after `bets`;
    None if the knowledge does not help at this decision."""
    odds, seat = values.odds, dealt.seat([])
    if hypothesis in (Hypothesis.ONE_HAND, Hypothesis.OTHER_HANDS):
        cards = dealt.hands[HAND] if hypothesis is Hypothesis.ONE_HAND else tuple(dealt.others)
        return None if bets else first_worth(odds, values.first, dealt.hole).knowing(cards)[:, None]
    if hypothesis is Hypothesis.CROSS:
        one, two = (
            int(classes(CARD_KEYS[[*seat.hole, *pair, seat.middle]].sum().astype(np.int32)))
            for pair in (seat.across, seat.down)
        )
        return values_by_classes(odds, tuple(map(float, bets)))[:, one, two]
    if hypothesis is Hypothesis.MIDDLE:
        middle = np.array([seat.middle])
        if not bets:
            return values.first.middle.at(seat.hole, middle)
        if len(bets) == 1:
            return down_values(odds, seat.hole, seat.across, middle, bets[0])
        return middle_values(odds, seat.hole, (seat.across, seat.down), middle, (bets[0], bets[1]))
    return _pair_values(values, PLACES[hypothesis], dealt, bets)


def _pair_values(values: PackValues, place: Place, dealt: Round, bets: list[int]) -> Values | None:
    card, seat = np.array([dealt.cross[place]]), dealt.seat([])
    if not bets:
        return (values.first.across if place in ROW else values.first.down).at(seat.hole, card)
    if len(bets) == 1 and place not in ROW:
        return second_values_down(values.odds, seat.hole, seat.across, card, bets[0])
    return None


def gain(values: PackValues, hypothesis: Hypothesis, dealt: Round, plain: list[int]) -> float:
    """Return the gain of the knowledge at the first decision in antes, over the bet of the best honest player
    (`plain`)."""
    found = knowing_values(values, hypothesis, dealt, [])
    if found is None:
        return 0.0
    first = found.reshape(3)
    return float(first.max() - first[(0, *values.odds.multiples).index(plain[0])])


def hole_worth(values: PackValues, dealt: Round) -> float:
    return float(values.first.middle.holes[KIND[PAIR[dealt.hole]]])


def _pair(one: int, two: int) -> tuple[int, int]:
    return min(one, two), max(one, two)
