"""Closed loop of the settlement: 58 Pa. Code § 674a.11(g)-(i), tests/scenarios/FORMAT.md "Meaning of some
steps". Every kind of mispay is detected, named and corrected; a correct act raises no alert.
"""

from __future__ import annotations

from typing import Any, Literal

import pytest

from controller.game.model.events import CircleRead, CircleUnreadable, KeyPressed
from controller.game.model.irregularities import LOST_MS
from controller.game.model.names import Key, Phase, Wager
from tests.game.felt import Felt

JACKS_DOWN = "JC 7D 2H 8S 4C"
"""With JH 3D: down is a pair of jacks (1 to 1), across is nothing. Middle goes by the higher: it wins."""
Dead = Literal["silent", "unstable", "not_fitted"]


def dealt(cross: str, hands: dict[int, str], bonus: int = 0, **settings: Any) -> Felt:
    """Return a table at which every seat bet $10 on each wager; the first seat is turned and its first step
    is due."""
    felt = Felt(**settings)
    for seat in hands:
        felt.antes(seat, five_card_bonus=bonus)
    felt.close()
    felt.deal(cross, hands)
    for _ in range(3):
        felt.decide(**dict.fromkeys((f"s{seat}" for seat in hands), 10))
    felt.settle_one()
    return felt


def jacks(**settings: Any) -> Felt:
    return dealt(JACKS_DOWN, {3: "JH 3D"}, **settings)


def tens(bonus: int = 5) -> Felt:
    """Return a settlement in which all wagers push except the bonus, which loses."""
    return dealt("2C 7D TH JS 4C", {3: "TD 9S"}, bonus)


def alerts(felt: Felt) -> list[tuple[str, int | None, str | None]]:
    return [(a.code, a.seat, a.wager.value if a.wager else None) for a in felt.table.state.alerts]


def entry(felt: Felt, code: str) -> dict[str, Any]:
    """Return the last entry of that kind in the record."""
    return dict([e for e in felt.records[-1]["irregularities"] if e["code"] == code][-1])


def finish(felt: Felt) -> None:
    while felt.phase is Phase.SETTLEMENT:
        felt.settle_one()


# ------------------------------------------------------------------ take


def test_a_losing_bet_that_is_left_is_said_when_the_dealer_confirms() -> None:
    """§ 674a.11(h)(1)(i). The alert never comes while chips are being moved."""
    felt = jacks()
    felt.stand(5_000)
    assert felt.codes() == []
    felt.press("confirm")
    assert alerts(felt) == [("losing_bet_left", 3, "ante_across")]
    assert felt.table.view()["seats"][2]["circles"]["ante_across"]["lamp"] == "refused"
    assert felt.prompt["kind"] == "take"
    felt.lay(3, ante_across=0)
    assert (felt.codes(), felt.prompt["wager"]) == ([], "across")
    finish(felt)
    assert entry(felt, "losing_bet_left")["resolved"]


def early(felt: Felt) -> tuple[str, dict[str, Any]]:
    """Return the refusal of CONFIRM on the screen while the key is dark."""
    view = felt.table.view()
    assert view["prompt"] and not view["keys"]["confirm"] and "confirm" not in view["shines"]
    refusal = felt.refused(KeyPressed(Key.CONFIRM, view["prompt"]["id"]))
    assert refusal is not None and felt.codes() == [] and felt.round.irregularities == ()
    return refusal.code, dict(refusal.params)


def test_confirm_is_dark_where_a_reader_sees_it_done_and_an_early_press_accuses_nobody() -> None:
    felt = jacks()
    assert early(felt) == ("not_yet", {"wager": "ante_across", "lies": 1000})
    felt.lay(3, ante_across=0)
    felt.lay(3, across=0)
    assert early(felt) == ("not_yet", {"wager": "ante_down", "missing": 1000})


def told(felt: Felt) -> dict[str, Any]:
    """Return the only alert as the page shows it."""
    felt.stand()
    (alert,) = felt.table.view()["alerts"]
    return dict(alert)


def test_an_alert_of_a_push_names_the_hand_that_pushes() -> None:
    felt = tens()
    felt.lay(3, ante_across=20)
    said = told(felt)
    assert (said["code"], said["push_hand"]["category"], said["push_hand"]["ranks"][0]) == (
        "overpaid",
        "pair",
        10,
    )
    felt.lay(3, ante_across=0)
    assert told(felt)["push_hand"]["ranks"][0] == 10


def test_a_payout_in_a_wrong_circle_is_told_where_it_belongs() -> None:
    felt = jacks()
    felt.lay(3, ante_across=0)
    felt.lay(3, across=0)
    assert felt.prompt["kind"] == "pay"
    felt.lay(3, five_card_bonus=10)
    assert told(felt)["home"] is None
    assert told(felt)["due_at"] == {"seat": 3, "wager": "ante_down"}


def test_a_double_press_on_turn_both_cards_is_nothing() -> None:
    felt = dealt("2C TH 3D 8S 4C", {2: "5H 6S", 3: "TD 9S"})
    while felt.prompt["kind"] != "turn_seat":
        felt.settle_one()
    press = KeyPressed(Key.CONFIRM, felt.prompt["id"])
    felt.event(press)
    refusal = felt.refused(press)
    assert refusal is not None and refusal.code == "stale"


def test_a_losing_bet_that_is_left_is_said_when_the_dealer_goes_on() -> None:
    """The dealer takes the next wager first; the alert names the order and the wager that was left."""
    felt = jacks()
    felt.lay(3, across=0)
    assert felt.codes() == []
    felt.stand()
    assert set(alerts(felt)) == {
        ("settled_out_of_order", 3, "across"), ("losing_bet_left", 3, "ante_across"),
    }  # fmt: skip
    felt.lay(3, ante_across=0)
    assert (felt.codes(), felt.prompt["wager"]) == ([], "ante_down")


def test_a_losing_bet_after_pushes_is_said_too_when_the_dealer_goes_on() -> None:
    """The pushes pass with the next step; the alert names the losing bet, which was left."""
    felt = dealt("2C TH 3D 8S 4C", {3: "TD 9S"})
    assert [felt.prompt["kind"], felt.prompt["wager"]] == ["push", "ante_across"]
    felt.press("confirm")
    felt.lay(3, down=0)
    felt.stand()
    assert ("losing_bet_left", 3, "ante_down") in alerts(felt)


def test_a_take_is_verified_by_its_own_reader() -> None:
    felt = jacks()
    finish(felt)
    assert felt.result(3, "across") | {"amount": 1000, "result": "lose", "verified": True} == felt.result(
        3, "across"
    )


# ------------------------------------------------------------------ pay


def paying() -> Felt:
    """Return a table at which $10 are to be paid on an Ante Down of $10."""
    felt = jacks()
    felt.settle_one()
    felt.settle_one()
    assert (felt.prompt["kind"], felt.prompt["wager"], felt.prompt["amount"]) == ("pay", "ante_down", 1000)
    return felt


def test_a_payout_that_is_short_is_said_when_the_dealer_confirms() -> None:
    """§ 674a.12(a)."""
    felt = paying()
    felt.pay(3, "ante_down", 500)
    felt.stand(5_000)
    assert felt.codes() == []
    felt.press("confirm")
    alert = felt.table.view()["alerts"][0]
    assert (alert["code"], alert["lies"], alert["should"]) == ("underpaid", 1500, 2000)
    felt.pay(3, "ante_down", 500)
    assert (felt.codes(), felt.prompt["wager"]) == ([], "down")


def test_a_payout_that_is_short_is_said_when_the_dealer_goes_on() -> None:
    felt = paying()
    felt.pay(3, "ante_down", 500)
    felt.pay(3, "down", 1000)
    felt.stand()
    assert set(alerts(felt)) == {("settled_out_of_order", 3, "down"), ("underpaid", 3, "ante_down")}


@pytest.mark.parametrize("too_much", [1500, 6000])
def test_a_payout_that_is_too_big_is_said_at_once(too_much: int) -> None:
    """No key is pressed: the alert comes after the amount has been stable for 400 ms."""
    felt = paying()
    felt.pay(3, "ante_down", too_much)
    felt.stand(399)
    assert felt.codes() == []
    felt.stand(1)
    assert alerts(felt) == [("overpaid", 3, "ante_down")]
    assert felt.prompt["wager"] == "ante_down"
    felt.lay(3, ante_down=20)
    assert (felt.codes(), felt.prompt["wager"]) == ([], "down")


def test_short_and_then_too_much_is_one_alert() -> None:
    felt = paying()
    felt.press("confirm")
    felt.pay(3, "ante_down", 2000)
    felt.stand()
    assert felt.codes() == ["overpaid"]


def test_chips_that_come_after_the_right_payout_are_too_many() -> None:
    felt = paying()
    felt.pay(3, "ante_down", 1000)
    felt.pay(3, "ante_down", 500)
    felt.stand()
    assert alerts(felt) == [("overpaid", 3, "ante_down")]
    assert not felt.records


def test_a_round_does_not_end_with_a_difference_unexplained() -> None:
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


def test_a_player_who_takes_his_winnings_is_not_accused() -> None:
    felt = paying()
    felt.pay(3, "ante_down", 1000)
    felt.lay(3, ante_down=0)
    felt.stand(5_000)
    assert felt.codes() == []


def test_a_payout_laid_beside_the_circle_is_confirmed_by_hand() -> None:
    """Only if the table file allows it; the record distinguishes such a payout from one that a reader
    measured."""
    felt = jacks(payouts_beside=True)
    felt.settle_one()
    felt.settle_one()
    felt.press("confirm")
    finish(felt)
    assert (felt.result(3, "ante_down")["verified"], felt.result(3, "down")["verified"]) == (False, True)


# ------------------------------------------------------------------ push


def test_a_push_that_is_paid_is_said_at_once() -> None:
    """§ 674a.12(a), (b). This mistake was observed at real tables."""
    felt = tens()
    felt.pay(3, "ante_across", 1000)
    felt.stand()
    assert alerts(felt) == [("overpaid", 3, "ante_across")]
    felt.lay(3, ante_across=10)
    felt.press("confirm")
    assert (felt.codes(), felt.prompt["wager"]) == ([], "across")


def touch(felt: Felt) -> None:
    """Touch CONFIRM on the screen; the touch names its prompt."""
    felt.event(KeyPressed(Key.CONFIRM, felt.prompt["id"]))


def test_pushes_by_one_hand_are_confirmed_by_one_touch_that_names_them() -> None:
    felt = tens(bonus=0)
    assert (felt.prompt["wager"], felt.prompt["too"]) == ("ante_across", ["across"])
    assert felt.table.view()["next"]["wager"] == "ante_down"
    touch(felt)
    settled = felt.table.view()["seats"][2]["circles"]
    assert [name for name, circle in settled.items() if circle["result"]] == ["ante_across", "across"]


def test_every_push_that_one_touch_confirms_has_the_lamp_of_a_push() -> None:
    """Formerly one of three circles had the amber lamp."""
    felt = tens(bonus=0)
    circles = felt.table.view()["seats"][2]["circles"]
    assert [name for name, circle in circles.items() if circle["lamp"] == "push"] == ["ante_across", "across"]
    touch(felt)
    circles = felt.table.view()["seats"][2]["circles"]
    assert {circles[name]["lamp"] for name in ("ante_across", "across")} == {"accepted"}


def test_a_key_on_the_table_confirms_one_push() -> None:
    felt = tens(bonus=0)
    felt.press("confirm")
    assert (felt.prompt["kind"], felt.prompt["wager"], felt.prompt["too"]) == ("push", "across", None)


def test_a_push_that_was_touched_is_not_confirmed_with_the_one_before_it() -> None:
    felt = tens(bonus=0)
    felt.lay(3, across=0)
    felt.stand(2_000)
    assert felt.prompt["too"] is None


def test_undo_takes_such_pushes_back_one_by_one() -> None:
    felt = tens(bonus=0)
    touch(felt)
    felt.press("undo")
    assert (felt.prompt["wager"], felt.prompt["too"]) == ("across", None)
    felt.press("undo")
    assert (felt.prompt["wager"], felt.prompt["too"]) == ("ante_across", ["across"])


def test_a_push_that_is_swept_is_said_at_once_and_cannot_be_confirmed() -> None:
    felt = tens()
    felt.lay(3, ante_across=0)
    felt.stand()
    assert alerts(felt) == [("push_disturbed", 3, "ante_across")]
    refusal = felt.refused(KeyPressed(Key.CONFIRM))
    assert refusal is not None and refusal.code == "push_disturbed"
    assert felt.table.view()["alerts"][0]["should"] == 1000
    assert not felt.table.view()["keys"]["confirm"]
    felt.lay(3, ante_across=10)
    assert (felt.codes(), felt.table.view()["keys"]["confirm"]) == ([], True)


def test_a_push_that_is_swept_after_it_was_confirmed_is_said_until_the_seat_is_done() -> None:
    felt = tens()
    felt.press("confirm")
    felt.lay(3, ante_across=0)
    felt.stand()
    assert alerts(felt) == [("push_disturbed", 3, "ante_across")]


def test_a_push_ahead_that_is_swept_is_said_as_well() -> None:
    felt = tens()
    felt.lay(3, middle=0)
    felt.stand()
    assert alerts(felt) == [("push_disturbed", 3, "middle")]


@pytest.mark.parametrize("said_ms", [1, 400])
def test_a_push_that_no_longer_lies_there_is_not_passed_by_the_next_step(said_ms: int) -> None:
    felt = tens()
    felt.lay(3, down=0)
    felt.stand(said_ms)
    felt.lay(3, five_card_bonus=0)
    assert (felt.phase, felt.prompt["kind"]) == (Phase.SETTLEMENT, "push")


def test_pushes_and_the_step_after_them_are_passed_with_one_reading() -> None:
    felt = tens()
    felt.lay(3, five_card_bonus=0)
    assert felt.phase is Phase.CLEARING


# ------------------------------------------------------------------ wrong circle, wrong order


def test_a_payout_in_a_later_circle_is_in_the_wrong_circle() -> None:
    felt = paying()
    felt.pay(3, "middle", 500)
    felt.stand()
    assert alerts(felt) == [("wrong_circle", 3, "middle")]
    felt.lay(3, middle=10)
    assert felt.codes() == []


def test_a_payout_in_a_circle_that_has_been_taken_is_in_the_wrong_circle() -> None:
    felt = paying()
    felt.lay(3, ante_across=10)
    felt.stand()
    assert alerts(felt) == [("wrong_circle", 3, "ante_across")]


def test_a_payout_in_an_empty_circle_of_the_seat_is_in_the_wrong_circle() -> None:
    felt = paying()
    felt.lay(3, five_card_bonus=10)
    felt.stand()
    assert alerts(felt) == [("wrong_circle", 3, "five_card_bonus")]


def test_a_payout_at_a_neighbour_who_does_not_play_is_in_the_wrong_circle() -> None:
    felt = paying()
    felt.lay(4, across=10)
    felt.stand()
    assert alerts(felt) == [("wrong_circle", 4, "across")]


def test_antes_laid_early_at_an_empty_box_are_late_bets_of_this_round() -> None:
    """§ 674a.7(c)."""
    felt = paying()
    felt.lay(4, ante_across=10)
    felt.stand()
    assert alerts(felt) == [("late_bet", 4, "ante_across")]


def test_the_next_seat_settled_first_is_out_of_order() -> None:
    """§ 674a.11(g): from the dealer's right, seat 6 before seat 5."""
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


def test_what_was_taken_before_its_seat_was_turned_is_the_trays_by_word_alone() -> None:
    """The reader did not see the wager leave, so the dealer confirms the removal, the chips return, or a
    floorperson signs."""
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


# ------------------------------------------------------------------ honest hands


@pytest.mark.parametrize("away", [1, 200, 398])
def test_a_chip_that_vanishes_and_returns_within_400_ms_accuses_nobody(away: int) -> None:
    felt = tens()
    for wager in ("ante_across", "middle", "five_card_bonus"):
        holding = felt.table.state.holding(3, Wager(wager))
        felt.event(CircleRead(3, Wager(wager), ()))
        felt.stand(away)
        if felt.phase is not Phase.SETTLEMENT:
            return
        felt.event(CircleRead(3, Wager(wager), holding.chips))
        felt.stand(10_000)
        assert felt.codes() == []


def test_the_time_counts_from_the_difference_and_starts_anew_when_it_was_over() -> None:
    felt = tens()
    for _ in range(5):
        felt.lay(3, ante_across=0)
        felt.stand(390)
        felt.lay(3, ante_across=10)
        felt.stand(390)
    assert felt.codes() == []


def test_the_table_says_when_an_accusation_is_due() -> None:
    felt = tens()
    felt.lay(3, ante_across=0)
    assert felt.table.next_deadline() == felt.ms + 400


def test_a_reader_that_is_away_for_a_moment_is_no_news() -> None:
    felt = tens()
    held = felt.table.state.holding(3, Wager.DOWN).chips
    felt.event(CircleUnreadable(3, Wager.DOWN, "silent"))
    felt.stand(999)
    felt.event(CircleRead(3, Wager.DOWN, held))
    felt.stand(5_000)
    assert felt.codes() == []


def test_what_stood_before_a_reader_went_is_not_taken_back_by_its_silence() -> None:
    felt = paying()
    felt.pay(3, "ante_down", 1500)
    felt.stand()
    felt.event(CircleUnreadable(3, Wager.ANTE_DOWN, "silent"))
    felt.stand(LOST_MS)
    assert set(felt.codes()) == {"overpaid", "reader_lost"}
    felt.lay(3, ante_down=20)
    assert felt.codes() == []
