"""A payout that is short, too large or in a wrong circle, and a payout out of order, is named and corrected
in the settlement: 58 Pa. Code § 674a.11(g)-(i), .12."""

from __future__ import annotations

import pytest

from controller.game.model.names import Phase
from tests.game.settlements import JACKS_DOWN, alerts, dealt, entry, finish, jacks, paying

# ------------------------------------------------------------------ amounts


def test_a_short_payout_is_named_when_the_dealer_confirms() -> None:
    """§ 674a.12(a) fixes the payout, so the dealer must add the missing chips."""
    felt = paying()
    felt.pay(3, "ante_down", 500)
    felt.stand(5_000)
    assert felt.codes() == []
    felt.press("confirm")
    alert = felt.table.view()["alerts"][0]
    assert (alert["code"], alert["lies"], alert["should"]) == ("underpaid", 1500, 2000)
    felt.pay(3, "ante_down", 500)
    assert (felt.codes(), felt.prompt["wager"]) == ([], "down")


def test_a_short_payout_is_named_when_the_dealer_continues() -> None:
    felt = paying()
    felt.pay(3, "ante_down", 500)
    felt.pay(3, "down", 1000)
    felt.stand()
    assert set(alerts(felt)) == {("settled_out_of_order", 3, "down"), ("underpaid", 3, "ante_down")}


@pytest.mark.parametrize("too_much", [1500, 6000])
def test_an_excessive_payout_is_named_at_once(too_much: int) -> None:
    """No key is pressed: the alert is raised as soon as the amount has been stable for 400 ms."""
    felt = paying()
    felt.pay(3, "ante_down", too_much)
    felt.stand(399)
    assert felt.codes() == []
    felt.stand(1)
    assert alerts(felt) == [("overpaid", 3, "ante_down")]
    assert felt.prompt["wager"] == "ante_down"
    felt.lay(3, ante_down=20)
    assert (felt.codes(), felt.prompt["wager"]) == ([], "down")


def test_a_payout_first_short_and_then_too_large_is_one_alert() -> None:
    felt = paying()
    felt.press("confirm")
    felt.pay(3, "ante_down", 2000)
    felt.stand()
    assert felt.codes() == ["overpaid"]


def test_chips_added_to_a_right_payout_are_excess() -> None:
    felt = paying()
    felt.pay(3, "ante_down", 1000)
    felt.pay(3, "ante_down", 500)
    felt.stand()
    assert alerts(felt) == [("overpaid", 3, "ante_down")]
    assert not felt.records


def test_a_round_does_not_end_with_an_unexplained_difference() -> None:
    felt = paying()
    felt.pay(3, "ante_down", 1500)
    felt.lay(3, ante_down=20)
    felt.pay(3, "ante_down", 500)
    felt.pay(3, "down", 1000)
    felt.pay(3, "middle", 1000)
    assert (felt.phase, felt.records) == (Phase.SETTLEMENT, [])
    felt.stand()
    assert felt.prompt["kind"] == "hand_back"
    felt.lay(3, ante_down=20)
    assert felt.phase is Phase.CLEARING
    assert entry(felt, "overpaid")["resolved"]


def test_a_player_who_takes_winnings_raises_no_alert() -> None:
    felt = paying()
    felt.pay(3, "ante_down", 1000)
    felt.lay(3, ante_down=0)
    felt.stand(5_000)
    assert felt.codes() == []


def test_a_payout_laid_beside_the_circle_is_confirmed_by_hand() -> None:
    """A setting of the table file permits such payouts. The record distinguishes them from payouts that a
    reader measured."""
    felt = jacks(payouts_beside=True)
    felt.settle_one()
    felt.settle_one()
    felt.press("confirm")
    finish(felt)
    assert (felt.result(3, "ante_down")["verified"], felt.result(3, "down")["verified"]) == (False, True)


# ------------------------------------------------------------------ wrong circle, wrong order


def test_a_payout_in_a_later_circle_is_in_the_wrong_circle() -> None:
    felt = paying()
    felt.pay(3, "middle", 500)
    felt.stand()
    assert alerts(felt) == [("wrong_circle", 3, "middle")]
    felt.lay(3, middle=10)
    assert felt.codes() == []


@pytest.mark.parametrize(
    ("code", "seat", "wager"),
    [
        pytest.param("wrong_circle", 3, "ante_across", id="a circle that has been taken"),
        pytest.param("wrong_circle", 3, "five_card_bonus", id="an empty circle of the seat"),
        pytest.param("wrong_circle", 4, "across", id="a neighbour who does not play"),
        pytest.param("late_bet", 4, "ante_across", id="antes laid early at an empty box, § 674a.7(c)"),
    ],
)
def test_chips_in_a_circle_where_nothing_is_paid_are_named(code: str, seat: int, wager: str) -> None:
    felt = paying()
    felt.lay(seat, **{wager: 10})
    felt.stand()
    assert alerts(felt) == [(code, seat, wager)]


def test_the_next_seat_settled_first_is_out_of_order() -> None:
    """§ 674a.11(g): the dealer settles from the right, so seat 6 comes before seat 5."""
    felt = dealt(JACKS_DOWN, {5: "KH 3D", 6: "AH 9D"})
    felt.lay(5, ante_across=0)
    felt.stand()
    assert ("settled_out_of_order", 5, "ante_across") in alerts(felt)
    felt.lay(6, ante_across=0)
    assert felt.prompt["wager"] == "across"
    assert ("losing_bet_left", 6, "ante_across") not in alerts(felt)
    felt.lay(5, ante_across=10)
    assert felt.codes() == []
    finish(felt)
    assert felt.result(5, "ante_across")["verified"]
    assert entry(felt, "settled_out_of_order")["resolved"]


def test_a_wager_taken_before_its_seat_was_turned_needs_the_dealer_s_confirm() -> None:
    """No reader saw the wager leave. The dealer confirms the removal, or the chips return, or a floorperson
    signs."""
    felt = dealt(JACKS_DOWN, {5: "KH 3D", 6: "AH 9D"})
    felt.lay(5, ante_across=0)
    felt.stand()
    while felt.prompt["seat"] == 6:
        felt.settle_one()
    felt.settle_one()
    assert (felt.prompt["kind"], felt.prompt["seat"], felt.prompt["wager"]) == ("take", 5, "ante_across")
    assert alerts(felt) == [("settled_out_of_order", 5, "ante_across")]
    felt.press("confirm")
    finish(felt)
    assert not felt.result(5, "ante_across")["verified"]
