"""The side bets: what makes the hand of each, and which wager it has to equal.

Whether one is offered, its limits and its odds are the rule pack's: a side bet `x` is paid by the pack's
`x_pays`. Sources: 58 Pa. Code § 674a.2(b)(4), .7(d), .11(h)(5); House rules, Six Card Bonus.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from controller.game.model.names import Wager


@dataclass(frozen=True, slots=True)
class SideBet:
    """The best five of these cards decide it; it is settled when all of them lie face up."""

    cross: bool = False
    """The five cards of the cross."""
    own: bool = False
    """The seat's two cards."""
    bonus_cards: bool = False
    """The bonus cards."""
    equals: Wager | None = None
    """The wager that it has to equal where the pack asks for it."""


SIDE_BETS: Mapping[Wager, SideBet] = {
    Wager.FIVE_CARD_BONUS: SideBet(cross=True),
    Wager.SIX_CARD_BONUS: SideBet(own=True, bonus_cards=True, equals=Wager.FIVE_CARD_BONUS),
}

BONUSES = tuple(SIDE_BETS)
COMMUNITY_BETS = frozenset(wager for wager, bet in SIDE_BETS.items() if not bet.own)
"""No seat's own cards decide these."""
