"""How old the deck is: when its change is announced, and from when on no round begins with it.

Only questions on the state and the table's clock, which no clock on a wall can move. Source:
58 Pa. Code § 674a.3(c), RULES.md "The deal".
"""

from __future__ import annotations

from controller.game.names import Method
from controller.game.state import Context, TableState


def age_limit_ms(context: Context, method: Method) -> int | None:
    """How long a deck may be in play (58 Pa. Code § 674a.3(c)), in ms."""
    minutes = context.pack.deck_minutes.get(method)
    return None if minutes is None else minutes * 60_000


def change_due(state: TableState, context: Context) -> bool:
    """Whether the deck has been in play for as long as it may."""
    limit = age_limit_ms(context, state.method)
    return limit is not None and state.deck.since is not None and context.ms - state.deck.since >= limit


def change_near(state: TableState, context: Context) -> bool:
    """Whether the change is due, or will be so soon that it is announced."""
    limit, since = age_limit_ms(context, state.method), state.deck.since
    return limit is not None and since is not None and context.ms - since >= limit - _notice_ms(context)


def _notice_ms(context: Context) -> int:
    return context.settings.deck_notice_minutes * 60_000


def change_deadline(state: TableState, context: Context) -> int | None:
    """When the change is to be announced or becomes due (ms), None where it is due already or no limit is
    set."""
    limit = age_limit_ms(context, state.method)
    if limit is None or state.deck.since is None or change_due(state, context):
        return None
    early = 0 if change_near(state, context) else _notice_ms(context)
    return state.deck.since + limit - early
