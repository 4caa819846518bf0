"""Every circle is watched throughout: what lies there against what ought to lie there.

`judge` is the one place that calls a circle wrong. A difference must stand 400 ms before it is an
accusation; a reader that is gone must stay away a second before anybody is told, and takes back nothing
that stood before it went. Source: contracts/scenario.md "How a few things are meant".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from controller.game import homes, settling
from controller.game.betting import WAGER_CODES
from controller.game.decisions import DECISIONS, forfeit_goes
from controller.game.events import CircleRead, CircleUnreadable
from controller.game.names import BETS, Circle, Phase, Wager
from controller.game.settlement import Step
from controller.game.state import Holding, Round, SeatState, TableState
from controller.game.turn import Turn

ACCUSE_MS = 400
LOST_MS = 2_000
"""The retries of drivers/chips/scanner.py reach a reader that was silent for 0.8 s within two seconds; until
then its circle shows no amount, and nobody has to do anything about it."""
LAST_LOOK_MS = 2_000
"""So long after its end a chip more is still the dealer's stroke; later it is somebody's next bet."""

CHIP_CODES = {"unknown": "unknown_chip", "withdrawn": "chip_withdrawn", "foreign": "unknown_chip"}
WATCHED = (
    "late_bet", "bet_changed", "bet_out_of_turn", "overpaid", "push_disturbed", "wrong_circle",
    "settled_out_of_order", "unknown_chip", "duplicate_chip", "chip_withdrawn",
    "reading_unstable", "reader_lost",
)  # fmt: skip
"""Alerts that this module raises and takes back; the due step's own are `settling`'s."""

AFTER_CLOSE = (
    Phase.DEALING, Phase.ACROSS, Phase.DOWN, Phase.MIDDLE, Phase.SETTLEMENT, Phase.CLEARING,
)  # fmt: skip


UNREAD = ("reader_lost", "reading_unstable")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is wrong with a circle, and how many cents ought to lie there."""

    code: str
    should: int | None = None


@dataclass(frozen=True, slots=True)
class Felt:
    """What a verdict asks of the whole table, worked out once for all circles: those with a chip whose UID
    lies in another one too (one of the two is a copy), the step planned for each, the steps open now; of a
    round that has just ended those where wager and winnings are still to be taken up."""

    twice: frozenset[Circle]
    planned: Mapping[Circle, Step] = field(default_factory=dict)
    open: tuple[Step, ...] = ()
    just_paid: frozenset[Circle] = frozenset()


# ------------------------------------------------------------------ facts


def read(turn: Turn, event: CircleRead) -> None:
    """A reading: it replaces whatever was known of the circle, an entered amount included."""
    _hold(turn, event.seat, event.wager, Holding(event.chips, "ok"))


def unreadable(turn: Turn, event: CircleUnreadable) -> None:
    """No reading: the old amount is nobody's word any more."""
    known = turn.state.holding(event.seat, event.wager)
    entered = known.entered if event.why == "not_fitted" else None
    _hold(turn, event.seat, event.wager, Holding((), event.why, entered))


def _hold(turn: Turn, seat: int, wager: Wager, holding: Holding) -> None:
    row = turn.state.holdings.get(seat, {})
    turn.set(holdings=turn.state.holdings | {seat: row | {wager: holding}})


# ------------------------------------------------------------------ the verdict


def felt_of(state: TableState, ms: int) -> Felt:
    round_ = state.round
    if round_ is not None and state.stands is Phase.CLEARING:
        return Felt(seen_twice(state), just_paid=_just_paid(state, round_, ms))
    if round_ is None or state.stands is not Phase.SETTLEMENT:
        return Felt(seen_twice(state))
    planned = {Circle(item.seat, item.wager): item for item in round_.plan if isinstance(item, Step)}
    return Felt(seen_twice(state), planned, settling.open_steps(round_))


def _just_paid(state: TableState, round_: Round, ms: int) -> frozenset[Circle]:
    """Circles of a round that has just ended where a chip more is the dealer's; whatever stands accused or
    suspected stays so until it is mended."""
    if round_.void is not None or round_.ended is None:
        return frozenset()
    kept = {Circle(*key) for key, done in round_.settled.items() if done.step.verb != "take"}
    if ms - round_.ended <= LAST_LOOK_MS:
        return frozenset(kept)
    accused = {(alert.seat, alert.wager) for alert in state.alerts}
    return frozenset(c for c in kept if c in accused or f"{c.seat}.{c.wager}" in state.suspects)


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


def judge(state: TableState, circle: Circle, felt: Felt) -> Verdict | None:
    """What is wrong with a circle now, None where nothing is or nothing can be said."""
    holding = state.holding(*circle)
    if holding.reading != "ok":
        code = {"silent": "reader_lost", "unstable": "reading_unstable"}.get(holding.reading)
        return Verdict(code) if code else None
    for chip in holding.chips:
        if chip.note:
            return Verdict(CHIP_CODES[chip.note])
    if circle in felt.twice:
        return Verdict("duplicate_chip")
    phase, round_ = state.stands, state.round
    if round_ is None or phase not in AFTER_CLOSE or round_.signed_off.get(circle) == holding.amount:
        return None
    if phase is Phase.SETTLEMENT:
        if borrowed := homes.borrowed(round_, circle, holding):
            return Verdict("wrong_circle", holding.amount - borrowed)
        return _in_settlement(round_, circle, holding.amount, felt)
    if phase is Phase.CLEARING:
        just_paid = circle in felt.just_paid
        return _when_done(round_, round_.settled[circle].step, holding.amount) if just_paid else None
    return _in_play(round_, phase, circle, holding.amount)


def _in_play(round_: Round, phase: Phase, circle: Circle, amount: int) -> Verdict | None:
    """From the close to the last decision: wagers lie still (58 Pa. Code § 674a.7(c))."""
    seat, wager = round_.seats.get(circle.seat), circle.wager
    counted = seat.wagers.get(wager, 0) if seat else 0
    if seat and counted and forfeit_goes(round_, seat, wager):
        counted = 0 if wager in seat.collected else counted
        if amount <= counted:
            return None
    if amount == counted or _may_bet(round_, phase, seat, wager):
        return None
    if wager in BETS and amount > counted:
        return Verdict("bet_out_of_turn", counted)
    return Verdict("bet_changed" if counted else "late_bet", counted)


def _may_bet(round_: Round, phase: Phase, seat: SeatState | None, wager: Wager) -> bool:
    decision = DECISIONS.get(phase)
    if seat is None or decision is None or decision.wager != wager or not seat.playing:
        return False
    return not round_.decided and wager not in seat.wagers


def _in_settlement(round_: Round, circle: Circle, amount: int, felt: Felt) -> Verdict | None:
    seat = round_.seats.get(circle.seat)
    counted = seat.wagers.get(circle.wager, 0) if seat else 0
    if seat is None or not counted or forfeit_goes(round_, seat, circle.wager):
        left = 0 if seat is None or circle.wager in seat.collected else counted
        if amount <= left:
            return None
        return Verdict("late_bet" if seat is None and circle.wager not in BETS else "wrong_circle", 0)
    done = round_.settled.get(circle)
    step = felt.planned.get(circle)
    if done is not None and (step is None or done.step == step):
        return _when_done(round_, done.step, amount)
    if step is None:  # not worked out yet: its cards are still face down
        if amount == counted:
            return None
        return Verdict("wrong_circle" if amount > counted else "bet_changed", counted)
    return _when_due(step, amount) if step in felt.open else _when_later(step, amount)


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


def review(turn: Turn, before: TableState) -> None:
    """Judge every circle that may have changed since `before`; suspect, accuse when it has stood long
    enough, take back when it is over."""
    circles = _to_judge(turn, before)
    if not circles:
        return
    suspects = dict(turn.state.suspects)
    felt = felt_of(turn.state, turn.context.ms)
    for circle in sorted(circles | felt.twice):
        verdict = judge(turn.state, circle, felt)
        key = f"{circle.seat}.{circle.wager}"
        if verdict is None:
            suspects.pop(key, None)
            if turn.state.holding(*circle).reading != "none":
                _take_back(turn, circle, None)
            continue
        since, code = suspects.get(key, (turn.context.ms, ""))
        if code != verdict.code:
            since = turn.context.ms
            suspects[key] = (since, verdict.code)
            if verdict.code not in UNREAD:
                _take_back(turn, circle, verdict.code)
        if turn.context.ms >= since + patience(verdict.code):
            _accuse(turn, circle, verdict)
    if suspects != turn.state.suspects:
        turn.set(suspects=suspects)


def _to_judge(turn: Turn, before: TableState) -> set[Circle]:
    """Circles that were read, that stand accused or suspected, or for which something else counts or is
    due than before; whatever did not change is told by identity."""
    now = turn.state
    circles = {Circle(int(key[0]), Wager(key[2:])) for key in now.suspects}
    circles |= {Circle(a.seat, a.wager) for a in now.alerts if a.code in WATCHED and a.seat and a.wager}
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
    return (new.plan is old.plan or new.plan == old.plan) and (
        new.signed_off is old.signed_off and new.decided == old.decided
    )


def _box(state: TableState, seat: int) -> SeatState | None:
    return state.round.seats.get(seat) if state.round else None


def _moved_on(now: Round, before: Round) -> set[Circle]:
    """The circles between which the settlement has moved."""
    if now.settled is before.settled and now.cursor == before.cursor:
        return set()
    steps = (*settling.open_steps(before), *settling.open_steps(now))
    changed = {Circle(*key) for key, done in now.settled.items() if before.settled.get(key) is not done}
    undone = {Circle(*key) for key in before.settled if key not in now.settled}
    return {Circle(step.seat, step.wager) for step in steps} | changed | undone


def suspected(state: TableState) -> tuple[Circle, ...]:
    """Circles to read again before anything is said of them, and until it is mended."""
    keys = (key.partition(".") for key, (_, code) in state.suspects.items() if code not in UNREAD)
    return tuple(Circle(int(seat), Wager(wager)) for seat, _, wager in keys)


def patience(code: str) -> int:
    """How long a difference must stand before it is said (ms)."""
    return LOST_MS if code in UNREAD else ACCUSE_MS


def _accuse(turn: Turn, circle: Circle, verdict: Verdict) -> None:
    fresh = turn.find_alert(verdict.code, *circle) is None
    turn.alert(verdict.code, *circle, should=verdict.should)
    if verdict.code == "overpaid":
        turn.clear_alert("underpaid", *circle)
    elif verdict.code == "settled_out_of_order" and fresh:
        _went_on(turn)


def _take_back(turn: Turn, circle: Circle, keep: str | None) -> None:
    for alert in turn.state.alerts:
        if turn.state.phase is Phase.BETTING and alert.code in WAGER_CODES:
            continue  # before the close it is `betting.py` that raises it and takes it back
        if (alert.seat, alert.wager) == circle and alert.code in WATCHED and alert.code != keep:
            turn.clear_alert(alert.code, *circle)


def _went_on(turn: Turn) -> None:
    """A later step was done first: the active one that is open was left."""
    if settling.due_step(turn.state) is None:
        return
    left = settling.open_steps(turn.round)[-1]
    holding = turn.state.holding(left.seat, left.wager)
    if left.verb == "push" or not holding.readable or holding.amount == settling.holds(left):
        return
    code = "losing_bet_left" if left.verb == "take" else "underpaid"
    turn.alert(code, left.seat, left.wager, should=settling.holds(left))


def deadline(state: TableState) -> int | None:
    """When the next suspicion becomes an accusation (ms)."""
    return min((since + patience(code) for since, code in settling.unsaid(state)), default=None)
