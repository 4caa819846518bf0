"""Alerts of the public view: place, amounts, section, and the step that comes first.

All data are derived from the visible state of the table; a hand is named only if its cards are face up.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from controller.game.books import dues
from controller.game.model.hand import Hand
from controller.game.model.irregularities import Code
from controller.game.model.names import Circle, Phase, Wager
from controller.game.model.plan import Step, TurnSeat
from controller.game.model.rules import citation_for
from controller.game.model.state import Alert, Context, Holding, TableState
from controller.game.phases import missing_chips, settlement, subjects
from controller.game.phases.deck_age import change_due
from controller.game.showing import floor_page
from controller.game.showing import view as view_
from controller.game.showing.order_view import First


def alert(
    state: TableState, context: Context, alert: Alert, signable: Collection[tuple[Code, Circle]]
) -> view_.Alert:
    circle = alert.circle
    holding = state.holding(*circle) if circle else None
    can_sign = circle is not None and (alert.code, circle) in signable
    return {
        "id": alert.id, "code": alert.code, "name": alert.name or alert.code.value,
        "grade": _grade(state, context, alert),
        "seat": alert.seat, "wager": alert.wager.value if alert.wager else None, "place": alert.place,
        "lies": shown_amount(holding) if holding else None, "should": alert.should,
        "citation": citation_for(context.pack, alert.code, state.method, grew=state.has_excess(alert)),
        "signable": can_sign,
        "about": subjects.of_difference(state, context, circle) if circle and can_sign else None,
        "signs": floor_page.signs(state, context, circle) if circle and can_sign else [],
        "missing": missing_cents(state, alert.seat, alert.wager) if alert.code.kind.money else 0,
        "push_hand": _push_hand(state, alert), "home": _home(state, alert),
        "due_at": _due_at(state, alert), "first": _first(state, alert),
        "minutes": context.settings.deck_notice_minutes if _announced(state, context, alert) else None,
    }  # fmt: skip


def _push_hand(state: TableState, alert: Alert) -> view_.Hand | None:
    """Return the hand because of which the wager is a push, for the text of the alert: dealers often take a
    push for a win or a loss. Returns None until the hand is public."""
    if state.round is None or alert.circle is None:
        return None
    step = dues.step_of(state.round, alert.circle)
    return hand_view(step.hand) if step is not None and step.verb == "push" else None


def _home(state: TableState, alert: Alert) -> view_.Place | None:
    """Return the circle from which the chips in a wrong circle came, or None if no reader had read them
    before."""
    here = _wrong_circle(alert)
    if here is None or state.round is None:
        return None
    owners = {state.round.ledger.chips.get(chip.uid, here) for chip in state.holding(*here).chips} - {here}
    return _place(min(owners)) if owners else None


def _due_at(state: TableState, alert: Alert) -> view_.Place | None:
    """Return the circle that is due exactly the amount of the chips in a wrong circle, or None. The amounts
    are equal; it is not known that the chips belong there."""
    here, due = _wrong_circle(alert), settlement.due_step(state)
    if here is None or due is None or state.round is None or due.circle == here or alert.should is None:
        return None
    given = settlement.to_give(state.round, due)
    return _place(due.circle) if given and given == state.amount(*here) - alert.should else None


def _wrong_circle(alert: Alert) -> Circle | None:
    return alert.circle if alert.code is Code.WRONG_CIRCLE else None


def _place(circle: Circle) -> view_.Place:
    return {"seat": circle.seat, "wager": circle.wager.value}


def _first(state: TableState, alert: Alert) -> First | None:
    """Return the step that the dealer skipped, if `alert` reports that a later step was done first; None for
    any other alert, and outside the settlement. The skipped step is the first that is not done: to collect
    the wager of a hand that folded or forfeited, to turn cards, or to settle a wager. If pushes are due, it
    is the next wager after them that needs a movement of chips (58 Pa. Code § 674a.11(h), .12)."""
    round_ = state.round
    if alert.code is not Code.SETTLED_OUT_OF_ORDER or round_ is None or state.phase is not Phase.SETTLEMENT:
        return None
    if taken := dues.uncollected(round_):
        row = round_.ledger.row(taken)
        return _step("take", taken, row.goal(dues.wager_at(round_, taken)) - row.tray)
    item = dues.current_item(round_)
    if not isinstance(item, Step):
        seat = item.seat if isinstance(item, TurnSeat) else None
        return {"verb": "turn", "seat": seat, "wager": None, "cents": 0} if item else None
    left = dues.open_steps(round_)[-1]
    if taken_first := settlement.to_take(round_, left):
        return _step("take", left.circle, taken_first)
    if given := settlement.to_give(round_, left):
        return _step("add" if round_.ledger.row(left.circle).tray else "pay", left.circle, given)
    return _step("push", item.circle, 0) if item.verb == "push" else None


def _step(verb: Literal["take", "push", "pay", "add"], circle: Circle, cents: int) -> First:
    return {"verb": verb, "seat": circle.seat, "wager": circle.wager.value, "cents": cents}


def missing_cents(state: TableState, seat: int | None, wager: Wager | None) -> int:
    """Return the cents missing from a circle, for which a signature has to name the holder: the player or the
    house. Returns 0 if nothing is missing, or if `seat` or `wager` is None."""
    return missing_chips.missing_cents(state, Circle(seat, wager)) if seat and wager else 0


def _announced(state: TableState, context: Context, alert: Alert) -> bool:
    """Return whether the alert only announces a change of the deck that will become due later, so that play
    may go on."""
    return alert.code is Code.DECK_CHANGE_DUE and not change_due(state, context)


def _entered(state: TableState, alert: Alert) -> bool:
    """Return whether `alert` is about a circle that cannot be read and the dealer has entered its amount."""
    if not alert.code.kind.unread or alert.seat is None or alert.wager is None:
        return False
    return state.holding(alert.seat, alert.wager).entered is not None


def _grade(state: TableState, context: Context, alert: Alert) -> view_.Grade:
    waits = _announced(state, context, alert) or _entered(state, alert)
    return "alert" if grave(alert) and not waits else "notice"


def grave(alert: Alert) -> bool:
    return alert.code.kind.grade != "notice"


def shown_amount(holding: Holding) -> int | None:
    """Return the cents that were read or entered for a circle now; None if there is neither. Must never
    return an earlier amount."""
    return holding.amount if holding.readable or holding.entered is not None else None


def hand_view(hand: Hand) -> view_.Hand:
    return {"category": hand.category.name.lower(), "ranks": list(hand.ranks)}
