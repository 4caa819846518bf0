"""Owner of each chip that a reader can identify, so that chips of another wager do not count as a payout.

A chip is identified by its UID. Until it goes to the tray it belongs to the player in whose circle it was
last read. Source: controller/game/TABLE.md "When it is paid wrongly".
"""

from __future__ import annotations

from controller.game.books import dues
from controller.game.model.ledger import Account, Ledger, LedgerEntry, LedgerRow
from controller.game.model.names import Circle, Phase
from controller.game.model.naming import SINCE_PROCEDURES
from controller.game.model.round import Round
from controller.game.model.state import Holding, TableState

OWN_WINNINGS_SINCE = 10
"""First revision of `PROCEDURES` in which a player's own winnings are no payout of another wager."""


def borrowed_cents(state: TableState, circle: Circle, holding: Holding) -> int:
    """Return the value in cents of the chips in a circle that belong to another wager and so cannot be its
    payout; 0 once the circle is settled.
    """
    strangers = [chip for chip in holding.chips if _is_borrowed(state, circle, chip.uid)]
    if not strangers or dues.stage(state, circle)[0] == "done":
        return 0
    return sum(chip.cents or 0 for chip in strangers)


def homes_of_borrowed(state: TableState, round_: Round, circle: Circle) -> dict[Circle, int]:
    """Return the value in cents of other players' chips and of settled winnings in a circle, by the circle
    where they were before. Chips that this circle still shows are left out, because they may not have moved.
    """
    homes: dict[Circle, int] = {}
    for chip in state.holding(*circle).chips:
        if not _is_borrowed(state, circle, chip.uid):
            continue
        home = round_.ledger.chips[chip.uid]
        winnings = dues.stage(state, home)[0] == "done"
        if (winnings or not _same_player(round_, home, circle)) and not _shows(state, home, chip.uid):
            homes[home] = homes.get(home, 0) + (chip.cents or 0)
    return homes


def _shows(state: TableState, circle: Circle, uid: str) -> bool:
    return any(chip.uid == uid for chip in state.holding(*circle).chips)


def _same_player(round_: Round, one: Circle, other: Circle) -> bool:
    return round_.seats[one.seat].player == round_.seats[other.seat].player


def _is_borrowed(state: TableState, circle: Circle, uid: str) -> bool:
    """Return whether the chip with this UID belongs to another wager while it is in `circle`, and so cannot
    be its payout. A chip of another player always does. A chip of the same player does if it is missing from
    an unsettled wager. Winnings that the player has taken up may be laid into any circle, so they count as
    another wager's only while the dealer has to pay `circle`."""
    round_ = state.round
    if round_ is None or state.play_phase is not Phase.SETTLEMENT or circle.seat not in round_.seats:
        return False
    home = round_.ledger.chips.get(uid, circle)
    if home == circle or home.seat not in round_.seats:
        return False
    if not _same_player(round_, home, circle):
        return True
    if dues.stage(state, home)[0] == "done":
        return state.procedures >= OWN_WINNINGS_SINCE and _is_payout_due(state, circle)
    return _shows(state, home, uid) or round_.ledger.row(home).unexplained > 0


def _is_payout_due(state: TableState, circle: Circle) -> bool:
    """Return whether the wager of a circle is paid by the dealer, now or later in this round."""
    where, step = dues.stage(state, circle)
    return where in ("open", "later") and step is not None and step.verb == "pay"


def circles_of_chips(
    state: TableState, ledger: Ledger, circle: Circle, holding: Holding
) -> dict[str, Circle]:
    """Return the home circle of each player's chip by UID, including winnings that the player took up. Chips
    in the tray are left out, because they may be paid out again. Chips returned to a player before the
    settlement are left out too, because the player may have changed them.
    """
    lying = {chip.uid for chip in holding.chips}
    chips = dict(ledger.chips)
    if ledger.entries and _is_untraceable(state, ledger.entries[-1], circle, ledger.row(circle)):
        chips = {uid: home for uid, home in chips.items() if home != circle or uid in lying}
    for uid in lying:
        if not _is_borrowed(state, circle, uid):
            chips[uid] = circle
    return chips


def _is_untraceable(state: TableState, entry: LedgerEntry, circle: Circle, row: LedgerRow) -> bool:
    """Return whether the chips that last moved at a circle have to be forgotten: the player has taken them
    up, where no reader can find them, or other chips have replaced them. `entry`: last entry of the ledger;
    `row`: accounts of the circle."""
    back = entry.to is Account.PLAYER and row.settled is None
    replaced = (
        state.procedures >= SINCE_PROCEDURES
        and entry.source is Account.UNEXPLAINED and entry.to is Account.CIRCLE and not row.unexplained
    )  # fmt: skip
    return (entry.seat, entry.wager) == circle and (entry.to is Account.TRAY or back or replaced)
