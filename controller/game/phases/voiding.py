"""Held play and void rounds: while play is held, the floorperson can choose an outcome; in a void round every
wager is returned.

Neither an act of a dealer or player nor a loss of power ends a hold. A void restores the chips of all parties
according to the ledger: wagers are returned, including those of folded seats; winnings are requested back;
collected wagers are paid back from the tray. Source: config/rules/RULES.md "Irregularities".
"""

from __future__ import annotations

from collections.abc import Iterator

from controller.game.books import dues, movements
from controller.game.model.events import FloorDecided, KeyPressed
from controller.game.model.evolve import evolve
from controller.game.model.irregularities import FORFEIT, FORFEIT_ALL, MONEY, UNFIT, Code, Outcome
from controller.game.model.ledger import SIGNED, Account
from controller.game.model.names import BETWEEN, SEATS, Circle, Method, Phase, Wager
from controller.game.model.round import Round, VoidRuling
from controller.game.model.state import Context, Hold, TableState
from controller.game.model.transition import Transition
from controller.game.phases import betting, dealing, deck, forfeits, missing_chips, reports
from controller.game.phases.record import unsigned_amounts, write_record
from controller.game.rulebook.wagers import Refusal

FORFEITS = (FORFEIT, FORFEIT_ALL)


# ------------------------------------------------------------------ decision


def outcome_of(hold: Hold, event: FloorDecided) -> str | None:
    """Return the outcome of a decision; None if it was not offered. An approval made on a screen names the
    outcome that was displayed on the key."""
    if event.decision == "approve":
        read = event.outcome is not None or event.about is not None
        return None if read and event.outcome != hold.proposed else hold.proposed
    if event.decision == "forfeit":
        own, outcome = event.seat in (None, hold.seat), event.outcome or FORFEIT
        return outcome if own and outcome in FORFEITS and outcome in hold.outcomes else None
    if event.decision == "refuse":
        return Outcome.GO_ON if hold.refusable else None
    if event.decision == "outcome" and event.outcome in hold.outcomes and event.outcome not in FORFEITS:
        return event.outcome
    return None


def verify_decision(state: TableState, _context: Context, event: FloorDecided) -> Refusal | None:
    """Return the refusal of a decision while play is held, or None: the floorperson can choose only an
    outcome that the hold offers.
    """
    if state.hold is None:
        return Refusal("nothing_held", "")
    if outcome_of(state.hold, event) is None:
        offered = ", ".join(state.hold.outcomes)
        return Refusal("not_offered", state.hold.citation, {"offered": offered})
    unsaid = state.hold.code.kind.acknowledged and not event.reason.strip()
    return Refusal("reason_needed", "") if unsaid else None


def decide(play: Transition, event: FloorDecided) -> None:
    """Apply the floorperson's decision on the hold."""
    hold = play.state.hold
    if hold is None:
        return
    outcome = outcome_of(hold, event)
    play.resolve(hold.code, hold.seat, hold.wager)
    if outcome in (Outcome.VOID, Outcome.REMOVE_DECK, Outcome.RESHUFFLE):
        _void(play, hold, event.badge, remove=outcome == Outcome.REMOVE_DECK)
    else:
        play.release(hold.phase)
        if outcome in FORFEITS:
            both = FORFEIT_ALL in hold.outcomes
            part = forfeits.settled_part(play.context, event.badge, outcome) if both else None
            forfeits.forfeit(play, event.seat or hold.seat, hold.code, part)
        elif hold.code is Code.CARD_DIFFERS and event.decision == "approve":
            reports.correct_card(play, hold)
        elif event.decision == "refuse" and hold.said:
            reports.reject(play, hold)
        _hold_next(play)
        _go_on(play)


def _hold_next(play: Transition) -> None:
    """Start the next queued hold, skipping those of seats that have forfeited."""
    while (hold := play.hold_next()) is not None:
        if not hold.code.kind.of_player or not play.seat(hold.seat or 0).forfeited:
            return
        play.release(hold.phase)
        play.resolve(hold.code, hold.seat)


def _go_on(play: Transition) -> None:
    """Resume play. If a link is still down, its time before the next hold starts again. Before the close, a
    deck with a card out is completed and shuffled first."""
    if play.state.phase is Phase.BETTING and play.state.shoe.out and play.state.method is not Method.HAND:
        play.shoe = evolve(play.shoe, ready=False)
        play.deck = evolve(play.deck, shuffle_commanded=False, shuffle_refused=False)
        play.enter(Phase.SHUFFLE)
    if play.state.phase is not Phase.DEALING:
        return
    play.deal = evolve(play.deal, progress=play.context.ms)
    if play.state.shoe.up:
        play.command("RELEASE")
    else:
        play.shoe = evolve(play.shoe, lost_at=play.context.ms + dealing.STALL_MS)


# ------------------------------------------------------------------ void


def _void(play: Transition, hold: Hold, badge: str, *, remove: bool) -> None:
    """Void the round. If any of the irregularities requires it, the deck leaves the table. A misdeal and
    the stub that it explains count as one (`stub.rule_misdeal`)."""
    waiting = play.state.held_next
    apart = (h for h in waiting if not (hold.code.kind.misdeal and h.code.kind.misdeal))
    remove = remove or any(h.proposed is Outcome.REMOVE_DECK for h in apart)
    for other in waiting:
        play.resolve(other.code, other.seat, other.wager)
    play.state = evolve(play.state, held_next=())
    if hold.phase in BETWEEN:
        _no_round(play, hold, remove)
        return
    if play.state.round is None:
        betting.begin_round(play, betting.seats_with_antes(play))
    movements.carry_borrowed(play)
    missing_chips.keep_questions(play)
    ledger = play.round.ledger.annulled()
    ruling = VoidRuling(hold.code, hold.citation, badge, remove)
    play.ending = evolve(play.ending, void=ruling, unsigned=unsigned_amounts(play.state))
    play.round = evolve(play.round, ledger=ledger)
    clear_money_alerts(play)
    play.state = evolve(play.state, signatures=())
    # the cards in the device are shuffled with those that were dealt, even if none was (58 Pa. Code §
    # 674a.13(f)); a later READY is for another deck
    play.shoe = evolve(play.shoe, ready=False)
    play.release(Phase.VOID)
    if hold.phase is Phase.DEALING and play.state.shoe.up:
        play.command("RELEASE")


def clear_money_alerts(play: Transition) -> None:
    """Remove the round's money alerts, because the void asks for that money now. Their entries are resolved
    when all money is returned."""
    codes = (*MONEY, *UNFIT, Code.STUB_COUNT_DUE)
    play.state = evolve(
        play.state, alerts=tuple(alert for alert in play.state.alerts if alert.code not in codes)
    )


def _no_round(play: Transition, hold: Hold, remove: bool) -> None:
    """Apply a void while no round is in play. No wagers have to be returned, so only the deck is affected.
    `remove`: whether the deck leaves the table."""
    back = play.state.deck.removed if hold.code is Code.DECK_COUNT else None
    play.deck = evolve(
        play.deck, after="removed" if remove else "reshuffled", removed=back, shuffle_commanded=False
    )
    play.shoe = evolve(play.shoe, ready=False)
    play.release(Phase.CLEARING)


# ------------------------------------------------------------------ return of all money


def to_return(state: TableState) -> Circle | None:
    """Return the next circle that is not empty, or None."""
    return next(all_to_return(state), None)


def all_to_return(state: TableState) -> Iterator[Circle]:
    """Yield the circles that are not empty, seat 1 first; an unreadable one counts as not empty until
    confirmed."""
    if state.round is None:
        return
    for circle in (Circle(seat, wager) for seat in SEATS for wager in Wager):
        holding = state.holding(*circle)
        if holding.chips if holding.readable else state.round.ledger.row(circle).circle:
            yield circle


def players_part(round_: Round, circle: Circle) -> int:
    """Return the cents in a circle that go back to its player; the rest came from the tray."""
    row = round_.ledger.row(circle)
    return min(row.circle, max(0, row.house - row.player))


def to_ask(state: TableState) -> tuple[int, int] | None:
    """Return the next seat that has money from the tray, and its cents; the prompt asks for them by seat."""
    return _next_seat(state, 1)


def to_refund(state: TableState) -> tuple[int, int] | None:
    """Return the next seat whose money is in the tray or left its circle unexplained, and its cents."""
    return _next_seat(state, -1)


def _next_seat(state: TableState, sign: int) -> tuple[int, int] | None:
    if state.round is None:
        return None
    for seat in SEATS:
        if cents := sum(max(0, sign * beyond) for beyond in _beyond(state.round, seat).values()):
            return seat, cents
    return None


def _beyond(round_: Round, seat: int) -> dict[Wager, int]:
    """Return the cents that the player has more than before the round, by circle; negative if less. Amounts
    that a floorperson signed do not count."""
    return {wager: row.player - row.house for wager, row in round_.ledger.of_seat(seat).items()}


def last_to_return(round_: Round, circle: Circle) -> bool:
    """Return whether all players and the tray have their chips from before the round as soon as this circle
    is emptied."""
    others = (c for c in round_.ledger.circles() if c != circle)
    return not any(_beyond(round_, c.seat)[c.wager] for c in others)


def circles_not_returned(state: TableState) -> list[Circle]:
    """Return the circles whose chips are still not with the player who had them before the round. Returns []
    until all circles are empty."""
    if state.round is None or to_return(state) is not None:
        return []
    round_ = state.round
    return [c for c in round_.ledger.circles() if _beyond(round_, c.seat)[c.wager]]


def unattributed_cents(state: TableState, seat: int) -> int:
    """Return the part of a seat's refund, in cents, that left the circles without a known receiver. The
    dealer must ask who has it."""
    rows = {} if state.round is None else state.round.ledger.of_seat(seat)
    return sum(max(0, row.unexplained) for row in rows.values()) if state.procedures else 0


def to_answer(state: TableState) -> Circle | None:
    """Return the next circle with missing chips for which the dealer must ask who has them, or None. A
    question about a folded or forfeited seat does not delay the void; the floor may answer it until the void
    ends."""
    return None if state.round is None else next(_questions(state.round), None)


def _questions(round_: Round) -> Iterator[Circle]:
    for circle in round_.ledger.circles():
        box = round_.seats.get(circle.seat)
        if round_.ledger.row(circle).asked and not (box and dues.is_collected(round_, box, circle.wager)):
            yield circle


def owed_cents(state: TableState, circle: Circle) -> int:
    """Return the cents that the player of a circle lacks according to the ledger."""
    return 0 if state.round is None else max(0, -_beyond(state.round, circle.seat).get(circle.wager, 0))


def to_sign(state: TableState) -> list[Circle]:
    """Return the circles that a floorperson may sign: open differences at any time, unreturned money once
    all circles are empty."""
    unpaid, round_ = circles_not_returned(state), state.round
    if round_ is None or not state.procedures:
        return unpaid
    open_ = (c for c in round_.ledger.circles() if missing_chips.missing_cents(state, c) and c not in unpaid)
    return [*unpaid, *open_]


def answer(play: Transition, circle: Circle, holder: str) -> None:
    """Post a floorperson's answer on the holder of chips that left a circle; chips that the house has are
    refunded."""
    row, lacks = play.round.ledger.row(circle), owed_cents(play.state, circle)
    lost = max(0, row.unexplained)
    if holder == "house":
        movements.post_report(play, circle, Account.UNEXPLAINED, Account.TRAY, lost, SIGNED)
        movements.post_report(play, circle, Account.PLAYER, Account.TRAY, row.asked, SIGNED)
    else:
        movements.post_report(play, circle, Account.UNEXPLAINED, Account.PLAYER, lost, SIGNED)
        movements.post_report(play, circle, Account.TRAY, Account.PLAYER, lacks - lost, SIGNED)
    _answered(play, circle)


def _answered(play: Transition, circle: Circle) -> None:
    row = play.round.ledger.row(circle)
    play.round = evolve(play.round, ledger=play.round.ledger.with_row(circle, evolve(row, asked=0)))


def verify_confirm(state: TableState, _context: Context) -> Refusal | None:
    circle = to_return(state)
    if circle is None:
        question = to_ask(state) or to_refund(state) or to_answer(state)
        return None if question else Refusal("not_now", "")
    return None if state.holding(*circle).dead else Refusal("chips_still_there", "")


def confirm(play: Transition, _event: KeyPressed) -> None:
    """Handle CONFIRM: the unreadable circle was emptied, the seat gave back the requested money, it got its
    refund from the tray, or the player has the missing chips."""
    circle = to_return(play.state)
    if circle is not None:
        _emptied(play, circle)
    elif (owed := to_ask(play.state)) is not None:
        _square(play, owed[0], 1)
    elif (refund := to_refund(play.state)) is not None:
        _square(play, refund[0], -1)
    elif (question := to_answer(play.state)) is not None:
        movements.post_entered(play, question, "with the player")
        _answered(play, question)


def _emptied(play: Transition, circle: Circle) -> None:
    part = players_part(play.round, circle)
    movements.post_report(play, circle, Account.CIRCLE, Account.PLAYER, part, "returned")
    left = play.round.ledger.row(circle).circle
    movements.post_report(play, circle, Account.CIRCLE, Account.TRAY, left, "taken back")


def _square(play: Transition, seat: int, sign: int) -> None:
    """Post the money of a seat that changed hands: the player returned it to the tray, or the tray refunded
    it. `sign`: 1 if the seat returned it, -1 if the tray refunded it."""
    for wager, beyond in _beyond(play.round, seat).items():
        circle, cents = Circle(seat, wager), max(0, sign * beyond)
        if sign > 0:
            movements.post_report(play, circle, Account.PLAYER, Account.TRAY, cents, "had back")
            continue
        lost = min(cents, max(0, play.round.ledger.row(circle).unexplained))
        movements.post_report(play, circle, Account.UNEXPLAINED, Account.PLAYER, lost, "refunded")
        movements.post_report(play, circle, Account.TRAY, Account.PLAYER, cents - lost, "refunded")


def advance(play: Transition) -> None:
    """End a void round when every circle is empty, everyone has their chips from before the round and no
    difference is open."""
    state = play.state
    if to_return(state) or to_ask(state) or to_refund(state) or to_answer(state):
        return
    for entry in play.round.irregularities:
        if entry.code.kind.money:
            play.resolve(entry.code, entry.seat, entry.wager)
    ruling = play.ending.void
    deck.finish_round(play, removed=ruling is not None and ruling.remove_deck)
    write_record(play)
    play.enter(Phase.CLEARING)
