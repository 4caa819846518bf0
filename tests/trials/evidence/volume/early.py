"""Logarithms of the factors of many rounds, for the hypotheses on wagers before the deal.

All players have one habit: they double the ante after a red middle card, and make a bonus bet after a round
whose bonus would have won, else once in three rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from controller.evidence.early_wagers import ANTE_STRENGTHS, BONUS_STRENGTHS, bonus_factor, win_chance
from controller.evidence.hypotheses import Hypothesis, PackValues
from controller.rules.odds.cards import DECK_SIZE
from controller.rules.odds.hands import CARD_KEYS, classes
from controller.rules.volume.best_player import KIND, PAIR
from tests.trials.evidence.cheating import ANTE, BONUS, LARGE_ANTE
from tests.trials.evidence.values import Floats, Hands, Ints
from tests.trials.evidence.volume.deals import Singles
from tests.trials.evidence.volume.factors import Logs

RANKS = DECK_SIZE // 4
HIGH, LOW = np.triu_indices(RANKS, 1)
"""Higher and lower rank of each combination of two different ranks."""
OWN = np.arange(RANKS)
KINDS = np.concatenate([
    KIND[PAIR[OWN, RANKS + OWN]], KIND[PAIR[HIGH, LOW]], KIND[PAIR[HIGH, RANKS + LOW]],
])  # fmt: skip
"""Kinds of hole in the order in which `_counts` returns them: pairs, then suited, then offsuit holes."""
BLOCK = 4096
"""Number of rounds computed at once, which limits the memory."""


@dataclass(frozen=True, slots=True)
class EarlyWagers:
    """Wagers of one seat before the deal, by round in the order of play. `ante`: cents. `bonus`: whether the
    bonus was bet; `won`: whether the hand is one that it pays. The sittings have `length` rounds each."""

    ante: Ints
    bonus: Ints
    won: Ints
    length: int


def wagers(values: PackValues, hands: Hands, dice: np.random.Generator, length: int) -> EarlyWagers:
    """Return the wagers of all rounds. Each sitting has `length` rounds in a row."""
    cross = np.concatenate([hands.across, hands.down, hands.middle[None]])
    pays = np.array(dict(values.odds.side_bets)[BONUS])
    won = (pays[classes(CARD_KEYS[cross].sum(axis=0).astype(np.int32))] > 0).reshape(-1, length)
    red = np.isin(hands.middle // RANKS, (1, 2)).reshape(-1, length)
    bonus = dice.random(won.shape) < 1 / 3
    bonus[:, 1:] |= won[:, :-1]
    ante = np.full(red.shape, ANTE)
    ante[:, 1:][red[:, :-1]] = LARGE_ANTE
    return EarlyWagers(ante.ravel(), bonus.ravel().astype(int), won.ravel().astype(int), length)


def early_logs(values: PackValues, hands: Hands, laid: EarlyWagers) -> Logs:
    """Return the logarithms of the factors by hypothesis, in the order of play. A round without evidence has
    the logarithm 0. `laid`: the wagers before the deal."""
    dealt = np.concatenate([hands.across, hands.down, hands.middle[None], hands.others])
    return {
        Hypothesis.BONUS: _bonus_logs(values, laid),
        Hypothesis.ANTE: HoleFactors(values, ANTE_STRENGTHS).logs(hands, dealt, tendencies(laid)),
    }


def _bonus_logs(values: PackValues, laid: EarlyWagers) -> Floats:
    chance = win_chance(values.odds, BONUS)
    every = np.log([[bonus_factor(chance, bet, won) for won in (False, True)] for bet in (False, True)])
    begun = np.maximum.accumulate(laid.bonus.reshape(-1, laid.length), axis=1).ravel()
    found: Floats = every[laid.bonus, laid.won].T * begun
    assert found.shape == (len(BONUS_STRENGTHS), len(laid.bonus))
    return found


def tendencies(laid: EarlyWagers) -> Ints:
    """Return the tendency of each round: 1 if the ante is above the mean of the sitting's earlier antes, -1
    if it is below that mean, otherwise 0."""
    ante = laid.ante.reshape(-1, laid.length)
    earlier = np.cumsum(ante, axis=1) - ante
    found: Ints = np.sign(ante * np.arange(laid.length) - earlier).ravel()
    return found


class HoleFactors:
    """Factors of the evidence by the rank of a hole's worth among all holes that the seat could have.

    Holes are counted by kind, because all holes of one kind have the same worth."""

    def __init__(self, values: PackValues, strengths: Sequence[float]) -> None:
        self._strengths = strengths
        worth = values.first.middle.holes[KINDS]
        _, self._rank = np.unique(worth, return_inverse=True)
        """Rank of each kind by its worth, in the order of `KINDS`. Kinds of equal worth have the same rank.
        """
        self._order = np.argsort(self._rank, kind="stable")
        self._starts = np.unique(self._rank[self._order], return_index=True)[1]
        rank_of = np.empty(len(KINDS), np.int64)
        rank_of[KINDS] = self._rank
        self._rank_of_kind = rank_of

    def logs(self, hands: Hands, gone: Ints, tendency: Ints) -> Floats:
        """Return (strength, round): the logarithms of the factors. `gone`: (card, round), cards that the seat
        cannot have. `tendency`: 1 if good holes are favoured, -1 if bad ones, 0 for a round without evidence.
        """
        many = len(tendency)
        found = np.empty((len(self._strengths), many))
        live = np.ones((many, DECK_SIZE), np.int8)
        live[np.arange(many), gone] = 0
        own = self._rank_of_kind[KIND[PAIR[hands.hole[0], hands.hole[1]]]]
        for start in range(0, many, BLOCK):
            some = slice(start, start + BLOCK)
            found[:, some] = self._some(live[some], own[some], tendency[some])
        return found

    def _some(self, live: Singles, own: Ints, tendency: Ints) -> Floats:
        counts = np.add.reduceat(_counts(live)[:, self._order], self._starts, axis=1)
        up_to = counts.cumsum(axis=1)
        holes = up_to[:, -1:]
        place = (2 * up_to - counts) / holes - 1
        signed = (tendency[:, None] * place).astype(np.float32)
        mine = np.take_along_axis(signed, own[:, None], axis=1)[:, 0].astype(float)
        totals = [(counts * np.exp(np.float32(each) * signed)).sum(axis=1) for each in self._strengths]
        found: Floats = np.array(self._strengths)[:, None] * mine - np.log(totals) + np.log(holes[:, 0])
        return found


def _counts(live: Singles) -> Ints:
    """Return (round, kind): the number of holes of each kind that live cards make, in the order of `KINDS`.
    `live`: (round, card)."""
    by_suit = live.reshape(-1, 4, RANKS)
    ranks = by_suit.sum(axis=1, dtype=np.int8)
    suited = (by_suit[:, :, HIGH] & by_suit[:, :, LOW]).sum(axis=1, dtype=np.int8)
    pairs, both = ranks * (ranks - 1) // 2, ranks[:, HIGH] * ranks[:, LOW]
    return np.concatenate([pairs, suited, both - suited], axis=1).astype(np.int32)
