"""Watch over every circle: faults found by `judge.py` become alerts, and alerts are cleared.

A difference must last 400 ms before it is alerted. A reader must be silent for two seconds before an alert,
and its silence clears no earlier alert of its circle. An alert ends when the fault is corrected or signed,
never because the phase changed. Source: tests/scenarios/FORMAT.md "Meaning of some steps".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from controller.game.books import dues, movements, named_chips, stacks
from controller.game.model.events import CircleRead, CircleUnreadable
from controller.game.model.evolve import evolve
from controller.game.model.irregularities import LEFT_UNDONE, WATCHED, Code
from controller.game.model.ledger import EMPTY_ROW
from controller.game.model.names import AFTER_CLOSE, SEATS, Circle, Phase, Wager
from controller.game.model.round import Round
from controller.game.model.state import Holding, TableState
from controller.game.model.transition import Transition
from controller.game.phases import settlement, skipped_step, subjects
from controller.game.phases.decisions import DECISIONS, change_of_mind
from controller.game.watching import exchanges, readers_lost
from controller.game.watching.judge import Verdict, duplicate_circles, judge
from controller.game.watching.proofs import only_proof_differs

ALERTED = (*WATCHED, *LEFT_UNDONE)
"""Codes that this module raises and clears for circles."""


# ------------------------------------------------------------------ readings


def read(play: Transition, event: CircleRead) -> None:
    """Accept a stable reading. Added chips may be a player's change of mind, except in the first reading
    after a start."""
    before = play.state.holding(event.seat, event.wager)
    _read(play, event)
    grew = before.reading != "none" and play.state.amount(event.seat, event.wager) > before.amount
    if play.state.phase in DECISIONS:
        change_of_mind(play, event.seat, event.wager, grew)


def _read(play: Transition, event: CircleRead) -> None:
    """Replace the content of the circle, including an entered amount and its signature."""
    before, circle = play.state, Circle(event.seat, event.wager)
    _set_holding(play, event.seat, event.wager, Holding(event.chips, "ok", proofs=event.proofs))
    if play.state.procedures and play.state.signatures:
        entered = ("amount", event.seat, event.wager)
        left = tuple(s for s in play.state.signatures if (s.what, s.seat, s.wager) != entered)
        play.state = evolve(play.state, signatures=left)
    if only_proof_differs(before.holding(*circle), event):
        return  # the chips are the same, so no account changes
    movements.follow(play, circle)
    exchanges.follow(play, before, circle)
    stacks.follow(play, before, circle)
    named_chips.follow(play, before, circle)


def unreadable(play: Transition, event: CircleUnreadable) -> None:
    """Mark a circle as unreadable: its previous amount is no longer valid."""
    known = play.state.holding(event.seat, event.wager)
    if not known.dead:
        play.state = subjects.with_outage(play.state, Circle(event.seat, event.wager))
    entered = known.entered if event.why == "not_fitted" else None
    _set_holding(play, event.seat, event.wager, Holding((), event.why, entered))


def _set_holding(play: Transition, seat: int, wager: Wager, holding: Holding) -> None:
    row = play.state.holdings.get(seat, {})
    play.state = evolve(play.state, holdings=play.state.holdings | {seat: row | {wager: holding}})


# ------------------------------------------------------------------ judgement


def review(play: Transition, before: TableState) -> None:
    """Judge every circle with facts that have changed since `before`: suspect it, alert when the fault has
    lasted long enough, clear the alert when the fault is over."""
    read = _read_since(play.state, before)
    circles = _in_question(play.state) | read | _entered(play.state, before) | _concerned(play.state, before)
    if not circles:
        return
    readers_lost.clear_common_alert(play)
    suspects = dict(play.state.suspects)
    laid = suspects or any(play.state.holding(*circle).chips for circle in read)
    twice = duplicate_circles(play.state) if laid else frozenset()
    for circle in sorted(circles | twice):
        verdict = judge(play.state, circle, twice)
        key = circle.key
        if verdict is None:
            suspects.pop(key, None)
            if play.state.alerts and play.state.holding(*circle).reading != "none":
                exchanges.merge_entries(play, circle)
                _take_back(play, circle, None)
                _clear_left_undone(play, circle)
                _forget_no_wager(play, circle)
            continue
        since, code = suspects.get(key, (play.context.ms, None))
        if code is not verdict.code:
            since = play.context.ms
            suspects[key] = (since, verdict.code)
            if not verdict.code.kind.unread:
                _take_back(play, circle, verdict.code)
        if play.context.ms < readers_lost.alert_at(play.state, since, verdict.code):
            continue
        if verdict.code is Code.READER_LOST and readers_lost.none_answers(play.state):
            readers_lost.raise_common_alert(play)
        else:
            _accuse(play, circle, verdict)
    if suspects != play.state.suspects:
        play.state = evolve(play.state, suspects=suspects)


# Inputs of a verdict. All are frozen, so an unchanged one is the same object.


def _in_question(state: TableState) -> set[Circle]:
    """Return the circles that have an alert or a suspicion. They are judged after every event, because their
    verdict may change although nothing but time has passed."""
    if not state.suspects and not state.alerts:
        return set()
    circles = {Circle.of(key) for key in state.suspects}
    return circles | {
        Circle(a.seat, a.wager) for a in state.alerts if a.code in ALERTED and a.seat and a.wager
    }


def _read_since(now: TableState, before: TableState) -> set[Circle]:
    """Return the circles whose reading or entered amount differs from `before`."""
    if now.holdings is before.holdings:
        return set()
    return {
        Circle(seat, wager)
        for seat, row in now.holdings.items()
        if row is not (old := before.holdings.get(seat, {}))
        for wager, holding in row.items()
        if holding is not old.get(wager)
    }


def _entered(now: TableState, before: TableState) -> set[Circle]:
    """Return the circles whose accounts in the ledger have changed, and those of the settlement steps that
    were open before or are open now."""
    new, old = now.round, before.round
    if new is None or old is None or (new.ledger is old.ledger and new.settlement is old.settlement):
        return set()
    circles = {step.circle for step in (*dues.open_steps(old), *dues.open_steps(new))}
    rows_then = old.ledger.rows
    for seat, rows in new.ledger.rows.items():
        was = rows_then.get(seat, {})
        if rows is not was:
            circles.update([Circle(seat, wager) for wager, row in rows.items() if row is not was.get(wager)])
    return circles


def _concerned(now: TableState, before: TableState) -> set[Circle]:
    """Return the circles that have to be judged again because a seat, the phase or the settlement has
    changed: another amount may now count, be public or be due. Circles with a wager that is still as it was
    placed are left out, because they are right in any case."""
    new, old, stands = now.round, before.round, now.play_phase
    if new is None or stands not in AFTER_CLOSE:
        return set()
    if old is None or stands is not before.play_phase:
        seats: Collection[int] = SEATS
    else:
        seats = () if new is old else _seats_concerned(new, old)
    return {circle for seat in seats for circle in _not_as_laid(new, seat)}


def _not_as_laid(round_: Round, seat: int) -> Iterator[Circle]:
    rows, box = round_.ledger.of_seat(seat), round_.seats.get(seat)
    wagers = box.wagers if box else {}
    for wager in {**rows, **wagers}:
        if not rows.get(wager, EMPTY_ROW).is_untouched(wagers.get(wager, 0)):
            yield Circle(seat, wager)


def _seats_concerned(now: Round, before: Round) -> Collection[int]:
    new, old = now.settlement, before.settlement
    if new is old and now.decisions is before.decisions and now.seats is before.seats:
        return ()
    decided = now.decisions.decided != before.decisions.decided
    if decided or new.plan is not old.plan or new.bonus_shown != old.bonus_shown:
        return SEATS
    changed = {number for number, seat in now.seats.items() if seat is not before.seats.get(number)}
    return changed | (new.shown ^ old.shown)


def suspected_circles(state: TableState) -> tuple[Circle, ...]:
    """Return the circles with a suspicion that further readings can confirm or refute; the readers read them
    first."""
    return tuple(Circle.of(key) for key, (_, code) in state.suspects.items() if not code.kind.unread)


def _accuse(play: Transition, circle: Circle, verdict: Verdict) -> None:
    fresh = play.find_alert(verdict.code, *circle) is None
    round_ = play.state.round
    money = round_.ledger.row(circle).balances if round_ and verdict.code.kind.money else None
    play.alert(verdict.code, *circle, should=verdict.should, money=money)
    if verdict.code is Code.OVERPAID:
        play.clear_alert(Code.UNDERPAID, *circle)
    elif verdict.code is Code.SETTLED_OUT_OF_ORDER and fresh:
        _alert_step_left(play)


def _take_back(play: Transition, circle: Circle, keep: Code | None) -> None:
    for alert in play.state.alerts_at(circle):
        if play.state.phase is Phase.BETTING and alert.code.kind.before_close:
            continue  # before the close, `betting.py` raises and clears it
        if alert.code in WATCHED and alert.code is not keep:
            play.clear_alert(alert.code, *circle)
            if alert.code is Code.SETTLED_OUT_OF_ORDER:
                skipped_step.withdraw(play, alert)


def _clear_left_undone(play: Transition, circle: Circle) -> None:
    """Clear the alerts at a circle about a step left undone, once the tray has the amount due from it."""
    round_ = play.state.round
    where, step = dues.stage(play.state, circle)
    if round_ is not None and round_.ledger.row(circle).tray == dues.tray_goal(round_, circle, where, step):
        play.clear_alerts_at(circle, LEFT_UNDONE)


def _forget_no_wager(play: Transition, circle: Circle) -> None:
    """Remove the circle from `not_wagers`, because its chips that were not a wager have left. Chips that come
    later are judged again."""
    named_chips.forget_settled(play, circle)
    round_ = play.state.round
    if round_ is not None and circle in round_.not_wagers:
        kept = tuple(other for other in round_.not_wagers if other != circle)
        play.round = evolve(round_, not_wagers=kept)


def _alert_step_left(play: Transition) -> None:
    """Raise the alert about the step that is due if the dealer has already done a later one."""
    if settlement.due_step(play.state) is None:
        return
    left = dues.open_steps(play.round)[-1]
    give, take = settlement.to_give(play.round, left), settlement.to_take(play.round, left)
    if not play.state.holding(left.seat, left.wager).readable or not (give or take):
        return
    if not settlement.is_accounted_for(play.round, left):
        return  # the step already has an alert
    code = Code.LOSING_BET_LEFT if take else Code.UNDERPAID
    play.alert(code, left.seat, left.wager, should=settlement.amount_after(play.round, left))
