"""Accounts of a round that do not balance hold play, and the hold names the circle.

Double entry: each row adds up to zero and agrees with its reader (config/rules/RULES.md, "Who has the
chips"). No event can unbalance the accounts, so the tests change the state.
"""

from __future__ import annotations

from controller.game.model.events import CircleRead
from controller.game.model.evolve import evolve
from controller.game.model.names import Circle, Phase, Wager
from tests.game.felt import Felt
from tests.game.test_irregularities import dealt, everywhere

ANTE = Circle(3, Wager.ANTE_ACROSS)


def planted(rules: str) -> Felt:
    """Return a table whose ledger has a dollar in an ante that comes from no account. A circle of the same
    seat has been read since."""
    felt = dealt(rules)
    ledger = felt.round.ledger
    wrong = ledger.with_row(ANTE, evolve(row := ledger.row(ANTE), circle=row.circle + 100))
    felt.table.state = evolve(felt.table.state, round=evolve(felt.round, ledger=wrong))
    other = Wager.ANTE_DOWN
    felt.event(CircleRead(3, other, felt.table.state.holding(3, other).chips))
    return felt


@everywhere
def test_unbalanced_books_hold_play_and_name_the_circle(rules: str) -> None:
    felt = planted(rules)
    hold = felt.table.state.hold
    assert hold is not None
    assert (hold.code, hold.seat, hold.wager) == ("unbalanced", *ANTE)
    assert (hold.proposed, hold.outcomes) == (None, ("go_on", "void", "remove_deck"))


@everywhere
def test_play_is_held_again_while_the_books_do_not_balance(rules: str) -> None:
    felt = planted(rules)
    felt.floor("outcome", outcome="go_on")
    assert felt.phase is Phase.HELD


@everywhere
def test_after_a_void_the_next_bets_open_with_balanced_books(rules: str) -> None:
    felt = planted(rules)
    felt.floor("outcome", outcome="void")
    felt.clear()
    while felt.phase is Phase.VOID:
        felt.press("confirm")
    assert felt.records[-1]["void"]["code"] == "unbalanced"
    felt.next_round()
