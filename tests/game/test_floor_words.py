"""A floorperson can give directions in each phase, and a change of the way of dealing sends the right
commands to the shoe.

58 Pa. Code § 674a.13(g), config/rules/RULES.md "Irregularities".
"""

from __future__ import annotations

import pytest

from controller.game.model import events
from controller.game.model.cards import Card
from controller.game.model.names import SEATS, Method, Phase, Wager
from tests.game.felt import Felt

AUTO, MANUAL, HAND = Method.AUTOMATED_SHOE, Method.MANUAL_SHOE, Method.HAND


@pytest.mark.parametrize(
    ("own", "way", "signs"),
    [
        (AUTO, (HAND, AUTO), ["ON", "OFF"]),
        (AUTO, (MANUAL, AUTO), ["ON", "OFF"]),
        (AUTO, (MANUAL, HAND), ["ON", "ON"]),
        (MANUAL, (AUTO, MANUAL), ["ON", "OFF"]),
        (HAND, (MANUAL, HAND), ["OFF", "ON"]),
        (HAND, (AUTO, MANUAL), ["OFF"]),
    ],
)
def test_the_shoe_s_sign_follows_its_use(own: Method, way: tuple[Method, ...], signs: list[str]) -> None:
    felt = Felt(method=own)
    felt.does_shuffle = False
    felt.commands.clear()
    for method in way:
        felt.floor("method", method=method)
    assert [each.fields[0] for each in felt.commands if each.command == "SIGN"] == signs


def test_no_command_is_sent_to_a_shoe_without_a_link() -> None:
    felt = Felt()
    felt.event(events.ShoeFaulted("JAM"))
    felt.event(events.ShoeLinkLost())
    assert felt.codes() == ["shoe_fault", "shoe_lost"]
    felt.commands.clear()
    felt.floor("method", method=HAND)
    assert (felt.codes(), felt.commands) == (["device_out_of_order"], [])


@pytest.mark.parametrize(
    ("mode", "method", "ready"),
    [("STACK", MANUAL, False), ("SINGLE", MANUAL, True), ("STACK", HAND, True), ("SINGLE", HAND, True)],
)
def test_another_kind_of_shoe_must_report_ready(mode: str, method: Method, ready: bool) -> None:
    felt = Felt()
    felt.event(events.ShoeStated("READY", 52, 0, "RED", mode))
    felt.floor("method", method=method)
    assert felt.table.state.shoe.ready is ready


def test_a_manual_shoe_can_be_replaced_by_one_that_deals_stacks() -> None:
    felt = Felt(method=MANUAL)
    felt.event(events.ShoeStated("READY", 52, 0, "RED", "STACK"))
    felt.floor("method", method=AUTO)
    assert felt.table.state.shoe.ready
    felt.event(events.ShoeStated("READY", 52, 0, "RED", "SINGLE"))
    felt.floor("method", method=MANUAL)
    assert felt.table.state.shoe.ready


def test_impossible_directions_of_the_floor_are_refused() -> None:
    felt = Felt()
    assert felt.refusal_code(events.FloorDecided("B1", "forfeit", seat=3)) == "seat_not_in_round"
    assert felt.refusal_code(events.FloorDecided("B1", "approve")) == "nothing_held"
    assert felt.refusal_code(events.FloorDecided("B1", "player", seats=())) == "seat_not_in_round"
    assert felt.refusal_code(events.FloorDecided("B1", "player", seats=(3, 7))) == "seat_not_in_round"
    assert felt.refusal_code(events.FloorDecided("B1", "player", seats=SEATS)) == "adjacent_boxes"
    felt.closed(3, 4)
    assert felt.refusal_code(events.FloorDecided("B1", "close")) == "not_now"
    assert felt.refusal_code(events.FloorDecided("B1", "player", seats=(3, 4))) == "not_now"
    felt.deal("2C 7D TH JS 4C", {3: "TD 9S", 4: "AH 9D"})
    assert felt.refusal_code(events.FloorDecided("B1", "forfeit", seat=2)) == "seat_not_in_round"
    assert felt.refusal_code(events.FloorDecided("B1", "forfeit", seat=3)) is None
    felt.floor("forfeit", seat=3)
    assert felt.refusal_code(events.FloorDecided("B1", "forfeit", seat=3)) == "seat_not_in_round"
    assert felt.round.seats[3].forfeited == (Phase.ACROSS, "player_left")


def test_an_amount_needs_an_existing_circle_and_is_not_negative() -> None:
    felt = Felt()
    refused = [
        events.AmountEntered(3, Wager.ANTE_DOWN, -100),
        events.AmountEntered(3, Wager.SIX_CARD_BONUS, 500),
        events.AmountEntered(max(SEATS) + 1, Wager.ANTE_DOWN, 500),
    ]
    assert [felt.refusal_code(event) for event in refused] == ["bet_out_of_range"] * 3


def test_a_face_cannot_be_entered_before_it_is_turned() -> None:
    felt = Felt()
    assert felt.refusal_code(events.FaceEntered("middle", Card("2C"))) == "not_now"
    felt.closed(3)
    felt.deal("2C 7D TH JS 4C", {3: "TD 9S"})
    assert felt.refusal_code(events.FaceEntered("middle", Card("2C"))) == "not_asked_for"


def test_only_a_known_floorperson_can_correct_a_round() -> None:
    for known, badge, refused in (
        (("B1", "B2"), "B2", "round_not_closed"),
        (("B1", "B2"), "B9", "unknown_badge"),
        ((), "B9", "unknown_badge"),
        (None, "B9", "round_not_closed"),
        (None, "", "unknown_badge"),
    ):
        felt = Felt(floorpersons=known)
        word = events.RoundCorrected(badge, 1, 3, Wager.DOWN, 500, "one chip short")
        assert felt.refusal_code(word) == refused


def test_a_shuffle_requested_before_hand_dealing_is_requested_again() -> None:
    felt = Felt().dealt("2C 7D TH JS 4C", {3: "TD 9S"})
    felt.does_shuffle = False
    felt.fold()
    felt.collect()
    felt.clear()
    felt.press("confirm")
    felt.floor("method", method=HAND)
    felt.press("confirm")
    assert felt.phase is Phase.BETTING
    felt.commands.clear()
    felt.floor("method", method=AUTO)
    assert [each.command for each in felt.commands] == ["SIGN", "SHUFFLE"]
