"""Missing chips: a floorperson answers, before a signature, whether the player or the house has them.

The question applies to every difference with money missing from its circle, whatever the ledger has inferred.
The answer moves the money to the named holder before anything is signed, and must never be posted to the
other one. Source: 58 Pa. Code § 674a.13 and its counterparts ("all wagers shall be returned");
config/rules/RULES.md "Who has the chips".
"""

from __future__ import annotations

from controller.game.books import dues, movements
from controller.game.model.evolve import evolve
from controller.game.model.ledger import SIGNED, Account, LedgerEntry, LedgerRow
from controller.game.model.names import Circle, Phase
from controller.game.model.round import Round
from controller.game.model.state import TableState
from controller.game.model.transition import Transition
from controller.game.phases import settlement

# ------------------------------------------------------------------ open differences


def missing_cents(state: TableState, circle: Circle) -> int:
    """Return the cents of the open difference at a circle: cents due in it and missing; in a void, cents
    that left it without a certain holder. 0 if nothing is missing."""
    if state.round is None:
        return 0
    row = state.round.ledger.row(circle)
    if not state.procedures:
        return max(0, row.unexplained)
    if state.phase is Phase.VOID:
        return max(0, row.unexplained) + row.asked
    return max(_accused(state, circle, row), _asked_back(state, state.round, circle))


def _accused(state: TableState, circle: Circle, row: LedgerRow) -> int:
    should = [
        alert.should - row.circle
        for alert in state.alerts_at(circle)
        if alert.code.kind.money and alert.should is not None
    ]
    return max(0, *should, row.unexplained if should else 0)


def asked_back(state: TableState) -> Circle | None:
    """Return the circle of a settled wager or of a fold for which the prompt requests chips back from the
    player, or None."""
    if state.round is None:
        return None
    step = settlement.due_step(state)
    if step is not None:
        return step.circle if settlement.to_ask(state.round, step) else None
    fold = dues.uncollected(state.round) if state.procedures and state.hold is None else None
    return fold if fold is not None and _fold_lacks(state.round, fold) else None


def _asked_back(state: TableState, round_: Round, circle: Circle) -> int:
    """Return the cents that the prompt asks the player of this circle to return; 0 if it asks for none."""
    if asked_back(state) != circle:
        return 0
    step = settlement.due_step(state)
    return _fold_lacks(round_, circle) if step is None else settlement.to_ask(round_, step)


def _fold_lacks(round_: Round, circle: Circle) -> int:
    """Return the cents of a collected wager that the tray still lacks although the circle is empty and no
    chips are unexplained."""
    row = round_.ledger.row(circle)
    if row.circle or row.unexplained > 0:
        return 0
    return max(0, row.goal(dues.wager_at(round_, circle)) - row.tray)


def left_open(state: TableState, round_: Round, circle: Circle) -> int:
    """Return the cents that are missing from an unsettled wager and that, by the ledger, the player took."""
    return max(0, -dues.excess(round_, circle)) if state.procedures else 0


# ------------------------------------------------------------------ answer


def answer(play: Transition, circle: Circle, holder: str) -> None:
    """Post that `holder`, ``player`` or ``house``, has all cents missing at a circle."""
    row, lacks = play.round.ledger.row(circle), missing_cents(play.state, circle)
    unseen = min(lacks, max(0, row.unexplained))
    players = min(lacks - unseen, _with_player(play.state, play.round, circle))
    if holder == "house":
        movements.post_report(play, circle, Account.UNEXPLAINED, Account.TRAY, unseen, SIGNED)
        movements.post_report(play, circle, Account.PLAYER, Account.TRAY, players, SIGNED)
    else:
        movements.post_report(play, circle, Account.UNEXPLAINED, Account.PLAYER, unseen, SIGNED)
        movements.post_report(play, circle, Account.TRAY, Account.PLAYER, lacks - unseen - players, SIGNED)


def _with_player(state: TableState, round_: Round, circle: Circle) -> int:
    """Return the cents of an open difference that the player has by the ledger. The tray has the rest."""
    row = round_.ledger.row(circle)
    if row.settled is None:
        return max(0, -dues.excess(round_, circle))
    goal = dues.tray_goal(round_, circle, *dues.stage(state, circle))
    return 0 if goal is None else max(0, goal - row.tray)


# ------------------------------------------------------------------ void


def keep_questions(play: Transition) -> None:
    """Record, for each circle of a round that becomes void, the cents of which the dealer must ask who has
    them. These are the cents that are missing from an unsettled wager and those that only the ledger
    attributes to the player. A wager with an open difference does not count as verified by its reader."""
    if not play.state.procedures:
        return
    round_, alerts = play.round, play.state.alerts
    # an alert about a step left undone does not mean that chips have moved
    moved = (a for a in alerts if a.code.kind.money and not a.code.kind.left_undone)
    open_ = {alert.circle for alert in moved}
    ledger = round_.ledger
    for circle in ledger.circles():
        left = left_open(play.state, round_, circle)
        if left:
            ledger = ledger.with_row(circle, evolve(ledger.row(circle), asked=left))
        if left or circle in open_:
            entry = LedgerEntry(play.context.ms, *circle, Account.CIRCLE, Account.CIRCLE, 0, "open", "void")
            ledger = ledger.post(entry)
    play.round = evolve(round_, ledger=ledger)
