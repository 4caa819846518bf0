"""In the settlement every kind of wrong payment is detected, named and corrected, and a correct act raises no
alert: 58 Pa. Code § 674a.11(g)-(i), tests/scenarios/FORMAT.md "Meaning of some steps"."""

from __future__ import annotations

from typing import Any

import pytest

from controller.game.model.events import CircleRead, CircleUnreadable, KeyPressed
from controller.game.model.irregularities import LOST_MS
from controller.game.model.names import Key, Phase, Wager
from tests.game.felt import Felt
from tests.game.settlements import alerts, dealt, entry, finish, jacks, paying, tens

# ------------------------------------------------------------------ take


def test_a_losing_bet_left_is_named_when_the_dealer_confirms() -> None:
    """§ 674a.11(h)(1)(i): a losing bet is taken. The alert never comes while chips are being moved."""
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
    """Return code and values of the refusal when CONFIRM is pressed on the screen while the key is dark."""
    view = felt.table.view()
    assert view["prompt"] and not view["keys"]["confirm"] and "confirm" not in view["shines"]
    refusal = felt.refused(KeyPressed(Key.CONFIRM, view["prompt"]["id"]))
    assert refusal is not None and felt.codes() == [] and felt.round.irregularities == ()
    return refusal.code, dict(refusal.params)


def test_confirm_is_dark_where_a_reader_sees_the_act_and_an_early_press_raises_no_alert() -> None:
    felt = jacks()
    assert early(felt) == ("not_yet", {"wager": "ante_across", "lies": 1000})
    felt.lay(3, ante_across=0)
    felt.lay(3, across=0)
    assert early(felt) == ("not_yet", {"wager": "ante_down", "missing": 1000})


def alert_shown(felt: Felt) -> dict[str, Any]:
    """Return the only alert of the view, as the page shows it."""
    felt.stand()
    (alert,) = felt.table.view()["alerts"]
    return dict(alert)


def test_an_alert_of_a_push_names_the_hand_that_pushes() -> None:
    felt = tens()
    felt.lay(3, ante_across=20)
    alert = alert_shown(felt)
    assert (alert["code"], alert["push_hand"]["category"], alert["push_hand"]["ranks"][0]) == (
        "overpaid",
        "pair",
        10,
    )
    felt.lay(3, ante_across=0)
    assert alert_shown(felt)["push_hand"]["ranks"][0] == 10


def test_the_alert_of_a_payout_in_a_wrong_circle_names_the_right_one() -> None:
    felt = jacks()
    felt.lay(3, ante_across=0)
    felt.lay(3, across=0)
    assert felt.prompt["kind"] == "pay"
    felt.lay(3, five_card_bonus=10)
    assert alert_shown(felt)["home"] is None
    assert alert_shown(felt)["due_at"] == {"seat": 3, "wager": "ante_down"}


def test_a_double_press_on_turn_both_cards_counts_once() -> None:
    felt = dealt("2C TH 3D 8S 4C", {2: "5H 6S", 3: "TD 9S"})
    while felt.prompt["kind"] != "turn_seat":
        felt.settle_one()
    press = KeyPressed(Key.CONFIRM, felt.prompt["id"])
    felt.event(press)
    assert felt.refusal_code(press) == "stale"


def test_a_losing_bet_left_is_named_when_the_dealer_continues() -> None:
    """The dealer takes the next wager first. The alert names the order and the wager that was left in its
    circle."""
    felt = jacks()
    felt.lay(3, across=0)
    assert felt.codes() == []
    felt.stand()
    assert set(alerts(felt)) == {
        ("settled_out_of_order", 3, "across"), ("losing_bet_left", 3, "ante_across"),
    }  # fmt: skip
    felt.lay(3, ante_across=0)
    assert (felt.codes(), felt.prompt["wager"]) == ([], "ante_down")


def test_a_losing_bet_after_pushes_is_named_when_the_dealer_continues() -> None:
    """The next step passes the pushes. The alert names the losing bet, which was left in its circle."""
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


# ------------------------------------------------------------------ correct acts


@pytest.mark.parametrize("away", [1, 200, 398])
def test_a_chip_that_vanishes_and_returns_within_400_ms_raises_no_alert(away: int) -> None:
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


def test_the_delay_of_an_alert_starts_with_each_new_difference() -> None:
    felt = tens()
    for _ in range(5):
        felt.lay(3, ante_across=0)
        felt.stand(390)
        felt.lay(3, ante_across=10)
        felt.stand(390)
    assert felt.codes() == []


def test_the_table_has_a_deadline_for_a_pending_alert() -> None:
    felt = tens()
    felt.lay(3, ante_across=0)
    assert felt.table.next_deadline() == felt.ms + 400


def test_a_brief_silence_of_a_reader_raises_no_alert() -> None:
    felt = tens()
    held = felt.table.state.holding(3, Wager.DOWN).chips
    felt.event(CircleUnreadable(3, Wager.DOWN, "silent"))
    felt.stand(999)
    felt.event(CircleRead(3, Wager.DOWN, held))
    felt.stand(5_000)
    assert felt.codes() == []


def test_an_alert_is_not_withdrawn_by_its_reader_s_silence() -> None:
    felt = paying()
    felt.pay(3, "ante_down", 1500)
    felt.stand()
    felt.event(CircleUnreadable(3, Wager.ANTE_DOWN, "silent"))
    felt.stand(LOST_MS)
    assert set(felt.codes()) == {"overpaid", "reader_lost"}
    felt.lay(3, ante_down=20)
    assert felt.codes() == []
