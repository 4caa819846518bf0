"""Held play and void rounds: the floorperson decides, every wager goes back.

Nothing a dealer, player or plug does moves a held table. "Void" brings every party back to where it stood
before the round, as the ledger tells it: wagers back, folded seats' included, winnings asked for, what was
collected out of the tray. Source: config/rules/RULES.md "Irregularities".
"""

from __future__ import annotations

from controller.game.books import movements
from controller.game.model.effects import WriteRecord
from controller.game.model.events import FloorDecided, KeyPressed
from controller.game.model.irregularities import FORFEIT, MONEY
from controller.game.model.ledger import Account
from controller.game.model.names import SEATS, Circle, Method, Phase, Wager
from controller.game.model.rules import Outcome
from controller.game.model.state import Context, Hold, Round, TableState, VoidRuling
from controller.game.model.transition import Turn
from controller.game.phases import betting, dealing, deck, patrons, reports, settlement
from controller.game.phases.record import round_record
from controller.game.phases.shoe import NO_DEAL_YET
from controller.game.rulebook.wagers import Refusal

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
        turn.set_shoe(lost_at=turn.context.ms + dealing.STALL_MS)


def forfeit(turn: Turn, seat: int | None, code: str) -> None:
    """All wagers of the player that are not settled are taken, on every box that he plays (Maryland 11.A(5);
    58 Pa. Code § 674a.7(b))."""
    if seat is None or seat not in turn.round.seats:
        return
    turn.set(undo=None)
    for box in patrons.boxes_with(turn.round.seats, seat):
        if turn.seat(box).forfeited is None:
            turn.set_seat(box, forfeited=(turn.state.phase, code))
    if turn.state.phase is Phase.SETTLEMENT:
        settlement.replan(turn)


# ------------------------------------------------------------------ void


def _void(turn: Turn, hold: Hold, badge: str, *, remove: bool) -> None:
    """The round is void; whichever of the irregularities takes the deck off the table takes it. A misdeal and
    the stub that it explains are one (`dealing.rule_misdeal`)."""
    waiting = turn.state.held_next
    one = dealing.MISDEAL if hold.code in dealing.MISDEAL else ()
    remove = remove or any(h.proposed is Outcome.REMOVE_DECK for h in waiting if h.code not in one)
    for other in waiting:
        turn.resolve(other.code, other.seat, other.wager)
    turn.set(held_next=())
    if hold.phase in NO_DEAL_YET:
        _no_round(turn, remove)
        return
    if turn.state.round is None:
        betting.begin_round(turn, betting.seats_with_antes(turn))
    ledger = turn.round.ledger.annulled()
    turn.set_round(void=VoidRuling(hold.code, hold.citation, badge, remove), ledger=ledger)
    lay_down(turn)
    turn.set(undo=None, signatures=())
    # What the device holds is shuffled with what was dealt (58 Pa. Code § 674a.13(f)), also where no card
    # came out; a READY that comes from now on is another deck's.
    turn.set_shoe(ready=False)
    turn.enter(Phase.VOID)
    if hold.phase is Phase.DEALING and turn.state.shoe.up:
        turn.command("RELEASE")


def lay_down(turn: Turn) -> None:
    """What the money alerts of the round ask for is asked for by the void now; each is resolved when all
    the money is back."""
    asked = (*MONEY, *betting.WAGER_CODES, "stub_count_due")
    turn.set(alerts=tuple(alert for alert in turn.state.alerts if alert.code not in asked))


def _no_round(turn: Turn, remove: bool) -> None:
    """Held between rounds: there is nothing to return, only the deck to see to."""
    turn.set_deck(after="removed" if remove else "reshuffled", shuffle_commanded=False)
    turn.set_shoe(ready=False)
    turn.enter(Phase.CLEARING)


# ------------------------------------------------------------------ every party back to where it stood


def to_return(state: TableState) -> Circle | None:
    """The next circle that is not empty, seat 1 first; one that no reader reads until it is confirmed."""
    round_ = state.round
    if round_ is None:
        return None
    for seat in SEATS:
        for wager in Wager:
            holding, row = state.holding(seat, wager), round_.ledger.row(Circle(seat, wager))
            if holding.chips if holding.readable else row.circle:
                return Circle(seat, wager)
    return None


def players_part(round_: Round, circle: Circle) -> int:
    """Cents in a circle that go back to its player; the rest is what the tray laid."""
    row = round_.ledger.row(circle)
    return min(row.circle, max(0, row.house - row.player))


def to_ask(state: TableState) -> tuple[int, int] | None:
    """The next seat that has money of the tray's, and how much: it is asked back by name."""
    return _next_seat(state, 1)


def to_refund(state: TableState) -> tuple[int, int] | None:
    """The next seat whose money the tray has, or that left its circle unexplained, and how much."""
    return _next_seat(state, -1)


def _next_seat(state: TableState, sign: int) -> tuple[int, int] | None:
    if state.round is None:
        return None
    for seat in SEATS:
        if cents := sum(max(0, sign * beyond) for beyond in _beyond(state.round, seat).values()):
            return seat, cents
    return None


def _beyond(round_: Round, seat: int) -> dict[Wager, int]:
    """By circle, what the player has beyond what he had before the round, but for what is signed."""
    return {wager: row.player - row.house for wager, row in round_.ledger.of_seat(seat).items()}


def unreturned(state: TableState) -> list[Circle]:
    """Circles whose money is not back where it was, once all circles are empty."""
    if state.round is None or to_return(state) is not None:
        return []
    round_ = state.round
    return [c for c in round_.ledger.circles() if _beyond(round_, c.seat)[c.wager]]


def verify_confirm(state: TableState, _context: Context) -> Refusal | None:
    circle = to_return(state)
    if circle is None:
        return None if to_ask(state) or to_refund(state) else Refusal("not_now", "")
    return None if state.holding(*circle).dead else Refusal("chips_still_there", "")


def confirm(turn: Turn, _event: KeyPressed) -> None:
    """CONFIRM: the unreadable circle was emptied, the seat gave back what was asked of it, or it has its
    money back from the tray."""
    circle = to_return(turn.state)
    if circle is not None:
        _emptied(turn, circle)
    elif (asked := to_ask(turn.state)) is not None:
        _square(turn, asked[0], 1)
    elif (owed := to_refund(turn.state)) is not None:
        _square(turn, owed[0], -1)


def _emptied(turn: Turn, circle: Circle) -> None:
    part = players_part(turn.round, circle)
    movements.say(turn, circle, Account.CIRCLE, Account.PLAYER, part, "returned")
    left = turn.round.ledger.row(circle).circle
    movements.say(turn, circle, Account.CIRCLE, Account.TRAY, left, "taken back")


def _square(turn: Turn, seat: int, sign: int) -> None:
    """What a seat was asked for, or is refunded, has changed hands."""
    for wager, beyond in _beyond(turn.round, seat).items():
        circle, cents = Circle(seat, wager), max(0, sign * beyond)
        if sign > 0:
            movements.say(turn, circle, Account.PLAYER, Account.TRAY, cents, "had back")
            continue
        lost = min(cents, max(0, turn.round.ledger.row(circle).unexplained))
        movements.say(turn, circle, Account.UNEXPLAINED, Account.PLAYER, lost, "refunded")
        movements.say(turn, circle, Account.TRAY, Account.PLAYER, cents - lost, "refunded")


def advance(turn: Turn) -> None:
    """A void round ends by itself when every circle is empty and every party has what it had."""
    if to_return(turn.state) or to_ask(turn.state) or to_refund(turn.state):
        return
    for entry in turn.round.irregularities:
        if entry.code in MONEY:
            turn.resolve(entry.code, entry.seat, entry.wager)
    ruling = turn.round.void
    deck.played(turn, removed=ruling is not None and ruling.remove_deck)
    turn.effects.append(WriteRecord(round_record(turn.state, turn.context)))
    turn.set(undo=None)
    turn.enter(Phase.CLEARING)
