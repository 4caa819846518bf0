"""UNDO: takes back a wrong press of a key by the dealer, the latest first. Changes made since by others
remain.

A handler marks its key as undoable (`Transition.keep_undo`). `is_final` decides which presses UNDO can take
back: after every event they all become final if play stopped, a card came out, a chip was collected or the
next step is done.
"""

from __future__ import annotations

from controller.game.books import dues
from controller.game.model.events import KeyPressed
from controller.game.model.evolve import evolve
from controller.game.model.irregularities import UNFIT
from controller.game.model.ledger import Account
from controller.game.model.names import IN_PLAY, Circle, Phase
from controller.game.model.plan import Step
from controller.game.model.round import Round
from controller.game.model.state import Context, TableState
from controller.game.model.transition import Transition
from controller.game.phases import settlement
from controller.game.rulebook.wagers import Refusal


def verify(state: TableState, _context: Context) -> Refusal | None:
    """Return the refusal of UNDO, or None. A DEAL command cannot be recalled: once it is sent, a card may
    be out."""
    commanded = state.phase is Phase.DEALING and state.round is not None and state.round.deal.commanded
    return Refusal("nothing_to_undo", "") if not state.undo or commanded else None


def undo(play: Transition, _event: KeyPressed) -> None:
    """Take back the last key press. Changes made since by others remain."""
    if not play.state.undo:
        return
    *earlier, last = play.state.undo
    if last.phase is Phase.BETTING:
        _reopen_bets(play)
    elif last.round is not None:
        play.round = _with_keys_restored(play.round, last.round)
        play.decisions = evolve(play.decisions, since=None)  # time no longer confirms it
        if last.phase is Phase.SETTLEMENT and last.seat is not None and last.wager is not None:
            settlement.reopen(play, Circle(last.seat, last.wager))
    play.enter(last.phase)
    play.state = evolve(play.state, undo=tuple(earlier))


def _reopen_bets(play: Transition) -> None:
    """Take back NO MORE BETS, even if the round has begun, as long as no card is out."""
    if play.state.round is not None:
        number, early = play.round.number, play.round.irregularities
        play.state = evolve(play.state, round=None, next_round=number, early=early)
    play.state = evolve(play.state, sweep_since=None)
    play.clear_alerts(UNFIT)


def _with_keys_restored(now: Round, before: Round) -> Round:
    """Return the present round with everything restored from `before` that a key of the dealer changes:
    seats, decisions, turned cards and settlement."""
    return evolve(
        now,
        seats=before.seats,
        turned=before.turned,
        decisions=before.decisions,
        settlement=before.settlement,
    )


# ------------------------------------------------------------------ final keys


def drop_final(play: Transition, before: TableState, acted: TableState) -> None:
    """Make all earlier key presses final if this event changed anything that UNDO cannot take back. `before`:
    state before the event. `acted`: state after the handler alone, used instead if the event itself was a key
    that may be undone, or UNDO."""
    keys = play.state.undo
    if keys and is_final(before if before.undo is keys else acted, play.state):
        play.state = evolve(play.state, undo=())


def is_final(before: TableState, after: TableState) -> bool:
    """Return whether the change from `before` to `after` makes earlier key presses final, so that UNDO cannot
    take them back.
    """
    if after.phase is Phase.BETTING:
        return not after.closing
    if after.phase not in IN_PLAY or after.round is None:
        return True
    if before.round is None:
        return False
    return any(changed(before.round, after.round) for changed in (_turned, _went_on, _taken))


def _turned(before: Round, after: Round) -> bool:
    """Return whether a card left the shoe, was placed or was turned."""
    out = before.deal.out != after.deal.out or len(before.cards) != len(after.cards)
    return out or (before.turned, before.settlement.shown) != (after.turned, after.settlement.shown)


def _went_on(before: Round, after: Round) -> bool:
    """Return whether play went on so far that earlier keys are final: a player forfeited, a settlement step
    other than a push was passed, or chips moved by a report."""
    passed = after.settlement.plan[before.settlement.cursor : after.settlement.cursor]
    return (
        any(seat.forfeited != before.seats[number].forfeited for number, seat in after.seats.items())
        or any(not isinstance(item, Step) or item.verb != "push" for item in passed)
        or any(e.evidence == "said" and e.cents for e in after.ledger.entries_since(before.ledger))
    )


def _taken(before: Round, after: Round) -> bool:
    """Return whether, by the ledger, chips of a counting wager have left its circle, including chips that are
    missing at the first reading after a start. A bet that is still being asked for is not a wager yet."""
    return any(
        entry.source is Account.CIRCLE
        and entry.cents
        and entry.evidence in ("read", "inferred")
        and dues.wager_at(after, Circle(entry.seat, entry.wager))
        for entry in after.ledger.entries_since(before.ledger)
    )
