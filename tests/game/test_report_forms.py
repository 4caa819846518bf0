"""What the dealer is offered to report: the menu is as long as what can have happened, and no longer."""

from __future__ import annotations

from controller.game.phases.reports import REPORTS, SEATED
from controller.game.showing.report_forms import ASKS, OF_SEAT
from tests.game.felt import TEXTS, Felt
from tests.game.test_irregularities import dealt


def test_every_report_that_the_table_takes_has_its_form_and_its_name() -> None:
    assert {*ASKS} - {"swapped"} == REPORTS.keys()
    assert {*ASKS} <= TEXTS["reports"].keys()


def test_a_report_that_names_a_seat_asks_for_it() -> None:
    assert {*SEATED} <= {*OF_SEAT}
    assert OF_SEAT == (
        "hole_exposed", "wrong_count", "player_left", "players_conferred", "cards_touched", "out_of_view",
        "hand_left",
    )  # fmt: skip


def test_what_can_only_have_happened_in_one_phase_is_offered_in_it() -> None:
    felt = Felt()
    assert "no_activity" in felt.table.view()["reports"]
    assert "card_face_up" not in felt.table.view()["reports"]
    felt.antes(3)
    felt.close()
    assert "card_face_up" in felt.table.view()["reports"]
    assert "no_activity" not in felt.table.view()["reports"]


def test_a_bonus_card_is_reported_where_bonus_cards_are_dealt() -> None:
    assert "bonus_exposed" in dealt("six_card_bonus").table.view()["reports"]
    assert "bonus_exposed" not in dealt().table.view()["reports"]


def test_a_seat_can_be_reported_while_bets_are_open_and_then_if_it_plays() -> None:
    felt = Felt()
    assert all(seat["reportable"] for seat in felt.table.view()["seats"])
    felt.antes(3)
    felt.close()
    assert [seat["seat"] for seat in felt.table.view()["seats"] if seat["reportable"]] == [3]
