"""Whose hand it was: a reading of a circle becomes entries in the books.

What came or left is told by the amount; whose it is by where the wager stands. Before a wager is settled
chips that left its circle are the player's. While the dealer takes, chips that leave are the tray's; while he
pays, chips that come are. What left a push, or a wager that was not due while the dealer's hands were at the
chips, is unexplained until it lies there again or somebody says who has it.

Sources: 58 Pa. Code § 674a.7(c), .11(h), .13; RULES.md "Who has the chips" (OUR READING).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from controller.game import dues
from controller.game.dues import Stage
from controller.game.ledger import Account, Entry, Evidence, Ledger, Row
from controller.game.names import BETS, Circle, Phase
from controller.game.settlement import Step
from controller.game.state import Holding, Round, TableState
from controller.game.turn import Turn

Part = tuple[Account, int]
"""An account and the cents that it gives or gets."""


@dataclass(frozen=True, slots=True)
class _Case:
    """What decides whose chips are."""

    row: Row
    stage: Stage
    verb: str | None
    goal: int | None
    excess: int
    taken_up: int
    """What the player has taken up of a wager and its winnings since it was settled."""
    dealer: bool
    """The dealer's hands are at the chips, here or at another circle."""
    settlement: bool
    early: bool
    """A circle for the next round's wagers, at a box that is not in this one."""
    seat_done: bool
    accused: bool
    """Its difference is on the screen: chips that do not count go back first."""


# ------------------------------------------------------------------ the books are opened


def opened(state: TableState) -> Ledger:
    """The books of a round that begins: every chip that lies in a circle was laid by its player."""
    ledger = Ledger()
    for seat, row in sorted(state.holdings.items()):
        for wager, holding in row.items():
            if not holding.amount:
                continue
            evidence: Evidence = "entered" if holding.entered is not None else "read"
            ledger = ledger.post(
                Entry(0, seat, wager, Account.PLAYER, Account.CIRCLE, holding.amount, evidence, "laid")
            )
            where = dict.fromkeys((chip.uid for chip in holding.chips), Circle(seat, wager))
            ledger = replace(ledger, chips={**ledger.chips, **where})
    return ledger


# ------------------------------------------------------------------ a circle was read


def follow(turn: Turn, circle: Circle, evidence: Evidence = "read") -> None:
    """Enter what has changed in a circle since the books last knew it."""
    state = turn.state
    round_ = state.round
    holding = state.holding(*circle)
    if round_ is None or not _kept(round_, state.stands, circle, turn.context.ms):
        return
    if not holding.readable and holding.entered is None:
        return
    _borrow(turn, circle, holding)
    row = turn.round.ledger.row(circle)
    change = holding.amount - row.circle
    case = _case(turn.state, circle)
    if change > 0:
        for account, cents in _came(case, change):
            _post(turn, circle, account, Account.CIRCLE, cents, evidence)
    elif change < 0:
        for account, cents in _left(case, -change):
            _post(turn, circle, Account.CIRCLE, account, cents, evidence)
    _remember(turn, circle, holding)


def _kept(round_: Round, stands: Phase, circle: Circle, ms: int) -> bool:
    """Whether the books are still kept for a circle: after the end of a round only where the dealer may have
    paid too much with his last stroke, or stands accused of it."""
    if stands is not Phase.CLEARING:
        return True
    return round_.void is None and circle in just_paid(round_, ms)


LAST_LOOK_MS = 2_000
"""So long after its end a chip more is still the dealer's stroke; later it is somebody's next bet."""


def just_paid(round_: Round, ms: int) -> frozenset[Circle]:
    """Circles of a round that has just ended where wager and winnings are still to be taken up."""
    if round_.void is not None or round_.ended is None:
        return frozenset()
    kept = {
        Circle(item.seat, item.wager)
        for item in round_.plan
        if isinstance(item, Step) and item.verb != "take" and dues.satisfied(round_, item)
    }
    if ms - round_.ended <= LAST_LOOK_MS:
        return frozenset(kept)
    return frozenset(circle for circle in kept if over(round_, circle))


def over(round_: Round, circle: Circle) -> int:
    """Cents that the tray has given too much on a wager that is settled, below nought: has kept too much."""
    step = dues.step_of(round_, circle)
    if step is None:
        return 0
    return dues.goal(round_, circle, dues.base(step)) - round_.ledger.row(circle).tray


def _case(state: TableState, circle: Circle) -> _Case:
    round_ = state.round
    if round_ is None:
        raise RuntimeError(f"no round in {state.phase}")
    where, step = dues.stage(state, circle)
    row = round_.ledger.row(circle)
    return _Case(
        row=row,
        stage=where,
        verb=step.verb if step else "take" if where == "collect" else None,
        goal=dues.tray_goal(round_, circle, where, step),
        excess=dues.excess(round_, circle),
        taken_up=row.player + dues.wager_at(round_, circle) - row.stake,
        dealer=dues.settling_now(state),
        settlement=state.stands is Phase.SETTLEMENT,
        early=circle.seat not in round_.seats and circle.wager not in BETS,
        seat_done=dues.seat_done(round_, circle.seat),
        accused=any((alert.seat, alert.wager) == circle for alert in state.alerts),
    )


# ------------------------------------------------------------------ chips came


def _came(case: _Case, cents: int) -> Iterator[Part]:
    """Who laid `cents`: what is just so much; else whatever is missing comes back, then what is due is paid,
    then the rest."""
    expected = [part for part in _expected(case) if part[1] > 0]
    just = [part for part in expected if part[1] == cents]
    for account, most in just or expected:
        part = min(cents, max(0, most))
        if part:
            yield account, part
            cents -= part
    if cents:
        yield _who_laid(case), cents


def _expected(case: _Case) -> Iterator[Part]:
    row, owes = case.row, 0 if case.goal is None else case.row.tray - case.goal
    yield Account.UNEXPLAINED, dues.missing(row)
    if case.stage in ("none", "rest", "collect", "later", "open"):
        yield Account.PLAYER, -case.excess
    if case.stage == "done":
        yield Account.PLAYER, case.taken_up
    if case.stage in ("collect", "later", "open", "done", "void"):
        yield Account.TRAY, owes


def _who_laid(case: _Case) -> Account:
    if case.stage in ("later", "open", "done"):
        return Account.TRAY
    if case.settlement and not case.early:
        return Account.UNEXPLAINED
    return Account.PLAYER


# ------------------------------------------------------------------ chips left


def _left(case: _Case, cents: int) -> Iterator[Part]:
    """Who took `cents`: just what the dealer is to take he takes; else first chips that were nobody's go,
    then as the wager stands."""
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


def _left_lying(case: _Case, cents: int) -> Iterator[Part]:
    """Nothing is due here: the player takes back what does not count; more than that is his, too, unless the
    dealer's hands were at the chips."""
    own = min(cents, max(0, case.excess))
    rest = Account.UNEXPLAINED if case.dealer else Account.PLAYER
    yield from _parts((Account.PLAYER, own), (rest, cents - own))


def _left_unplayed(case: _Case, cents: int) -> Iterator[Part]:
    yield Account.PLAYER, cents


def _left_due(case: _Case, cents: int) -> Iterator[Part]:
    """A wager that is being settled, or was before its turn."""
    if case.verb == "take":
        yield _taken(case, cents), cents
        return
    own = min(cents, max(0, case.excess))
    laid = -case.row.tray if case.verb == "pay" else (case.goal or 0) - case.row.tray
    back = min(cents - own, max(0, laid))
    yield from _parts((Account.PLAYER, own), (Account.TRAY, back), (Account.UNEXPLAINED, cents - own - back))


def _parts(*parts: Part) -> Iterator[Part]:
    return ((account, cents) for account, cents in parts if cents)


def _taken(case: _Case, cents: int) -> Account:
    """A losing wager goes to the tray; chips that do not count go back first, and are all that is left when
    the tray has what it is to have."""
    full = case.goal is not None and case.row.tray >= case.goal
    return Account.PLAYER if full or cents <= case.excess else Account.TRAY


def _just_due(case: _Case, cents: int) -> bool:
    """Whether it is what the tray is to have, to the cent. Where as much is to be handed back, that comes
    first once it is said."""
    due = case.goal is not None and cents == case.goal - case.row.tray
    back = (case.excess, -dues.missing(case.row))
    return due and case.stage != "void" and not (case.accused and cents in back)


def _left_done(case: _Case, cents: int) -> Iterator[Part]:
    """It is the player's; too much that was laid goes back into the tray. A push may not be touched before
    its seat is done."""
    over = (case.goal or 0) - case.row.tray
    if 0 < cents <= over:
        yield Account.TRAY, cents
    elif case.verb == "push" and not case.seat_done:
        yield Account.UNEXPLAINED, cents
    else:
        yield Account.PLAYER, cents


def _left_void(case: _Case, cents: int) -> Iterator[Part]:
    """The wager is back with its player: what the tray laid goes back to the tray."""
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


# ------------------------------------------------------------------ whose chips


def _borrow(turn: Turn, circle: Circle, holding: Holding) -> None:
    """Chips that are another wager's are nobody's payout: they are unexplained as long as they lie here."""
    round_ = turn.round
    row = round_.ledger.row(circle)
    here = sum(chip.cents or 0 for chip in holding.chips if _anothers(turn.state, circle, chip.uid))
    more = here - row.borrowed
    if more:
        source, to = Account.UNEXPLAINED, Account.CIRCLE
        source, to = (source, to) if more > 0 else (to, source)
        _post(turn, circle, source, to, abs(more), "read")
        ledger = turn.round.ledger
        turn.set_round(ledger=ledger.with_row(circle, replace(ledger.row(circle), borrowed=here)))


def _anothers(state: TableState, circle: Circle, uid: str) -> bool:
    """Whether a chip is of a wager that is not settled and that misses it, or of another player's winnings.
    What a player took up is his to lay where he likes."""
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


def _remember(turn: Turn, circle: Circle, holding: Holding) -> None:
    """Where a player's chips lie, and winnings that were taken up. What went to the tray may be paid out
    again, and what went back to a player before the settlement may have been changed since."""
    ledger = turn.round.ledger
    lying = {chip.uid for chip in holding.chips}
    chips = dict(ledger.chips)
    if ledger.entries and _gone(ledger.entries[-1], circle, ledger.row(circle)):
        chips = {uid: home for uid, home in chips.items() if home != circle or uid in lying}
    for uid in lying:
        if not _anothers(turn.state, circle, uid):
            chips[uid] = circle
    turn.set_round(ledger=replace(ledger, chips=chips))


def _gone(entry: Entry, circle: Circle, row: Row) -> bool:
    """Whether chips that left a circle are where nobody can tell them any more."""
    back = entry.to is Account.PLAYER and row.settled is None
    return (entry.seat, entry.wager) == circle and (entry.to is Account.TRAY or back)


# ------------------------------------------------------------------ entries


def _post(turn: Turn, circle: Circle, source: Account, to: Account, cents: int, evidence: Evidence) -> None:
    if Account.UNEXPLAINED in (source, to) and evidence == "read":
        evidence = "inferred"
    why = "laid" if to is Account.CIRCLE else "taken"
    entry = Entry(turn.context.ms, *circle, source, to, cents, evidence, why)
    turn.set_round(ledger=turn.round.ledger.post(entry))


def say(turn: Turn, circle: Circle, source: Account, to: Account, cents: int, why: str) -> None:
    """What the dealer or a floorperson says went from one account to another; nothing where it is nothing."""
    if cents <= 0:
        return
    entry = Entry(turn.context.ms, *circle, source, to, cents, "said", why)
    ledger = turn.round.ledger.post(entry)
    if to is Account.TRAY:
        lying = {chip.uid for chip in turn.state.holding(*circle).chips}
        kept = {uid: home for uid, home in ledger.chips.items() if home != circle or uid in lying}
        ledger = replace(ledger, chips=kept)
    turn.set_round(ledger=ledger)


def given(turn: Turn, circle: Circle) -> None:
    """The amount rests on the dealer's word, also where it is what was read before the reader went."""
    entry = Entry(turn.context.ms, *circle, Account.CIRCLE, Account.CIRCLE, 0, "entered", "given")
    turn.set_round(ledger=turn.round.ledger.post(entry))


def keep(turn: Turn, circle: Circle) -> None:
    """Chips that were somebody else's stay where they lie, by a floorperson's signature."""
    ledger = turn.round.ledger.with_row(circle, replace(turn.round.ledger.row(circle), borrowed=0))
    here = {chip.uid: circle for chip in turn.state.holding(*circle).chips}
    turn.set_round(ledger=replace(ledger, chips={**ledger.chips, **here}))


def bring_to(turn: Turn, circle: Circle, tray: int, why: str) -> None:
    """The dealer's word that the tray has `tray` of a circle now. Out of a circle that no reader reads it
    came from there; else from what was unexplained, then from the player. What it had too much lies in the
    circle, or where a reader would see it there, with the player."""
    row, dead = turn.round.ledger.row(circle), not turn.state.holding(*circle).readable
    say(turn, circle, Account.TRAY, Account.CIRCLE if dead else Account.PLAYER, row.tray - tray, why)
    lacks = tray - row.tray
    for account, most in (
        (Account.CIRCLE, row.circle if dead else 0),
        (Account.UNEXPLAINED, row.unexplained),
        (Account.PLAYER, lacks),
    ):
        part = min(lacks, max(0, most))
        say(turn, circle, account, Account.TRAY, part, why)
        lacks -= part
