"""One alert if no reader answers, in place of one per circle: the supply or the hub has failed.

Readers that fail together are noticed one after another, in the order of polling. The alert about a lost
reader waits until no further reader has been lost for the usual waiting time, but at most twice that time.
This module must never delay an alert on a circle that can be read.
"""

from __future__ import annotations

from controller.game.model.evolve import evolve
from controller.game.model.irregularities import Code
from controller.game.model.state import TableState
from controller.game.model.transition import Transition
from controller.game.phases import settlement

ANSWERS = ("ok", "unstable")


def none_answers(state: TableState) -> bool:
    """Return whether every fitted reader is silent, with at least two fitted."""
    fitted = [
        held.reading
        for row in state.holdings.values()
        for held in row.values()
        if held.reading != "not_fitted"
    ]
    return len(fitted) > 1 and all(reading == "silent" for reading in fitted)


def alert_at(state: TableState, since: int, code: Code) -> int:
    """Return the time at which a difference becomes an alert, in ms of the table clock. `since`: time at
    which it was first seen; `code`: its code, which sets the waiting time."""
    delay_ms = code.kind.watched_ms or 0
    if code is not Code.READER_LOST:
        return since + delay_ms
    gone = [at for at, other in state.suspects.values() if other is code]
    return min(max((since, *gone)), since + delay_ms) + delay_ms


def deadline(state: TableState) -> int | None:
    """Return the time in ms at which the next suspicion becomes an alert."""
    return min((alert_at(state, since, code) for since, code in settlement.unannounced(state)), default=None)


def raise_common_alert(play: Transition) -> None:
    """Raise one READERS_LOST alert in place of one per circle."""
    play.alert(Code.READERS_LOST)
    play.clear_alerts((Code.READER_LOST,))


def clear_common_alert(play: Transition) -> None:
    """Clear READERS_LOST once a reader answers; for each reader that does not, the waiting time starts
    again."""
    state = play.state
    if play.find_alert(Code.READERS_LOST) is None:
        return
    if not any(held.reading in ANSWERS for row in state.holdings.values() for held in row.values()):
        return
    play.clear_alert(Code.READERS_LOST)
    now = play.context.ms
    waits = {
        key: (now if code is Code.READER_LOST else since, code)
        for key, (since, code) in state.suspects.items()
    }
    play.state = evolve(play.state, suspects=waits)
