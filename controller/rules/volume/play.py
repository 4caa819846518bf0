"""Millions of rounds played quickly: a batch of rounds at once in NumPy arrays, first the decisions of a
strategy, then the settlement.

The pack decides which wagers are allowed. The strategy decides for the players, three times in each round,
from the cards that a player can see at that time. Nothing is random here. Sources: 58 Pa. Code § 674a.7 and
.11(b) to (f), as in controller/game/rulebook/wagers.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from controller.game.model.names import ANTES, BETS, Wager
from controller.game.model.rules import RulePack
from controller.game.model.side_bets import TWINS
from controller.rules.volume.arrays import AT, WAGERS, CardArray, CentsArray, Codes, Flags
from controller.rules.volume.deal import DealtRounds
from controller.rules.volume.rules import Rules
from controller.rules.volume.settle import SettledRounds, settle


@dataclass(frozen=True, slots=True)
class Stakes:
    """Wagers at the close, in cents, (box, round). `ante`: one of the two equal antes. `bonuses`: by bonus
    wager."""

    ante: CentsArray
    bonuses: Mapping[Wager, CentsArray] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlayerView:
    """Cards and wagers that players see at a bet. `hole`: (box, 2, round); an honest player uses only their
    own. `row`: (2, round), left and right, None before they are turned. `column`: the same for far and
    near. `playing`: (box, round), true if not folded. The repr shows no card."""

    hole: CardArray = field(repr=False)
    row: CardArray | None = field(repr=False)
    column: CardArray | None = field(repr=False)
    ante: CentsArray
    playing: Flags
    pack: RulePack = field(repr=False)


class Strategy(Protocol):
    """Function that decides every bet of the players of a batch."""

    def __call__(self, wager: Wager, seen: PlayerView) -> CentsArray:
        """Return the cents to bet on Across, Down or Middle, (box, round); 0 folds. The value for a folded
        box is ignored."""


@dataclass(frozen=True, slots=True)
class PlayedRounds:
    """Rounds from the close to the last payout. `wagers`: (wager, box, round), cents wagered. `folded`:
    (box, round), the decision at which the box folded, from 1, or 0. `players`: the player of each box."""

    rules: Rules
    dealt: DealtRounds
    players: tuple[str, ...]
    wagers: CentsArray
    folded: Codes
    settled: SettledRounds

    @property
    def net(self) -> CentsArray:
        """Return (box, round): cents won minus cents lost."""
        return self.settled.paid - self.settled.taken


def play(
    rules: Rules,
    dealt: DealtRounds,
    stakes: Stakes,
    strategy: Strategy,
    players: Mapping[int, str] | None = None,
) -> PlayedRounds:
    """Play every round of `dealt`. `players`: players of boxes, if not one player per box. Raises
    ValueError if a wager is not allowed."""
    verify_stakes(rules.pack, stakes)
    wagers = np.zeros((len(WAGERS), len(dealt.seats), dealt.rounds), dtype=np.int64)
    wagers[[AT[ante] for ante in ANTES]] = stakes.ante
    for bonus, cents in stakes.bonuses.items():
        wagers[AT[bonus]] = cents
    folded = _decide(rules.pack, dealt, stakes.ante, strategy, wagers)
    named = tuple((players or {}).get(seat, str(seat)) for seat in dealt.seats)
    return PlayedRounds(rules, dealt, named, wagers, folded, settle(rules, dealt, named, wagers, folded))


def _decide(
    pack: RulePack, dealt: DealtRounds, ante: CentsArray, strategy: Strategy, wagers: CentsArray
) -> Codes:
    """Ask the strategy for the three bets and write them to `wagers`. Returns the decision at which each box
    folded, from 1, or 0 if it did not fold."""
    folded = np.zeros(ante.shape, dtype=np.int8)
    turned: tuple[CardArray | None, CardArray | None] = (None, None)
    for number, wager in enumerate(BETS):
        playing = folded == 0
        bet = np.where(playing, strategy(wager, PlayerView(dealt.hole, *turned, ante, playing, pack)), 0)
        _verify_bets(pack, ante, wager, bet)
        wagers[AT[wager]] = bet
        folded[playing & (bet == 0)] = number + 1
        turned = (dealt.cross[1:4:2], None if number == 0 else dealt.cross[0::4])
    return folded


def verify_stakes(pack: RulePack, stakes: Stakes) -> None:
    """Check the wagers at the close. Raises ValueError, which names the wager, its amount and the allowed
    ones."""
    _verify_between("ante", stakes.ante, pack.minimum_ante, pack.maximum_ante)
    for bonus, cents in stakes.bonuses.items():
        if bonus not in pack.bonuses:
            raise ValueError(f"{pack.key} offers no {bonus}: it offers {', '.join(pack.bonuses) or 'none'}")
        _verify_between(bonus, cents[cents != 0], pack.bonus_minimum, pack.bonus_maximum)
        twin = TWINS.get(bonus)
        if twin is not None and pack.six_card_bonus_equals_five:
            _verify_twin(bonus, cents, twin, stakes.bonuses)


def _verify_twin(bonus: Wager, cents: CentsArray, twin: Wager, bonuses: Mapping[Wager, CentsArray]) -> None:
    should = bonuses.get(twin, np.zeros_like(cents))
    if ((cents != 0) & (cents != should)).any():
        raise ValueError(f"a {bonus} has to equal the {twin} beside it")


def _verify_between(name: str, cents: CentsArray, least: int, most: int) -> None:
    wrong = cents[(cents < least) | (cents > most)]
    if wrong.size:
        raise ValueError(f"{name} of {wrong[0]} cents: {least} to {most} may lie there")


def _verify_bets(pack: RulePack, ante: CentsArray, wager: Wager, bet: CentsArray) -> None:
    least, most = pack.bet_multiples
    wrong = (bet != 0) & ((bet < ante * least) | (bet > ante * most))
    if pack.whole_multiples:
        wrong |= bet % ante != 0
    if wrong.any():
        box, number = np.argwhere(wrong)[0]
        whole = "whole multiples " if pack.whole_multiples else ""
        raise ValueError(
            f"{wager} of {bet[box, number]} cents on an ante of {ante[box, number]}: {whole}from {least} to "
            f"{most} times the ante may lie there, or 0 for a fold"
        )


def same_every_round(cents: Sequence[int], rounds: int) -> CentsArray:
    """Return an array (box, round) with the same cents in every round."""
    return np.repeat(np.array(cents, dtype=np.int64)[:, None], rounds, axis=1)
