"""UNDO: takes back the dealer's last key, and nothing else that has become true since."""

from __future__ import annotations

from controller.game.model.events import KeyPressed
from controller.game.model.evolve import evolve
from controller.game.model.irregularities import UNFIT
from controller.game.model.names import Circle, Phase
from controller.game.model.state import Context, Round, TableState
from controller.game.model.transition import Transition
from controller.game.phases import settlement
from controller.game.rulebook.wagers import Refusal


def verify(state: TableState, _context: Context) -> Refusal | None:
    """A shoe that has been told to deal cannot be called back: from then on a card may be out."""
    told = state.phase is Phase.DEALING and state.round is not None and state.round.commanded
    return Refusal("nothing_to_undo", "") if state.undo is None or told else None


def undo(play: Transition, _event: KeyPressed) -> None:
    """Take back the last key, and nothing else that has become true since."""
    last = play.state.undo
    if last is None:
        return
    if last.phase is Phase.BETTING:
        _reopen_bets(play)
    elif last.round is not None:
        play.round = _keyed(play.round, last.round)
        if last.phase is Phase.SETTLEMENT and last.seat is not None and last.wager is not None:
            settlement.reopen(play, Circle(last.seat, last.wager))
    play.state = evolve(play.state, phase=last.phase, undo=None)


def _reopen_bets(play: Transition) -> None:
    """NO MORE BETS is taken back: also where the round had begun, no card of it being out."""
    if play.state.round is not None:
        number, early = play.round.number, play.round.irregularities
        play.state = evolve(play.state, round=None, next_round=number, early=early)
    play.state = evolve(play.state, sweep_since=None)
    play.clear_alerts(UNFIT)


def _keyed(now: Round, before: Round) -> Round:
    """The round as it is, but for what a dealer's key changes: that is as it was before the key."""
    return evolve(
        now, seats=before.seats, asked=before.asked, folding=before.folding, decided=before.decided,
        turned=before.turned, plan=before.plan, cursor=before.cursor,
    )  # fmt: skip
