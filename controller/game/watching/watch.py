"""Every circle is watched throughout: what `judge.py` calls wrong becomes an alert, and stops being one.

A difference must stand 400 ms before it is an accusation; a reader that is gone must stay away two seconds
before anybody is told, and takes back nothing that stood before it went. An alert ends when it is mended or
signed, never because the phase changed. Source: contracts/scenario.md "How a few things are meant".
"""

from __future__ import annotations

from controller.game.books import dues, movements
from controller.game.model.events import CircleRead, CircleUnreadable
from controller.game.model.evolve import evolve
from controller.game.model.irregularities import LEFT_UNDONE, Code
from controller.game.model.names import Circle, Phase, Wager
from controller.game.model.round import Round, SeatState
from controller.game.model.state import Alert, Holding, TableState
from controller.game.model.transition import Transition
from controller.game.phases import settlement
from controller.game.phases.decisions import DECISIONS, change_of_mind
from controller.game.watching.judge import Verdict, felt_of, judge

# ------------------------------------------------------------------ facts


def read(play: Transition, event: CircleRead) -> None:
    """A stable reading. Chips laid may be a change of mind."""
    before = play.state.amount(event.seat, event.wager)
    _read(play, event)
    after = play.state.amount(event.seat, event.wager)
    if play.state.phase in DECISIONS:
        change_of_mind(play, event.seat, event.wager, after > before)


def _read(play: Transition, event: CircleRead) -> None:
    """A reading: it replaces whatever was known of the circle, an entered amount included."""
    _hold(play, event.seat, event.wager, Holding(event.chips, "ok"))
    movements.follow(play, Circle(event.seat, event.wager))


def unreadable(play: Transition, event: CircleUnreadable) -> None:
    """No reading: the old amount is nobody's word any more."""
    known = play.state.holding(event.seat, event.wager)
    entered = known.entered if event.why == "not_fitted" else None
    _hold(play, event.seat, event.wager, Holding((), event.why, entered))


def _hold(play: Transition, seat: int, wager: Wager, holding: Holding) -> None:
    row = play.state.holdings.get(seat, {})
    play.state = evolve(play.state, holdings=play.state.holdings | {seat: row | {wager: holding}})


# ------------------------------------------------------------------ time


def review(play: Transition, before: TableState) -> None:
    """Judge every circle that may have changed since `before`; suspect, accuse when it has stood long
    enough, take back when it is over."""
    circles = _to_judge(play, before)
    if not circles:
        return
    suspects = dict(play.state.suspects)
    felt = felt_of(play.state, play.context.ms)
    for circle in sorted(circles | felt.twice):
        verdict = judge(play.state, circle, felt)
        key = f"{circle.seat}.{circle.wager}"
        if verdict is None:
            suspects.pop(key, None)
            if play.state.holding(*circle).reading != "none":
                _take_back(play, circle, None)
                _mended(play, circle)
            continue
        since, code = suspects.get(key, (play.context.ms, None))
        if code is not verdict.code:
            since = play.context.ms
            suspects[key] = (since, verdict.code)
            if not verdict.code.kind.unread:
                _take_back(play, circle, verdict.code)
        if play.context.ms >= since + patience(verdict.code):
            _accuse(play, circle, verdict)
    if suspects != play.state.suspects:
        play.state = evolve(play.state, suspects=suspects)


def _to_judge(play: Transition, before: TableState) -> set[Circle]:
    """Circles that were read, that stand accused or suspected, or for which something else counts or is
    due than before; whatever did not change is told by identity."""
    now = play.state
    circles = {Circle(int(key[0]), Wager(key[2:])) for key in now.suspects}
    circles |= {Circle(a.seat, a.wager) for a in now.alerts if _seen(a) and a.seat and a.wager}
    whole = not _same_stage(now, before)
    for seat, row in now.holdings.items():
        old = before.holdings.get(seat)
        if whole or old is None or _box(now, seat) is not _box(before, seat):
            circles |= {Circle(seat, wager) for wager in row}
        elif row is not old:
            circles |= {Circle(seat, wager) for wager, held in row.items() if held is not old.get(wager)}
    if not whole and now.round is not None and before.round is not None:
        circles |= _moved_on(now.round, before.round)
    return circles


def _same_stage(now: TableState, before: TableState) -> bool:
    """Whether all that concerns every circle is as it was."""
    new, old = now.round, before.round
    if now.stands is not before.stands or new is None or old is None:
        return now.stands is before.stands and new is old
    settled, was = new.settlement, old.settlement
    return (settled.plan is was.plan or settled.plan == was.plan) and (
        settled.shown == was.shown
        and settled.bonus_shown == was.bonus_shown
        and new.decisions.decided == old.decisions.decided
    )


def _box(state: TableState, seat: int) -> SeatState | None:
    return state.round.seats.get(seat) if state.round else None


def _moved_on(now: Round, before: Round) -> set[Circle]:
    """The circles in whose books something was entered, or between which the settlement has moved."""
    if now.ledger is before.ledger and now.settlement.cursor == before.settlement.cursor:
        return set()
    steps = (*dues.open_steps(before), *dues.open_steps(now))
    entered = {c for c in now.ledger.circles() if now.ledger.row(c) is not before.ledger.row(c)}
    return {Circle(step.seat, step.wager) for step in steps} | entered


def suspected(state: TableState) -> tuple[Circle, ...]:
    """Circles to read again before anything is said of them, and until it is mended."""
    keys = (key.partition(".") for key, (_, code) in state.suspects.items() if not code.kind.unread)
    return tuple(Circle(int(seat), Wager(wager)) for seat, _, wager in keys)


def patience(code: Code) -> int:
    """How long a difference must stand before it is said (ms)."""
    return code.kind.watched_ms or 0


def _accuse(play: Transition, circle: Circle, verdict: Verdict) -> None:
    fresh = play.find_alert(verdict.code, *circle) is None
    round_ = play.state.round
    money = round_.ledger.row(circle).standing if round_ and verdict.code.kind.money else None
    play.alert(verdict.code, *circle, should=verdict.should, money=money)
    if verdict.code is Code.OVERPAID:
        play.clear_alert(Code.UNDERPAID, *circle)
    elif verdict.code is Code.SETTLED_OUT_OF_ORDER and fresh:
        _went_on(play)


def _seen(alert: Alert) -> bool:
    return alert.code.kind.watched_ms is not None


def _take_back(play: Transition, circle: Circle, keep: Code | None) -> None:
    for alert in play.state.alerts:
        if play.state.phase is Phase.BETTING and alert.code.kind.before_close:
            continue  # before the close it is `betting.py` that raises it and takes it back
        if (alert.seat, alert.wager) == circle and _seen(alert) and alert.code is not keep:
            play.clear_alert(alert.code, *circle)


def _mended(play: Transition, circle: Circle) -> None:
    """What was said when the dealer went on is over when the tray has what it is to have."""
    round_ = play.state.round
    where, step = dues.stage(play.state, circle)
    if round_ is not None and round_.ledger.row(circle).tray == dues.tray_goal(round_, circle, where, step):
        play.clear_alerts_at(circle, LEFT_UNDONE)


def _went_on(play: Transition) -> None:
    """A later step was done first: the active one that is open was left."""
    if settlement.due_step(play.state) is None:
        return
    left = dues.open_steps(play.round)[-1]
    give, take = settlement.to_give(play.round, left), settlement.to_take(play.round, left)
    if not play.state.holding(left.seat, left.wager).readable or not (give or take):
        return
    if not settlement.whole(play.round, left):
        return  # it has an alert of its own
    code = Code.LOSING_BET_LEFT if take else Code.UNDERPAID
    play.alert(code, left.seat, left.wager, should=settlement.holds(play.round, left))


def deadline(state: TableState) -> int | None:
    """When the next suspicion becomes an accusation (ms)."""
    return min((since + patience(code) for since, code in settlement.unsaid(state)), default=None)
