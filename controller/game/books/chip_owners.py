"""Owners of the chips that a reader can distinguish: another's chips pay nobody.

A chip is known by its UID. Until it goes to the tray it is the player's in whose circle it lay last. Source:
controller/game/TABLE.md "When it is paid wrongly".
"""

from __future__ import annotations

from controller.game.books import dues
from controller.game.model.ledger import Account, Entry, Ledger, Row
from controller.game.model.names import Circle, Phase
from controller.game.model.naming import SINCE_PROCEDURES
from controller.game.model.state import Holding, TableState


def others_here(state: TableState, circle: Circle, holding: Holding) -> int:
    """Cents in a circle in chips that belong to another wager: they cannot be its payout. Chips that are
    already settled are not asked about again."""
    strangers = [chip for chip in holding.chips if _anothers(state, circle, chip.uid)]
    if not strangers or dues.stage(state, circle)[0] == "done":
        return 0
    return sum(chip.cents or 0 for chip in strangers)


def _anothers(state: TableState, circle: Circle, uid: str) -> bool:
    """Whether a chip belongs to an unsettled wager that is missing it, or to another player's winnings. A
    player may lay chips that they took up wherever they like."""
    round_ = state.round
    if round_ is None or state.stands is not Phase.SETTLEMENT or circle.seat not in round_.seats:
        return False
    home = round_.ledger.chips.get(uid, circle)
    if home == circle or home.seat not in round_.seats:
        return False
    same = round_.seats[home.seat].player == round_.seats[circle.seat].player
    if not same or dues.stage(state, home)[0] == "done":
        return not same
    there = any(chip.uid == uid for chip in state.holding(*home).chips)
    return there or round_.ledger.row(home).unexplained > 0


def remembered(state: TableState, ledger: Ledger, circle: Circle, holding: Holding) -> dict[str, Circle]:
    """Return the circles of a player's chips, and the winnings that they took up. Chips that went to the tray
    may be paid out again; chips returned to a player before the settlement may have been changed since."""
    lying = {chip.uid for chip in holding.chips}
    chips = dict(ledger.chips)
    if ledger.entries and _gone(state, ledger.entries[-1], circle, ledger.row(circle)):
        chips = {uid: home for uid, home in chips.items() if home != circle or uid in lying}
    for uid in lying:
        if not _anothers(state, circle, uid):
            chips[uid] = circle
    return chips


def _gone(state: TableState, entry: Entry, circle: Circle, row: Row) -> bool:
    """Whether chips that left a circle can no longer be found by any reader, or other chips replace them."""
    back = entry.to is Account.PLAYER and row.settled is None
    replaced = (
        state.procedures >= SINCE_PROCEDURES
        and entry.source is Account.UNEXPLAINED and entry.to is Account.CIRCLE and not row.unexplained
    )  # fmt: skip
    return (entry.seat, entry.wager) == circle and (entry.to is Account.TRAY or back or replaced)
