"""Answer "on my way", by which a floorperson (supervisor) acknowledges a call or a hold.

The answer is shown and journalled and does not affect play: phase, hold, call, lamps and records stay
unchanged. It names one call or hold by its kind and its starting time in UTC, which a pit receives as the
time of the event. An answer must never exist longer than its call or hold, nor end a hold.
"""

from __future__ import annotations

from collections.abc import Iterator

from controller.game.model.events import FloorOnTheWay
from controller.game.model.evolve import evolve
from controller.game.model.state import Context, OnTheWay, TableState
from controller.game.model.transition import Transition
from controller.game.rulebook.wagers import Refusal

CALL = "call"
_SINCE_PROCEDURES = 2
"""First revision of `PROCEDURES` that dates calls and holds."""


def subjects(state: TableState) -> Iterator[str]:
    """Yield the subjects of all holds, in the order of their decisions, then the subject of the call."""
    yield from (f"{name.partition(' ')[0]} {utc}" for name, utc in state.wanted.items())


def with_times(state: TableState, utc: str) -> TableState:
    """Return the state with the starting time of each call and hold, and without an answer to one that is
    over. For journals older than this procedure the state is returned unchanged, so that a replay gives the
    states that were played."""
    if state.procedures < _SINCE_PROCEDURES:
        return state
    wanted = {name: state.wanted.get(name, utc) for name in _standing(state)}
    if list(wanted.items()) != list(state.wanted.items()):
        state = evolve(state, wanted=wanted)
    if state.on_the_way is not None and state.on_the_way.about not in subjects(state):
        state = evolve(state, on_the_way=None)
    return state


def _standing(state: TableState) -> Iterator[str]:
    for hold in (state.hold, *state.held_next):
        if hold is not None:
            yield f"hold {hold.id} {hold.code}"
    if state.floor_called:
        yield CALL


def verify(state: TableState, context: Context, event: FloorOnTheWay) -> Refusal | None:
    """Return why a floorperson's answer "on my way" is refused, or None: the call or hold has an answer
    already, or the badge may not decide here. Its subject was checked before (`subjects.py`)."""
    if not event.pit and not context.may_decide(event.badge):
        return Refusal("unknown_badge", "")
    return Refusal("on_the_way", "") if state.on_the_way is not None else None


def record_answer(play: Transition, event: FloorOnTheWay) -> None:
    """Record that this floorperson is on the way to the call or hold that the event names."""
    play.state = evolve(
        play.state, on_the_way=OnTheWay(event.about, play.context.utc, event.badge, event.pit)
    )
