"""A push that is paid or swept is named at once in the settlement, and a correct one raises no alert: 58 Pa.
Code § 674a.12(a), (b), tests/scenarios/FORMAT.md "Meaning of some steps"."""

from __future__ import annotations

import pytest

from controller.game.model.events import KeyPressed
from controller.game.model.names import Key, Phase
from tests.game.felt import Felt
from tests.game.settlements import alerts, tens


def test_a_paid_push_is_named_at_once() -> None:
    """§ 674a.12(a), (b): a push is neither paid nor taken. Dealers at real tables have paid it."""
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


def test_pushes_by_one_hand_are_confirmed_by_one_touch() -> None:
    felt = tens(bonus=0)
    assert (felt.prompt["wager"], felt.prompt["too"]) == ("ante_across", ["across"])
    assert felt.table.view()["next"]["wager"] == "ante_down"
    touch(felt)
    settled = felt.table.view()["seats"][2]["circles"]
    assert [name for name, circle in settled.items() if circle["result"]] == ["ante_across", "across"]


def test_every_push_that_one_touch_confirms_has_the_lamp_of_a_push() -> None:
    """Formerly only one of the three circles had the amber lamp."""
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


def test_a_touched_push_is_not_confirmed_with_the_one_before_it() -> None:
    felt = tens(bonus=0)
    felt.lay(3, across=0)
    felt.stand(2_000)
    assert felt.prompt["too"] is None


def test_undo_withdraws_such_pushes_one_by_one() -> None:
    felt = tens(bonus=0)
    touch(felt)
    felt.press("undo")
    assert (felt.prompt["wager"], felt.prompt["too"]) == ("across", None)
    felt.press("undo")
    assert (felt.prompt["wager"], felt.prompt["too"]) == ("ante_across", ["across"])


def test_a_swept_push_is_named_at_once_and_cannot_be_confirmed() -> None:
    felt = tens()
    felt.lay(3, ante_across=0)
    felt.stand()
    assert alerts(felt) == [("push_disturbed", 3, "ante_across")]
    assert felt.refusal_code(KeyPressed(Key.CONFIRM)) == "push_disturbed"
    assert felt.table.view()["alerts"][0]["should"] == 1000
    assert not felt.table.view()["keys"]["confirm"]
    felt.lay(3, ante_across=10)
    assert (felt.codes(), felt.table.view()["keys"]["confirm"]) == ([], True)


def test_a_push_swept_after_its_confirm_is_named_until_the_seat_is_settled() -> None:
    felt = tens()
    felt.press("confirm")
    felt.lay(3, ante_across=0)
    felt.stand()
    assert alerts(felt) == [("push_disturbed", 3, "ante_across")]


def test_a_later_push_that_is_swept_is_named_too() -> None:
    felt = tens()
    felt.lay(3, middle=0)
    felt.stand()
    assert alerts(felt) == [("push_disturbed", 3, "middle")]


@pytest.mark.parametrize("stood_ms", [1, 400])
def test_a_missing_push_is_not_passed_by_the_next_step(stood_ms: int) -> None:
    felt = tens()
    felt.lay(3, down=0)
    felt.stand(stood_ms)
    felt.lay(3, five_card_bonus=0)
    assert (felt.phase, felt.prompt["kind"]) == (Phase.SETTLEMENT, "push")


def test_pushes_and_the_step_after_them_are_passed_with_one_reading() -> None:
    felt = tens()
    felt.lay(3, five_card_bonus=0)
    assert felt.phase is Phase.CLEARING
