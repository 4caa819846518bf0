"""The settlement of many rounds: outcome and payout of each wager, and the cut by a payout limit.

The same rules as in controller/game/rulebook/settlement_plan.py, in arrays; tests/volume/differential.py
compares both. Money is whole cents. Sources: 58 Pa. Code § 674a.11(h), .12; MGC § 10(h), 11; Md. 11.H-J,
12; House rules, Paying Out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from controller.game.model.names import SideBet, Wager
from controller.game.model.side_bets import SIDE_BETS
from controller.rules.odds.hands import CARD_KEYS, Ints, classes
from controller.rules.volume.arrays import AT, WAGERS, CentsArray, Codes
from controller.rules.volume.deal import DealtRounds
from controller.rules.volume.rules import FORFEIT, IS_BONUS, LOSE, NONE, WIN, Rules


@dataclass(frozen=True, slots=True)
class SettledRounds:
    """Results, all (wager, box, round). `outcome`: numbers as in rules.py. `uncut`: cents won before a
    payout limit, without the wager; `payout`: the same after it. `paid`, `taken`: (box, round), cents from
    and to the tray."""

    line: Codes
    outcome: Codes
    uncut: CentsArray
    payout: CentsArray
    paid: CentsArray
    taken: CentsArray


def settle(
    rules: Rules, dealt: DealtRounds, players: Sequence[str], wagers: CentsArray, folded: Codes
) -> SettledRounds:
    """Settle all wagers. Those of a folded seat are forfeit except its bonuses (58 Pa. Code § 674a.11(c))."""
    line = hand_lines(dealt, wagers.shape)
    rows = np.arange(len(WAGERS))[:, None, None]
    gone = (folded != 0) & ~IS_BONUS[:, None, None]
    outcome = np.where(gone, np.int8(FORFEIT), rules.outcome[rows, line])
    outcome[wagers == 0] = NONE
    uncut = np.where(outcome == WIN, wagers * rules.odds[rows, line], 0)
    payout = _cut(rules, dealt.seats, players, uncut)
    taken = np.where((outcome == LOSE) | (outcome == FORFEIT), wagers, 0).sum(axis=0)
    return SettledRounds(line, outcome, uncut, payout, payout.sum(axis=0), taken)


def hand_lines(dealt: DealtRounds, shape: tuple[int, ...]) -> Codes:
    """Return the line of the hand that decides each wager, as an index in LINES: an ante has that of its
    bet, Middle that of the higher hand, which never has the lower line (58 Pa. Code § 674a.11(h)(4))."""
    found = np.zeros(shape, dtype=np.int8)
    sums = hand_keys(dealt)
    found[[AT[Wager.ANTE_ACROSS], AT[Wager.ACROSS]]] = across = classes(sums.across)
    found[[AT[Wager.ANTE_DOWN], AT[Wager.DOWN]]] = down = classes(sums.down)
    found[AT[Wager.MIDDLE]] = np.maximum(across, down)
    for bonus, fives in sums.bonuses.items():
        found[AT[bonus]] = np.max([classes(five) for five in fives], axis=0)
    return found


@dataclass(frozen=True, slots=True)
class HandKeys:
    """Sums of the keys of five cards (controller/rules/odds/hands.py), (box, round). `bonuses`: by side bet
    whose cards were dealt, the sums for every choice of five of them; (round) if no box's own cards are among
    them.
    """

    across: Ints
    down: Ints
    bonuses: Mapping[Wager, tuple[Ints, ...]]


def hand_keys(dealt: DealtRounds) -> HandKeys:
    cross, each = CARD_KEYS[dealt.cross], CARD_KEYS[dealt.hole]
    own = each[:, 0] + each[:, 1]
    far, left, middle, right, near = cross
    four = () if dealt.bonus is None else tuple(CARD_KEYS[dealt.bonus])
    bonuses = {
        wager: _fives(bet, tuple(cross), (each[:, 0], each[:, 1]), four)
        for wager, bet in SIDE_BETS.items()
        if four or not bet.bonus_cards
    }
    return HandKeys(own + (left + middle + right), own + (far + middle + near), bonuses)


def _fives(
    bet: SideBet, cross: tuple[Ints, ...], own: tuple[Ints, ...], four: tuple[Ints, ...]
) -> tuple[Ints, ...]:
    """Return, for each choice of five of a side bet's cards, the sum of their keys."""
    cards = cross * bet.cross + own * bet.own + four * bet.bonus_cards
    whole = sum(cards[1:], cards[0])
    return tuple(sum((-card for card in out), whole) for out in combinations(cards, len(cards) - 5))


def _cut(rules: Rules, seats: Sequence[int], players: Sequence[str], uncut: CentsArray) -> CentsArray:
    """Apply the payout limit. It is one limit for each player over all their boxes, and wins count against it
    in the order of settlement (config/rules/RULES.md, Payout limit). `uncut`: payouts before the limit."""
    limit, payout = rules.pack.payout_limit.cents, uncut.copy()
    if limit is None:
        return payout
    who = sorted(set(players))
    owner = np.array([who.index(player) for player in players])
    limited = uncut[list(rules.limited)]
    won = np.stack([limited[:, owner == player].sum(axis=(0, 1)) for player in range(len(who))])
    reached = np.flatnonzero((won > limit).any(axis=0))
    if not reached.size:
        return payout
    left = np.full((len(who), reached.size), limit, dtype=np.int64)
    for slot in rules.order(seats):
        if slot.wager in rules.limited and WIN in slot.outcomes:
            cents = np.minimum(uncut[slot.wager, slot.box, reached], left[owner[slot.box]])
            payout[slot.wager, slot.box, reached] = cents
            left[owner[slot.box]] -= cents
    return payout
