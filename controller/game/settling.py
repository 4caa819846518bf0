"""The closed loop: each step of the settlement is watched on its own circle.

`settlement.py` says what is to be done; this module says when it has been done. A take is done when
the circle is empty, a pay when it holds wager and payout; a push when the dealer confirms it or goes
on and nothing has changed. Sources: 58 Pa. Code § 674a.11(g) to (i), ARCHITECTURE "The closed loop".
"""

from __future__ import annotations

from controller.game import deck, homes, settlement
from controller.game.cards import Card
from controller.game.deal import cards_of
from controller.game.decisions import collect_what_is_empty, collected, forfeit_goes, uncollected
from controller.game.effects import WriteRecord
from controller.game.events import KeyPressed
from controller.game.names import BONUS_PLACES, CROSS, Circle, Phase
from controller.game.record import round_record
from controller.game.settlement import Item, Step, TurnBonusCards, TurnSeat
from controller.game.state import Context, Round, Settled, TableState
from controller.game.turn import Turn
from controller.game.wagers import Refusal

DIFFERENCES = (
    "losing_bet_left", "underpaid", "overpaid", "push_disturbed", "wrong_circle", "bet_changed", "late_bet",
)  # fmt: skip
"""What must be mended or signed before a round may end."""


# ------------------------------------------------------------------ the plan


def replan(turn: Turn) -> None:
    """Work out what is to be settled from what is known now; done again when a face becomes known."""
    round_ = turn.round
    seats = [
        settlement.Seat(
            seat.seat, seat.player, hole_cards(round_, seat.seat), seat.folded_at is not None,
            {wager: cents for wager, cents in seat.wagers.items() if not forfeit_goes(round_, seat, wager)},
        )
        for _, seat in sorted(round_.seats.items())
    ]  # fmt: skip
    cross = {place: round_.cards[place].face for place in CROSS if place in round_.turned}
    known = {place: face for place, face in cross.items() if face is not None}
    complete = len(known) == len(CROSS)
    plan = settlement.plan(turn.context.pack, known, bonus_faces(round_), seats) if complete else ()
    turn.set_round(plan=plan)
    _seek(turn)


def _seek(turn: Turn) -> None:
    """Find the first item that is not done: once a change, instead of with every question."""
    round_ = turn.round
    undone = (n for n, item in enumerate(round_.plan) if not satisfied(round_, item))
    turn.set_round(cursor=next(undone, len(round_.plan)))


def hole_cards(round_: Round, seat: int) -> tuple[Card, Card] | None:
    """A seat's two cards, None while one of them is not read."""
    faces = [round_.cards[place].face for place in cards_of(seat) if place in round_.cards]
    known = [face for face in faces if face is not None]
    return (known[0], known[1]) if len(known) == 2 else None


def bonus_faces(round_: Round) -> tuple[Card, ...] | None:
    """The four bonus cards, None while one of them is not read."""
    faces = [round_.cards[place].face for place in BONUS_PLACES if place in round_.cards]
    known = tuple(face for face in faces if face is not None)
    return known if len(known) == len(BONUS_PLACES) else None


def satisfied(round_: Round, item: Item) -> bool:
    """Whether an item of the plan has been done as it stands in the plan now."""
    if isinstance(item, TurnSeat):
        return item.seat in round_.shown and hole_cards(round_, item.seat) is not None
    if isinstance(item, TurnBonusCards):
        return round_.bonus_shown and bonus_faces(round_) is not None
    done = round_.settled.get((item.seat, item.wager))
    return done is not None and (done.step is item or done.step == item)


def current(round_: Round) -> Item | None:
    """The first item that is not done."""
    return round_.plan[round_.cursor] if round_.cursor < len(round_.plan) else None


def open_steps(round_: Round) -> tuple[Step, ...]:
    """The step that is due, and where it is a push the ones after it up to the next active step:
    by carrying that one out the dealer passes the pushes (contracts/scenario.md)."""
    steps: list[Step] = []
    for item in round_.plan[round_.cursor :]:
        if not isinstance(item, Step):
            break
        if satisfied(round_, item):
            continue
        steps.append(item)
        if item.verb != "push":
            break
    return tuple(steps)


def due_step(state: TableState) -> Step | None:
    """What the dealer is told to settle now."""
    if state.phase is not Phase.SETTLEMENT or state.round is None or uncollected(state.round):
        return None
    item = current(state.round)
    return item if isinstance(item, Step) else None


def seat_done(round_: Round, seat: int) -> bool:
    """Whether nothing of a seat is open any more: what lies there is the player's."""
    ahead = round_.plan[round_.cursor :]
    return all(isinstance(item, TurnBonusCards) or item.seat != seat for item in ahead)


def unread_place(round_: Round) -> str | None:
    """A card that has been turned for settlement and that nobody has read yet."""
    item = current(round_)
    if isinstance(item, TurnSeat) and item.seat in round_.shown:
        places: tuple[str, ...] = cards_of(item.seat)
    elif isinstance(item, TurnBonusCards) and round_.bonus_shown:
        places = BONUS_PLACES
    else:
        return None
    return next((p for p in places if p not in round_.cards or round_.cards[p].face is None), None)


def current_seat(round_: Round) -> int | None:
    """The seat whose cards are being turned or settled."""
    item = current(round_)
    return None if item is None or isinstance(item, TurnBonusCards) else item.seat


def holds(step: Step) -> int:
    """What the circle holds when the step is done."""
    return 0 if step.verb == "take" else step.amount + step.payout


# ------------------------------------------------------------------ what comes next


def advance(turn: Turn) -> None:
    """Pass every step that has been done; when none is left and nothing differs, the round ends."""
    if not turn.round.plan and not turn.round.settled:
        turn.set_round(homes=homes.lying(turn.state))
        replan(turn)
    collect_what_is_empty(turn)
    while uncollected(turn.round) is None:
        step = due_step(turn.state)
        if step is None or _in_doubt(turn.state) or not _passes(turn, step):
            break
    done = uncollected(turn.round) is None and current(turn.round) is None
    if done and not _differences(turn.state):
        finish(turn)


def unsaid(state: TableState) -> list[tuple[int, str]]:
    """(since ms, code) of every suspicion that is no alert yet."""
    if not state.suspects:
        return []
    said = {(f"{alert.seat}.{alert.wager}", alert.code) for alert in state.alerts}
    return [(since, code) for key, (since, code) in state.suspects.items() if (key, code) not in said]


def _in_doubt(state: TableState) -> bool:
    """A difference has been seen and not been said yet: it is said before the next step is prompted."""
    return any(code in (*DIFFERENCES, "settled_out_of_order") for _, code in unsaid(state))


def _passes(turn: Turn, step: Step) -> bool:
    holding = turn.state.holding(step.seat, step.wager)
    if not holding.readable:
        return False
    if step.verb == "push":
        return _pushes_passed(turn)
    circle = Circle(step.seat, step.wager)
    if holding.amount != holds(step):
        return False
    if homes.borrowed(turn.round, circle, holding) or _elsewhere(turn.state, circle):
        return False
    settle(turn, step, seen=True)
    return True


def _elsewhere(state: TableState, circle: Circle) -> bool:
    """One of its chips was read last in another circle, which has not been read again."""
    uids = {chip.uid for chip in state.holding(*circle).chips}
    others = (
        holding.chips
        for seat, row in state.holdings.items()
        for wager, holding in row.items()
        if (seat, wager) != circle
    )
    return bool(uids) and any(chip.uid in uids for chips in others for chip in chips)


def _pushes_passed(turn: Turn) -> bool:
    """The dealer has carried out the step after the pushes, and they lie as they lay."""
    *pushes, last = open_steps(turn.round)
    held = turn.state.holding(last.seat, last.wager)
    if not held.readable or held.amount != holds(last) or last.amount == holds(last):
        return False
    if any(_disturbed(turn.state, push) for push in pushes):
        return False
    for push in pushes:
        settle(turn, push, seen=turn.state.holding(push.seat, push.wager).readable)
    return True


def _disturbed(state: TableState, push: Step) -> bool:
    holding = state.holding(push.seat, push.wager)
    return holding.readable and holding.amount != push.amount


def settle(turn: Turn, step: Step, *, seen: bool) -> None:
    """Write the step down as done. `seen`: the circle's own reader saw it."""
    round_ = turn.round
    verified = seen and step.wager not in round_.seats[step.seat].by_hand
    circle = Circle(step.seat, step.wager)
    lying = () if step.verb == "take" else turn.state.holding(*circle).chips
    turn.set_round(
        settled=round_.settled | {(step.seat, step.wager): Settled(step, verified)},
        homes=homes.without(round_.homes, circle) | {chip.uid: circle for chip in lying},
    )
    _seek(turn)
    if step.verb != "push":
        turn.set(undo=None)
    for code in ("losing_bet_left", "underpaid"):
        turn.clear_alert(code, step.seat, step.wager)


def _differences(state: TableState) -> bool:
    return any(alert.code in DIFFERENCES and alert.seat for alert in state.alerts) or any(
        code in DIFFERENCES for _, code in state.suspects.values()
    )


def finish(turn: Turn) -> None:
    """The round has ended: its record is written, the cards are gathered."""
    deck.played(turn)
    turn.effects.append(WriteRecord(round_record(turn.state, turn.context)))
    turn.set(undo=None)
    turn.set_round(ended=turn.context.ms)
    turn.enter(Phase.CLEARING)


# ------------------------------------------------------------------ keys


def verify_confirm(state: TableState, context: Context) -> Refusal | None:
    if state.round is None:
        return Refusal("not_now", "")
    taken = uncollected(state.round)
    if taken is not None:
        return None if state.holding(*taken).dead else Refusal("chips_still_there", "")
    if unread_place(state.round) is not None:
        return Refusal("enter_face", "")
    item = current(state.round)
    if item is None:
        return Refusal("mend_first", "")
    if isinstance(item, Step):
        return _verify_step(state, context, item)
    return None


def _verify_step(state: TableState, context: Context, step: Step) -> Refusal | None:
    if state.holding(step.seat, step.wager).reading == "none":
        return Refusal("reading_wait", "")
    if step.verb == "push" and _disturbed(state, step):
        return Refusal("push_disturbed", context.pack.rulings["push_disturbed"].citation)
    return None


def verify_cleared(state: TableState, _context: Context) -> Refusal | None:
    """What was paid too much in the last stroke is taken back or signed before the next round."""
    return Refusal("mend_first", "") if state.round is not None and _differences(state) else None


def confirm(turn: Turn, event: KeyPressed) -> None:
    """CONFIRM: the seat's cards have been turned, the push stands, or what no reader saw was done."""
    item = current(turn.round)
    taken = uncollected(turn.round)
    if taken is not None:
        collected(turn, taken, seen=False)
    elif isinstance(item, TurnSeat):
        turn.set(undo=None)
        turn.set_round(shown=turn.round.shown | {item.seat})
        replan(turn)
    elif isinstance(item, TurnBonusCards):
        turn.set(undo=None)
        turn.set_round(bonus_shown=True, turned=turn.round.turned | set(BONUS_PLACES))
        replan(turn)
    elif item is not None:
        _confirm_step(turn, item, event)


def _confirm_step(turn: Turn, step: Step, event: KeyPressed) -> None:
    holding = turn.state.holding(step.seat, step.wager)
    if not holding.readable or _paid_by_hand(turn.context, step, holding.amount):
        settle(turn, step, seen=False)
    elif step.verb == "push":
        turn.keep_undo(event.key, step.seat, step.wager)
        settle(turn, step, seen=True)
    elif step.verb == "take":
        turn.alert("losing_bet_left", step.seat, step.wager, should=0)
    elif holding.amount < holds(step):
        turn.alert("underpaid", step.seat, step.wager, should=holds(step))


def _paid_by_hand(context: Context, step: Step, amount: int) -> bool:
    """A payout that the circle cannot show: laid beside it by the house's own way, or cut by a limit to
    what no chips make."""
    if step.verb != "pay":
        return False
    beside = context.settings.payouts_beside and amount == step.amount
    unmakeable = step.payout % min(context.settings.chip_values) != 0
    return beside or (unmakeable and step.amount <= amount < holds(step))


def shown_places(round_: Round) -> frozenset[str]:
    """Every place whose card the rules have turned: the one answer to "is this face public"."""
    hole = {place for seat in round_.shown for place in cards_of(seat)}
    return frozenset(round_.turned | hole)
