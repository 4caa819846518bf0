"""Corrections: what a floorperson signs with a name and a reason instead of its being mended.

A difference that is left lying is signed in its round; a mispay found later is signed on the closed round.
The round itself is never altered: a correction stands with its record wherever that is shown.
Source: contracts/command-line.md "Round record" (`corrections`: who, when and why).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.game.effects import CorrectRecord
from controller.game.events import FloorDecided, RoundCorrected
from controller.game.names import SEATS, Circle, Phase, Wager
from controller.game.record import as_entry
from controller.game.reports import IN_PLAY
from controller.game.rules import RulePack
from controller.game.settlement import pay_table
from controller.game.settling import DIFFERENCES
from controller.game.state import Alert, Context, Correction, TableState
from controller.game.turn import Turn
from controller.game.wagers import Refusal

MISPAID = "mispaid"
"""The code of what was found only later."""
SIGNABLE = (*DIFFERENCES, "bet_out_of_turn", "settled_out_of_order")
"""What may be signed instead of its being mended. A chip or a reader is not signed away."""


def signable(state: TableState) -> list[tuple[Alert, Circle]]:
    """The differences that wait for it, each with its circle."""
    if state.round is None or state.phase not in (*IN_PLAY, Phase.CLEARING):
        return []
    return [
        (alert, Circle(alert.seat, alert.wager))
        for alert in state.alerts
        if alert.code in SIGNABLE and alert.seat and alert.wager
    ]


def meant(event: FloorDecided, seat: int | None, wager: Wager | None) -> bool:
    """Whether a signature is for what waits there: for everything, a seat, or one circle."""
    return event.seat in (None, seat) and event.wager in (None, wager)


def closed_rounds(state: TableState) -> int:
    """How many rounds have their record: every one but that in play."""
    if state.round is None or state.phase is Phase.CLEARING:
        return state.next_round - 1
    return state.round.number - 1


def verify(state: TableState, context: Context, event: RoundCorrected) -> Refusal | None:
    """Whether this floorperson may correct that wager of that round, with that sum, for that reason."""
    if not context.knows(event.badge):
        return Refusal("unknown_badge", "")
    if not 1 <= event.round <= closed_rounds(state):
        return Refusal("round_not_closed", "", {"number": event.round})
    if event.seat not in SEATS or event.wager not in context.offered():
        return Refusal("seat_not_in_round", "")
    if not event.cents:
        return Refusal("nothing_to_correct", "")
    if not event.reason.strip():
        return Refusal("reason_needed", "")
    if state.round is None or event.round != state.round.number:
        return None  # `verify_record` knows the rounds before
    seat = state.round.seats.get(event.seat)
    return _verify_stake(context.pack, seat.wagers if seat else {}, event)


def verify_record(pack: RulePack, record: Mapping[str, Any], event: RoundCorrected) -> Refusal | None:
    """The same of a round of which only the record is left: a wager that it had, and no more than that could
    move, with all that was corrected there before."""
    wagers = {
        Wager(name): entry["amount"]
        for seat in record["seats"] if seat["seat"] == event.seat
        for name, entry in seat["wagers"].items()
    }  # fmt: skip
    before = sum(
        entry["cents"]
        for entry in record["corrections"]
        if (entry["seat"], entry["wager"]) == (event.seat, event.wager)
    )
    return _verify_stake(pack, wagers, event, before)


def _verify_stake(
    pack: RulePack, wagers: Mapping[Wager, int], event: RoundCorrected, before: int = 0
) -> Refusal | None:
    stake = wagers.get(event.wager)
    if stake is None:
        return Refusal("wager_not_in_round", "")
    most = at_stake(pack, event.wager, stake)
    return Refusal("beyond_the_stake", "", {"most": most}) if abs(event.cents + before) > most else None


def at_stake(pack: RulePack, wager: Wager, amount: int) -> int:
    """The most that can have gone wrong at a wager: itself and its highest payout."""
    odds = (each for each in pay_table(pack, wager).values() if each != "push")
    return amount * (1 + max(odds, default=0))


def correct(turn: Turn, event: RoundCorrected) -> None:
    """An entry of its own in the journal, which the readers of the round put beside it."""
    entry = Correction(
        MISPAID, event.seat, event.wager, event.cents, event.badge, turn.context.utc, event.reason
    )
    turn.effects.append(CorrectRecord(event.round, as_entry(entry)))


def sign_difference(turn: Turn, alert: Alert, circle: Circle, event: FloorDecided) -> None:
    """A difference stays as it lies. Where its round has its record already, it is a correction of that."""
    lies = turn.state.amount(*circle)
    cents = lies - (alert.should or 0) if alert.code in DIFFERENCES else 0
    entry = Correction(
        alert.code, circle.seat, circle.wager, cents, event.badge, turn.context.utc, event.reason
    )
    turn.set_round(signed_off=turn.round.signed_off | {circle: lies})
    if turn.state.phase is Phase.CLEARING:
        turn.effects.append(CorrectRecord(turn.round.number, as_entry(entry)))
    else:
        turn.set_round(corrections=(*turn.round.corrections, entry))
