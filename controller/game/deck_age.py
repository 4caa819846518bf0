"""How old the deck is: when its change is announced, and from when on no round begins with it.

Only questions on the state and the table's clock, which no clock on a wall can move. Source:
58 Pa. Code § 674a.3(c), RULES.md "The deal".
"""

from __future__ import annotations

from controller.game.state import Context, TableState


def _due_at(state: TableState, context: Context) -> int | None:
    """When the deck has been in play for as long as it may (58 Pa. Code § 674a.3(c)), in ms; None where no
    limit is set or no deck counts its time."""
    minutes = context.pack.deck_minutes.get(state.method)
    return None if minutes is None or state.deck.since is None else state.deck.since + minutes * 60_000


def _notice_at(due: int, context: Context) -> int:
    return due - context.settings.deck_notice_minutes * 60_000


def change_due(state: TableState, context: Context) -> bool:
    """Whether the deck has been in play for as long as it may."""
    due = _due_at(state, context)
    return due is not None and context.ms >= due


def change_near(state: TableState, context: Context) -> bool:
    """Whether the change is due, or will be so soon that it is announced."""
    due = _due_at(state, context)
    return due is not None and context.ms >= _notice_at(due, context)


def change_deadline(state: TableState, context: Context) -> int | None:
    """When the change is to be announced or becomes due (ms), None where it is due already or no limit is
    set."""
    due = _due_at(state, context)
    if due is None or context.ms >= due:
        return None
    notice = _notice_at(due, context)
    return notice if context.ms < notice else due
