"""Corrections: differences that a floorperson signs with name and reason instead of having them corrected.

A difference in the circles is signed in its round; a mispay found later is signed on the closed round. A
round never changes: its corrections are shown with its record everywhere. Source: controller/COMMANDS.md
"Round record" (`corrections`: who, when and why).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from controller.game.books import dues, movements, named_chips, unproven_chips
from controller.game.model.effects import CorrectRecord
from controller.game.model.events import FloorDecided, RoundCorrected
from controller.game.model.evolve import evolve
from controller.game.model.irregularities import MONEY, Code
from controller.game.model.ledger import Account, Signed
from controller.game.model.names import AFTER_CLOSE, SEATS, Circle, Phase, Wager
from controller.game.model.record import NamedCorrection, record_subject
from controller.game.model.round import Round
from controller.game.model.rules import RulePack
from controller.game.model.state import Context, Signature, TableSettings, TableState
from controller.game.model.transition import Transition
from controller.game.phases import missing_chips, settlement, voiding
from controller.game.phases.record import as_entry, correction
from controller.game.rulebook.settlement_plan import pay_table
from controller.game.rulebook.wagers import Refusal

WAGER_FIRST: Final = 2
"""First revision of `PROCEDURES` in which signed chips of another wager fill a missing wager before they
count as the house's.
"""
MISPAID: Final = "mispaid"
"""Code of a mispay found after the round."""


def signable(state: TableState) -> list[tuple[Code, Circle]]:
    """Return the items that may be signed now: open differences, chips that failed their proof, and money
    that the prompt asks for."""
    if state.round is None:
        return []
    if state.phase is Phase.VOID:
        return [(Code.NOT_RETURNED, circle) for circle in voiding.to_sign(state)]
    if state.phase not in AFTER_CLOSE:
        return []
    stand = [
        (alert.code, alert.circle)
        for alert in state.alerts
        if alert.circle and unproven_chips.awaits_ruling(state, alert.code)
    ]
    return stand + _asked_for(state, {circle for _, circle in stand})


def without_alert(items: Collection[tuple[Code, Circle]]) -> list[Signature]:
    """Return the items among `items` for which no alert is open: money that the prompt asks a player to
    return."""
    return [Signature(code, *circle) for code, circle in items if code is Code.NOT_RETURNED]


def _asked_for(state: TableState, named: Collection[Circle]) -> list[tuple[Code, Circle]]:
    circle = missing_chips.asked_back(state)
    return [] if circle is None or circle in named else [(Code.NOT_RETURNED, circle)]


def answerable(state: TableState, circle: Circle, holder: str) -> bool:
    """Return whether a floorperson may answer that ``player`` or ``house`` has the chips missing from a
    circle. In a void round the player may also be named if the round would refund money that the player
    already has."""
    if state.phase is Phase.VOID and holder == "player" and state.procedures:
        return voiding.owed_cents(state, circle) > 0 or missing_chips.missing_cents(state, circle) > 0
    return missing_chips.missing_cents(state, circle) > 0


def covers(event: FloorDecided, seat: int | None, wager: Wager | None) -> bool:
    """Return whether a signature covers an item: it names no seat or that seat, and no circle or that
    circle."""
    return event.seat in (None, seat) and event.wager in (None, wager)


def closed_rounds(state: TableState) -> int:
    """Return the number of rounds with a record: all except the one in play."""
    if state.round is None or state.phase is Phase.CLEARING:
        return state.next_round - 1
    return state.round.number - 1


def verify(state: TableState, context: Context, event: RoundCorrected) -> Refusal | None:
    """Return why a floorperson may not make this correction, or None."""
    if not context.may_decide(event.badge):
        return Refusal("unknown_badge", "")
    if not 1 <= event.round <= closed_rounds(state):
        return Refusal("round_not_closed", "", {"number": event.round})
    if event.seat not in SEATS or event.wager not in context.offered():
        return Refusal("seat_not_in_round", "")
    if not event.cents:
        return Refusal("nothing_to_correct", "")
    if not event.reason.strip():
        return Refusal("reason_needed", "")
    if refusal := _verify_limit(context.settings, abs(event.cents)):
        return refusal
    if state.round is None or event.round != state.round.number:
        return None  # `verify_record` checks earlier rounds by their record
    seat = state.round.seats.get(event.seat)
    return _verify_stake(context.pack, seat.wagers if seat else {}, event)


def verify_record(
    pack: RulePack, settings: TableSettings, record: Mapping[str, Any], event: RoundCorrected
) -> Refusal | None:
    """Return why a correction does not fit the record of its round, or None.

    The round must have had the wager. The sum, with earlier corrections, must not exceed the amount that the
    wager could move, nor the limit per round. A correction made on a screen must name the corrections that
    the record had then.
    """
    if event.about not in (None, record_subject(record)):
        return Refusal("already_corrected", "")
    found_later = (entry["cents"] for entry in record["corrections"] if entry["code"] == MISPAID)
    if refusal := _verify_limit(settings, abs(event.cents) + sum(map(abs, found_later))):
        return refusal
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


def _verify_limit(settings: TableSettings, cents: int) -> Refusal | None:
    most = settings.correction_limit
    return Refusal("beyond_the_limit", "", {"most": most}) if most is not None and cents > most else None


def _verify_stake(
    pack: RulePack, wagers: Mapping[Wager, int], event: RoundCorrected, before: int = 0
) -> Refusal | None:
    stake = wagers.get(event.wager)
    if stake is None:
        return Refusal("wager_not_in_round", "")
    most = at_stake(pack, event.wager, stake)
    return Refusal("beyond_the_stake", "", {"most": most}) if abs(event.cents + before) > most else None


def at_stake(pack: RulePack, wager: Wager, amount: int) -> int:
    """Return the largest possible error on a wager of `amount` cents: the wager itself plus its highest
    payout."""
    odds = (each for each in pay_table(pack, wager).values() if each != "push")
    return amount * (1 + max(odds, default=0))


def correct(play: Transition, event: RoundCorrected) -> None:
    """Emit the correction as a separate journal entry, which every reader shows with the round."""
    play.effects.append(CorrectRecord(event.round, entry_of(event, play.context.utc)))


def entry_of(event: RoundCorrected, utc: str) -> NamedCorrection:
    """Return the correction as an entry for the round's record. `utc`: time of the signature."""
    circle = Circle(event.seat, event.wager)
    return correction(MISPAID, circle, event.cents, event.badge, utc, event.reason)


# ------------------------------------------------------------------ signatures


def sign(play: Transition, event: FloorDecided) -> None:
    """Sign differences unchanged, each with name, reason and amount, and chips that failed their proof."""
    for code, circle in signable(play.state):
        if not covers(event, *circle):
            continue
        if play.state.phase is Phase.VOID and _names_holder(play.state, circle, event.holder):
            _answer_in_void(play, circle, event)
        elif code is Code.CHIP_UNPROVEN:
            _let_stand(play, circle, event)
        else:
            _sign(play, code, circle, event)


def _names_holder(state: TableState, circle: Circle, holder: str) -> bool:
    """Return whether a signature in a void round names the holder of missing chips, rather than leaving an
    amount unpaid."""
    if not state.procedures:
        return False
    return answerable(state, circle, holder) if holder else missing_chips.missing_cents(state, circle) > 0


def _answer_in_void(play: Transition, circle: Circle, event: FloorDecided) -> None:
    """Post a floorperson's answer about who has the missing chips of a circle in a void round. The refund
    depends on the answer (58 Pa. Code § 674a.13). The signature itself covers no amount."""
    round_, seat, wager = play.round, circle.seat, circle.wager
    stood = [e.code for e in round_.irregularities if (e.seat, e.wager) == circle and e.code.kind.money]
    voiding.answer(play, circle, event.holder or "player")
    signed = Signed(
        stood[-1] if stood else Code.NOT_RETURNED, seat, wager, 0, 0, 0,
        event.badge, play.context.utc, event.reason,
    )  # fmt: skip
    play.round = evolve(play.round, ledger=play.round.ledger.sign(signed))


def _let_stand(play: Transition, circle: Circle, event: FloorDecided) -> None:
    badge, reason = event.badge, event.reason
    signed = Signed(Code.CHIP_UNPROVEN, *circle, 0, 0, 0, badge, play.context.utc, reason)
    unproven_chips.let_stand(play, circle, signed)
    _correct_ended(play)


def _correct_ended(play: Transition) -> None:
    """Add the last signature to the record of the round if that is written already."""
    if play.state.phase is Phase.CLEARING:
        entry = as_entry(play.round, play.round.ledger.signed[-1])
        play.effects.append(CorrectRecord(play.round.number, entry))


def _sign(play: Transition, code: Code, circle: Circle, event: FloorDecided) -> None:
    due = settlement.due_step(play.state)
    alert = play.find_alert(code, *circle)
    _explain(play, code, circle, event.holder)
    signed = Signed(
        code, *circle, *_signed_amounts(play.state, play.round, code, circle),
        event.badge, play.context.utc, event.reason, alert.name if alert else "",
    )  # fmt: skip
    play.round = evolve(play.round, ledger=play.round.ledger.sign(signed))
    named_chips.sign(play, circle)
    play.clear_alerts_at(circle, MONEY)
    _correct_ended(play)
    if code is Code.NOT_RETURNED:
        play.note(code, circle.seat, circle.wager, resolved=True)
    if due is not None and (due.seat, due.wager) == circle and settlement.is_carried_out(play.round, due):
        settlement.settle(play, due, "said")


def _explain(play: Transition, code: Code, circle: Circle, holder: str) -> None:
    """Post a floorperson's answer about who has the missing chips of a circle, and give the circle's
    unexplained chips an owner: the house if it was named or the code says so, else the player."""
    if holder:
        missing_chips.answer(play, circle, holder)
    row = play.round.ledger.row(circle)
    house = holder == "house" or (not holder and code.kind.signed == "house")
    to = Account.TRAY if house else Account.PLAYER
    movements.post_report(play, circle, Account.UNEXPLAINED, to, row.unexplained, "signed")
    back = _put_back(play, circle)
    movements.post_report(play, circle, Account.PLAYER, Account.UNEXPLAINED, back, "signed")
    movements.post_report(play, circle, Account.TRAY, Account.UNEXPLAINED, -row.unexplained - back, "signed")
    if row.borrowed:
        movements.accept_borrowed(play, circle)


def _put_back(play: Transition, circle: Circle) -> int:
    """Return the cents in this circle that came from another wager but fill up missing chips of the player's
    wager. They count as the wager, so the house has given nothing for them. Only what exceeds the wager is
    the house's."""
    if play.state.procedures < WAGER_FIRST:
        return 0
    row = play.round.ledger.row(circle)
    lacks = dues.wager_at(play.round, circle) + row.player - row.stake
    return max(0, min(lacks, -row.unexplained))


def _signed_amounts(state: TableState, round_: Round, code: Code, circle: Circle) -> tuple[int, int, int]:
    """Return the three amounts, in cents, that a signature on a circle covers: the part of the counting wager
    that the player keeps; the amount that the player has beyond the settlement; the part of the wager that
    the tray has before it is lost."""
    row = round_.ledger.row(circle)
    if state.phase is Phase.VOID:
        return 0, row.player - row.house, 0
    where, step = dues.stage(state, circle)
    stake, untouched = -dues.excess(round_, circle), round_.ledger.row(circle).goal(0)
    goal = dues.tray_goal(round_, circle, where, step) or 0
    lies = where in ("none", "rest", "later")
    due = step is not None and step.verb != "take" and where == "open"
    if lies or (due and code.kind.signed != "ends"):
        # cents that are in the tray already count towards the settlement
        part = not (where == "none" or step is None) and min(0, goal) <= row.tray <= max(0, goal)
        more = 0 if part else row.tray - untouched
        return stake, max(0, -more), max(0, more)
    too_much = row.tray > goal and (step is None or step.verb == "take")
    left = code.kind.signed == "ends" or where == "done" or too_much
    return stake, goal - row.tray - (max(stake, 0) if goal > 0 else 0) if left else 0, 0
