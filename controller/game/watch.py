"""Every circle is watched throughout: what lies there against what ought to lie there.

`judge` is the one place that calls a circle wrong. A difference must stand 400 ms before it is an
accusation; a reader that is gone must stay away a second before anybody is told. Source:
contracts/scenario.md "How a few things are meant".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from controller.game import settling
from controller.game.decisions import DECISIONS, forfeit_goes
from controller.game.events import CircleRead, CircleUnreadable
from controller.game.names import BETS, SEATS, Circle, Phase, Wager
from controller.game.settlement import Step
from controller.game.state import Context, Holding, Round, SeatState, TableState
from controller.game.turn import Turn

ACCUSE_MS = 400
LOST_MS = 1_000

CHIP_CODES = {"unknown": "unknown_chip", "withdrawn": "chip_withdrawn", "foreign": "unknown_chip"}
WATCHED = (
    "late_bet", "bet_changed", "bet_out_of_turn", "overpaid", "push_disturbed", "wrong_circle",
    "settled_out_of_order", "unknown_chip", "duplicate_chip", "chip_withdrawn",
    "reading_unstable", "reader_lost",
)  # fmt: skip
"""Alerts that this module raises and takes back; the due step's own are `settling`'s."""

AFTER_CLOSE = (Phase.DEALING, Phase.ACROSS, Phase.DOWN, Phase.MIDDLE, Phase.SETTLEMENT)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is wrong with a circle, and how many cents ought to lie there."""

    code: str
    should: int | None = None


# ------------------------------------------------------------------ facts


def read(turn: Turn, event: CircleRead) -> None:
    """A reading: it replaces whatever was known of the circle, an entered amount included."""
    _hold(turn, event.seat, event.wager, Holding(event.chips, "ok", None, turn.context.ms))


def unreadable(turn: Turn, event: CircleUnreadable) -> None:
    """No reading: the old amount is nobody's word any more."""
    known = turn.state.holding(event.seat, event.wager)
    entered = known.entered if event.why == "not_fitted" else None
    _hold(turn, event.seat, event.wager, Holding((), event.why, entered, turn.context.ms))


def _hold(turn: Turn, seat: int, wager: Wager, holding: Holding) -> None:
    row = turn.state.holdings.get(seat, {})
    turn.set(holdings=turn.state.holdings | {seat: row | {wager: holding}})


# ------------------------------------------------------------------ the verdict


def judge(state: TableState, circle: Circle, twice: frozenset[Circle]) -> Verdict | None:
    """What is wrong with a circle now, None where nothing is. `twice`: see `seen_twice`."""
    holding = state.holding(circle.seat, circle.wager)
    if holding.reading == "silent":
        return Verdict("reader_lost")
    if holding.reading == "unstable":
        return Verdict("reading_unstable")
    if holding.reading != "ok":
        return None
    for chip in holding.chips:
        if chip.note:
            return Verdict(CHIP_CODES[chip.note])
    if circle in twice:
        return Verdict("duplicate_chip")
    phase = state.hold.phase if state.hold else state.phase
    round_ = state.round
    if round_ is None or phase not in AFTER_CLOSE:
        return None
    if round_.signed_off.get(circle) == holding.amount:
        return None
    if phase is Phase.SETTLEMENT:
        return _in_settlement(round_, circle, holding.amount)
    return _in_play(round_, phase, circle, holding.amount)


def seen_twice(state: TableState) -> frozenset[Circle]:
    """Circles with a chip whose UID lies in another circle too: one of the two is a copy."""
    first: dict[str, Circle] = {}
    twice: set[Circle] = set()
    for seat, row in state.holdings.items():
        for wager, holding in row.items():
            for chip in holding.chips:
                other = first.setdefault(chip.uid, Circle(seat, wager))
                if other != (seat, wager):
                    twice |= {other, Circle(seat, wager)}
    return frozenset(twice)


def _in_play(round_: Round, phase: Phase, circle: Circle, amount: int) -> Verdict | None:
    """From the close to the last decision: wagers lie still (58 Pa. Code § 674a.7(c))."""
    seat = round_.seats.get(circle.seat)
    wager = circle.wager
    if seat is None or wager not in seat.wagers:
        if not amount or _may_bet(round_, phase, seat, wager):
            return None
        return Verdict("bet_out_of_turn" if wager in BETS else "late_bet", 0)
    counted = seat.wagers[wager]
    if forfeit_goes(seat, wager):
        left = 0 if wager in seat.collected else counted
        return Verdict("bet_changed", 0) if amount > left else None
    return None if amount == counted else Verdict("bet_changed", counted)


def _may_bet(round_: Round, phase: Phase, seat: SeatState | None, wager: Wager) -> bool:
    decision = DECISIONS.get(phase)
    if seat is None or decision is None or decision.wager != wager or not seat.playing:
        return False
    return not round_.decided


def _in_settlement(round_: Round, circle: Circle, amount: int) -> Verdict | None:
    seat = round_.seats.get(circle.seat)
    if seat is None or circle.wager not in seat.wagers or forfeit_goes(seat, circle.wager):
        if not amount or (seat and circle.wager in seat.wagers and circle.wager not in seat.collected):
            return None
        return Verdict("wrong_circle" if seat else "late_bet", 0)
    done = round_.settled.get((circle.seat, circle.wager))
    step = _planned(round_, circle)
    if done is not None and (step is None or done.step == step):
        return _when_done(round_, done.step, amount)
    if step is None:
        counted = seat.wagers[circle.wager]
        return None if amount == counted else Verdict("bet_changed", counted)
    if step in settling.open_steps(round_):
        return _when_due(step, amount)
    return _when_later(step, amount)


def _planned(round_: Round, circle: Circle) -> Step | None:
    for item in round_.plan:
        if isinstance(item, Step) and item.seat == circle.seat and item.wager == circle.wager:
            return item
    return None


def _when_done(round_: Round, step: Step, amount: int) -> Verdict | None:
    """Settled: what lies there is the player's, and may go; nothing may come."""
    held = settling.holds(step)
    if amount > held:
        return Verdict("wrong_circle" if step.verb == "take" else "overpaid", held)
    if step.verb == "push" and amount < held and not settling.seat_done(round_, step.seat):
        return Verdict("push_disturbed", held)
    return None


def _when_due(step: Step, amount: int) -> Verdict | None:
    held = settling.holds(step)
    if amount > max(held, step.amount):
        return Verdict("overpaid", held)
    if step.verb == "push" and amount < held:
        return Verdict("push_disturbed", held)
    if step.verb == "pay" and amount < step.amount:
        return Verdict("bet_changed", held)
    return None


def _when_later(step: Step, amount: int) -> Verdict | None:
    """Not yet its turn: it should hold the wager and nothing else."""
    if amount == step.amount:
        return None
    if step.verb != "push" and amount == settling.holds(step):
        return Verdict("settled_out_of_order", step.amount)
    if amount > step.amount:
        return Verdict("wrong_circle", step.amount)
    if step.verb == "push":
        return Verdict("push_disturbed", step.amount)
    return Verdict("settled_out_of_order" if step.verb == "take" else "bet_changed", step.amount)


# ------------------------------------------------------------------ time


def circles_of(context: Context) -> Iterable[Circle]:
    """Every circle of the table."""
    return [Circle(seat, wager) for seat in SEATS for wager in context.offered()]


def review(turn: Turn) -> None:
    """Judge every circle; suspect, accuse when it has stood long enough, take back when it is over."""
    suspects = dict(turn.state.suspects)
    twice = seen_twice(turn.state)
    for circle in circles_of(turn.context):
        verdict = _verdict(turn, circle, twice)
        key = f"{circle.seat}.{circle.wager}"
        if verdict is None:
            if suspects.pop(key, None):
                _take_back(turn, circle, None)
            continue
        since, code = suspects.get(key, (turn.context.ms, ""))
        if code != verdict.code:
            _take_back(turn, circle, verdict.code)
            since = turn.context.ms
            suspects[key] = (since, verdict.code)
        if turn.context.ms >= since + patience(verdict.code):
            turn.alert(verdict.code, circle.seat, circle.wager, should=verdict.should)
            _went_on(turn, verdict.code)
    if suspects != turn.state.suspects:
        turn.set(suspects=suspects)


def _verdict(turn: Turn, circle: Circle, twice: frozenset[Circle]) -> Verdict | None:
    row = turn.state.holdings.get(circle.seat)
    holding = row.get(circle.wager) if row else None
    if holding is None:
        return None
    if not holding.chips and holding.reading in ("ok", "none", "not_fitted"):
        round_ = turn.state.round
        if round_ is None or circle.seat not in round_.seats:
            return None
    return judge(turn.state, circle, twice)


def patience(code: str) -> int:
    """How long a difference must stand before it is said (ms)."""
    return LOST_MS if code in ("reader_lost", "reading_unstable") else ACCUSE_MS


def _take_back(turn: Turn, circle: Circle, keep: str | None) -> None:
    for alert in turn.state.alerts:
        if (alert.seat, alert.wager) == circle and alert.code in WATCHED and alert.code != keep:
            turn.clear_alert(alert.code, *circle)


def _went_on(turn: Turn, code: str) -> None:
    """A later step was done first: what is due was left."""
    due = settling.due_step(turn.state)
    if code != "settled_out_of_order" or due is None:
        return
    holding = turn.state.holding(due.seat, due.wager)
    if not holding.readable or due.verb == "push":
        return
    left = "losing_bet_left" if due.verb == "take" else "underpaid"
    turn.alert(left, due.seat, due.wager, should=settling.holds(due))


def deadline(state: TableState) -> int | None:
    """When the next suspicion becomes an accusation (ms)."""
    standing = {(alert.seat, alert.wager, alert.code) for alert in state.alerts}
    times = []
    for key, (since, code) in state.suspects.items():
        seat, _, wager = key.partition(".")
        if (int(seat), wager, code) not in standing:
            times.append(since + patience(code))
    return min(times, default=None)
