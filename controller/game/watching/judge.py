"""The one place that calls a circle wrong: what is in its books against what ought to be.

A pure question on the state; `watch.py` asks it again and again and waits before it accuses. A seat whose
cards lie face down is judged by its wagers alone, so that no alert tells what it holds. Sources:
58 Pa. Code § 674a.7(c), .11(g) to (i), .12; tests/scenarios/FORMAT.md "How a few things are meant".
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from controller.game.books import dues, movements
from controller.game.books.dues import Stage
from controller.game.model.irregularities import WATCHED, Code
from controller.game.model.ledger import Row
from controller.game.model.names import AFTER_CLOSE, BETS, Circle, Phase
from controller.game.model.naming import SINCE_PROCEDURES
from controller.game.model.plan import Step
from controller.game.model.round import Round
from controller.game.model.state import TableState
from controller.game.phases.decisions import DECISIONS

CHIP_CODES = {"unknown": Code.UNKNOWN_CHIP, "withdrawn": Code.CHIP_WITHDRAWN, "foreign": Code.UNKNOWN_CHIP}
READING_CODES = {"silent": Code.READER_LOST, "unstable": Code.READING_UNSTABLE}


@dataclass(frozen=True, slots=True)
class Verdict:
    """Fault of a circle, and the cents that ought to lie there."""

    code: Code
    should: int | None = None


def seen_twice(state: TableState) -> frozenset[Circle]:
    """Circles with a chip whose UID lies in another circle too."""
    lying = [
        (chip.uid, seat, wager)
        for seat, row in state.holdings.items()
        for wager, holding in row.items()
        for chip in holding.chips
    ]
    if len({uid for uid, _, _ in lying}) == len(lying):
        return frozenset()
    where: dict[str, set[Circle]] = {}
    for uid, seat, wager in lying:
        where.setdefault(uid, set()).add(Circle(seat, wager))
    return frozenset(circle for circles in where.values() if len(circles) > 1 for circle in circles)


def judge(state: TableState, circle: Circle, twice: Collection[Circle]) -> Verdict | None:
    """Return the fault of a circle now; None if there is none, or it cannot be told. `twice`: see
    `seen_twice`."""
    holding = state.holding(*circle)
    if holding.reading != "ok":
        code = READING_CODES.get(holding.reading)
        return Verdict(code) if code else None
    for chip in holding.chips:
        if chip.note:
            return Verdict(CHIP_CODES[chip.note])
    if circle in twice:
        return Verdict(Code.DUPLICATE_CHIP)
    stands = state.stands
    if state.round is None or stands not in AFTER_CLOSE:
        return None
    row = state.round.ledger.row(circle)
    if row.lies(dues.wager_at(state.round, circle)):
        return None  # whatever is done elsewhere
    if stands is Phase.CLEARING:
        return _by_word(state.round, circle, row, _overpaid(state.round, circle, row))
    verdict = _of_money(state, state.round, circle, row)
    named = verdict and replace(verdict, code=_standing_name(state, circle, row, verdict.code))
    return _by_word(state.round, circle, row, named)


def _by_word(round_: Round, circle: Circle, row: Row, verdict: Verdict | None) -> Verdict | None:
    """Return the verdict under the name that the dealer gave to chips too many."""
    if verdict is None or verdict.should is None or circle not in round_.not_wagers:
        return verdict
    return replace(verdict, code=Code.NOT_A_WAGER) if row.circle > verdict.should else verdict


def _overpaid(round_: Round, circle: Circle, row: Row) -> Verdict | None:
    """The last stroke of a round that has ended."""
    if round_.ending.void is not None or round_.ending.ended is None or not movements.paid(round_, circle):
        return None
    over = movements.over(round_, circle)
    return Verdict(Code.OVERPAID, max(0, row.circle - over)) if over > 0 else None


def _standing_name(state: TableState, circle: Circle, row: Row, code: Code) -> Code:
    """Return the name of a standing alert as long as no money has moved, whatever the phase; late chips
    without an alert before the settlement are late in it too."""
    accused = [alert for alert in state.alerts if (alert.seat, alert.wager) == circle]
    for alert in accused:
        if alert.code in WATCHED and alert.money == row.standing:
            return alert.code
    _, suspected = state.suspects.get(circle.key, (0, None))
    late = suspected is Code.LATE_BET and code is Code.WRONG_CIRCLE and not accused
    return Code.LATE_BET if late and state.procedures >= SINCE_PROCEDURES else code


def _of_money(state: TableState, round_: Round, circle: Circle, row: Row) -> Verdict | None:
    where, step = dues.stage(state, circle)
    if row.accepted == row.standing and where not in ("open", "done"):
        return None  # signed as it is; its settlement asks for no more than what is signed
    if row.borrowed or row.unexplained:
        return _unexplained(state, where, step, row)
    if step is None:
        return _lying(state, round_, circle, row)
    goal = row.goal(step.tray)
    if where == "done":
        return _done(row, step, goal)
    if row.settled is not None:  # settled anew: what lies there is no longer the wager alone
        return None
    if step.verb == "take" and row.tray > goal:
        return Verdict(Code.BET_CHANGED, row.circle + row.tray - goal)
    if extra := dues.excess(round_, circle):
        return Verdict(Code.WRONG_CIRCLE if extra > 0 else Code.BET_CHANGED, row.circle - extra)
    return _due(state, row, step, goal) if where == "open" else _later(row, step, goal)


def _unexplained(state: TableState, where: Stage, step: Step | None, row: Row) -> Verdict:
    """Chips that are somebody else's or nobody's, or that left and nobody saw to whom. A seat whose cards lie
    face down is settled before its turn where its wager is gone or has grown."""
    should = row.circle - row.borrowed + dues.missing(row)
    if row.borrowed:
        return Verdict(Code.WRONG_CIRCLE, should)
    if where == "rest" and state.stands is Phase.SETTLEMENT and (not row.circle or row.unexplained < 0):
        return Verdict(Code.SETTLED_OUT_OF_ORDER, should)
    if row.unexplained < 0:
        return Verdict(Code.WRONG_CIRCLE, should)
    push = step is not None and step.verb == "push"
    return Verdict(Code.PUSH_DISTURBED if push else Code.BET_CHANGED, should)


# ------------------------------------------------------------------ nothing is settled there


def _lying(state: TableState, round_: Round, circle: Circle, row: Row) -> Verdict | None:
    """Wagers lie still from the close on (58 Pa. Code § 674a.7(c)); of a fold the dealer takes what lies."""
    counts = dues.wager_at(round_, circle) - row.stake
    over = _beyond_the_fold(state, round_, circle, row)
    if over > 0:
        return Verdict(Code.BET_CHANGED, row.circle + over)
    extra = row.circle + row.tray - counts
    if not extra or _may_bet(state, round_, circle):
        return None
    # what is in the tray already and does not count comes back by way of the circle
    should = row.circle - extra if extra <= row.circle else extra
    return Verdict(_name(state, round_, circle, extra), should)


def _beyond_the_fold(state: TableState, round_: Round, circle: Circle, row: Row) -> int:
    """Return the cents that the tray has of a fold beyond the wager, out of chips that were signed as they
    lie (58 Pa. Code § 674a.11(d), (f)): they are the player's."""
    collected = dues.stage(state, circle)[0] == "collect" and row.stake < 0 and state.procedures
    return row.tray - row.goal(dues.wager_at(round_, circle)) if collected else 0


def _name(state: TableState, round_: Round, circle: Circle, extra: int) -> Code:
    counted = dues.wager_at(round_, circle) and not round_.ledger.row(circle).tray
    if state.stands is Phase.SETTLEMENT:
        if extra < 0:
            return Code.BET_CHANGED
        early = circle.seat not in round_.seats and circle.wager not in BETS
        return Code.LATE_BET if early else Code.WRONG_CIRCLE
    if circle.wager in BETS and extra > 0:
        return Code.BET_OUT_OF_TURN
    return Code.BET_CHANGED if counted else Code.LATE_BET


def _may_bet(state: TableState, round_: Round, circle: Circle) -> bool:
    decision, seat = DECISIONS.get(state.stands), round_.seats.get(circle.seat)
    if seat is None or decision is None or decision.wager != circle.wager or not seat.playing:
        return False
    open_ = not round_.decisions.decided or circle.seat in round_.decisions.lying
    return open_ and circle.wager not in seat.wagers


# ------------------------------------------------------------------ the settlement


def _done(row: Row, step: Step, goal: int) -> Verdict | None:
    """Settled: what lies there is the player's, and may go; nothing may come."""
    if row.tray < goal:
        code = Code.WRONG_CIRCLE if step.verb == "take" else Code.OVERPAID
        return Verdict(code, max(0, row.circle - goal + row.tray))
    return Verdict(Code.BET_CHANGED, row.circle + row.tray - goal) if row.tray > goal else None


def _due(state: TableState, row: Row, step: Step, goal: int) -> Verdict | None:
    """Return the fault of a wager that is being settled: too much at once, too little when the dealer goes
    on. The tray keeps the part of it that a floorperson signed."""
    signed = row.goal(0) if state.procedures >= SINCE_PROCEDURES else 0
    if step.verb != "take" and row.tray > max(signed, goal, 0):
        code = Code.PUSH_DISTURBED if step.verb == "push" else Code.BET_CHANGED
        return Verdict(code, row.circle + row.tray)
    if row.tray < (0 if step.verb == "take" else goal):
        return Verdict(Code.OVERPAID, max(0, row.circle - goal + row.tray))
    return None


def _later(row: Row, step: Step, goal: int) -> Verdict | None:
    """Not yet its turn: it should hold the wager and nothing else."""
    if not row.tray:
        return None
    early = step.verb != "push" and (row.tray == goal or 0 < row.tray < goal)
    return Verdict(Code.SETTLED_OUT_OF_ORDER if early else Code.WRONG_CIRCLE, row.circle + row.tray)
