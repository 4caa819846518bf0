"""Forfeits: the wagers of a player who broke a rule or walked away in the middle of a hand can be taken
(forfeited). A floorperson chooses if a text names two outcomes.

Maryland 11.A(5) takes "all wagers on that round" for a violation of 11.A; a wager resolved before falls
under 11.H(1). The pack names both sections (`forfeits.kept`, `forfeits.taken`), and a floorperson decides.
Sources: Maryland 7.B(3), 11.A(5), 11.H(1); 58 Pa. Code § 674a.7(b); MGC § 6(b).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from controller.game.model.evolve import evolve
from controller.game.model.irregularities import FORFEIT_ALL, OF_PLAYER, Code
from controller.game.model.ledger import Account, LedgerEntry
from controller.game.model.names import Circle, Phase
from controller.game.model.round import Round, SettledPart
from controller.game.model.state import Context, TableState
from controller.game.model.transition import Transition
from controller.game.phases import patrons, planning
from controller.game.phases.decisions import count_lying

CHOICE_SINCE = 2
"""First revision of `PROCEDURES` in which the floor may take settled wagers."""


def may_choose(state: TableState, context: Context, seat: int, code: Code) -> bool:
    """Return whether the floor may take the player's settled wagers too when the hand of `seat` is forfeited
    for `code`. This needs a text that names both outcomes. It does not apply to a player who merely left
    (Maryland 7.B(3)), because leaving is no violation."""
    named = "forfeits.taken" in context.pack.citations and code is not Code.PLAYER_LEFT
    if not named or state.procedures < CHOICE_SINCE or state.round is None:
        return False
    return any(True for _ in _settled_for(state.round, patrons.boxes_with(state.round.seats, seat)))


def _settled_for(round_: Round, boxes: list[int]) -> Iterator[Circle]:
    """Yield each settled wager of these boxes that was paid or pushed, so that the player still has chips to
    lose."""
    for box in boxes:
        for wager, cents in round_.seats[box].wagers.items():
            circle = Circle(box, wager)
            if (tray := round_.ledger.row(circle).settled) is not None and tray < cents:
                yield circle


def is_offered(state: TableState, context: Context, seat: int) -> bool:
    """Return whether the floor page offers to forfeit the hand of this seat. It does not right after a report
    for which the text has no forfeit: a touch would then record a second violation (MGC § 10(a) names no
    penalty)."""
    entries = state.round.irregularities if state.round else ()
    codes = [entry.code for entry in entries if entry.seat == seat and entry.code in OF_PLAYER]
    return not codes or codes[-1] in context.pack.forfeits


def settled_part(context: Context, badge: str, outcome: str | None) -> SettledPart:
    """Return, for the round's record, whether the floorperson took the settled wagers or left them, with the
    section for it. `outcome`: the floorperson's decision; `badge`: who decided."""
    does: Literal["kept", "taken"] = "taken" if outcome == FORFEIT_ALL else "kept"
    return SettledPart(does, context.pack.cite(f"forfeits.{does}"), badge)


def forfeit(play: Transition, seat: int | None, code: Code, part: SettledPart | None = None) -> None:
    """Take all unsettled wagers of the player on all their boxes, and with `part` "taken" the settled ones
    too (Maryland 11.A(5); 58 Pa. Code § 674a.7(b))."""
    if seat is None or seat not in play.round.seats:
        return
    boxes = patrons.boxes_with(play.round.seats, seat)
    count_lying(play, boxes)
    if part is not None and part.does == "taken":
        for circle in tuple(_settled_for(play.round, boxes)):
            _reopen(play, circle)
    for box in boxes:
        if play.seat(box).forfeited is None:
            forfeited = (play.state.phase, code)
            play.set_seat(evolve(play.seat(box), forfeited=forfeited, settled_part=part))
    if play.state.phase is Phase.SETTLEMENT:
        planning.replan(play)


def _reopen(play: Transition, circle: Circle) -> None:
    """Reopen a wager that was paid or pushed, so that the dealer collects its stake and winnings."""
    entry = LedgerEntry(play.context.ms, *circle, Account.CIRCLE, Account.CIRCLE, 0, "inferred", "forfeited")
    play.round = evolve(play.round, ledger=play.round.ledger.reopen(entry))
