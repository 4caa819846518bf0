"""Side bets by their nature, from the entries of `Wager` (names.py); a new one is added there."""

from __future__ import annotations

from collections.abc import Mapping

from controller.game.model.names import SideBet, Wager

SIDE_BETS: Mapping[Wager, SideBet] = {wager: wager.side_bet for wager in Wager if wager.side_bet}
BONUSES = tuple(SIDE_BETS)
COMMUNITY_BETS = frozenset(wager for wager, bet in SIDE_BETS.items() if not bet.own)
"""Side bets on which no seat's own cards have an effect."""
TWINS: Mapping[Wager, Wager] = {wager: Wager(bet.equals) for wager, bet in SIDE_BETS.items() if bet.equals}
"""Wager that each side bet has to equal if the pack requires it."""
