"""The lamp language, one table: what each lamp state means, its colour and its rhythm.

Readable by rhythm alone: steady means fine, slow means act here, fast means wrong. Faults win over
bets. Colours and rhythms after IEC 60601-1-8. A lamp never shows anything that the prompt does not say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from controller.game import betting, dealing, settling, voiding
from controller.game.decisions import DECISIONS, uncollected, verify_bet
from controller.game.names import ANTES, SEATS, Circle, Phase
from controller.game.state import Context, Round, TableState


class LampState(StrEnum):
    OFF = "off"
    BET = "bet"
    DEAL = "deal"
    ASK = "ask"
    TAKE = "take"
    PUSH = "push"
    PAY = "pay"
    RETURN = "return"
    REFUSED = "refused"
    ALERT = "alert"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Look:
    """How a lamp state looks, and what it tells the dealer."""

    colour: Literal["off", "green", "red", "amber"]
    rhythm: Literal["steady", "slow", "fast"]
    meaning: str


LANGUAGE: Mapping[LampState, Look] = {
    LampState.OFF: Look("off", "steady", "nothing lies here, nothing is due"),
    LampState.BET: Look("green", "steady", "a wager lies here and counts"),
    LampState.DEAL: Look("amber", "slow", "this seat is dealt to now"),
    LampState.ASK: Look("amber", "slow", "this player is asked for this bet"),
    LampState.TAKE: Look("red", "slow", "take this wager now"),
    LampState.PUSH: Look("amber", "steady", "push: leave this wager now"),
    LampState.PAY: Look("green", "slow", "pay this wager now"),
    LampState.RETURN: Look("green", "slow", "give this wager back now"),
    LampState.REFUSED: Look("red", "fast", "what lies here does not fit"),
    LampState.ALERT: Look("red", "fast", "something is wrong here: see the screen"),
    LampState.FAULT: Look("amber", "fast", "this circle cannot be read"),
}

_VERB = {"take": LampState.TAKE, "push": LampState.PUSH, "pay": LampState.PAY}

COLLECTING = (*DECISIONS, Phase.SETTLEMENT)


def lamp_states(state: TableState, context: Context) -> dict[Circle, LampState]:
    """Every circle's lamp; a circle that is not in the answer is dark."""
    lamps: dict[Circle, LampState] = {}
    for seat in SEATS:
        row = state.holdings.get(seat)
        if row is None:
            continue
        for wager, holding in row.items():
            if holding.amount:
                lamps[Circle(seat, wager)] = LampState.BET
    _what_is_due(state, context, lamps)
    for alert in state.alerts:
        if alert.seat is not None and alert.wager is not None:
            lamps[Circle(alert.seat, alert.wager)] = LampState.ALERT
    _refused(state, context, lamps)
    for seat, row in state.holdings.items():
        for wager, holding in row.items():
            if holding.reading in ("silent", "unstable"):
                lamps[Circle(seat, wager)] = LampState.FAULT
    return lamps


def _what_is_due(state: TableState, context: Context, lamps: dict[Circle, LampState]) -> None:
    round_ = state.round
    if round_ is None:
        return
    if state.phase is Phase.DEALING:
        delivery = dealing.current(round_)
        if delivery is not None and delivery.seat is not None:
            lamps |= {Circle(delivery.seat, ante): LampState.DEAL for ante in ANTES}
    elif state.phase in DECISIONS:
        asked = _asked(state, round_)
        if asked is not None:
            bet = not round_.folding and verify_bet(state, context, asked.seat) is None
            lamps[asked] = LampState.BET if bet else LampState.ASK
            return
    if state.phase in COLLECTING and (taken := uncollected(round_)) and round_.asked is None:
        lamps[taken] = LampState.TAKE
    elif state.phase is Phase.SETTLEMENT and (step := settling.due_step(state)):
        lamps[Circle(step.seat, step.wager)] = _VERB[step.verb]
    elif state.phase is Phase.VOID and (back := voiding.to_return(state)):
        lamps[back] = LampState.RETURN


def _asked(state: TableState, round_: Round) -> Circle | None:
    if round_.asked is None:
        return None
    return Circle(round_.asked, DECISIONS[state.phase].wager)


def _refused(state: TableState, context: Context, lamps: dict[Circle, LampState]) -> None:
    """Wagers that do not fit: before the close all of them, then the bet of the seat that is asked."""
    if state.phase is Phase.BETTING:
        for seat in SEATS:
            for wager in betting.refusals(state, context, seat):
                lamps[Circle(seat, wager)] = LampState.REFUSED
    elif state.phase in DECISIONS and state.round is not None:
        asked = _asked(state, state.round)
        laid = asked is not None and not state.round.folding and state.amount(*asked)
        if asked is not None and laid and verify_bet(state, context, asked.seat) is not None:
            lamps[asked] = LampState.REFUSED


def due_circles(state: TableState, context: Context) -> tuple[Circle, ...]:
    """The circles to read first: where something is due, and what may be laid there beforehand."""
    round_ = state.round
    if state.phase is Phase.BETTING and state.closing:
        return tuple(Circle(s, w) for s in SEATS for w in betting.refusals(state, context, s))
    if round_ is None:
        return ()
    if state.phase in COLLECTING and round_.asked is None and (taken := uncollected(round_)):
        return (taken,)
    if state.phase in DECISIONS:
        wager = DECISIONS[state.phase].wager
        if not round_.decided:
            waiting = [seat.seat for seat in round_.playing() if wager not in seat.wagers]
            return tuple(Circle(seat, wager) for seat in waiting)
        return ()
    if state.phase is Phase.SETTLEMENT:
        return tuple(Circle(step.seat, step.wager) for step in settling.open_steps(round_))
    if state.phase is Phase.VOID and (back := voiding.to_return(state)):
        return (back,)
    return ()
