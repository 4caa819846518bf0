"""The end of the journal is lost: the table stands where it stood so many rows before, and the felt does not.

Somebody said that the table goes on without those rows (`crisscross journal shortened`). It starts held, and
a floorperson compares what lies there and decides. It must never be taken for done by anything else: what
nobody has decided on is held again.
"""

from __future__ import annotations

from controller.game.model.evolve import evolve
from controller.game.model.irregularities import Code, Outcome
from controller.game.model.names import IN_PLAY, Phase
from controller.game.model.rules import Ruling
from controller.game.model.state import Hold
from controller.game.model.transition import Transition

UNDECIDED = Ruling(Outcome.FLOOR, "house procedure")
"""No outcome is proposed: only a person who compares the felt can know."""


def check(play: Transition) -> None:
    """After each event. In a void every wager goes back already: it is held after it."""
    state = play.state
    waiting = (state.hold, *state.held_next)
    if not state.rows_gone or state.stands is Phase.VOID:
        return
    if any(held is not None and held.code is Code.JOURNAL_SHORTENED for held in waiting):
        return
    if state.stands in IN_PLAY:
        play.hold(Code.JOURNAL_SHORTENED, UNDECIDED)
    else:
        play.hold(Code.JOURNAL_SHORTENED, proposed=Outcome.GO_ON, outcomes=(Outcome.GO_ON,))


def decided(play: Transition, hold: Hold) -> None:
    if hold.code is Code.JOURNAL_SHORTENED:
        play.state = evolve(play.state, rows_gone=0)
