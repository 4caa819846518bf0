"""Events that no prompt asked for: time, the controller's own trouble, a device's event out of its phase,
FLOOR."""

from __future__ import annotations

from controller.game.model.events import (
    Event,
    KeyPressed,
    StackCompleted,
    StackTaken,
    StubTaken,
    TimePassed,
    TroubleReported,
)
from controller.game.model.evolve import evolve
from controller.game.model.irregularities import Code
from controller.game.model.names import Key
from controller.game.model.state import Context, TableState
from controller.game.model.transition import Transition
from controller.game.phases import identity, shoe_trust
from controller.game.rulebook.wagers import Refusal


def time_passed(_play: Transition, _event: TimePassed) -> None:
    """A deadline came; what follows from the time is worked out after every event."""


def reported(play: Transition, event: TroubleReported) -> None:
    """The controller's own trouble is announced like any other."""
    if event.code is Code.SHOE_TAMPERED:
        shoe_trust.tampered(play)
    elif event.code is Code.SHOE_UNPROVEN:
        shoe_trust.unproven(play)
    elif event.cleared:
        play.clear_alert(event.code)
    else:
        play.alert(event.code, noted=False)


def unexpected(play: Transition, event: Event) -> None:
    """A device sent what has no place in this phase: an alert, noted in the round."""
    if isinstance(event, StackCompleted | StackTaken | StubTaken):
        play.alert(Code.SHOE_FAULT)


def verify_call(state: TableState, _context: Context) -> Refusal | None:
    """Refuse FLOOR while a call stands. Waits of people must not matter here: the view shows which keys are
    lit, and a wait tells which badges exist."""
    return Refusal("floor_called", "") if state.floor_called else None


def lets_in(state: TableState, context: Context, event: KeyPressed) -> bool:
    """Return whether FLOOR on the table itself is taken although a call stands: it ends the waits that
    run."""
    return event.key is Key.FLOOR and not event.screen and identity.held_up(state, context.ms)


def call_floor(play: Transition, event: KeyPressed) -> None:
    """FLOOR calls a floorperson. On the table itself a hand pressed it, and who waits is let in."""
    if not event.screen:
        identity.let_in(play)
    play.state = evolve(play.state, floor_called=True)
