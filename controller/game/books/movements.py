"""Movements of money: posts what readers saw and what people reported as entries in the round's ledger.

`whose_hand.py` infers where chips came from or went; `chip_owners.py` gives the owner of a chip. Source:
config/rules/RULES.md "Who has the chips".
"""

from __future__ import annotations

from controller.game.books import chip_owners, dues, whose_hand
from controller.game.model.evolve import evolve
from controller.game.model.ledger import Account, Evidence, Ledger, LedgerEntry
from controller.game.model.names import Circle, Phase
from controller.game.model.naming import SINCE_PROCEDURES
from controller.game.model.round import Round
from controller.game.model.state import Holding, TableState
from controller.game.model.transition import Transition

# ------------------------------------------------------------------ opening of the books


def opening_ledger(state: TableState) -> Ledger:
    """Return the ledger of a new round: each chip in a circle was placed by its player."""
    ledger = Ledger()
    for seat, row in sorted(state.holdings.items()):
        for wager, holding in row.items():
            if not holding.amount:
                continue
            evidence: Evidence = "entered" if holding.entered is not None else "read"
            ledger = ledger.post(
                LedgerEntry(0, seat, wager, Account.PLAYER, Account.CIRCLE, holding.amount, evidence, "laid")
            )
            where = dict.fromkeys((chip.uid for chip in holding.chips), Circle(seat, wager))
            ledger = evolve(ledger, chips={**ledger.chips, **where})
    return ledger


# ------------------------------------------------------------------ readings of a circle


def follow(play: Transition, circle: Circle, evidence: Evidence = "read") -> None:
    """Post the change of a circle's amount since its last entry to the ledger. `evidence`: how the new amount
    is known."""
    state = play.state
    round_ = state.round
    holding = state.holding(*circle)
    if round_ is None or not is_followed(round_, state.play_phase, circle, play.context.ms):
        return
    if not holding.readable and holding.entered is None:
        return
    _borrow(play, circle, holding)
    ledger = play.round.ledger
    change = holding.amount - ledger.row(circle).circle
    case = whose_hand.case_of(play.state, circle, play.context.ms)
    if change > 0:
        for account, cents in whose_hand.attribute_added(case, change):
            ledger = ledger.post(_moved(play, circle, account, Account.CIRCLE, cents, evidence))
    elif change < 0:
        for account, cents in whose_hand.attribute_removed(case, -change):
            ledger = ledger.post(_moved(play, circle, Account.CIRCLE, account, cents, evidence))
    chips = chip_owners.circles_of_chips(play.state, ledger, circle, holding)
    play.round = evolve(play.round, ledger=evolve(ledger, chips=chips))


def is_followed(round_: Round, stands: Phase, circle: Circle, ms: int) -> bool:
    """Return whether the ledger still follows the readings of a circle. After the end of the round it does so
    only if the last payment may have been too high or is in dispute. `stands`: phase of play."""
    if stands is not Phase.CLEARING:
        return True
    ended = round_.ending.ended
    if round_.ending.void is not None or ended is None or not awaits_pickup(round_, circle):
        return False
    return ms - ended <= LAST_PAYMENT_MS or overpaid_cents(round_, circle) != 0


LAST_PAYMENT_MS = 2_000
"""Time in ms after the end of a round in which an added chip still counts as the dealer's payment; later it
is a player's next bet.
"""


def awaits_pickup(round_: Round, circle: Circle) -> bool:
    """Return whether a wager and winnings of a finished round are in the circle for the player to take up."""
    step = dues.planned_step(round_, circle)
    return step is not None and step.verb != "take" and dues.is_done(round_, step)


def overpaid_cents(round_: Round, circle: Circle) -> int:
    """Return the cents that the tray paid too much for a settled wager; negative: too little."""
    step = dues.step_of(round_, circle)
    if step is None:
        return 0
    row = round_.ledger.row(circle)
    return row.goal(step.tray) - row.tray


# ------------------------------------------------------------------ owners of chips

CARRIED_SINCE = 7
"""First revision of `PROCEDURES` in which a void counts chips of other wagers in the circle that they came
from.
"""


def _borrow(play: Transition, circle: Circle, holding: Holding) -> None:
    """Count chips of another wager as unexplained as long as they are in this circle, because they are not a
    payout."""
    round_ = play.round
    row = round_.ledger.row(circle)
    here = chip_owners.borrowed_cents(play.state, circle, holding)
    more = here - row.borrowed
    if more:
        source, to = Account.UNEXPLAINED, Account.CIRCLE
        source, to = (source, to) if more > 0 else (to, source)
        ledger = round_.ledger.post(_moved(play, circle, source, to, abs(more), "read"))
        borrowed = evolve(ledger.row(circle), borrowed=here)
        play.round = evolve(round_, ledger=ledger.with_row(circle, borrowed))
        if more < 0 and play.state.play_phase is Phase.VOID and play.state.procedures >= SINCE_PROCEDURES:
            _credit_found(play, circle, -more)


def _credit_found(play: Transition, circle: Circle, cents: int) -> None:
    """Return chips to the player's other wagers when they leave this circle in a void round, so that the tray
    does not refund them a second time. `cents`: value of those chips."""
    player = play.round.seats[circle.seat].player
    for home in play.round.ledger.circles():
        box = play.round.seats.get(home.seat)
        part = min(cents, play.round.ledger.row(home).unexplained)
        if home != circle and part > 0 and box is not None and box.player == player:
            entry = _moved(play, home, Account.UNEXPLAINED, Account.PLAYER, part, "read")
            play.round = evolve(play.round, ledger=play.round.ledger.post(entry))
            cents -= part


def carry_borrowed(play: Transition) -> None:
    """Post chips of other players as carried over the tray when the round becomes void. The prompts then take
    them from the circle in which they are and refund their player. Before revision 7 the ledger took the
    first chips that left such a circle for the other player's, although the prompt returned the wager
    first."""
    if play.state.procedures < CARRIED_SINCE:
        return
    for circle in play.round.ledger.circles():
        if play.round.ledger.row(circle).borrowed:
            for home, cents in chip_owners.homes_of_borrowed(play.state, play.round, circle).items():
                _carry(play, home, circle, cents)


def _carry(play: Transition, home: Circle, circle: Circle, cents: int) -> None:
    """Post `cents` from `home` to the tray and from there to `circle`. Chips that are not missing at `home`
    are winnings that the player had taken up."""
    ledger = play.round.ledger
    lost = min(cents, max(0, ledger.row(home).unexplained))
    for at, source, to, part in (
        (home, Account.UNEXPLAINED, Account.TRAY, lost),
        (home, Account.PLAYER, Account.TRAY, cents - lost),
        (circle, Account.TRAY, Account.UNEXPLAINED, cents),
    ):
        if part:
            ledger = ledger.post(LedgerEntry(play.context.ms, *at, source, to, part, "inferred", "carried"))
    row = ledger.row(circle)
    ledger = ledger.with_row(circle, evolve(row, borrowed=row.borrowed - cents))
    play.round = evolve(play.round, ledger=ledger)


# ------------------------------------------------------------------ entries


def _moved(
    play: Transition, circle: Circle, source: Account, to: Account, cents: int, evidence: Evidence
) -> LedgerEntry:
    if Account.UNEXPLAINED in (source, to) and evidence == "read":
        evidence = "inferred"
    why = "laid" if to is Account.CIRCLE else "taken"
    return LedgerEntry(play.context.ms, *circle, source, to, cents, evidence, why)


def post_report(play: Transition, circle: Circle, source: Account, to: Account, cents: int, why: str) -> None:
    """Post a movement of chips of a circle that the dealer or a floorperson reported, from the account
    `source` to the account `to`. Nothing is posted for zero cents. `why`: reason in one word."""
    if cents <= 0:
        return
    entry = LedgerEntry(play.context.ms, *circle, source, to, cents, "said", why)
    ledger = play.round.ledger.post(entry)
    if to is Account.TRAY:
        lying = {chip.uid for chip in play.state.holding(*circle).chips}
        is_followed = {uid: home for uid, home in ledger.chips.items() if home != circle or uid in lying}
        ledger = evolve(ledger, chips=is_followed)
    play.round = evolve(play.round, ledger=ledger)


def post_entered(play: Transition, circle: Circle, why: str = "given") -> None:
    """Post an entry of zero cents which shows that the dealer entered the circle's amount, even if the last
    reading had the same one. `why`: reason in one word."""
    entry = LedgerEntry(play.context.ms, *circle, Account.CIRCLE, Account.CIRCLE, 0, "entered", why)
    play.round = evolve(play.round, ledger=play.round.ledger.post(entry))


def accept_borrowed(play: Transition, circle: Circle) -> None:
    """Accept chips of another wager in a circle, by a floorperson's signature."""
    ledger = play.round.ledger.with_row(circle, evolve(play.round.ledger.row(circle), borrowed=0))
    here = {chip.uid: circle for chip in play.state.holding(*circle).chips}
    play.round = evolve(play.round, ledger=evolve(ledger, chips={**ledger.chips, **here}))


def post_tray_amount(play: Transition, circle: Circle, tray: int, why: str) -> None:
    """Post the dealer's report that the tray now has `tray` cents of a circle. Chips gained by the tray came
    from the circle if it cannot be read; otherwise from the unexplained chips first, then from the player.
    Chips lost by the tray went to the circle if it cannot be read, otherwise to the player, because a reader
    would have seen them arrive.
    """
    row, dead = play.round.ledger.row(circle), not play.state.holding(*circle).readable
    post_report(play, circle, Account.TRAY, Account.CIRCLE if dead else Account.PLAYER, row.tray - tray, why)
    lacks = tray - row.tray
    for account, most in (
        (Account.CIRCLE, row.circle if dead else 0),
        (Account.UNEXPLAINED, row.unexplained),
        (Account.PLAYER, lacks),
    ):
        part = min(lacks, max(0, most))
        post_report(play, circle, account, Account.TRAY, part, why)
        lacks -= part
