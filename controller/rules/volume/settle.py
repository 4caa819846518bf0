"""The settlement of many rounds: outcome and payout of each wager, and the cut by a payout limit.

The same rules as in controller/game/rulebook/settlement_plan.py, in arrays; tests/volume/differential.py
compares both. Money is whole cents. Sources: 58 Pa. Code § 674a.11(h), .12; MGC § 10(h), 11; Md. 11.H-J,
12; House rules, Paying Out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from controller.game.model.names import Wager
from controller.rules.odds.hands import KEYS, Ints, classes
from controller.rules.volume.arrays import AT, WAGERS, Cents, Codes
from controller.rules.volume.deal import Dealt
from controller.rules.volume.rules import FORFEIT, IS_BONUS, LOSE, NONE, WIN, Rules


@dataclass(frozen=True, slots=True)
class Settled:
    """Results, all (wager, box, round). `outcome`: numbers as in rules.py. `uncut`: cents won before a
    payout limit, without the wager; `payout`: the same after it. `paid`, `taken`: (box, round), cents from
    and to the tray."""

    line: Codes
    outcome: Codes
    uncut: Cents
    payout: Cents
    paid: Cents
    taken: Cents


def settle(rules: Rules, dealt: Dealt, players: Sequence[str], wagers: Cents, folded: Codes) -> Settled:
    """Settle all wagers. Those of a folded seat are forfeit except its bonuses (58 Pa. Code § 674a.11(c))."""
    line = lines(dealt, wagers.shape)
    rows = np.arange(len(WAGERS))[:, None, None]
    gone = (folded != 0) & ~IS_BONUS[:, None, None]
    outcome = np.where(gone, np.int8(FORFEIT), rules.outcome[rows, line])
    outcome[wagers == 0] = NONE
    uncut = np.where(outcome == WIN, wagers * rules.odds[rows, line], 0)
    payout = _cut(rules, dealt.seats, players, uncut)
    taken = np.where((outcome == LOSE) | (outcome == FORFEIT), wagers, 0).sum(axis=0)
    return Settled(line, outcome, uncut, payout, payout.sum(axis=0), taken)


def lines(dealt: Dealt, shape: tuple[int, ...]) -> Codes:
    """Return the line of the hand that decides each wager, as an index in LINES: an ante has that of its
    bet, Middle that of the higher hand, which never has the lower line (58 Pa. Code § 674a.11(h)(4))."""
    found = np.zeros(shape, dtype=np.int8)
    sums = hand_keys(dealt)
    found[[AT[Wager.ANTE_ACROSS], AT[Wager.ACROSS]]] = across = classes(sums.across)
    found[[AT[Wager.ANTE_DOWN], AT[Wager.DOWN]]] = down = classes(sums.down)
    found[AT[Wager.MIDDLE]] = np.maximum(across, down)
    found[AT[Wager.FIVE_CARD_BONUS]] = classes(sums.five)
    if sums.six is not None:
        found[AT[Wager.SIX_CARD_BONUS]] = np.max([classes(five) for five in sums.six], axis=0)
    return found


@dataclass(frozen=True, slots=True)
class HandKeys:
    """Sums of five cards' keys (controller/rules/odds/hands.py), (box, round); `five` is (round). `six`: a
    sum for each of the six cards that may be left out (config/rules/RULES.md, Six Card Bonus)."""

    across: Ints
    down: Ints
    five: Ints
    six: tuple[Ints, ...] | None


def hand_keys(dealt: Dealt) -> HandKeys:
    cross, each = KEYS[dealt.cross], KEYS[dealt.hole]
    own = each[:, 0] + each[:, 1]
    far, left, middle, right, near = cross
    six: tuple[Ints, ...] | None = None
    if dealt.bonus is not None:
        four = KEYS[dealt.bonus]
        whole = own + four.sum(axis=0, dtype=np.int32)
        six = tuple(whole - card for card in (each[:, 0], each[:, 1], *four))
    return HandKeys(own + (left + middle + right), own + (far + middle + near), cross.sum(0, np.int32), six)


def _cut(rules: Rules, seats: Sequence[int], players: Sequence[str], uncut: Cents) -> Cents:
    """Return the payouts after the limit. The limit is per player over all their boxes, and wins count
    against it in the order of settlement (config/rules/RULES.md, Payout limit)."""
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
