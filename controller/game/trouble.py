"""The rest of the state table: time, a new start, undo, the keys of the deal, what comes unasked.

Small handlers that belong to no single phase; none of them decides a rule.
"""

from __future__ import annotations

from controller.game.model.events import (
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
from controller.game.model.names import SEATS, Circle, Method, Phase, Wager
from controller.game.model.state import Context, Dealt, Holding, TableState
from controller.game.model.transition import Turn
from controller.game.phases import dealing, settlement
from controller.game.phases.betting import WAGER_CODES
from controller.game.phases.decisions import DECISIONS, PLAYING, change_of_mind
from controller.game.rulebook.deal import deals_stacks
from controller.game.rulebook.wagers import Refusal
from controller.game.watching import watch

BY_KEYS = ("seats", "asked", "folding", "decided", "turned", "plan", "cursor")
"""What a dealer's key changes in a round, and UNDO puts back."""

KEPT = (Phase.DEALING, *PLAYING)
"""Phases in which the books follow every circle."""

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


def time_passed(_turn: Turn, _event: TimePassed) -> None:
    """A deadline came; what follows from the time is looked at after every event."""


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
        return Holding()
    return Holding(reading="not_fitted", entered=known.entered)


def reported(turn: Turn, event: TroubleReported) -> None:
    """The controller's own trouble is said like any other."""
    if event.cleared:
        turn.clear_alert(event.code)
    else:
        turn.alert(event.code, noted=False)


def check_books(turn: Turn) -> None:
    """The books balance after every event, or play is held with the circle that does not: each row adds up to
    nothing, and holds what its reader sees."""
    round_ = turn.state.round
    if round_ is None or turn.state.stands not in KEPT:
        return
    for circle in round_.ledger.circles():
        row, holding = round_.ledger.row(circle), turn.state.holding(*circle)
        if row.sum or (holding.readable and holding.amount != row.circle):
            turn.hold("unbalanced", seat=circle.seat, wager=circle.wager)
            return


def unexpected(turn: Turn, event: Event) -> None:
    """A device said what has no place in this phase: it is told, and the round notes it."""
    if isinstance(event, StackCompleted | StackTaken | StubTaken):
        turn.alert("shoe_fault")


# ------------------------------------------------------------------ stacks while held


def stack_held(turn: Turn, event: StackCompleted) -> None:
    if turn.state.stands is Phase.DEALING:
        dealing.stack(turn, event)


def taken_held(turn: Turn, event: StackTaken) -> None:
    if turn.state.stands is Phase.DEALING:
        dealing.taken(turn, event)


def stub_held(turn: Turn, event: StubTaken) -> None:
    if turn.state.stands is Phase.DEALING:
        dealing.stub(turn, event)
    elif turn.state.stands in PLAYING:
        dealing.stub_late(turn, event)


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
    """A shoe that has been told to deal cannot be called back: from then on a card may be out."""
    told = state.phase is Phase.DEALING and state.round is not None and state.round.commanded
    return Refusal("nothing_to_undo", "") if state.undo is None or told else None


def undo(turn: Turn, _event: KeyPressed) -> None:
    """Take back the last key, and nothing else that has become true since."""
    last = turn.state.undo
    if last is None:
        return
    if last.phase is Phase.BETTING:
        _reopen_bets(turn)
    elif last.round is not None:
        turn.set_round(**{name: getattr(last.round, name) for name in BY_KEYS})
        if last.phase is Phase.SETTLEMENT and last.seat is not None and last.wager is not None:
            settlement.reopen(turn, Circle(last.seat, last.wager))
    turn.set(phase=last.phase, undo=None)


def _reopen_bets(turn: Turn) -> None:
    """NO MORE BETS is taken back: also where the round had begun, no card of it being out."""
    if turn.state.round is not None:
        number, early = turn.round.number, turn.round.irregularities
        turn.set(round=None, next_round=number, early=early)
    turn.set(sweep_since=None)
    turn.clear_alerts(WAGER_CODES)


def call_floor(turn: Turn, _event: KeyPressed) -> None:
    """FLOOR calls a floorperson; pressed again it takes the call back."""
    turn.set(floor_called=not turn.state.floor_called)
