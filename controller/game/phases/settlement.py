"""Settlement as a closed loop: each payout, taking and push is checked on its own circle, and the next step
comes when it is right or signed.

`planning.py` gives the steps, the ledger the movements so far; this module decides when a step is done. A
wager is settled when the tray has received or paid the amount due for it and none of its chips is
unexplained; for a push the dealer also has to confirm or go on. Sources: 58 Pa. Code § 674a.11(g) to (i),
.12; controller/game/TABLE.md "When it is paid wrongly".
"""

from __future__ import annotations

from itertools import takewhile

from controller.game.books import dues, movements
from controller.game.books.dues import current_item, open_steps, uncollected
from controller.game.books.unproven_chips import awaits_ruling
from controller.game.model.events import KeyPressed
from controller.game.model.evolve import evolve
from controller.game.model.irregularities import LEFT_UNDONE, Code
from controller.game.model.ledger import Account, Evidence, LedgerEntry
from controller.game.model.names import BONUS_PLACES, Circle, Phase
from controller.game.model.plan import Step, TurnBonusCards, TurnSeat
from controller.game.model.round import Round
from controller.game.model.state import Context, TableState
from controller.game.model.transition import Transition
from controller.game.phases import deck, payout_proofs, planning
from controller.game.phases.decisions import collect_by_word, verify_collected
from controller.game.phases.record import unsigned_amounts, write_record
from controller.game.rulebook.wagers import Refusal

CONFIRM_COVERS_SHOWN_SINCE = 2
"""First revision of `PROCEDURES` in which CONFIRM of TAKE covers the displayed amount and no missing
chips."""


# ------------------------------------------------------------------ due step


def due_step(state: TableState) -> Step | None:
    """Return the step that the dealer settles now, or None."""
    if state.phase is not Phase.SETTLEMENT or state.round is None or uncollected(state.round):
        return None
    if planning.unread_place(state.round) is not None:
        return None
    item = current_item(state.round)
    return item if isinstance(item, Step) else None


def amount_after(round_: Round, step: Step) -> int:
    """Return the cents that the circle should hold once the step is done."""
    circle = step.circle
    row = round_.ledger.row(circle)
    return max(0, row.circle + row.tray - row.goal(step.tray))


# ------------------------------------------------------------------ next step


def advance(play: Transition) -> None:
    """Pass every step that is done. After the last one the round ends, if no difference is open."""
    if not play.settlement.plan and not _begun(play.round):
        planning.replan(play)
    if uncollected(play.round) is not None or planning.unread_place(play.round) is not None:
        return
    while isinstance(step := current_item(play.round), Step):
        if in_doubt(play.state) or payout_proofs.awaits(play.state, play.context, step):
            return
        if not _passes(play, step):
            return
    if current_item(play.round) is None and not differences(play.state) and not _unread(play.state):
        finish(play)


def _unread(state: TableState) -> bool:
    """Return whether a circle is still unread since the start of the daemon. Before revision 6 the round did
    not wait for that reading."""
    return state.procedures >= dues.WAITS_FOR_READINGS_SINCE and any(
        holding.reading == "none" for row in state.holdings.values() for holding in row.values()
    )


def _begun(round_: Round) -> bool:
    return any(round_.ledger.row(circle).settled is not None for circle in round_.ledger.circles())


def unannounced(state: TableState) -> list[tuple[int, Code]]:
    """Return (since ms, code) of every suspicion without an alert. READERS_LOST counts as an alert of each
    lost reader."""
    if not state.suspects:
        return []
    alerted = {(Circle(a.seat, a.wager).key, a.code) for a in state.alerts if a.seat and a.wager}
    if any(alert.code is Code.READERS_LOST for alert in state.alerts):
        alerted |= {(key, Code.READER_LOST) for key in state.suspects}
    return [(since, code) for key, (since, code) in state.suspects.items() if (key, code) not in alerted]


def in_doubt(state: TableState) -> bool:
    """Return whether a difference has been seen but not announced; it is announced before the next step is
    prompted."""
    return any(code.kind.money for _, code in unannounced(state))


def is_accounted_for(round_: Round, step: Step) -> bool:
    """Return whether every chip of a wager is accounted for: none missing and none in excess."""
    circle = step.circle
    return not round_.ledger.row(circle).unexplained and not dues.excess(round_, circle)


def excess_cents(round_: Round, step: Step) -> int:
    """Return the cents in a circle that belong neither to the wager that counts nor to the tray; negative:
    missing."""
    circle = step.circle
    return dues.excess(round_, circle) - round_.ledger.row(circle).unexplained


def is_carried_out(round_: Round, step: Step) -> bool:
    """Return whether the tray has its due of a wager and every chip of the wager is accounted for."""
    circle = step.circle
    row = round_.ledger.row(circle)
    return row.tray == row.goal(step.tray) and is_accounted_for(round_, step)


def _passes(play: Transition, step: Step) -> bool:
    circle = step.circle
    rests = dues.needs_no_chips(play.round, step)
    done = play.state.holding(*circle).readable and (rests or is_carried_out(play.round, step))
    if not done or _elsewhere(play.state, circle):
        return False
    if rests:
        return _pushes_passed(play)
    settle(play, step, "read")
    return True


def _elsewhere(state: TableState, circle: Circle) -> bool:
    """Return whether the last reading of another circle also shows a chip of this circle."""
    here = state.holding(*circle)
    if not here.chips:
        return False
    rows = state.holdings.values()
    others = {chip.uid for row in rows for held in row.values() if held is not here for chip in held.chips}
    return not others.isdisjoint(chip.uid for chip in here.chips)


def _pushes_passed(play: Transition) -> bool:
    """Settle pushes that the dealer passed: the step after them is done, and they are still in place. Returns
    False if this is not the case."""
    *pushes, last = open_steps(play.round)
    if (
        not pushes
        or dues.needs_no_chips(play.round, last)
        or not play.state.holding(last.seat, last.wager).readable
    ):
        return False
    if not all(is_carried_out(play.round, step) for step in (*pushes, last)):
        return False
    for push in pushes:
        settle(play, push, "read" if play.state.holding(push.seat, push.wager).readable else "said")
    return True


def settle(play: Transition, step: Step, evidence: Evidence) -> None:
    """Record the step as done, with the amount due in the tray."""
    entry = LedgerEntry(
        play.context.ms, step.seat, step.wager, Account.CIRCLE, Account.CIRCLE, 0, evidence, step.verb
    )
    play.round = planning.sought(evolve(play.round, ledger=play.round.ledger.close(entry, step.tray)))
    play.clear_alerts_at(step.circle, LEFT_UNDONE)


def reopen(play: Transition, circle: Circle) -> None:
    """Reopen a push after UNDO, so that it is due again. A key that moved no chip is no evidence of a
    movement."""
    entry = LedgerEntry(play.context.ms, *circle, Account.CIRCLE, Account.CIRCLE, 0, "inferred", "undone")
    anew = evolve(play.settlement, cursor=0)
    play.round = planning.sought(evolve(play.round, ledger=play.round.ledger.reopen(entry), settlement=anew))


def differences(state: TableState) -> bool:
    """Return whether money of this round is known or suspected to be in a wrong place, or a chip of it to
    fail its proof without a ruling of the floor."""
    return any(awaits_ruling(state, alert.code) and alert.seat for alert in state.alerts) or any(
        awaits_ruling(state, code) for _, code in state.suspects.values()
    )


def finish(play: Transition) -> None:
    """End the round: write its record; the cards are gathered next."""
    deck.finish_round(play)
    if left := unsigned_amounts(play.state):
        play.ending = evolve(play.ending, unsigned=left)
        play.state = evolve(play.state, signatures=())
    write_record(play)
    play.ending = evolve(play.ending, ended=play.context.ms)
    play.enter(Phase.CLEARING)


# ------------------------------------------------------------------ keys


def verify_confirm(state: TableState, context: Context) -> Refusal | None:
    round_ = state.round
    if round_ is None:
        return Refusal("not_now", "")
    taken = uncollected(round_)
    if taken is not None:
        return verify_collected(state, taken)
    if planning.unread_place(round_) is not None:
        return Refusal("enter_face", "")
    item = current_item(round_)
    if item is None:
        return Refusal("mend_first", "") if differences(state) else Refusal("reading_wait", "")
    return _verify_step(state, context, round_, item) if isinstance(item, Step) else None


def _verify_step(state: TableState, context: Context, round_: Round, step: Step) -> Refusal | None:
    if state.holding(step.seat, step.wager).reading == "none" or in_doubt(state):
        return Refusal("reading_wait", "")
    if payout_proofs.awaits(state, context, step):
        return Refusal("proofs_wait", "")
    if dues.needs_no_chips(round_, step) and not is_carried_out(round_, step):
        return Refusal(Code.PUSH_DISTURBED, context.pack.rulings[Code.PUSH_DISTURBED].citation)
    extra = excess_cents(round_, step)
    if extra > 0 or (extra < 0 and step.verb == "pay"):
        return Refusal("mend_first", "")
    return _not_yet(state, context, round_, step)


def _not_yet(state: TableState, context: Context, round_: Round, step: Step) -> Refusal | None:
    """Return the refusal of a CONFIRM that is too early, or None. A reader detects TAKE and PAY without a
    key, and an early press raises no alert."""
    if needs_confirmation(state, context, round_, step):
        return None
    if taken := to_take(round_, step):
        return Refusal(NOT_YET, step.citation, {"wager": step.wager, "lies": taken})
    if given := to_give(round_, step):
        return Refusal(NOT_YET, step.citation, {"wager": step.wager, "missing": given})
    return None


NOT_YET = "not_yet"
"""Code of a refusal for which CONFIRM is dark. A press of the physical key still counts as the dealer's
report that the step is done."""


def needs_confirmation(state: TableState, context: Context, round_: Round, step: Step) -> bool:
    """Return whether the dealer has to confirm a step: no reader sees it done, or no chips have to move."""
    unseen = not state.holding(*step.circle).readable or _paid_by_hand(context, round_, step)
    return unseen or dues.needs_no_chips(round_, step)


def verify_cleared(state: TableState, _context: Context) -> Refusal | None:
    """Check the end of the round: an overpayment in the last step must be taken back or signed before the
    next round."""
    if state.round is None:
        return None
    if differences(state):
        return Refusal("mend_first", "")
    return Refusal("reading_wait", "") if _unread(state) else None


def confirm(play: Transition, event: KeyPressed) -> None:
    """Handle CONFIRM: the seat's cards have been turned, the push stays, or a step that no reader sees was
    done."""
    item = current_item(play.round)
    taken = uncollected(play.round)
    if taken is not None:
        collect_by_word(play, taken)
    elif isinstance(item, TurnSeat):
        play.settlement = evolve(play.settlement, shown=play.settlement.shown | {item.seat})
        _turned(play)
    elif isinstance(item, TurnBonusCards):
        play.settlement = evolve(play.settlement, bonus_shown=True)
        play.round = evolve(play.round, turned=play.round.turned | set(BONUS_PLACES))
        _turned(play)
    elif item is not None:
        _confirm_step(play, item, event)


def _turned(play: Transition) -> None:
    """Advance the plan after a turn; compute it again if it had ended there for lack of faces."""
    if play.settlement.cursor + 1 < len(play.settlement.plan):
        play.round = planning.sought(play.round)
    else:
        planning.replan(play)


def _confirm_step(play: Transition, step: Step, event: KeyPressed) -> None:
    circle = step.circle
    round_, holding = play.round, play.state.holding(*circle)
    row = round_.ledger.row(circle)
    due = row.goal(step.tray)
    back = due - row.tray
    if not holding.readable or _paid_by_hand(play.context, round_, step):
        entered = _taken_by_word(play.state, round_, step)
        movements.post_tray_amount(play, circle, due if entered is None else entered, step.verb)
        if entered is None or entered == due:
            settle(play, step, "said")
    elif dues.needs_no_chips(round_, step):
        for push in pushes_of_hand(play.state, round_) if event.prompt else (step,):
            play.keep_undo(event.key, push.seat, push.wager)
            settle(play, push, "read")
    elif back > 0 and not to_take(play.round, step):
        movements.post_tray_amount(play, circle, due, "had back")
        if is_accounted_for(play.round, step):
            settle(play, step, "said")
    elif back > 0:
        code = Code.LOSING_BET_LEFT if step.verb == "take" else Code.OVERPAID
        play.alert(code, step.seat, step.wager, should=amount_after(round_, step))
    elif back < 0:
        play.alert(Code.UNDERPAID, step.seat, step.wager, should=amount_after(round_, step))


def _taken_by_word(state: TableState, round_: Round, step: Step) -> int | None:
    """Return the cents that the tray has after the dealer took the displayed part of a lost wager; None if
    CONFIRM covers the complete step. Chips that were missing before stay unexplained, and the next prompt
    names them."""
    lies = to_take(round_, step)
    if state.procedures < CONFIRM_COVERS_SHOWN_SINCE or step.verb != "take" or not lies:
        return None
    return round_.ledger.row(step.circle).tray + lies


def pushes_of_hand(state: TableState, round_: Round) -> tuple[Step, ...]:
    """Return the push that is due, and the following pushes by the same hand that are in place. The screen
    names them together, and its CONFIRM covers all of them."""
    first, *later = open_steps(round_)
    same = takewhile(lambda step: _lies_by(state, round_, step, first), later)
    return (first, *same) if dues.needs_no_chips(round_, first) else (first,)


def _lies_by(state: TableState, round_: Round, step: Step, first: Step) -> bool:
    rests = dues.needs_no_chips(round_, step) and (step.hand, step.line) == (first.hand, first.line)
    return rests and state.holding(*step.circle).readable and is_carried_out(round_, step)


def to_take(round_: Round, step: Step) -> int:
    """Return the cents that should move from the circle to the tray now: for a lost wager all cents that
    count, otherwise an overpayment."""
    circle = step.circle
    row = round_.ledger.row(circle)
    lacks = row.goal(step.tray) - row.tray
    stays = 0 if step.verb == "take" else max(0, step.amount - row.stake) - min(0, step.tray)
    return max(0, min(lacks, row.circle - stays))


def to_ask(round_: Round, step: Step) -> int:
    """Return the cents due to the tray that are no longer in the circle; the prompt asks the player for
    them by seat."""
    circle = step.circle
    row = round_.ledger.row(circle)
    lacks = row.goal(step.tray) - row.tray
    return max(0, lacks - to_take(round_, step) - max(0, dues.unaccounted_cents(row)))


def to_give(round_: Round, step: Step) -> int:
    """Return the cents that the tray has beyond its due and has to pay into the circle now."""
    circle = step.circle
    row = round_.ledger.row(circle)
    return max(0, row.tray - row.goal(step.tray))


def _paid_by_hand(context: Context, round_: Round, step: Step) -> bool:
    """Return whether a reader of the circle cannot verify the payout. House procedure may place it beside the
    circle, or a payout limit may have reduced it to an amount that whole chips cannot make."""
    lacks = to_give(round_, step)
    if step.verb != "pay" or not lacks or not is_accounted_for(round_, step):
        return False
    untouched = round_.ledger.row(step.circle).tray == 0
    return (context.settings.payouts_beside and untouched) or lacks < min(context.settings.chip_values)
