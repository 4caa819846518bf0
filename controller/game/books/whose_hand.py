"""Inference of who touched the chips, the dealer or the player. The table must know it, but a reader shows
only the amount that was added to a circle or taken from it.

The stage of the wager decides to whom the chips belong. Before a wager is settled, chips that left its circle
are the player's. While the dealer takes, chips that leave go to the tray; while the dealer pays, chips that
come are from the tray. Two cases stay unexplained until the chips are in the circle again or a person reports
who has them: chips that left a push, and chips that left a wager out of turn while the dealer was taking or
paying. This module posts no entries. Sources: 58 Pa. Code § 674a.7(c), .11(h), .13; config/rules/RULES.md
"Who has the chips" (OUR READING).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from controller.game.books import dues
from controller.game.books.dues import Stage
from controller.game.model.ledger import Account, LedgerRow
from controller.game.model.names import BETS, Circle, Phase
from controller.game.model.naming import SINCE_PROCEDURES
from controller.game.model.round import Round
from controller.game.model.state import TableState

AccountCents = tuple[Account, int]
"""Account and the cents that it gives or receives."""
PAYOUT_SINCE = 5
"""First revision of `PROCEDURES` in which a due payout takes precedence over a difference that is not
displayed, and every push that is settled again may be swept."""


@dataclass(frozen=True, slots=True)
class ChipCase:
    """State of a circle and its wager just before a reading, from which `attribute_added` and
    `attribute_removed` infer whether the dealer or the player moved chips. Amounts in cents."""

    row: LedgerRow
    stage: Stage
    verb: str | None
    goal: int | None
    excess: int
    taken_up: int
    """Cents of a wager and its winnings that the player has taken up since it was settled."""
    dealer: bool
    """Whether the dealer's hands are at the chips of any circle, or were a moment ago."""
    swept: bool
    """Whether the dealer took other chips of this seat to the tray less than `dues.SEAT_READ_MS` ago, so that
    this removal may belong to the same motion.
    """
    emptied: bool
    """Whether the dealer has just taken chips out of this circle, and a floorperson had signed that the
    others stay."""
    settlement: bool
    early: bool
    """Whether the circle is for wagers of the next round, at a box that is not in this round."""
    seat_done: bool
    """Whether this wager and all others of the seat are settled."""
    swept_again: bool
    """Whether the dealer may take the chips of a push to the tray although its wager was settled before."""
    payout_first: bool
    """Whether the dealer has to pay this wager and the screen shows no difference of it. Chips of exactly the
    payout then count as the payout."""
    accused: bool
    """Whether the screen shows an alert about a difference of this circle. Chips that leave are then assumed
    to be those that do not count as the wager."""


def case_of(state: TableState, circle: Circle, ms: int) -> ChipCase:
    """Return the facts that decide who moved chips of `circle`. `ms`: time of the reading on the table clock.
    Raises RuntimeError if no round is in play."""
    round_ = state.round
    if round_ is None:
        raise RuntimeError(f"no round in {state.phase}")
    where, step = dues.stage(state, circle)
    row = round_.ledger.row(circle)
    accused = bool(state.alerts_at(circle))
    return ChipCase(
        row=row,
        stage=where,
        verb=step.verb if step else "take" if where == "collect" else None,
        goal=dues.tray_goal(round_, circle, where, step),
        excess=dues.excess(round_, circle),
        taken_up=row.player + dues.wager_at(round_, circle) - row.stake,
        dealer=dues.hands_at_chips(state, ms),
        swept=any(seat == circle.seat for seat, _ in dues.recently_taken(state, ms, dues.SEAT_READ_MS)),
        emptied=row.stake < 0 and circle in dues.recently_taken(state, ms, dues.HANDS_AT_CHIPS_MS),
        settlement=state.play_phase is Phase.SETTLEMENT,
        early=circle.seat not in round_.seats and circle.wager not in BETS,
        seat_done=where == "done" and dues.seat_done(round_, circle.seat),
        swept_again=row.settled is not None and _swept_again(state, round_, circle),
        payout_first=(
            state.procedures >= PAYOUT_SINCE
            and where == "open"
            and step is not None
            and step.verb == "pay"
            and not accused
        ),
        accused=accused,
    )


def _swept_again(state: TableState, round_: Round, circle: Circle) -> bool:
    """Return whether chips that leave a push which is settled a second time may go to the tray. Before
    revision 5 they did so only if the last chips had been laid from the tray."""
    if state.procedures >= PAYOUT_SINCE:
        return True
    return state.procedures >= SINCE_PROCEDURES and _put_back(round_, circle)


def _put_back(round_: Round, circle: Circle) -> bool:
    """Return whether the last chips that came to a circle came from the tray."""
    laid = (
        entry.source for entry in reversed(round_.ledger.entries)
        if (entry.seat, entry.wager) == circle and entry.to is Account.CIRCLE
    )  # fmt: skip
    return next(laid, None) is Account.TRAY


# ------------------------------------------------------------------ chips that came


def attribute_added(case: ChipCase, cents: int) -> Iterator[AccountCents]:
    """Yield the accounts from which `cents` came into the circle. If exactly that amount is expected from one
    account, it came from there. Otherwise missing chips are assumed first, then amounts due, then any other
    chips."""
    expected = [part for part in _expected(case) if part[1] > 0]
    if case.payout_first and (Account.TRAY, cents) in expected:
        expected = [(Account.TRAY, cents)]
    just = [part for part in expected if part[1] == cents]
    for account, most in just or expected:
        part = min(cents, max(0, most))
        if part:
            yield account, part
            cents -= part
    if cents:
        yield _who_laid(case), cents


def _expected(case: ChipCase) -> Iterator[AccountCents]:
    row, owes = case.row, 0 if case.goal is None else case.row.tray - case.goal
    yield Account.UNEXPLAINED, dues.unaccounted_cents(row)
    if case.stage in ("none", "rest", "collect", "later", "open"):
        yield Account.PLAYER, -case.excess
    if case.stage == "done":
        yield Account.PLAYER, case.taken_up
    if case.stage in ("collect", "later", "open", "done", "void"):
        yield Account.TRAY, owes


def _who_laid(case: ChipCase) -> Account:
    if case.stage in ("later", "open", "done"):
        return Account.TRAY
    if case.settlement and not case.early:
        return Account.UNEXPLAINED
    return Account.PLAYER


# ------------------------------------------------------------------ chips that left


def attribute_removed(case: ChipCase, cents: int) -> Iterator[AccountCents]:
    """Yield the accounts to which `cents` went from the circle. If exactly that amount is due to the tray,
    the dealer took it. Otherwise chips without an owner are assumed to leave first; the stage of the wager
    decides who got the others."""
    if case.verb == "take" and _just_due(case, cents):
        yield Account.TRAY, cents
        return
    if case.stage == "void" and case.row.player < case.row.house:  # wagers are returned to players first
        yield Account.PLAYER, cents
        return
    strange = min(cents, max(0, -dues.unaccounted_cents(case.row)))
    if strange:
        yield Account.UNEXPLAINED, strange
        cents -= strange
    if cents:
        yield from _LEFT[case.stage](case, cents)


def _left_lying(case: ChipCase, cents: int) -> Iterator[AccountCents]:
    """Yield the receivers of chips that left a circle where nothing is due. Chips that do not count go to the
    player. Further chips go to the player too, but stay unexplained while the dealer is handling chips."""
    own = min(cents, max(0, case.excess))
    rest = Account.UNEXPLAINED if case.dealer else Account.PLAYER
    yield from _parts((Account.PLAYER, own), (rest, cents - own))


def _left_unplayed(_case: ChipCase, cents: int) -> Iterator[AccountCents]:
    yield Account.PLAYER, cents


def _left_due(case: ChipCase, cents: int) -> Iterator[AccountCents]:
    """Yield the receivers of chips that left a wager which is settled now or later in this round. If it was
    settled before, they go to the player, except to the tray for an amount that the prompt requests back;
    chips of a complete push stay unexplained, because the dealer may collect them again."""
    if case.row.settled is not None:
        requested = case.stage == "open" and cents <= (case.goal or 0) - case.row.tray
        swept = case.swept_again and case.verb == "push" and case.row.tray == case.goal
        yield (Account.TRAY if requested else Account.UNEXPLAINED if swept else Account.PLAYER), cents
        return
    if case.verb == "take":
        yield _taken(case, cents), cents
        return
    own = min(cents, max(0, case.excess))
    laid = -case.row.tray if case.verb == "pay" else (case.goal or 0) - case.row.tray
    back = min(cents - own, max(0, laid))
    yield from _parts((Account.PLAYER, own), (Account.TRAY, back), (Account.UNEXPLAINED, cents - own - back))


def _parts(*parts: AccountCents) -> Iterator[AccountCents]:
    return ((account, cents) for account, cents in parts if cents)


def _taken(case: ChipCase, cents: int) -> Account:
    """Return the receiver of chips from a losing wager, normally the tray.

    Chips that do not count return to the player first; after the tray has its due, no further chips go to the
    player. Signed chips that leave in the same motion as the wager go to the tray with it.
    """
    full = case.goal is not None and case.row.tray >= case.goal
    back = (full and not case.emptied) or 0 < cents <= case.excess
    return Account.PLAYER if back else Account.TRAY


def _just_due(case: ChipCase, cents: int) -> bool:
    """Return whether the chips that left are exactly the amount due to the tray, so that the dealer took
    them. Returns False if an alert asks to return the same amount to the player."""
    due = case.goal is not None and cents == case.goal - case.row.tray
    back = (case.excess, -dues.unaccounted_cents(case.row))
    return due and case.stage != "void" and not (case.accused and cents in back)


def _left_done(case: ChipCase, cents: int) -> Iterator[AccountCents]:
    """Yield the receivers of chips that left a settled wager. The player gets them, but the tray gets an
    overpayment. Chips that leave a push before the whole seat is settled stay unexplained, because the player
    may not touch them yet."""
    over = (case.goal or 0) - case.row.tray
    if 0 < cents <= over:
        yield Account.TRAY, cents
    elif case.verb == "push" and (not case.seat_done or case.swept):
        yield Account.UNEXPLAINED, cents
    elif case.verb == "take" and case.emptied:
        yield Account.TRAY, cents
    else:
        yield Account.PLAYER, cents


def _left_void(case: ChipCase, cents: int) -> Iterator[AccountCents]:
    """Yield the receivers of chips that left a circle in a void round: the tray gets back the chips that it
    paid, the player the rest."""
    house = min(cents, max(0, -case.row.tray))
    yield from _parts((Account.TRAY, house), (Account.PLAYER, cents - house))


_LEFT = {
    "none": _left_unplayed,
    "rest": _left_lying,
    "collect": _left_due,
    "later": _left_due,
    "open": _left_due,
    "done": _left_done,
    "void": _left_void,
}
