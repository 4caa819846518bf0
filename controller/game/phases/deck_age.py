"""Age of the deck: when a new deck is required, when its change is announced, and the number of rounds
after which the dealer must count down the stub.

No round may begin with a deck when a new one is required. Pure queries on the state and the table's clock,
which does not depend on the wall clock. Source: 58 Pa. Code § 674a.3(c), config/rules/RULES.md "The deal".
"""

from __future__ import annotations

from controller.game.model.names import Method
from controller.game.model.state import Context, TableState


def _due_at(state: TableState, context: Context) -> int | None:
    """Return the time in ms at which the change of the deck is due (58 Pa. Code § 674a.3(c)); None if no
    limit is set or no deck is timed."""
    minutes = context.pack.deck_minutes.get(state.method)
    return None if minutes is None or state.deck.since is None else state.deck.since + minutes * 60_000


def _notice_at(due: int, context: Context) -> int:
    return due - context.settings.deck_notice_minutes * 60_000


def change_due(state: TableState, context: Context) -> bool:
    """Return whether a new deck is required: the change of the deck is due."""
    due = _due_at(state, context)
    return due is not None and context.ms >= due


def change_near(state: TableState, context: Context) -> bool:
    """Return whether the change is due or has to be announced."""
    due = _due_at(state, context)
    return due is not None and context.ms >= _notice_at(due, context)


def change_deadline(state: TableState, context: Context) -> int | None:
    """Return the time at which the change is announced or becomes due (ms); None if it is due already or no
    limit is set."""
    due = _due_at(state, context)
    if due is None or context.ms >= due:
        return None
    notice = _notice_at(due, context)
    return notice if context.ms < notice else due


def deck_name(state: TableState, context: Context) -> str:
    """Return a name for the deck in play: its back. If no device reports it, two decks are named by the
    parity of the round, because they play strictly in turn (58 Pa. Code § 674a.3(b))."""
    shoe_knows = state.method is not Method.HAND and state.shoe.back is not None
    if context.settings.decks == 1 or shoe_knows:
        return state.deck.back or ""
    number = state.round.number if state.round is not None else state.next_round
    return "even" if number % 2 == 0 else "odd"


def rounds_uncounted(state: TableState, context: Context) -> int:
    """Return the number of rounds since any stub was counted, or since the stub of the deck in play was
    counted, whichever is larger (58 Pa. Code § 674a.8(f), .9(d), .10(d))."""
    deck = state.deck
    return max(deck.rounds_since_count, deck.uncounted.get(deck_name(state, context), 0))
