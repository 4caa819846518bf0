"""Whose the chips are: nobody is paid with what is somebody else's.

Every chip of a wager has a home, the circle where it lay as settlement began, and a payout where it was
laid; what the house has taken has none and may be paid out again. Source: ARCHITECTURE "The closed loop".
"""

from __future__ import annotations

from collections.abc import Mapping

from controller.game.names import Circle
from controller.game.state import Holding, Round, TableState


def borrowed(round_: Round, circle: Circle, holding: Holding) -> int:
    """Cents in a circle that is to be settled, in chips of a wager that is not, or of another player's
    winnings: nobody is paid with those."""
    if circle in round_.settled or circle.seat not in round_.seats:
        return 0
    return sum(chip.cents or 0 for chip in holding.chips if _anothers(round_, circle, chip.uid))


def _anothers(round_: Round, circle: Circle, uid: str) -> bool:
    home = round_.homes.get(uid, circle)
    if home == circle:
        return False
    same_player = round_.seats[home.seat].player == round_.seats[circle.seat].player
    return home not in round_.settled or not same_player


def lying(state: TableState) -> dict[str, Circle]:
    """Where the chips of every wager lie."""
    seats = state.round.seats if state.round else ()
    rows = {seat: row for seat, row in state.holdings.items() if seat in seats}
    return {
        chip.uid: Circle(seat, wager)
        for seat, row in rows.items()
        for wager, holding in row.items()
        for chip in holding.chips
    }


def without(homes: Mapping[str, Circle], circle: Circle) -> dict[str, Circle]:
    """The chips that are still somebody's when the house has taken those of a circle, or it is settled."""
    return {uid: home for uid, home in homes.items() if home != circle}
