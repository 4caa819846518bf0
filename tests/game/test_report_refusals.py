"""A report is refused with its own code if it cannot have happened, names a missing place or seat, or states
a known fact; every other report is permitted.

config/rules/RULES.md "Irregularities"; tests/scenarios/FORMAT.md, the reports.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.game.model.cards import Card
from controller.game.model.events import CardsSwapped, Event, Reported
from controller.game.model.irregularities import Code, DealerReport
from tests.game.felt import Felt
from tests.game.settlements import dealt

CROSS = "JC 7D 2H 8S 4C"
HANDS = {2: "JH 3D", 3: "AS KD"}


def at_across(rules: str = "pennsylvania") -> Felt:
    """Return a table of two players whose cards all lie face down; the first seat is asked for its Across
    bet."""
    felt = Felt(rules).closed(*HANDS)
    if rules == "six_card_bonus":
        felt.draw(CROSS, HANDS, bonus="2C 2D 2S 3C")
    else:
        felt.deal(CROSS, HANDS)
    return felt


@pytest.mark.parametrize(
    ("event", "refused"),
    [
        (Reported(Code.UNDERPAID), "not_a_report"),
        (Reported(Code.SHUFFLER_FAULT), None),
        (Reported(Code.HOLE_EXPOSED), "seat_not_in_round"),
        (Reported(Code.HOLE_EXPOSED, 5), "seat_not_in_round"),
        (Reported(Code.HOLE_EXPOSED, 2), None),
        (Reported(Code.WRONG_COUNT, 5, number=3), "seat_not_in_round"),
        (Reported(Code.WRONG_COUNT, 2, number=2), "count_is_right"),
        (Reported(Code.WRONG_COUNT, 2, number=3), None),
        (Reported(Code.WRONG_COUNT, number=5), "count_is_right"),
        (Reported(Code.WRONG_COUNT, number=4), None),
        (Reported(Code.WRONG_COUNT), None),
        (Reported(Code.COMMUNITY_EXPOSED), "place_and_face"),
        (Reported(Code.COMMUNITY_EXPOSED, place="seat_2_1"), "place_and_face"),
        (Reported(Code.COMMUNITY_EXPOSED, place="middle"), None),
        (Reported(Code.BONUS_EXPOSED, number=1), "no_bonus_cards"),
        (Reported(DealerReport.STUB_COUNT), "place_and_face"),
        (Reported(DealerReport.STUB_COUNT, number=-1), "place_and_face"),
        (Reported(DealerReport.STUB_COUNT, number=0), None),
        (Reported(Code.CARD_DIFFERS, place="middle"), "place_and_face"),
        (Reported(Code.CARD_DIFFERS, face=Card("2C")), "place_and_face"),
        (Reported(Code.CARD_DIFFERS, place="middle", face=Card("2C")), "not_turned"),
        (CardsSwapped("middle", "middle"), "place_and_face"),
        (CardsSwapped("middle", "seat_5_1"), "place_and_face"),
        (CardsSwapped("seat_5_1", "middle"), "place_and_face"),
        (CardsSwapped("middle", "seat_2_1"), None),
    ],
)
def test_reports_while_cards_lie_face_down_are_accepted_or_refused(event: Event, refused: str | None) -> None:
    assert at_across().refusal_code(event) == refused


@pytest.mark.parametrize("number", [None, 0, 5])
def test_a_report_of_a_fifth_bonus_card_is_refused(number: int | None) -> None:
    assert (
        at_across("six_card_bonus").refusal_code(Reported(Code.BONUS_EXPOSED, number=number))
        == "place_and_face"
    )


@pytest.mark.parametrize("number", [1, 4])
def test_an_exposed_bonus_card_can_be_reported_until_all_are_turned(number: int) -> None:
    felt = at_across("six_card_bonus")
    assert felt.refusal_code(Reported(Code.BONUS_EXPOSED, number=number)) is None
    shown = replace(felt.round.settlement, bonus_shown=True)
    felt.table.state = replace(felt.table.state, round=replace(felt.round, settlement=shown))
    assert felt.refusal_code(Reported(Code.BONUS_EXPOSED, number=number)) == "already_turned"


def test_reports_about_cards_are_refused_without_a_round() -> None:
    felt = Felt()
    assert felt.refusal_code(Reported(Code.COMMUNITY_EXPOSED, place="middle")) == "no_round"
    assert felt.refusal_code(CardsSwapped("middle", "seat_2_1")) == "not_now"
    finished = dealt(CROSS, HANDS)
    finished.settle()
    assert finished.refusal_code(Reported(Code.COMMUNITY_EXPOSED, place="middle")) == "no_round"
    assert finished.refusal_code(CardsSwapped("middle", "seat_2_1")) == "not_now"


def test_a_turned_card_cannot_be_reported_as_exposed() -> None:
    felt = dealt(CROSS, HANDS)
    assert felt.refusal_code(Reported(Code.COMMUNITY_EXPOSED, place="middle")) == "already_turned"
    assert felt.refusal_code(Reported(Code.HOLE_EXPOSED, 3)) == "already_turned"
    assert felt.refusal_code(Reported(Code.HOLE_EXPOSED, 2)) is None
    assert felt.refusal_code(Reported(Code.CARD_DIFFERS, place="seat_2_1", face=Card("9C"))) == "not_turned"
    assert felt.refusal_code(Reported(Code.CARD_DIFFERS, place="seat_3_1", face=Card("9C"))) is None


def test_the_stub_is_counted_when_it_is_out() -> None:
    felt = Felt().closed(2)
    assert felt.refusal_code(Reported(DealerReport.STUB_COUNT, number=45)) == "stub_not_out"


def test_a_card_set_aside_cannot_be_the_face_on_the_felt() -> None:
    """The card was set aside openly, so its face is known."""
    felt = dealt(CROSS, HANDS)
    deal = replace(felt.round.deal, set_aside=(Card("9C"),))
    felt.table.state = replace(felt.table.state, round=replace(felt.round, deal=deal))
    assert (
        felt.refusal_code(Reported(Code.CARD_DIFFERS, place="middle", face=Card("9C"))) == "card_already_seen"
    )


def test_a_forfeited_seat_cannot_be_reported() -> None:
    """A forfeit in Maryland takes all wagers of the player (11.A(5)), so no further act of this player can be
    reported. Exposed cards of the seat can still be reported."""
    felt = at_across("maryland")
    felt.report("player_left", seat=2)
    felt.floor("forfeit")
    for what in ("player_left", "players_conferred", "cards_touched", "out_of_view"):
        assert felt.refusal_code(Reported(what, 2)) == "already_forfeited"
    assert felt.refusal_code(Reported(Code.HOLE_EXPOSED, 2)) is None
