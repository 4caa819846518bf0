"""Held play and void rounds: the floorperson decides, every wager goes back.

Nothing a dealer, player or plug does moves a held table. "Void" returns every wager of every seat,
folded seats' included; what was collected comes back out of the tray. Source: RULES.md "Irregularities".
"""

from __future__ import annotations

from dataclasses import replace

from controller.game import betting, settling
from controller.game.effects import WriteRecord
from controller.game.events import FloorDecided, KeyPressed
from controller.game.irregularities import FORFEIT
from controller.game.names import SEATS, Circle, Phase, Wager
from controller.game.record import round_record
from controller.game.rules import Outcome
from controller.game.shoe import NO_DEAL_YET
from controller.game.state import Context, Hold, Round, SeatState, TableState, VoidRuling
from controller.game.turn import Turn
from controller.game.wagers import Refusal

# ------------------------------------------------------------------ the decision


def chosen(hold: Hold, event: FloorDecided) -> str | None:
    """The outcome that a decision means, None where it is none that is offered."""
    if event.decision == "approve":
        return hold.proposed if hold.proposed else None
    if event.decision == "forfeit":
        return FORFEIT if FORFEIT in hold.outcomes else None
    if event.decision == "refuse":
        return Outcome.GO_ON if Outcome.GO_ON in hold.outcomes else None
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
            correct_card(turn, hold)
        _go_on(turn)


def _go_on(turn: Turn) -> None:
    if turn.state.phase is Phase.DEALING:
        turn.set_round(progress=turn.context.ms)
        turn.set_shoe(lost_at=None)
        if turn.state.shoe.up:
            turn.command("RELEASE")


def forfeit(turn: Turn, seat: int | None, code: str) -> None:
    """All wagers of the seat are taken (Maryland 11.A(5); 58 Pa. Code § 674a.7(b))."""
    if seat is None or seat not in turn.round.seats:
        return
    turn.set_seat(seat, forfeited=(turn.state.phase, code))
    if turn.state.phase is Phase.SETTLEMENT:
        settling.replan(turn)


def correct_card(turn: Turn, hold: Hold) -> None:
    """What lies there is not what the screen showed: swap or replace, then settle anew."""
    cards = dict(turn.round.cards)
    if hold.swap is not None:
        first, second = hold.swap
        cards[first], cards[second] = cards[second], cards[first]
    elif hold.place is not None and hold.face is not None:
        other = next((p for p, dealt in cards.items() if dealt.face == hold.face and p != hold.place), None)
        if other is not None:
            cards[hold.place], cards[other] = cards[other], cards[hold.place]
        else:
            cards[hold.place] = replace(cards[hold.place], face=hold.face, entered=True)
    turn.set_round(cards=cards)
    if turn.state.phase is Phase.SETTLEMENT:
        settling.replan(turn)


# ------------------------------------------------------------------ void


def _void(turn: Turn, hold: Hold, badge: str, *, remove: bool) -> None:
    if hold.phase in NO_DEAL_YET:
        _no_round(turn, remove)
        return
    if turn.state.round is None:
        betting.begin_round(turn, betting.seats_with_antes(turn))
    turn.set_round(void=VoidRuling(hold.code, hold.citation, badge, remove))
    turn.set(undo=None, signatures=())
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
            box = round_.seats.get(seat)
            unseen = not holding.readable and box is not None and wager in box.wagers
            if unseen and (seat, wager) not in round_.signed_off and wager not in owed(round_, seat):
                return Circle(seat, wager)
    return None


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
    if circle is not None and state.holding(*circle).readable:
        return Refusal("chips_still_there", "")
    return None


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
    removed = ruling is not None and ruling.remove_deck
    turn.set_deck(
        after="removed" if removed else "reshuffled", last_back=turn.state.deck.back,
        rounds_since_count=turn.state.deck.rounds_since_count + 1, shuffle_commanded=False,
    )  # fmt: skip
    if turn.state.deck.after == "reshuffled" and turn.round.out:
        turn.set_shoe(ready=False)
    turn.effects.append(WriteRecord(round_record(turn.state, turn.context)))
    turn.set(undo=None)
    turn.enter(Phase.CLEARING)
