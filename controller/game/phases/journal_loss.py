"""Loss of the last rows of the journal: the table is in an earlier state than the felt.

A technician has confirmed that the table continues without those rows (`crisscross journal shortened`). Play
is held at the start, and a floorperson compares the felt with the screen and decides. No other event must
ever end the hold: without a decision it is raised again.
"""

from __future__ import annotations

from controller.game.model.evolve import evolve
from controller.game.model.irregularities import Code, Outcome
from controller.game.model.names import IN_PLAY, Phase
from controller.game.model.rules import Ruling
from controller.game.model.state import Hold
from controller.game.model.transition import Transition

UNDECIDED = Ruling(Outcome.FLOOR, "house procedure")
"""Ruling without a proposed outcome: only a person who compares the felt can decide."""


def check_shortened(play: Transition) -> None:
    """Hold play after each event until the loss is decided. In a void round, whose wagers are being returned
    anyway, the hold follows after the round."""
    state = play.state
    waiting = (state.hold, *state.held_next)
    if not state.rows_gone or state.play_phase is Phase.VOID:
        return
    if any(held is not None and held.code is Code.JOURNAL_SHORTENED for held in waiting):
        return
    if state.play_phase in IN_PLAY:
        play.hold(Code.JOURNAL_SHORTENED, UNDECIDED)
    else:
        play.hold(Code.JOURNAL_SHORTENED, proposed=Outcome.GO_ON, outcomes=(Outcome.GO_ON,))


def decided(play: Transition, hold: Hold) -> None:
    if hold.code is Code.JOURNAL_SHORTENED:
        play.state = evolve(play.state, rows_gone=0)
