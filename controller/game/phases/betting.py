"""Betting: wagers before the cards, and the close of the bets.

After NO MORE BETS is pressed, the bets close when every circle has had a complete stable reading that began
after the press, and the wagers comply with the limits. From the press on no wager is made or increased: a
seat at fault may only reduce its wagers, and every circle with chips that moved is recorded. A late bet
(past posting, `late_circles`) is detected and must be removed. The dealer enters the amount of a circle
that cannot be read. Source: 58 Pa. Code § 674a.7(c), Md. 7.D.
"""

from __future__ import annotations

from collections.abc import Mapping

from controller.game.books import movements
from controller.game.books.earlier_contents import replaced_content
from controller.game.model.effects import Checkpoint
from controller.game.model.events import KeyPressed, SweepCompleted
from controller.game.model.evolve import evolve
from controller.game.model.irregularities import UNFIT, Code
from controller.game.model.names import ANTES, SEATS, Circle, Method, Phase, Wager
from controller.game.model.round import Deal, Round, SeatState
from controller.game.model.rules import HOUSE_PROCEDURE, citation_for
from controller.game.model.side_bets import BONUSES
from controller.game.model.state import Alert, Context, Holding, TableState
from controller.game.model.transition import Transition
from controller.game.phases.deck_age import change_due
from controller.game.phases.shoe import fault_in_play
from controller.game.rulebook import wagers
from controller.game.rulebook.deal import plan_deal
from controller.game.rulebook.wagers import Refusal

BEFORE_CLOSE = (*ANTES, *BONUSES)
EQUAL_BONUS_SINCE = 4
"""First revision of `PROCEDURES` in which a bonus below the one that it has to equal is handed back."""


def enter(play: Transition) -> None:
    """Begin the betting on a new round. Amounts entered by the dealer were for the previous round and are
    removed."""
    holdings = {
        seat: {wager: _without_entry(holding) for wager, holding in row.items()}
        for seat, row in play.state.holdings.items()
    }
    play.clear_alerts(UNFIT)
    codes = (Code.DEVICE_OUT_OF_ORDER, *([Code.SHUFFLER_FAULT] if play.state.procedures else []))
    kept = tuple(entry for entry in play.state.early if entry.code in codes)
    play.enter(Phase.BETTING)
    play.state = evolve(
        play.state,
        round=None,
        sweep_since=None,
        early=kept,
        moved=(),
        seen={},
        holdings=holdings,
        signatures=(),
    )
    play.effects.append(Checkpoint())


def _without_entry(holding: Holding) -> Holding:
    if holding.entered is None:
        return holding
    return Holding(reading=holding.reading)


def amounts_placed(state: TableState, seat: int, offered: tuple[Wager, ...]) -> dict[Wager, int]:
    """Return the cents that are in each circle of a seat now, without empty circles. `offered`: circles to
    look at."""
    amounts = {wager: state.amount(seat, wager) for wager in offered}
    return {wager: amount for wager, amount in amounts.items() if amount}


def refusals(state: TableState, context: Context, seat: int) -> Mapping[Wager, Refusal]:
    """Return the refused wagers of a seat with their refusals. After NO MORE BETS, only seats with wrong
    wagers are checked. Lamp, prompt and close use this function."""
    if _is_called_off(state) and not _misfits(context, amounts_at_press(state, seat, context.offered())):
        return {}
    return _misfits(context, amounts_placed(state, seat, context.offered()))


def _misfits(context: Context, amounts: Mapping[Wager, int]) -> Mapping[Wager, Refusal]:
    return wagers.verify_before_close(context.pack, amounts) if amounts else {}


def _is_called_off(state: TableState) -> bool:
    """Return whether the bets are being closed: every circle has been read since NO MORE BETS was pressed.
    From then on wagers may only be reduced."""
    return state.closing and state.swept


def amounts_at_press(state: TableState, seat: int, offered: tuple[Wager, ...]) -> dict[Wager, int]:
    """Return the cents in a seat's circles when NO MORE BETS was pressed, without empty circles. For a
    circle that could not be read it is the dealer's entry."""
    then = state.called.get(seat, {})
    amounts = {wager: then.get(wager, state.amount(seat, wager)) for wager in offered}
    return {wager: amount for wager, amount in amounts.items() if amount}


def counted_wagers(state: TableState, context: Context, seat: int) -> dict[Wager, int]:
    """Return the cents of each wager that counts at a seat: the amounts at NO MORE BETS, reduced where they
    were not allowed (58 Pa. Code § 674a.7(c)). Before that press, the amounts in the circles now. Returns {}
    if the seat takes no part, because it did not have both antes or has taken back all its chips."""
    offered = context.offered()
    amounts = amounts_placed(state, seat, offered)
    if _is_called_off(state):
        then = amounts_at_press(state, seat, offered)
        gone = all(not state.amount(seat, w) and not state.holding(seat, w).dead for w in offered)
        if gone or any(ante not in then for ante in ANTES):
            return {}
        if not _misfits(context, then):
            amounts = then
        elif state.procedures:
            reduced = {wager: min(then[wager], amounts.get(wager, 0)) for wager in then}
            equal = state.procedures >= EQUAL_BONUS_SINCE
            amounts = wagers.reduced_wagers(context.pack, reduced, equal=equal)
    return amounts if all(ante in amounts for ante in ANTES) else {}


def to_lower(state: TableState, context: Context, seat: int) -> dict[Wager, int]:
    """Return the circles of a seat that hold more than the amount that counts, each with that amount in
    cents. The player has to reduce these wagers."""
    counts = counted_wagers(state, context, seat)
    lies = amounts_placed(state, seat, context.offered())
    return {wager: counts.get(wager, 0) for wager, cents in lies.items() if cents > counts.get(wager, 0)}


def amount_due(state: TableState, context: Context, alert: Alert) -> int | None:
    """Return the cents that should be in the circle of `alert` if the alert is about a wager that may not be
    closed; None for any other alert."""
    if not _is_called_off(state) or not alert.code.kind.before_close or not alert.seat or not alert.wager:
        return None
    return counted_wagers(state, context, alert.seat).get(alert.wager, 0)


def late_circles(state: TableState, context: Context, seat: int) -> tuple[Wager, ...]:
    """Return the circles of a seat whose chips changed after "no more bets", so that the change does not
    count."""
    if not _is_called_off(state) or refusals(state, context, seat):
        return ()
    counts = counted_wagers(state, context, seat)
    lies = amounts_placed(state, seat, context.offered())
    return tuple(wager for wager, amount in lies.items() if amount != counts.get(wager))


def to_enter(state: TableState, context: Context) -> Circle | None:
    """Return the next circle whose amount the dealer must enter; None if all amounts are known."""
    offered = context.offered()
    for seat in SEATS:
        for wager in BEFORE_CLOSE:
            holding = state.holding(seat, wager)
            known = _is_called_off(state) and wager in state.called.get(seat, {})
            if wager in offered and holding.dead and holding.entered is None and not known:
                if wager in BONUSES and not any(state.amount(seat, ante) for ante in ANTES):
                    continue
                if wager is Wager.ANTE_DOWN and _is_box_empty(state, seat):
                    continue
                return Circle(seat, wager)
    return None


def _is_box_empty(state: TableState, seat: int) -> bool:
    """Return whether a box counts as empty: no reader of the table answers, and the dealer entered 0 for its
    first ante. The dealer then need not enter the other circles of the box."""
    lost = any(alert.code is Code.READERS_LOST for alert in state.alerts)
    return lost and state.holding(seat, Wager.ANTE_ACROSS).entered == 0


def verify_no_more_bets(state: TableState, context: Context) -> Refusal | None:
    """Return why the bets may not be closed now, or None: the cards must be ready and the deck not
    overdue."""
    if state.phase is not Phase.BETTING or state.closing:
        return Refusal("not_now", "")
    if state.deck.uncovered:
        return Refusal("cover_device", context.pack.rulings[Code.DEVICE_OUT_OF_ORDER].citation)
    if change_due(state, context):
        return Refusal(Code.DECK_CHANGE_DUE, context.pack.rulings[Code.DECK_CHANGE_DUE].citation)
    if any(alert.code is Code.WRONG_DECK for alert in state.alerts):
        return Refusal(Code.WRONG_DECK, context.pack.rulings[Code.WRONG_DECK].citation)
    if state.method is Method.HAND:
        return None
    if state.shoe.fault is not None:
        return Refusal(Code.SHOE_FAULT, "")
    if not state.shoe.up:
        return Refusal(Code.SHOE_LOST, "")
    return None if state.shoe.ready else Refusal("shoe_not_ready", "")


def press_no_more_bets(play: Transition, event: KeyPressed) -> None:
    """Handle NO MORE BETS: every circle is read once more."""
    play.keep_undo(event.key)
    play.state = evolve(play.state, sweep_since=play.context.ms, swept=False)


def swept(play: Transition, event: SweepCompleted) -> None:
    """Accept the readings of a completed sweep as the wagers that were placed in time."""
    state = play.state
    if event.since != state.sweep_since:
        return
    then = {
        seat: {wager: held.amount for wager, held in row.items() if not held.dead or held.entered is not None}
        for seat, row in state.holdings.items()
    }
    play.state = evolve(play.state, swept=True, called=then, moved=())


def advance(play: Transition) -> None:
    """Close the bets once the amount of every circle is read or entered and all amounts are allowed
    together."""
    state = play.state
    if not _is_called_off(state):
        return
    _record_moved(play)
    if to_enter(state, play.context):
        return
    wrong = {
        Circle(seat, wager): Code(refusal.code)
        for seat in SEATS
        for wager, refusal in refusals(state, play.context, seat).items()
    }
    _update_alerts(play, wrong)
    if wrong:
        return
    _note_moved(play)
    seats = seats_with_antes(play)
    if seats:
        close(play, seats)
    else:
        play.state = evolve(play.state, sweep_since=None)


def _update_alerts(play: Transition, wrong: dict[Circle, Code]) -> None:
    for alert in play.state.alerts:
        if not alert.code.kind.before_close or alert.circle is None:
            continue
        if wrong.get(alert.circle) != alert.code:
            play.clear_alert(alert.code, *alert.circle)
    for circle, code in wrong.items():
        play.alert(code, circle.seat, circle.wager)


def _has_entry(play: Transition, circle: Circle) -> bool:
    return any((entry.seat, entry.wager) == circle for entry in play.state.early)


def _record_moved(play: Transition) -> None:
    """Add to `moved` every circle whose amount differs from that at the press of NO MORE BETS."""
    state, offered = play.state, play.context.offered()
    if not state.procedures:
        return
    moved = {
        Circle(seat, wager)
        for seat in SEATS
        for wager in offered
        if state.amount(seat, wager) != state.called.get(seat, {}).get(wager, state.amount(seat, wager))
    }
    if not moved <= set(state.moved):
        play.state = evolve(state, moved=tuple(sorted({*state.moved, *moved})))


def _note_moved(play: Transition) -> None:
    """Note each movement of chips since NO MORE BETS for which no alert was raised. Circles that differ from
    the amount that counts are left out, because `watching/judge.py` raises their alert after the close."""
    state, offered = play.state, play.context.offered()
    for seat in sorted({circle.seat for circle in state.moved}):
        circles = [circle for circle in state.moved if circle.seat == seat and not _has_entry(play, circle)]
        then = amounts_at_press(state, seat, offered)
        if circles and then and not amounts_placed(state, seat, offered):
            forbidden = citation_for(play.context.pack, Code.BET_CHANGED) != HOUSE_PROCEDURE
            play.note(Code.BET_CHANGED, seat, resolved=not forbidden)
            continue
        counts = counted_wagers(state, play.context, seat)
        for circle in circles:
            if state.amount(*circle) == counts.get(circle.wager, 0):
                code = Code.BET_CHANGED if circle.wager in then else Code.LATE_BET
                play.note(
                    Code.CHIPS_EXCHANGED if replaced_content(state, circle) else code, *circle, resolved=True
                )


def seats_with_antes(play: Transition) -> dict[int, SeatState]:
    """Return the seats that take part in the round, with the wagers that count, by seat number. A seat needs
    both antes."""
    state = play.state
    seats = {}
    for seat in SEATS:
        amounts = counted_wagers(state, play.context, seat)
        if amounts:
            seats[seat] = SeatState(seat, state.players.get(seat, str(seat)), amounts)
    return seats


def close(play: Transition, seats: dict[int, SeatState]) -> None:
    """Close the bets and begin the deal with these seats. A fault of a device that began after NO MORE BETS
    was pressed counts for this round."""
    begin_round(play, seats)
    settings, method = play.context.settings, play.state.method
    steps = plan_deal(play.context.pack.deals[method], seats, settings.cross_order, settings.stack_first_out)
    play.deal = evolve(play.deal, steps=steps, progress=play.context.ms)
    play.enter(Phase.DEALING)
    if play.state.shoe.fault is not None and play.state.method is not Method.HAND:
        fault_in_play(play, play.state.shoe.fault)


def begin_round(play: Transition, seats: dict[int, SeatState]) -> None:
    """Give the round its number and seats, even if it is voided before the bets are closed."""
    state = play.state
    utc = play.context.utc
    round_ = Round(
        state.next_round, utc, state.method, seats, Deal(), irregularities=state.early,
        dealers=((state.dealer, utc),) if state.dealer else (), ledger=movements.opening_ledger(state),
    )  # fmt: skip
    play.state = evolve(
        play.state,
        round=round_,
        next_round=state.next_round + 1,
        sweep_since=None,
        early=(),
        moved=(),
        seen={},
    )
