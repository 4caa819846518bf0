"""The rest of the state table: time, a new start, undo, the keys of the deal, what comes unasked.

Small handlers that belong to no single phase; none of them decides a rule.
"""

from __future__ import annotations

from dataclasses import replace

from controller.game import dealing, deck, watch
from controller.game.betting import WAGER_CODES
from controller.game.deal import deals_stacks
from controller.game.decisions import DECISIONS, change_of_mind
from controller.game.events import (
    CircleRead,
    Event,
    KeyPressed,
    StackCompleted,
    StackTaken,
    Started,
    StubTaken,
    TimePassed,
    TroubleReported,
)  # fmt: skip
from controller.game.names import SEATS, Method, Phase, Wager
from controller.game.shoe import phase_of
from controller.game.state import Context, Dealt, Holding, TableState
from controller.game.turn import Turn
from controller.game.wagers import Refusal

START_GRACE_MS = 3_000
"""A shoe has this long after a start to answer before the deal is held."""


# ------------------------------------------------------------------ circles, time, start


def circle_read(turn: Turn, event: CircleRead) -> None:
    """A stable reading. Chips taken make the last key final; chips laid may be a change of mind."""
    before = turn.state.amount(event.seat, event.wager)
    watch.read(turn, event)
    after = turn.state.amount(event.seat, event.wager)
    if after < before and turn.state.undo is not None and turn.state.phase is not Phase.BETTING:
        turn.set(undo=None)
    if turn.state.phase in DECISIONS:
        change_of_mind(turn, event.seat, event.wager, after > before)


def time_passed(turn: Turn, _event: TimePassed) -> None:
    """A deadline came; `advance` and `review` look at the time themselves."""
    deck.check_age(turn)


def started(turn: Turn, event: Started) -> None:
    """The daemon is new: nothing has been read yet, and no link is up."""
    fitted = set(event.fitted)
    holdings = {
        seat: {wager: _unread(turn.state.holding(seat, wager), (seat, wager) in fitted) for wager in Wager}
        for seat in SEATS
    }
    since = turn.context.ms + START_GRACE_MS
    turn.set(holdings=holdings, suspects={})
    turn.set_shoe(up=False, lost_at=since)


def _unread(known: Holding, fitted: bool) -> Holding:
    if fitted:
        return Holding(since=known.since)
    return Holding(reading="not_fitted", entered=known.entered, since=known.since)


def reported(turn: Turn, event: TroubleReported) -> None:
    """The controller's own trouble is said like any other."""
    if event.cleared:
        turn.clear_alert(event.code)
    else:
        turn.alert(event.code, noted=False)


def unexpected(turn: Turn, event: Event) -> None:
    """A device said what has no place in this phase: it is told, and the round notes it."""
    if isinstance(event, StackCompleted | StackTaken | StubTaken):
        turn.alert("shoe_fault")


# ------------------------------------------------------------------ stacks while held


def stack_held(turn: Turn, event: StackCompleted) -> None:
    if phase_of(turn) is Phase.DEALING:
        dealing.stack(turn, event)


def taken_held(turn: Turn, event: StackTaken) -> None:
    if phase_of(turn) is Phase.DEALING:
        dealing.taken(turn, event)


def stub_held(turn: Turn, event: StubTaken) -> None:
    if phase_of(turn) is Phase.DEALING:
        dealing.stub(turn, event)


# ------------------------------------------------------------------ CONFIRM in the deal


def verify_deal(state: TableState, context: Context) -> Refusal | None:
    """CONFIRM in the deal: all of it from the hand, the stub where no shoe tells, the permission."""
    round_ = state.round
    if round_ is None:
        return Refusal("not_now", "")
    if dealing.current(round_) is not None:
        return None if state.method is Method.HAND else Refusal("shoe_deals", "")
    if not round_.stub_out:
        told = deals_stacks(context.pack.deals[state.method]) and not round_.stub_by_hand
        return Refusal("take_the_stub", "") if told else None
    return None if context.pack.permit_touch and not round_.permitted else Refusal("not_now", "")


def confirm_deal(turn: Turn, _event: KeyPressed) -> None:
    round_ = turn.round
    if dealing.current(round_) is not None:
        places = [place for step in round_.steps for place in step.places]
        cards = {place: Dealt(number) for number, place in enumerate(places, 1)}
        turn.set_round(cards=cards, step=len(round_.steps))
        turn.set(undo=None)
    elif not round_.stub_out:
        turn.set_round(stub_out=True)
    else:
        turn.set_round(permitted=True)


# ------------------------------------------------------------------ UNDO and FLOOR


def verify_undo(state: TableState, _context: Context) -> Refusal | None:
    return None if state.undo is not None else Refusal("nothing_to_undo", "")


def undo(turn: Turn, _event: KeyPressed) -> None:
    """Take back the last key; what went wrong meanwhile stays written down."""
    last = turn.state.undo
    if last is None:
        return
    round_ = last.round
    if round_ is not None and turn.state.round is not None:
        round_ = replace(round_, irregularities=turn.round.irregularities)
    turn.set(phase=last.phase, round=round_, closing=last.closing, undo=None)
    if last.phase is Phase.BETTING:
        turn.set(sweep_since=None, swept=False)
        for alert in turn.state.alerts:
            if alert.code in WAGER_CODES:
                turn.clear_alert(alert.code, alert.seat, alert.wager)


def call_floor(turn: Turn, _event: KeyPressed) -> None:
    """FLOOR calls a floorperson; pressed again it takes the call back."""
    turn.set(floor_called=not turn.state.floor_called)
