"""Judge of the circles: decides when the amount in a circle is wrong and counts as an error, such as a
mispay, a seat that a dealer pays or takes out of order, a wager with chips added late (capped) or removed,
or a chip that two circles show (an identical number). No other module finds a circle wrong.

It compares the ledger of a circle with the amounts due. Pure queries on the state; `watch.py` raises an alert
if a fault lasts. A seat with its cards face down is judged by its wagers only, so that no alert reveals its
cards. Sources: 58 Pa. Code § 674a.7(c), .11(g) to (i), .12; tests/scenarios/FORMAT.md "Meaning of some
steps".
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from controller.game.books import dues, movements, named_chips, unproven_chips
from controller.game.books.dues import Stage
from controller.game.model.irregularities import WATCHED, Code
from controller.game.model.ledger import LedgerRow
from controller.game.model.names import AFTER_CLOSE, BETS, Circle, Phase
from controller.game.model.naming import SINCE_PROCEDURES
from controller.game.model.plan import Step
from controller.game.model.round import Round
from controller.game.model.state import TableState
from controller.game.phases.decisions import DECISIONS

CHIP_CODES = {
    "unknown": Code.UNKNOWN_CHIP, "withdrawn": Code.CHIP_WITHDRAWN, "foreign": Code.UNKNOWN_CHIP,
    "unproven": Code.CHIP_UNPROVEN,
}  # fmt: skip
READING_CODES = {"silent": Code.READER_LOST, "unstable": Code.READING_UNSTABLE}


@dataclass(frozen=True, slots=True)
class Verdict:
    """Error that was found in a circle. `should`: the right amount there in cents, None if unknown."""

    code: Code
    should: int | None = None


def duplicate_circles(state: TableState) -> frozenset[Circle]:
    """Return the circles with a chip whose UID is in another circle too."""
    rows = state.holdings.values()
    lying = [chip.uid for row in rows for holding in row.values() for chip in holding.chips]
    if len(set(lying)) == len(lying):
        return frozenset()
    where: dict[str, set[Circle]] = {}
    for seat, row in state.holdings.items():
        for wager, holding in row.items():
            for chip in holding.chips:
                where.setdefault(chip.uid, set()).add(Circle(seat, wager))
    return frozenset(circle for circles in where.values() if len(circles) > 1 for circle in circles)


def judge(state: TableState, circle: Circle, twice: Collection[Circle]) -> Verdict | None:
    """Return the error in the amount of a circle now; None if there is none or it is unknown. `twice`:
    circles from `duplicate_circles`.
    """
    holding = state.holding(*circle)
    if holding.reading != "ok" and not _seen_before(state, circle):
        code = READING_CODES.get(holding.reading)
        return Verdict(code) if code else None
    for chip in holding.chips:
        if chip.note and not unproven_chips.has_stood(state, chip):
            return Verdict(CHIP_CODES[chip.note])
    if circle in twice:
        return Verdict(Code.DUPLICATE_CHIP)
    stands = state.play_phase
    if state.round is None or stands not in AFTER_CLOSE:
        return None
    row = state.round.ledger.row(circle)
    if row.is_untouched(dues.wager_at(state.round, circle)):
        return None  # the amount is right, whatever the other circles show
    if stands is Phase.CLEARING:
        return _by_word(state, state.round, circle, _overpaid(state.round, circle, row))
    verdict = _of_money(state, state.round, circle, row)
    named = verdict and replace(verdict, code=_standing_name(state, circle, row, verdict.code))
    return _by_word(state, state.round, circle, named)


def _seen_before(state: TableState, circle: Circle) -> bool:
    """Return whether the last reading before the circle's reader failed showed a difference of money for
    which no alert has been raised yet. The failure does not disprove that difference, so it is still
    judged."""
    if (
        state.holding(*circle).reading not in READING_CODES
        or state.procedures < dues.WAITS_FOR_READINGS_SINCE
    ):
        return False
    _, code = state.suspects.get(circle.key, (0, None))
    alerted = any((alert.seat, alert.wager, alert.code) == (*circle, code) for alert in state.alerts)
    return code is not None and code.kind.money and not alerted


def _by_word(state: TableState, round_: Round, circle: Circle, verdict: Verdict | None) -> Verdict | None:
    """Return `verdict` with the code NOT_A_WAGER if its difference is exactly the chips that the dealer has
    reported as no wager; else return it unchanged."""
    if verdict is None or verdict.should is None:
        return verdict
    if state.procedures >= named_chips.NAMED_SINCE:
        covered = named_chips.covers_difference(state, circle, verdict.should)
    else:
        covered = circle in round_.not_wagers and round_.ledger.row(circle).circle > verdict.should
    return replace(verdict, code=Code.NOT_A_WAGER) if covered else verdict


def _overpaid(round_: Round, circle: Circle, row: LedgerRow) -> Verdict | None:
    """Return the verdict on a wager of a round that has ended: OVERPAID if its last payment was too high,
    else None."""
    if (
        round_.ending.void is not None
        or round_.ending.ended is None
        or not movements.awaits_pickup(round_, circle)
    ):
        return None
    over = movements.overpaid_cents(round_, circle)
    return Verdict(Code.OVERPAID, max(0, row.circle - over)) if over > 0 else None


def _standing_name(state: TableState, circle: Circle, row: LedgerRow, code: Code) -> Code:
    """Return the code under which a difference is reported. An existing alert keeps its code until money
    moves, also in a later phase. Chips suspected as late before the settlement stay late chips in it, even
    without an alert."""
    accused = state.alerts_at(circle)
    for alert in accused:
        if alert.code in WATCHED and alert.money == row.balances:
            return alert.code
    _, suspected = state.suspects.get(circle.key, (0, None))
    late = suspected is Code.LATE_BET and code is Code.WRONG_CIRCLE and not accused
    return Code.LATE_BET if late and state.procedures >= SINCE_PROCEDURES else code


def _of_money(state: TableState, round_: Round, circle: Circle, row: LedgerRow) -> Verdict | None:
    where, step = dues.stage(state, circle)
    if row.accepted == row.balances and where not in ("open", "done"):
        return None  # signed unchanged; its settlement requires no more than the signed amounts
    if row.borrowed or row.unexplained:
        return _unexplained(state, where, step, row)
    if step is None:
        return _at_rest(state, round_, circle, row)
    goal = row.goal(step.tray)
    if where == "done":
        return _done(row, step, goal)
    if row.settled is not None:  # settled again: the circle holds more than the wager
        return None
    if step.verb == "take" and row.tray > goal:
        return Verdict(Code.BET_CHANGED, row.circle + row.tray - goal)
    if extra := dues.excess(round_, circle):
        return Verdict(Code.WRONG_CIRCLE if extra > 0 else Code.BET_CHANGED, row.circle - extra)
    return _due(state, row, step, goal) if where == "open" else _later(row, step, goal)


def _unexplained(state: TableState, where: Stage, step: Step | None, row: LedgerRow) -> Verdict:
    """Return the verdict on a circle with chips of another wager or without an owner, or from which chips
    left to an unknown holder. If the seat's cards are still face down in the settlement, the wager was
    settled out of order when it is gone or has grown."""
    should = row.circle - row.borrowed + dues.unaccounted_cents(row)
    if row.borrowed:
        return Verdict(Code.WRONG_CIRCLE, should)
    if where == "rest" and state.play_phase is Phase.SETTLEMENT and (not row.circle or row.unexplained < 0):
        return Verdict(Code.SETTLED_OUT_OF_ORDER, should)
    if row.unexplained < 0:
        return Verdict(Code.WRONG_CIRCLE, should)
    push = step is not None and step.verb == "push"
    return Verdict(Code.PUSH_DISTURBED if push else Code.BET_CHANGED, should)


# ------------------------------------------------------------------ no settlement in the circle


def _at_rest(state: TableState, round_: Round, circle: Circle, row: LedgerRow) -> Verdict | None:
    """Return the verdict on a wager that is not being settled and so must not change after the close (58 Pa.
    Code § 674a.7(c)). Chips of a folded wager may go to the tray, because the dealer collects them."""
    counts = dues.wager_at(round_, circle) - row.stake
    over = _beyond_the_fold(state, round_, circle, row)
    if over > 0:
        return Verdict(Code.BET_CHANGED, row.circle + over)
    extra = row.circle + row.tray - counts
    if not extra:
        return None
    if _may_bet(state, round_, circle):
        return _beside_the_bet(state, circle, row)
    # chips in the tray that do not count are returned through the circle
    should = row.circle - extra if extra <= row.circle else extra
    return Verdict(_name(state, round_, circle, extra), should)


def _beside_the_bet(state: TableState, circle: Circle, row: LedgerRow) -> Verdict | None:
    """Return the verdict on chips that the dealer has named no wager, in the circle where the present bet is
    laid. Returns None if there are none, or a floorperson has signed them."""
    cents = named_chips.unsigned_cents(state, circle)
    return Verdict(Code.NOT_A_WAGER, row.circle - cents) if cents else None


def _beyond_the_fold(state: TableState, round_: Round, circle: Circle, row: LedgerRow) -> int:
    """Return the cents that the tray took from a folded seat's circle beyond the wager. They are the
    player's: chips that a floorperson had signed to stay in the circle (58 Pa. Code § 674a.11(d), (f))."""
    collected = dues.stage(state, circle)[0] == "collect" and row.stake < 0 and state.procedures
    return row.tray - row.goal(dues.wager_at(round_, circle)) if collected else 0


def _name(state: TableState, round_: Round, circle: Circle, extra: int) -> Code:
    counted = dues.wager_at(round_, circle) and not round_.ledger.row(circle).tray
    if state.play_phase is Phase.SETTLEMENT:
        if extra < 0:
            return Code.BET_CHANGED
        early = circle.seat not in round_.seats and circle.wager not in BETS
        return Code.LATE_BET if early else Code.WRONG_CIRCLE
    if circle.wager in BETS and extra > 0:
        return Code.BET_OUT_OF_TURN
    return Code.BET_CHANGED if counted else Code.LATE_BET


def _may_bet(state: TableState, round_: Round, circle: Circle) -> bool:
    decision, seat = DECISIONS.get(state.play_phase), round_.seats.get(circle.seat)
    if seat is None or decision is None or decision.wager != circle.wager or not seat.playing:
        return False
    open_ = not round_.decisions.decided or circle.seat in round_.decisions.lying
    return open_ and circle.wager not in seat.wagers


# ------------------------------------------------------------------ the settlement


def _done(row: LedgerRow, step: Step, goal: int) -> Verdict | None:
    """Return the verdict on a settled wager. Its chips belong to the player, who may take them up; no further
    chips may be paid or taken. `goal`: cents due to the tray."""
    if row.tray < goal:
        code = Code.WRONG_CIRCLE if step.verb == "take" else Code.OVERPAID
        return Verdict(code, max(0, row.circle - goal + row.tray))
    return Verdict(Code.BET_CHANGED, row.circle + row.tray - goal) if row.tray > goal else None


def _due(state: TableState, row: LedgerRow, step: Step, goal: int) -> Verdict | None:
    """Return the verdict on the wager that is being settled. Chips too many are reported at once. Chips too
    few are reported only when the dealer goes on to the next step. The tray may keep the part of the wager
    that a floorperson signed. `goal`: cents due to the tray, negative for a payout."""
    signed = row.goal(0) if state.procedures >= SINCE_PROCEDURES else 0
    if step.verb != "take" and row.tray > max(signed, goal, 0):
        code = Code.PUSH_DISTURBED if step.verb == "push" else Code.BET_CHANGED
        return Verdict(code, row.circle + row.tray)
    if row.tray < (0 if step.verb == "take" else goal):
        return Verdict(Code.OVERPAID, max(0, row.circle - goal + row.tray))
    return None


def _later(row: LedgerRow, step: Step, goal: int) -> Verdict | None:
    """Return the verdict on a wager that is settled later in this round: the tray must not have paid or taken
    anything yet. `goal`: cents due to the tray at its settlement."""
    if not row.tray:
        return None
    early = step.verb != "push" and (row.tray == goal or 0 < row.tray < goal)
    return Verdict(Code.SETTLED_OUT_OF_ORDER if early else Code.WRONG_CIRCLE, row.circle + row.tray)
