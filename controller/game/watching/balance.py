"""Check after every event that the books balance; play is held with the first circle that does not.

Only changed rows are added up: those of a seat that was read or entered, and all of them when the phase
changes.
"""

from __future__ import annotations

from controller.game.model.irregularities import Code
from controller.game.model.names import IN_PLAY, Circle
from controller.game.model.round import Round
from controller.game.model.state import EMPTY, TableState
from controller.game.model.transition import Transition


def hold_unbalanced(play: Transition, before: TableState) -> None:
    """Hold play if the accounts of a circle do not add up to zero or differ from the reading of the circle.
    Only circles that changed since `before` are checked."""
    state = play.state
    round_ = state.round
    if round_ is None or state.play_phase not in IN_PLAY:
        return
    wrong = [circle for seat in _changed(state, before, round_) for circle in _wrong(state, round_, seat)]
    if wrong:
        first = next(circle for circle in round_.ledger.circles() if circle in wrong)
        play.hold(Code.UNBALANCED, seat=first.seat, wager=first.wager)


def _changed(state: TableState, before: TableState, round_: Round) -> list[int]:
    """Return the seats whose accounts or readings have changed since `before`; all seats after a change of
    phase."""
    rows, held = round_.ledger.rows, state.holdings
    if before.round is None or state.phase is not before.phase:
        return list(rows)
    rows_then, held_then = before.round.ledger.rows, before.holdings
    if rows is rows_then and held is held_then:
        return []
    return [
        seat
        for seat in rows
        if rows[seat] is not rows_then.get(seat) or held.get(seat) is not held_then.get(seat)
    ]


def _wrong(state: TableState, round_: Round, seat: int) -> list[Circle]:
    held = state.holdings.get(seat, {})
    return [
        Circle(seat, wager)
        for wager, row in round_.ledger.rows[seat].items()
        if row.sum or ((holding := held.get(wager, EMPTY)).readable and holding.amount != row.circle)
    ]
