"""Amounts due, which the dealer still has to take or pay at each seat, in the books of a round: the wagers
that count, the tray's share of each, and the differences.

All are derived from cards, decisions and ledger; nothing is stored. Prompt, lamp, key, judge and record use
the same functions. Sources: 58 Pa. Code § 674a.7(b), .11(b) to (i), .12, .13; tests/scenarios/FORMAT.md
"Meaning of some steps".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from controller.game.model.ledger import EMPTY_ROW, SIGNED, Account, LedgerRow
from controller.game.model.names import Circle, Phase, Wager
from controller.game.model.plan import Item, Step, TurnSeat
from controller.game.model.round import Round, SeatState
from controller.game.model.side_bets import BONUSES, SIDE_BETS
from controller.game.model.state import TableState
from controller.game.rulebook.faces import bonus_faces, hole_cards

Stage = Literal["none", "rest", "collect", "later", "open", "done", "void"]
"""Stage of a circle. `none`: no wager counts in it; `rest`: nothing is due; `collect`: its wager is taken
with a fold or forfeit; `later`: settled later in this round; `open`: settled now; `done`: settled; `void`:
the round is void."""


# ------------------------------------------------------------------ wagers


def is_collected(round_: Round, seat: SeatState, wager: Wager) -> bool:
    """Return whether a wager is collected because its seat folded (its bonus wagers stay) or forfeited (every
    wager not settled by then is collected).
    """
    if seat.forfeited is not None:
        return round_.ledger.of_seat(seat.seat).get(wager, EMPTY_ROW).settled is None
    return seat.folded_at is not None and wager not in BONUSES


def wager_at(round_: Round, circle: Circle) -> int:
    """Return the cents of the wager that counts in a circle; 0 if none does."""
    seat = round_.seats.get(circle.seat)
    return seat.wagers.get(circle.wager, 0) if seat else 0


def excess(round_: Round, circle: Circle) -> int:
    """Return the cents that the player has in play beyond the wager that counts (negative: missing from it),
    minus the cents that a floorperson signed. Zero once the wager is settled, because the rest is the
    player's."""
    row = round_.ledger.row(circle)
    return 0 if row.settled is not None else -row.player - (wager_at(round_, circle) - row.stake)


def unaccounted_cents(row: LedgerRow) -> int:
    """Return the cents that left a circle to an unknown holder. A negative amount is chips in the circle
    without an owner.
    """
    return row.unexplained + row.borrowed


# ------------------------------------------------------------------ plan of the settlement


def is_done(round_: Round, item: Item) -> bool:
    """Return whether the dealer has carried out an item of the settlement plan. A wager that was settled with
    another amount than the plan has now is not done."""
    if isinstance(item, Step):
        return is_settled(round_, item)
    if isinstance(item, TurnSeat):
        return item.seat in round_.settlement.shown and hole_cards(round_, item.seat) is not None
    return round_.settlement.bonus_shown and bonus_faces(round_) is not None


def is_settled(round_: Round, step: Step) -> bool:
    """Return whether the tray already has from the wager exactly the amount that the step plans."""
    return round_.ledger.row(step.circle).settled == step.tray


def current_item(round_: Round) -> Item | None:
    """Return the first item of the plan that is not done."""
    return round_.settlement.current


def open_steps(round_: Round) -> tuple[Step, ...]:
    """Return the step that is due. After a push it also returns the following pushes, up to and including the
    next step that moves chips: a dealer who does that later step has thereby passed the pushes
    (tests/scenarios/FORMAT.md)."""
    settlement = round_.settlement
    steps: list[Step] = []
    for index in range(settlement.cursor, len(settlement.plan)):
        item = settlement.plan[index]
        if not isinstance(item, Step):
            break
        if index > settlement.cursor and is_done(round_, item):
            continue
        steps.append(item)
        if item.verb != "push" or not needs_no_chips(round_, item):
            break
    return tuple(steps)


def needs_no_chips(round_: Round, step: Step) -> bool:
    """Return whether a push can be settled without moving chips. It cannot if its wager was already taken or
    paid and is settled again."""
    row = round_.ledger.row(step.circle)
    return step.verb == "push" and (row.settled is None or row.tray == row.goal(0))


def planned_step(round_: Round, circle: Circle) -> Step | None:
    """Return the step by which the plan settles a wager, whether or not it is public yet."""
    steps = round_.settlement.steps.get(circle[0])
    return None if steps is None else steps.get(circle[1])


def step_of(round_: Round, circle: Circle) -> Step | None:
    """Return the step that settles a wager; None until its cards are face up and the step is public."""
    bet, settlement = SIDE_BETS.get(circle.wager), round_.settlement
    if (bet is None or bet.own) and circle.seat not in settlement.shown:
        return None
    if bet is not None and bet.bonus_cards and not settlement.bonus_shown:
        return None
    return planned_step(round_, circle)


def seat_done(round_: Round, seat: int) -> bool:
    """Return whether every wager of a seat is settled."""
    box = round_.seats.get(seat)
    if box is None:
        return False
    rows = round_.ledger.of_seat(seat)
    for wager, step in round_.settlement.steps.get(seat, {}).items():
        if rows.get(wager, EMPTY_ROW).settled != step.tray:
            return False
    unsettled = (wager for wager in box.wagers if rows.get(wager, EMPTY_ROW).settled is None)
    return all(is_collected(round_, box, wager) for wager in unsettled)


# ------------------------------------------------------------------ stage of a circle


def stage(state: TableState, circle: Circle) -> tuple[Stage, Step | None]:
    """Return the stage of a circle, and the step that settles its wager if that is public."""
    where, step = settled_stage(state, circle)
    if where == "later" and state.round is not None:
        where = "open" if any(due.circle == circle for due in open_steps(state.round)) else where
    return where, step


def settled_stage(state: TableState, circle: Circle) -> tuple[Stage, Step | None]:
    """Return the stage and the public step of a circle as `stage` does, but with `later` in place of
    `open`."""
    round_ = state.round
    if round_ is None or round_.ending.void is not None:
        return ("none" if round_ is None else "void"), None
    box = round_.seats.get(circle.seat)
    if box is None or not box.wagers.get(circle.wager):
        return "none", None
    if is_collected(round_, box, circle.wager):
        return "collect", None
    if state.play_phase not in (Phase.SETTLEMENT, Phase.CLEARING):
        return "rest", None
    step = step_of(round_, circle)
    if step is None:
        return "rest", None
    return ("done" if is_settled(round_, step) else "later"), step


def tray_goal(round_: Round, circle: Circle, where: Stage, step: Step | None) -> int | None:
    """Return the cents that the tray should have from a circle in the end, negative for a payout; None if
    nothing is due. `where`, `step`: result of `stage` for the circle."""
    row = round_.ledger.row(circle)
    if where == "void":
        return row.goal(0)
    if where == "collect":
        return row.goal(wager_at(round_, circle))
    return None if step is None else row.goal(step.tray)


def uncollected(round_: Round) -> Circle | None:
    """Return the next wager of a folded or forfeited seat that the tray does not have yet."""
    return next(to_collect(round_), None)


def to_collect(round_: Round) -> Iterator[Circle]:
    """Yield every wager of a folded or forfeited seat that the tray does not have yet, in the order of
    collection."""
    for seat in round_.seats.values():
        if seat.folded_at is None and seat.forfeited is None:
            continue
        rows = round_.ledger.of_seat(seat.seat)
        for wager, cents in seat.wagers.items():
            row = rows.get(wager, EMPTY_ROW)
            if row.tray == cents and not row.house:
                continue
            if row.tray < row.goal(cents) and is_collected(round_, seat, wager):
                yield Circle(seat.seat, wager)


def is_settling(state: TableState) -> bool:
    """Return whether the dealer has to handle chips now, to collect a folded hand or to settle wagers."""
    if state.round is None:
        return False
    return state.play_phase is Phase.SETTLEMENT or uncollected(state.round) is not None


HANDS_AT_CHIPS_MS = 2_000
"""Time for which the dealer's hand may still be at the chips after chips last reached the tray, in ms of
the table clock. Readers report one motion in any order; within this time drivers/chips/scanner.py has read
every circle again, even one that was silent for 0.8 s."""


SEAT_READ_MS = 400
"""Time in which the readers of one seat report one motion, in ms of the table clock: the seat's board reads
each circle twice. It must end before a player may pick up a push, which is allowed once the seat is done."""


def hands_at_chips(state: TableState, ms: int) -> bool:
    """Return whether the dealer's hand may have moved a chip at or before `ms` of the table clock: the dealer
    is settling, is collecting or about to collect a fold, or has just collected one.
    """
    if is_settling(state) or state.round is None or not state.procedures:
        return is_settling(state)
    return state.round.decisions.folding or any(recently_taken(state, ms, HANDS_AT_CHIPS_MS))


WAITS_FOR_READINGS_SINCE = 6
"""First revision of `PROCEDURES` in which every difference is judged. After a start, a round waits for the
first reading of each circle, and a reader that fails does not disprove a difference that it saw.
"""


def recently_taken(state: TableState, ms: int, within_ms: int) -> Iterator[Circle]:
    """Yield the circles with chips that a hand took to the tray within `within_ms` before `ms`, latest
    first."""
    if state.round is None or not state.procedures:
        return
    for entry in reversed(state.round.ledger.entries):
        if ms - entry.ms > within_ms:
            return
        if entry.to is Account.TRAY and entry.source is not Account.TRAY and entry.why != SIGNED:
            yield Circle(entry.seat, entry.wager)
