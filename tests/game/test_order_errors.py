"""The alert about a step done too early names the circle that is due and the chips missing there, and never a
circle to which the chips only might belong.

Source: 58 Pa. Code § 674a.11(g), (h), .12; tests/scenarios/FORMAT.md "Meaning of some steps".
"""

from __future__ import annotations

from typing import Any

import pytest

from controller.game.model.events import KeyPressed
from controller.game.model.names import Key, Phase, Wager
from controller.pages.display.words import render
from tests.game.felt import Felt
from tests.game.settlements import JACKS_DOWN, dealt, jacks, paying


def alert_texts(felt: Felt) -> dict[str, Any]:
    """Return the English texts of the alert about the order."""
    felt.stand()
    view = felt.table.view()
    words = next(texts for texts, alert in zip(render(view, "en")["alerts"], view["alerts"], strict=True)
                 if alert["code"] == "settled_out_of_order")  # fmt: skip
    return {name: words[name] for name in ("where", "do", "what")}


def test_a_short_payout_is_named_with_its_missing_chips() -> None:
    """Formerly the screen showed "First PAY $50" under a circle that had just been paid."""
    felt = paying()
    felt.pay(3, "ante_down", 500)
    felt.pay(3, "down", 1000)
    assert alert_texts(felt) == {
        "where": "First: Seat 3 · Down ante", "do": "Add $5: one $5",
        "what": "Done before its turn: Seat 3 · Down",
    }  # fmt: skip


def test_an_omitted_payout_is_named_with_its_whole_amount() -> None:
    felt = paying()
    felt.pay(3, "down", 1000)
    alert = alert_texts(felt)
    assert (alert["where"], alert["do"]) == ("First: Seat 3 · Down ante", "PAY $10: two $5")


def test_a_winner_paid_before_a_loser_is_taken_names_the_loser() -> None:
    felt = jacks()
    felt.pay(3, "down", 1000)
    alert = alert_texts(felt)
    assert (alert["where"], alert["do"]) == ("First: Seat 3 · Across ante", "TAKE $10")


def test_the_alert_of_a_seat_settled_early_names_the_cards_to_turn() -> None:
    """Seat 6 is settled, and then seat 4 is swept before the cards of seat 5 are turned."""
    felt = dealt(JACKS_DOWN, {4: "QC 5D", 5: "KH 3D", 6: "AH 9D"})
    while felt.prompt["seat"] == 6:
        felt.settle_one()
    felt.lay(4, ante_across=0)
    alert = alert_texts(felt)
    assert (alert["where"], alert["do"]) == ("First: Seat 5", "TURN BOTH CARDS")


def test_the_alert_of_a_bonus_settled_early_names_the_due_wager() -> None:
    felt = dealt(JACKS_DOWN, {3: "JH 3D"}, bonus=5)
    felt.lay(3, five_card_bonus=0)
    alert = alert_texts(felt)
    assert alert["where"].startswith("First: Seat 3 · ") and alert["do"] == "TAKE $10"


@pytest.mark.parametrize(
    ("extra", "what"),
    [
        (1000, "Does not belong there: $10 · $10 is due at Seat 3 · Down ante"),
        (700, "Does not belong there: $7"),
    ],
)
def test_chips_of_unknown_origin_are_not_assigned_to_another_circle(extra: int, what: str) -> None:
    """An alert names another circle only if exactly this amount is due there."""
    felt = paying()
    felt.lay(3, five_card_bonus=extra // 100)
    felt.stand()
    causes = [words["what"] for words in render(felt.table.view(), "en")["alerts"]]
    assert what in causes and not any("belongs to" in each for each in causes)


def test_after_the_omitted_step_settlement_continues() -> None:
    felt = paying()
    felt.pay(3, "ante_down", 500)
    felt.pay(3, "down", 1000)
    felt.stand()
    felt.pay(3, "ante_down", 500)
    felt.stand()
    assert felt.codes() == []
    assert felt.phase is Phase.SETTLEMENT and felt.prompt["wager"] == "middle"


def test_a_rack_lifted_off_a_later_wager_leaves_no_alert_about_the_due_step() -> None:
    felt = paying()
    felt.stand(3_000)
    felt.pay(3, "down", 1000)
    felt.pay(3, "middle", 1000)
    felt.stand()
    assert set(felt.codes()) == {"settled_out_of_order", "underpaid"}
    felt.lay(3, down=10)
    felt.stand()
    assert set(felt.codes()) == {"settled_out_of_order", "underpaid"}
    felt.lay(3, middle=10)
    felt.stand()
    assert felt.codes() == []
    assert (felt.prompt["kind"], felt.prompt["wager"], felt.prompt["amount"]) == ("pay", "ante_down", 1000)
    felt.settle()
    assert {e["resolved"] for e in felt.records[-1]["irregularities"]} == {True}


def test_chips_reported_as_no_wager_are_not_an_early_step() -> None:
    felt = paying()
    felt.stand(3_000)
    felt.pay(3, "down", 1000)
    felt.stand()
    felt.report("not_a_wager", seat=3, wager=Wager.DOWN)
    assert felt.codes() == ["not_a_wager"]
    felt.lay(3, down=10)
    felt.settle()
    entries = felt.records[-1]["irregularities"]
    assert [(e["code"], e["resolved"]) for e in entries] == [("not_a_wager", True)]


def test_a_begun_payout_stays_short_when_a_later_one_is_taken_back() -> None:
    felt = paying()
    felt.pay(3, "ante_down", 500)
    felt.pay(3, "down", 1000)
    felt.stand()
    felt.lay(3, down=10)
    felt.stand()
    assert felt.codes() == ["underpaid"]


def test_an_earlier_alert_is_unaffected_by_chips_taken_back() -> None:
    """The dealer confirms a payout that is missing, which raises the alert; later a stack of chips lies on
    another wager."""
    felt = paying()
    felt.event(KeyPressed(Key.CONFIRM))
    felt.stand()
    assert felt.codes() == ["underpaid"]
    felt.pay(3, "down", 1000)
    felt.stand()
    felt.lay(3, down=10)
    felt.stand()
    assert felt.codes() == ["underpaid"]
