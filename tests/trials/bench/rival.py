"""The same amount of poker played by pokerkit, for comparison with a good general game engine.

A fixed-limit stud hand with six players, antes and two cards each. Five cards in the middle are turned in
steps of two, two and one, and all players call in three rounds of betting: 17 cards and 18 decisions, like a
Criss-Cross round without folds. All automations are on. The project itself does not use pokerkit.
"""

from __future__ import annotations

import time

from pokerkit import Automation, BettingStructure, Deck, Mode, Opening, State, Street
from pokerkit.hands import StandardHighHand

PLAYERS = 6
STREETS = (
    Street(False, (False, False), 2, False, Opening.POSITION, 2, 4),
    Street(False, (), 2, False, Opening.POSITION, 2, 4),
    Street(False, (), 1, False, Opening.POSITION, 2, 4),
)


def hand() -> State:
    """Play one hand to the showdown and return its final state."""
    state = State(
        tuple(Automation), Deck.STANDARD, (StandardHighHand,), STREETS, BettingStructure.FIXED_LIMIT,
        True, (1,) * PLAYERS, (0,) * PLAYERS, 0, (100,) * PLAYERS, PLAYERS, mode=Mode.CASH_GAME,
    )  # fmt: skip
    while state.status:
        if state.can_complete_bet_or_raise_to() and not any(state.bets):
            state.complete_bet_or_raise_to()
        else:
            state.check_or_call()
    return state


def cards_dealt(state: State) -> int:
    """Return the number of cards that have been dealt from the deck."""
    return len(Deck.STANDARD) - len(tuple(state.deck_cards))


def measure(rounds: int) -> float:
    """Play `rounds` hands after three to warm up; return hands per second."""
    for _ in range(3):
        hand()
    began = time.perf_counter()
    for _ in range(rounds):
        hand()
    return round(rounds / (time.perf_counter() - began), 1)
