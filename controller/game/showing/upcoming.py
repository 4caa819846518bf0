"""Steps of the dealer that come next, after the one that is due, as far as they are certain.

No step may depend on a card that is not turned.
"""

from __future__ import annotations

from controller.game.books.dues import current_item, to_collect
from controller.game.model.evolve import evolve
from controller.game.model.names import Phase
from controller.game.model.plan import Step
from controller.game.model.round import Round
from controller.game.model.state import Context, TableState
from controller.game.phases import settlement, voiding
from controller.game.phases.decisions import DECISIONS
from controller.game.showing.prompts import Prompt, collect, delivery, give_back, item_of_plan


def upcoming(state: TableState, context: Context) -> Prompt | None:
    """Return the prompt for the step after the one that is due, which the screen shows in advance; None if
    that step depends on an unturned card or an act that is still open."""
    round_ = state.round
    if state.hold is not None or round_ is None:
        return None
    if state.phase is Phase.SETTLEMENT:
        return _next_item(state, context, round_)
    if state.phase in DECISIONS:
        return _next_decision(state, context, round_)
    if state.phase is Phase.DEALING and round_.deal.delivery is not None:
        return _next_delivery(state, round_)
    return _next_return(state, round_) if state.phase is Phase.VOID else None


def _next_item(state: TableState, context: Context, round_: Round) -> Prompt | None:
    item, plan = current_item(round_), round_.settlement.plan
    if not isinstance(item, Step):  # steps that an unturned card decides are unknown
        then = round_.settlement.cursor + 1
        known = item is not None and then < len(plan) and not isinstance(plan[then], Step)
        return item_of_plan(state, round_, then, context) if known else None
    then = plan.index(settlement.pushes_of_hand(state, round_)[-1], round_.settlement.cursor) + 1
    if then < len(plan):
        return item_of_plan(state, round_, then, context)
    return Prompt("clear", step=state.deck.after)


def _next_decision(state: TableState, context: Context, round_: Round) -> Prompt | None:
    collecting = () if round_.decisions.asked is not None else tuple(to_collect(round_))
    if len(collecting) > 1:
        return collect(state, round_, collecting[1], context)
    wager = DECISIONS[state.phase].wager
    past = {round_.decisions.asked, *round_.decisions.lying}
    waiting = [box.seat for box in round_.playing() if wager not in box.wagers and box.seat not in past]
    if waiting:
        return Prompt("ask", waiting[0], wager)
    goes_on = round_.decisions.asked is not None or collecting
    return Prompt("turn", places=DECISIONS[state.phase].turns) if goes_on else _after_turn(state, round_)


def _after_turn(state: TableState, round_: Round) -> Prompt | None:
    """Return the prompt for the seat that is asked first once the row or the column is turned."""
    then = {Phase.ACROSS: Phase.DOWN, Phase.DOWN: Phase.MIDDLE}.get(state.phase)
    first = next(iter(round_.playing()), None)
    return Prompt("ask", first.seat, DECISIONS[then].wager) if then and first else None


def _next_delivery(state: TableState, round_: Round) -> Prompt:
    """Return the prompt for the next delivery, or for the stub after the last one."""
    then, stacked = round_.deal.step + 1, evolve(round_.deal, stacked=True)
    if then == len(round_.deal.steps):
        return Prompt("take_stub")
    return delivery(state, evolve(round_, deal=stacked), round_.deal.steps[then], "")


def _next_return(state: TableState, round_: Round) -> Prompt | None:
    """Return the prompt for the next circle to be emptied, or for the cards after the last one, if no party
    is owed money."""
    circles = list(voiding.all_to_return(state))
    if len(circles) > 1:
        return give_back(round_, circles[1], None)
    settled = circles and voiding.last_to_return(round_, circles[0])
    return Prompt("clear", step=state.deck.after) if settled else None
