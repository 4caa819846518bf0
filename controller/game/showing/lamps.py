"""Lamp language in one table: the meaning, colour and rhythm of each lamp state.

The states can be distinguished by their rhythm alone, by colour-blind people or in coloured light: every
state that requires its own act has its own rhythm. The rhythms are those of navigation lights (IALA R1001,
characters of lights), which are made to be distinguished in the dark at a glance. Faults take precedence over
bets. A lamp must never show anything that the prompt does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from controller.game.books.dues import open_steps, uncollected
from controller.game.model.names import ANTES, PLAYING, SEATS, Circle, Phase
from controller.game.model.round import Round
from controller.game.model.state import Context, TableState
from controller.game.phases import betting, settlement, voiding
from controller.game.phases.decisions import DECISIONS, verify_bet


class LampState(StrEnum):
    """State of a lamp. controller/game/TABLE.md "The lamp language" shows each."""

    OFF = "off"
    OPEN = "open"
    ACCEPTED = "accepted"
    DEAL = "deal"
    CALL = "call"
    TAKE = "take"
    PUSH = "push"
    PAY = "pay"
    RETURN = "return"
    REFUSED = "refused"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Look:
    """Colour, rhythm and shape of a lamp state, and its meaning for the dealer."""

    colour: Literal["off", "green", "red", "amber"]
    rhythm: str
    shape: str
    """Shape on the screen, which has the meaning too, besides the rhythm."""
    meaning: str

    @property
    def light(self) -> str:
        """One period, a quarter of a second per character: ``#`` lit, ``.`` dark (`drivers.ports.Rhythm`)."""
        return RHYTHMS[self.rhythm]


RHYTHMS: Mapping[str, str] = {
    "steady": "#",  # F, fixed: in order
    "wink": "#.......",  # Fl: nearly dark, a wager may come here
    "even": "####....",  # Iso, 0.5 Hz: medium priority of IEC 60601-1-8 (0.4 to 0.8 Hz)
    "short-short": "#.#.....",  # Fl(2): only short ones, chips come to the dealer
    "long-short": "####.#....",  # Mo(N): a long one first, chips go to the player
    "long-long": "####.####.....",  # Mo(M): the same, with no chips of the house
    "dip": "#######.",  # Oc: lit but for a dip, the chips here stay
    "quick": "#.",  # VQ, 2 Hz: high priority of IEC 60601-1-8 (1.4 to 2.8 Hz), something is wrong
    "bursts": "#.#.#.#.#.......",  # IVQ: a fault of the table itself
}
"""Light of each rhythm. Every rhythm begins lit, is recognisable within 4 s, and flashes at most twice a
second (WCAG 2.3.1 allows three)."""

LANGUAGE: Mapping[LampState, Look] = {
    LampState.OFF: Look("off", "steady", "off", "nothing lies here, nothing is due"),
    LampState.OPEN: Look("amber", "wink", "open", "a wager may be laid here"),
    LampState.ACCEPTED: Look("green", "steady", "accepted", "a wager lies here and counts"),
    LampState.DEAL: Look("amber", "even", "cards", "this seat is dealt to now"),
    LampState.CALL: Look("amber", "even", "call", "this player is asked for this bet"),
    LampState.TAKE: Look("red", "short-short", "take", "take this wager now"),
    LampState.PUSH: Look("amber", "dip", "push", "push: leave this wager now"),
    LampState.PAY: Look("green", "long-short", "pay", "pay this wager now"),
    LampState.RETURN: Look("green", "long-long", "give", "give this wager back now"),
    LampState.REFUSED: Look("red", "quick", "refused", "what lies here does not fit: see the screen"),
    LampState.FAULT: Look("amber", "bursts", "fault", "this circle cannot be read"),
}

SETTLING = frozenset({LampState.TAKE, LampState.PUSH, LampState.PAY})
"""States of a circle that is being settled; on the screen they fill the whole circle."""

_VERB = {"take": LampState.TAKE, "push": LampState.PUSH, "pay": LampState.PAY}


def lamp_states(state: TableState, context: Context) -> dict[Circle, LampState]:
    """Return the lamp state of every circle; a missing circle is dark."""
    lamps: dict[Circle, LampState] = {}
    faults: dict[Circle, LampState] = {}
    for seat, row in state.holdings.items():
        for wager, holding in row.items():
            if holding.amount:
                lamps[Circle(seat, wager)] = LampState.ACCEPTED
            if holding.reading in ("silent", "unstable"):
                faults[Circle(seat, wager)] = LampState.FAULT
    if state.phase is Phase.BETTING:
        _before_close(state, context, lamps)
    elif state.round is not None:
        _what_is_due(state, state.round, context, lamps)
    for alert in state.alerts:
        if alert.seat is not None and alert.wager is not None:
            lamps[Circle(alert.seat, alert.wager)] = LampState.REFUSED
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
    elif step := settlement.due_step(state):
        again = round_.ledger.row(step.circle).settled is not None
        takes = again and settlement.to_take(round_, step)
        lamps[step.circle] = LampState.TAKE if takes else _VERB[step.verb]
        lamps |= {push.circle: LampState.PUSH for push in settlement.pushes_of_hand(state, round_)[1:]}
    elif state.phase is Phase.VOID and (back := voiding.to_return(state)):
        lamps[back] = LampState.RETURN if voiding.players_part(round_, back) else LampState.TAKE


def _decisions(state: TableState, round_: Round, context: Context, lamps: dict[Circle, LampState]) -> None:
    """Add the lamps of the current bet: one seat is called, and the seats after it may place theirs
    already."""
    wager = DECISIONS[state.phase].wager
    for seat in round_.playing():
        if wager in seat.wagers:
            continue
        called, circle = seat.seat == round_.decisions.asked, Circle(seat.seat, wager)
        if called and round_.decisions.folding:
            lamps[circle] = LampState.CALL
        elif state.amount(*circle):
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
