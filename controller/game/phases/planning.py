"""Plan of the settlement: computed from the known faces, and computed again for each new face.

A corrected card may change the settlement of a wager. A floorperson's signature on the former settlement then
expires, because it refers to an amount that is no longer due. Sources: 58 Pa. Code § 674a.11(g) to (i), .12;
config/rules/RULES.md "Who has the chips".
"""

from __future__ import annotations

from controller.game.books import dues
from controller.game.books.dues import current_item, is_collected, is_done
from controller.game.model.evolve import evolve
from controller.game.model.names import BONUS_PLACES, CROSS, Circle, cards_of
from controller.game.model.plan import Item, TurnBonusCards, TurnSeat
from controller.game.model.round import Round
from controller.game.model.transition import Transition
from controller.game.rulebook import settlement_plan
from controller.game.rulebook.faces import bonus_faces, hole_cards, shown_places

RESIGNED_SINCE = 5
"""First revision of `PROCEDURES` in which a signature on a settlement ends when the wager is
settled again.
"""


def replan(play: Transition) -> None:
    """Compute the plan of the settlement from the known faces; called again for each new face. While a face
    that was taken back is not entered again, the plan does not change."""
    round_ = play.round
    if unread_place(round_) not in (None, *_turned_by(current_item(round_))):
        return
    seats = [
        settlement_plan.SeatToSettle(
            seat.seat, seat.player, hole_cards(round_, seat.seat), seat.folded_at is not None,
            {wager: cents for wager, cents in seat.wagers.items() if not is_collected(round_, seat, wager)},
        )
        for _, seat in sorted(round_.seats.items())
    ]  # fmt: skip
    cross = {place: round_.cards[place].face for place in CROSS if place in round_.turned}
    known = {place: face for place, face in cross.items() if face is not None}
    complete = len(known) == len(CROSS)
    plan = settlement_plan.plan(play.context.pack, known, bonus_faces(round_), seats) if complete else ()
    planned = evolve(round_, settlement=round_.settlement.with_plan(plan))
    if play.state.procedures >= RESIGNED_SINCE:
        planned = _without_former_signatures(round_, planned)
    play.round = sought(planned)


def _without_former_signatures(old: Round, new: Round) -> Round:
    """Return the round `new` without the signatures on wagers whose settlement differs from the plan of
    `old`."""
    ledger = new.ledger
    for circle in {Circle(each.seat, each.wager) for each in ledger.signed}:
        before, after = dues.planned_step(old, circle), dues.planned_step(new, circle)
        if before is not None and after is not None and before.tray != after.tray:
            ledger = ledger.resettled(circle)
    return new if ledger is new.ledger else evolve(new, ledger=ledger)


def sought(round_: Round) -> Round:
    """Return the round with the settlement's cursor at the first item that is not done."""
    settlement = round_.settlement
    cursor, plan = settlement.cursor, settlement.plan
    while cursor < len(plan) and is_done(round_, plan[cursor]):
        cursor += 1
    return evolve(round_, settlement=evolve(settlement, cursor=cursor))


def unread_place(round_: Round) -> str | None:
    """Return the place of a card turned for the settlement without a valid face: not read yet, or found by a
    floorperson to be entered wrongly. None if there is none."""
    if not round_.settlement.plan:
        return None
    shown, cards = shown_places(round_), round_.cards
    unread = {p for p in shown.union(CROSS) if p not in cards or cards[p].face is None}
    if not unread:
        return None
    turned = (p for item in round_.settlement.plan for p in _turned_by(item) if p in shown)
    return next((p for p in (*CROSS, *turned) if p in unread), None)


def _turned_by(item: Item | None) -> tuple[str, ...]:
    """Return the places of the cards that an item of the plan turns."""
    if isinstance(item, TurnSeat):
        return cards_of(item.seat)
    return BONUS_PLACES if isinstance(item, TurnBonusCards) else ()
