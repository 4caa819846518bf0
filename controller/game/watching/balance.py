"""The books balance after every event, or play is held with the circle that does not."""

from __future__ import annotations

from controller.game.model.irregularities import Code
from controller.game.model.names import IN_PLAY
from controller.game.model.transition import Transition


def check(play: Transition) -> None:
    """Each row adds up to nothing, and holds what its reader sees."""
    round_ = play.state.round
    if round_ is None or play.state.stands not in IN_PLAY:
        return
    for circle in round_.ledger.circles():
        row, holding = round_.ledger.row(circle), play.state.holding(*circle)
        if row.sum or (holding.readable and holding.amount != row.circle):
            play.hold(Code.UNBALANCED, seat=circle.seat, wager=circle.wager)
            return
