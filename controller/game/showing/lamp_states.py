"""Lamps of a state: the lamp state of every circle, and the circles to read first.

Faults have precedence over bets. A lamp must never show a state that the prompt does not name. `lamps.py` has
the meaning of each lamp state.
"""

from __future__ import annotations

from controller.game.books.dues import open_steps, uncollected
from controller.game.model.names import ANTES, CIRCLES, PLAYING, SEATS, Circle, Phase
from controller.game.model.round import Round
from controller.game.model.state import Context, TableState
from controller.game.phases import betting, payout_proofs, settlement, voiding
from controller.game.phases.decisions import DECISIONS, laid_cents, verify_bet
from controller.game.showing.lamps import LampState

_VERB = {"take": LampState.TAKE, "push": LampState.PUSH, "pay": LampState.PAY}


def lamp_states(state: TableState, context: Context) -> dict[Circle, LampState]:
    """Return the lamp state of every circle; a missing circle is dark."""
    lamps: dict[Circle, LampState] = {}
    faults: dict[Circle, LampState] = {}
    for seat, row in state.holdings.items():
        circles = CIRCLES[seat]
        for wager, holding in row.items():
            if holding.amount:
                lamps[circles[wager]] = LampState.ACCEPTED
            if holding.reading in ("silent", "unstable"):
                faults[circles[wager]] = LampState.FAULT
    if state.phase is Phase.BETTING:
        _before_close(state, context, lamps)
    elif state.round is not None:
        _what_is_due(state, state.round, context, lamps)
    for alert in state.alerts:
        if alert.circle is not None:
            lamps[alert.circle] = LampState.REFUSED
    return lamps | faults


def _before_close(state: TableState, context: Context, lamps: dict[Circle, LampState]) -> None:
    """Add the lamps before the close: antes are open to all seats, bonuses to seats with both antes; a
    wager that does not fit is refused."""
    for seat in SEATS:
        lies = betting.amounts_placed(state, seat, context.offered())
        refused = betting.refusals(state, context, seat)
        with_antes = all(ante in lies for ante in ANTES)
        for wager in (*ANTES, *context.pack.bonuses):
            if wager not in lies and not state.closing and (wager in ANTES or with_antes):
                lamps[Circle(seat, wager)] = LampState.OPEN
        late = betting.late_circles(state, context, seat)
        lamps |= {Circle(seat, wager): LampState.REFUSED for wager in (*refused, *late)}


def _what_is_due(state: TableState, round_: Round, context: Context, lamps: dict[Circle, LampState]) -> None:
    if state.phase is Phase.DEALING:
        delivery = round_.deal.delivery
        if delivery is not None and delivery.seat is not None:
            lamps |= {Circle(delivery.seat, ante): LampState.DEAL for ante in ANTES}
    elif state.phase in DECISIONS and not round_.decisions.decided:
        _decisions(state, round_, context, lamps)
    if state.phase in PLAYING and round_.decisions.asked is None and (taken := uncollected(round_)):
        lamps[taken] = LampState.TAKE
    elif (step := settlement.due_step(state)) and not payout_proofs.awaits(state, context, step):
        again = round_.ledger.row(step.circle).settled is not None
        takes = again and settlement.to_take(round_, step)
        lamps[step.circle] = LampState.TAKE if takes else _VERB[step.verb]
        lamps |= {push.circle: LampState.PUSH for push in settlement.pushes_of_hand(state, round_)[1:]}
    elif state.phase is Phase.VOID and (back := voiding.to_return(state)):
        lamps[back] = LampState.RETURN if voiding.players_part(round_, back) else LampState.TAKE


def _decisions(state: TableState, round_: Round, context: Context, lamps: dict[Circle, LampState]) -> None:
    """Add the lamps of the current bet: one seat is called, and the seats after it may already place their
    bets."""
    wager = DECISIONS[state.phase].wager
    for seat in round_.playing():
        if wager in seat.wagers:
            continue
        called, circle = seat.seat == round_.decisions.asked, Circle(seat.seat, wager)
        if called and round_.decisions.folding:
            lamps[circle] = LampState.CALL
        elif laid_cents(state, seat.seat):
            fits = verify_bet(state, context, seat.seat) is None
            lamps[circle] = LampState.ACCEPTED if fits else LampState.REFUSED
        else:
            lamps[circle] = LampState.CALL if called else LampState.OPEN


def due_circles(state: TableState, context: Context) -> tuple[Circle, ...]:
    """Return the circles to read first: those where a movement is due, or may be made in advance."""
    round_ = state.round
    if state.phase is Phase.BETTING and state.closing:
        return tuple(Circle(s, w) for s in SEATS for w in betting.refusals(state, context, s))
    if round_ is None:
        return ()
    if state.phase in PLAYING and round_.decisions.asked is None and (taken := uncollected(round_)):
        return (taken,)
    if state.phase in DECISIONS:
        wager = DECISIONS[state.phase].wager
        if not round_.decisions.decided:
            waiting = [seat.seat for seat in round_.playing() if wager not in seat.wagers]
            return tuple(Circle(seat, wager) for seat in waiting)
        return ()
    if state.phase is Phase.SETTLEMENT:
        return tuple(step.circle for step in open_steps(round_))
    if state.phase is Phase.VOID and (back := voiding.to_return(state)):
        return (back,)
    return ()
