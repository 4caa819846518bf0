"""The dealer's screen offers exactly the reports of events that can have happened."""

from __future__ import annotations

from tests.game.felt import Felt
from tests.game.test_irregularities import dealt


def test_a_report_is_offered_only_in_its_phase() -> None:
    felt = Felt()
    assert "no_activity" in felt.table.view()["reports"]
    assert "card_face_up" not in felt.table.view()["reports"]
    felt.closed(3)
    assert "card_face_up" in felt.table.view()["reports"]
    assert "no_activity" not in felt.table.view()["reports"]


def test_a_bonus_card_can_be_reported_if_bonus_cards_are_dealt() -> None:
    assert "bonus_exposed" in dealt("six_card_bonus").table.view()["reports"]
    assert "bonus_exposed" not in dealt().table.view()["reports"]


def test_any_seat_can_be_reported_before_the_close_and_then_only_players() -> None:
    felt = Felt()
    assert all(seat["reportable"] for seat in felt.table.view()["seats"])
    felt.closed(3)
    assert [seat["seat"] for seat in felt.table.view()["seats"] if seat["reportable"]] == [3]
