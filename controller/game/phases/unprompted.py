"""Events that answer no prompt: time that has passed, faults of the controller itself, an unexpected event
of a device in a wrong phase, a call for a floorperson by the key FLOOR.
"""

from __future__ import annotations

from controller.game.model import events
from controller.game.model.evolve import evolve
from controller.game.model.irregularities import Code
from controller.game.model.names import Key
from controller.game.model.state import Context, TableState
from controller.game.model.transition import Transition
from controller.game.phases import lockout, shoe_trust
from controller.game.rulebook.wagers import Refusal


def time_passed(_play: Transition, _event: events.TimePassed) -> None:
    """Do nothing: the event only moves the table's clock, and what follows from the time is computed after
    every event."""


def trouble_reported(play: Transition, event: events.TroubleReported) -> None:
    """Raise the alert about a trouble of the controller, or clear it if the trouble is over."""
    if event.code is Code.SHOE_TAMPERED:
        shoe_trust.tampered(play)
    elif event.code is Code.SHOE_UNPROVEN:
        shoe_trust.unproven(play)
    elif event.cleared:
        play.clear_alert(event.code)
    else:
        play.alert(event.code, noted=False)


def unexpected(play: Transition, event: events.Event) -> None:
    """Raise an alert, noted in the round, for a device's event that the present phase does not allow."""
    if isinstance(event, events.StackCompleted | events.StackTaken | events.StubTaken):
        play.alert(Code.SHOE_FAULT)


def verify_call(state: TableState, _context: Context) -> Refusal | None:
    """Return the refusal of FLOOR while a call is open, else None. Waiting times of people must not matter
    here: the view shows which keys are lit, and a waiting time would reveal which badges exist."""
    return Refusal("floor_called", "") if state.floor_called else None


def ends_waits(state: TableState, context: Context, event: events.KeyPressed) -> bool:
    """Return whether FLOOR on the table itself is accepted although a call is open: it ends current waiting
    times."""
    return event.key is Key.FLOOR and not event.screen and lockout.is_anyone_waiting(state, context.ms)


def call_floor(play: Transition, event: events.KeyPressed) -> None:
    """Call a floorperson. A press on the table itself, which needs a hand, also ends all waiting times."""
    if not event.screen:
        lockout.end_waits(play)
    play.state = evolve(play.state, floor_called=True)
