"""Inference of who moved chips: a reader sees only how much came to a circle or left it.

What came or left is told by the amount; whose it is by where the wager stands. Before a wager is settled
chips that left its circle are the player's. While the dealer takes, chips that leave are the tray's; while
they pay, chips that come are. What left a push, or a wager that was not due while the dealer's hands were at
the chips, is unexplained until it lies there again or somebody says who has it. Nothing is entered here.

Sources: 58 Pa. Code § 674a.7(c), .11(h), .13; config/rules/RULES.md "Who has the chips" (OUR READING).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from controller.game.books import dues
from controller.game.books.dues import Stage
from controller.game.model.ledger import Account, Row
from controller.game.model.names import BETS, Circle, Phase
from controller.game.model.naming import SINCE_PROCEDURES
from controller.game.model.round import Round
from controller.game.model.state import TableState

Part = tuple[Account, int]
"""An account and the cents that it gives or gets."""


@dataclass(frozen=True, slots=True)
class Case:
    """Facts that decide who moved the chips."""

    row: Row
    stage: Stage
    verb: str | None
    goal: int | None
    excess: int
    taken_up: int
    """Cents of a wager and its winnings that the player has taken up since it was settled."""
    dealer: bool
    """The dealer's hands are at the chips, here or at another circle, or were a moment ago."""
    swept: bool
    """The dealer took chips of the seat to the tray a moment ago: it may be the same motion."""
    emptied: bool
    """The dealer took chips out of this circle a moment ago, and a floorperson had signed the rest of it."""
    settlement: bool
    early: bool
    """A circle for the next round's wagers, at a box that is not in this one."""
    seat_done: bool
    """It is settled, and so is every other wager of the seat."""
    put_back: bool
    """It is settled again, the tray laid the last chips that came, and the journal is of a program that
    watches them."""
    accused: bool
    """Its difference is on the screen: chips that do not count go back first."""


def case_of(state: TableState, circle: Circle, ms: int) -> Case:
    """Return the facts that decide who moved chips of `circle`. `ms`: time of the reading on the table clock.
    Raises RuntimeError if no round is in play."""
    round_ = state.round
    if round_ is None:
        raise RuntimeError(f"no round in {state.phase}")
    where, step = dues.stage(state, circle)
    row = round_.ledger.row(circle)
    return Case(
        row=row,
        stage=where,
        verb=step.verb if step else "take" if where == "collect" else None,
        goal=dues.tray_goal(round_, circle, where, step),
        excess=dues.excess(round_, circle),
        taken_up=row.player + dues.wager_at(round_, circle) - row.stake,
        dealer=dues.hands_at_chips(state, ms),
        swept=any(seat == circle.seat for seat, _ in dues.just_taken(state, ms, dues.SEAT_READ_MS)),
        emptied=row.stake < 0 and circle in dues.just_taken(state, ms, dues.HANDS_MS),
        settlement=state.stands is Phase.SETTLEMENT,
        early=circle.seat not in round_.seats and circle.wager not in BETS,
        seat_done=where == "done" and dues.seat_done(round_, circle.seat),
        put_back=(
            row.settled is not None and state.procedures >= SINCE_PROCEDURES and _put_back(round_, circle)
        ),
        accused=any((alert.seat, alert.wager) == circle for alert in state.alerts),
    )


def _put_back(round_: Round, circle: Circle) -> bool:
    """Return whether the last chips that came to a circle came from the tray."""
    laid = (
        entry.source for entry in reversed(round_.ledger.entries)
        if (entry.seat, entry.wager) == circle and entry.to is Account.CIRCLE
    )  # fmt: skip
    return next(laid, None) is Account.TRAY


# ------------------------------------------------------------------ chips came


def attribute_added(case: Case, cents: int) -> Iterator[Part]:
    """Yield the accounts that laid `cents`: an exact match first; otherwise missing chips come back, then
    what is due is paid, then the rest."""
    expected = [part for part in _expected(case) if part[1] > 0]
    just = [part for part in expected if part[1] == cents]
    for account, most in just or expected:
        part = min(cents, max(0, most))
        if part:
            yield account, part
            cents -= part
    if cents:
        yield _who_laid(case), cents


def _expected(case: Case) -> Iterator[Part]:
    row, owes = case.row, 0 if case.goal is None else case.row.tray - case.goal
    yield Account.UNEXPLAINED, dues.missing(row)
    if case.stage in ("none", "rest", "collect", "later", "open"):
        yield Account.PLAYER, -case.excess
    if case.stage == "done":
        yield Account.PLAYER, case.taken_up
    if case.stage in ("collect", "later", "open", "done", "void"):
        yield Account.TRAY, owes


def _who_laid(case: Case) -> Account:
    if case.stage in ("later", "open", "done"):
        return Account.TRAY
    if case.settlement and not case.early:
        return Account.UNEXPLAINED
    return Account.PLAYER


# ------------------------------------------------------------------ chips left


def attribute_removed(case: Case, cents: int) -> Iterator[Part]:
    """Yield the accounts that took `cents`: an amount that is exactly due goes to the tray; otherwise chips
    that nobody owns go first, then it depends on the stage of the wager."""
    if case.verb == "take" and _just_due(case, cents):
        yield Account.TRAY, cents
        return
    if case.stage == "void" and case.row.player < case.row.house:  # wagers go back to players first
        yield Account.PLAYER, cents
        return
    strange = min(cents, max(0, -dues.missing(case.row)))
    if strange:
        yield Account.UNEXPLAINED, strange
        cents -= strange
    if cents:
        yield from _LEFT[case.stage](case, cents)


def _left_lying(case: Case, cents: int) -> Iterator[Part]:
    """Yield the holders if nothing is due: the player takes back what does not count. More than that is
    theirs as well, unless the dealer was handling chips."""
    own = min(cents, max(0, case.excess))
    rest = Account.UNEXPLAINED if case.dealer else Account.PLAYER
    yield from _parts((Account.PLAYER, own), (rest, cents - own))


def _left_unplayed(_case: Case, cents: int) -> Iterator[Part]:
    yield Account.PLAYER, cents


def _left_due(case: Case, cents: int) -> Iterator[Part]:
    """A wager that is being settled, or would have been next. If it is settled again, it is the player's
    except for what is asked back now; a push that lies there whole may be swept once more."""
    if case.row.settled is not None:
        asked = case.stage == "open" and cents <= (case.goal or 0) - case.row.tray
        swept = case.put_back and case.verb == "push" and case.row.tray == case.goal
        yield (Account.TRAY if asked else Account.UNEXPLAINED if swept else Account.PLAYER), cents
        return
    if case.verb == "take":
        yield _taken(case, cents), cents
        return
    own = min(cents, max(0, case.excess))
    laid = -case.row.tray if case.verb == "pay" else (case.goal or 0) - case.row.tray
    back = min(cents - own, max(0, laid))
    yield from _parts((Account.PLAYER, own), (Account.TRAY, back), (Account.UNEXPLAINED, cents - own - back))


def _parts(*parts: Part) -> Iterator[Part]:
    return ((account, cents) for account, cents in parts if cents)


def _taken(case: Case, cents: int) -> Account:
    """A losing wager goes to the tray. Chips that do not count go back first, and are all that remains once
    the tray has its due. Signed chips that leave in the same motion went with the wager."""
    full = case.goal is not None and case.row.tray >= case.goal
    back = (full and not case.emptied) or 0 < cents <= case.excess
    return Account.PLAYER if back else Account.TRAY


def _just_due(case: Case, cents: int) -> bool:
    """Whether it is exactly what the tray should have. If the same amount is to be handed back, that comes
    first once it has been announced."""
    due = case.goal is not None and cents == case.goal - case.row.tray
    back = (case.excess, -dues.missing(case.row))
    return due and case.stage != "void" and not (case.accused and cents in back)


def _left_done(case: Case, cents: int) -> Iterator[Part]:
    """It is the player's; an overpayment goes back into the tray. A push must not be touched before its seat
    is done."""
    over = (case.goal or 0) - case.row.tray
    if 0 < cents <= over:
        yield Account.TRAY, cents
    elif case.verb == "push" and (not case.seat_done or case.swept):
        yield Account.UNEXPLAINED, cents
    elif case.verb == "take" and case.emptied:
        yield Account.TRAY, cents
    else:
        yield Account.PLAYER, cents


def _left_void(case: Case, cents: int) -> Iterator[Part]:
    """The wager goes back to its player; what the tray laid goes back to the tray."""
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
