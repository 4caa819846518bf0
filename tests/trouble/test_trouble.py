"""In a sample of the long runs of `make soak`, honest hands cause no alert, and a change of one chip is
detected.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.game.model.names import Circle, Wager
from controller.mock.people.error_log import NAMED_BY, Account, Error, table
from tests.trouble import cheats, honest
from tests.trouble.report import dealers

pytestmark = pytest.mark.slow

HERE = Circle(3, Wager.DOWN)


def test_faulty_readers_cause_no_alert() -> None:
    calm = honest.play(12, 4, wires=False)
    assert sum(calm.done.values()) > 30
    assert (calm.rounds, dict(calm.false)) == (12, {})


def test_a_change_of_one_chip_is_reported() -> None:
    tried = cheats.play(10, 4, wires=False)
    assert set(tried.tried) == {"capping", "late bet", "past posting", "pinching"}
    assert tried.missed == []


def test_the_account_counts_reported_and_late_errors() -> None:
    made = [Error(1, "over", HERE, HERE, caught=True), Error(1, "over", HERE, HERE, caught=True, late=True)]
    account = Account([*made, Error(2, "short", HERE, HERE)], [(2, "late_bet")])
    lines = list(table([account]))
    assert "| `over` | 2 | 2 | 1 | 0 |" in lines
    assert "| `short` | 1 | 0 | 0 | 1 |" in lines
    assert lines[-1] == "\nNamed without cause: late_bet 1."
    assert len(lines) == len(NAMED_BY) + 4


def test_an_error_reported_after_the_next_seat_s_prompt_is_late() -> None:
    account = Account([Error(1, "over", HERE, HERE)])
    view = {"round": 1, "phase": "settlement", "alerts": [], "hold": None, "prompt": {"seat": 2}}
    account.see(view)
    assert account.errors[0].late


def lying(**up: str) -> dict[str, object]:
    """Return a view of round 1 in which the cards of these places are face up."""
    cards = [{"lies": "up" if f"seat_3_{n}" in up else "down", "face": None} for n in (1, 2)]
    seats = [{"seat": 3, "cards": cards}]
    return {
        "round": 1, "phase": "settlement", "alerts": [], "hold": None, "prompt": None, "cross": {},
        "seats": seats,
    }  # fmt: skip


def test_a_wrongly_delivered_stack_counts_from_the_first_turned_card() -> None:
    """If every seat folds, no card is turned, so the order of the stack stays unknown to the players."""
    account = Account([Error(1, "stack_delivered", None, None, ("seat_3_1", "seat_3_2"))])
    account.see(lying())
    assert account.words() == "0 errors of the dealer: 0 caught, 0 missed, 0 false alarms"
    account.see(lying(seat_3_2="4H"))
    assert account.words().endswith("1 missed, 0 false alarms; missed: stack_delivered in round 1")
    account.see(lying() | {"hold": {"code": "card_differs", "seat": 3, "wager": None, "place": "seat_3_1"}})
    assert account.words() == "1 errors of the dealer: 1 caught, 0 missed, 0 false alarms"


@pytest.mark.parametrize(("touched", "false"), [({(1, HERE)}, []), ({(2, HERE)}, [(1, "overpaid")])])
def test_an_alert_caused_by_a_player_is_no_false_alarm(
    touched: set[tuple[int, Circle]], false: list[tuple[int, str]]
) -> None:
    """A late chip that is first read at the settlement is reported as the error that it then resembles."""
    account = Account(players=touched)
    alert = {"id": 1, "grade": "alert", "code": "overpaid", "seat": 3, "wager": "down", "place": None}
    account.see(lying() | {"alerts": [alert]})
    assert account.false_alarms == false


def test_the_accounts_of_many_runs_are_added_up() -> None:
    account = Account([Error(1, "over", HERE, HERE, caught=True)])
    hasty = replace(account, false_alarms=[(1, "overpaid"), (2, "wrong_circle"), (3, "overpaid")])
    texts = "\n".join([*table([account]), *table([hasty]), *table([hasty])]).splitlines()
    lines = list(dealers(40, False, texts))
    assert "| `over` | 3 | 3 | 3 | 0 |" in lines
    assert lines[-1] == "\nNamed without cause: overpaid 4, wrong_circle 2."
