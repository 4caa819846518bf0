"""The side bets by what they are: read off the entries of `Wager` (names.py), where a new one is added."""

from __future__ import annotations

from collections.abc import Mapping

from controller.game.model.names import SideBet, Wager

SIDE_BETS: Mapping[Wager, SideBet] = {wager: wager.side_bet for wager in Wager if wager.side_bet}
BONUSES = tuple(SIDE_BETS)
COMMUNITY_BETS = frozenset(wager for wager, bet in SIDE_BETS.items() if not bet.own)
"""No seat's own cards decide these."""
TWINS: Mapping[Wager, Wager] = {wager: Wager(bet.equals) for wager, bet in SIDE_BETS.items() if bet.equals}
"""The wager that a side bet has to equal where the pack asks for it."""
