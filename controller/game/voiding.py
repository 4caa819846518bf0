"""Held play and void rounds: the floorperson decides, every wager goes back.

Nothing a dealer, player or plug does moves a held table. "Void" returns every wager of every seat,
folded seats' included; what was collected comes back out of the tray. Source: RULES.md "Irregularities".
"""

from __future__ import annotations

from controller.game import betting, deck, patrons, reports, settling
from controller.game.dealing import STALL_MS
from controller.game.effects import WriteRecord
from controller.game.events import FloorDecided, KeyPressed
from controller.game.irregularities import FORFEIT
from controller.game.names import SEATS, Circle, Method, Phase, Wager
from controller.game.record import round_record
from controller.game.rules import Outcome
from controller.game.shoe import NO_DEAL_YET
from controller.game.state import Context, Hold, Holding, Round, SeatState, TableState, VoidRuling
from controller.game.turn import Turn
from controller.game.wagers import Refusal

# ------------------------------------------------------------------ the decision


def chosen(hold: Hold, event: FloorDecided) -> str | None:
    """The outcome that a decision means, None where it is none that is offered."""
    if event.decision == "approve":
        return hold.proposed
    if event.decision == "forfeit":
        own = event.seat in (None, hold.seat)
        return FORFEIT if own and FORFEIT in hold.outcomes else None
    if event.decision == "refuse":
        return Outcome.GO_ON if hold.refusable else None
    if event.decision == "outcome" and event.outcome in hold.outcomes:
        return event.outcome
    return None


def verify_decision(state: TableState, _context: Context, event: FloorDecided) -> Refusal | None:
    """Only what is offered can be decided."""
    if state.hold is None:
        return Refusal("nothing_held", "")
    if chosen(state.hold, event) is None:
        offered = ", ".join(state.hold.outcomes)
        return Refusal("not_offered", state.hold.citation, {"offered": offered})
    return None


def decide(turn: Turn, event: FloorDecided) -> None:
    """The floorperson's decision on what is held; `held` is left here and nowhere else."""
    hold = turn.state.hold
    if hold is None:
        return
    outcome = chosen(hold, event)
    turn.set(hold=None, phase=hold.phase)
    turn.resolve(hold.code, hold.seat, hold.wager)
    if outcome in (Outcome.VOID, Outcome.REMOVE_DECK, Outcome.RESHUFFLE):
        _void(turn, hold, event.badge, remove=outcome == Outcome.REMOVE_DECK)
    else:
        if outcome == FORFEIT:
            forfeit(turn, event.seat or hold.seat, hold.code)
        elif hold.code == "card_differs" and event.decision == "approve":
            reports.correct_card(turn, hold)
        elif event.decision == "refuse" and hold.said:
            reports.not_so(turn, hold)
        _hold_next(turn)
        _go_on(turn)


def _hold_next(turn: Turn) -> None:
    """What came on top while play was held is decided now; not of a seat that has forfeited meanwhile."""
    while turn.state.held_next:
        hold, *rest = turn.state.held_next
        turn.set(held_next=tuple(rest))
        if hold.code in reports.PLAYERS and turn.seat(hold.seat or 0).forfeited:
            turn.resolve(hold.code, hold.seat)
            continue
        turn.set(hold=hold, phase=Phase.HELD)
        return


def _go_on(turn: Turn) -> None:
    """A link that is still down has this long again, then play is held once more. Before the close, a deck
    of which a card is out is put together and shuffled first."""
    if turn.state.phase is Phase.BETTING and turn.state.shoe.out and turn.state.method is not Method.HAND:
        turn.set_shoe(ready=False)
        turn.set_deck(shuffle_commanded=False, shuffle_refused=False)
        turn.enter(Phase.SHUFFLE)
    if turn.state.phase is not Phase.DEALING:
        return
    turn.set_round(progress=turn.context.ms)
    if turn.state.shoe.up:
        turn.command("RELEASE")
    else:
        turn.set_shoe(lost_at=turn.context.ms + STALL_MS)


def forfeit(turn: Turn, seat: int | None, code: str) -> None:
    """All wagers of the player that are not settled are taken, on every box that he plays (Maryland 11.A(5);
    58 Pa. Code § 674a.7(b))."""
    if seat is None or seat not in turn.round.seats:
        return
    turn.set(undo=None)
    for box in patrons.boxes_with(turn.round.seats, seat):
        if turn.seat(box).forfeited is None:
            turn.set_seat(box, forfeited=(turn.state.phase, code))
            turn.clear_alerts(settling.DIFFERENCES, box)
    if turn.state.phase is Phase.SETTLEMENT:
        settling.replan(turn)


# ------------------------------------------------------------------ void


def _void(turn: Turn, hold: Hold, badge: str, *, remove: bool) -> None:
    for other in turn.state.held_next:
        turn.resolve(other.code, other.seat, other.wager)
    turn.set(held_next=())
    if hold.phase in NO_DEAL_YET:
        _no_round(turn, remove)
        return
    if turn.state.round is None:
        betting.begin_round(turn, betting.seats_with_antes(turn))
    turn.set_round(void=VoidRuling(hold.code, hold.citation, badge, remove), signed_off={})
    turn.set(undo=None, signatures=())
    turn.clear_alerts((*settling.DIFFERENCES, *betting.WAGER_CODES, "stub_count_due"))
    # What the device holds is shuffled with what was dealt (58 Pa. Code § 674a.13(f)), also where no card
    # came out; a READY that comes from now on is another deck's.
    turn.set_shoe(ready=False)
    turn.enter(Phase.VOID)
    if hold.phase is Phase.DEALING and turn.state.shoe.up:
        turn.command("RELEASE")


def _no_round(turn: Turn, remove: bool) -> None:
    """Held between rounds: there is nothing to return, only the deck to see to."""
    turn.set_deck(after="removed" if remove else "reshuffled", shuffle_commanded=False)
    turn.set_shoe(ready=False)
    turn.enter(Phase.CLEARING)


def to_return(state: TableState) -> Circle | None:
    """The next circle that is not empty, seat 1 first; one that no reader reads until it is confirmed."""
    round_ = state.round
    if round_ is None:
        return None
    for seat in SEATS:
        for wager in Wager:
            holding = state.holding(seat, wager)
            if holding.readable and holding.chips:
                return Circle(seat, wager)
            if not holding.readable and _believed(round_, seat, wager, holding):
                return Circle(seat, wager)
    return None


def _believed(round_: Round, seat: int, wager: Wager, holding: Holding) -> bool:
    """Whether a wager must be thought to lie in a circle that cannot be read."""
    if (seat, wager) in round_.signed_off:
        return False
    box = round_.seats.get(seat)
    if box is not None and wager in box.wagers:
        return wager not in owed(round_, seat)
    return bool(holding.entered)


def owed(round_: Round, seat: int) -> dict[Wager, int]:
    """What the tray owes a seat: wagers that had been collected, by wager."""
    box = round_.seats.get(seat)
    if box is None:
        return {}
    taken = {wager: box.wagers[wager] for wager in box.collected}
    for (number, wager), done in round_.settled.items():
        if number == seat and done.step.verb == "take":
            taken[wager] = done.step.amount
    return taken


def to_refund(state: TableState) -> SeatState | None:
    """The next seat whose collected wagers come back out of the tray."""
    round_ = state.round
    if round_ is None:
        return None
    for number, seat in sorted(round_.seats.items()):
        if number not in round_.refunded and owed(round_, number):
            return seat
    return None


def verify_confirm(state: TableState, _context: Context) -> Refusal | None:
    circle = to_return(state)
    if circle is None:
        return None if to_refund(state) else Refusal("not_now", "")
    return None if state.holding(*circle).dead else Refusal("chips_still_there", "")


def confirm(turn: Turn, _event: KeyPressed) -> None:
    """CONFIRM: the unreadable circle was emptied, or the seat has its money back from the tray."""
    circle = to_return(turn.state)
    seat = to_refund(turn.state)
    if circle is not None:
        turn.set_round(signed_off=turn.round.signed_off | {circle: 0})
    elif seat is not None:
        turn.set_round(refunded=turn.round.refunded | {seat.seat})


def advance(turn: Turn) -> None:
    """A void round ends by itself when every circle is empty and every refund confirmed."""
    if to_return(turn.state) or to_refund(turn.state):
        return
    ruling = turn.round.void
    deck.played(turn, removed=ruling is not None and ruling.remove_deck)
    turn.effects.append(WriteRecord(round_record(turn.state, turn.context)))
    turn.set(undo=None)
    turn.enter(Phase.CLEARING)
