"""The table prompts each way of dealing in its own order, and changes from one way to another: 58 Pa. Code §
674a.8 to .10, .13(g) and their counterparts; config/rules/RULES.md "The deal"."""

from __future__ import annotations

from typing import Any

import pytest

from controller.game.model import events
from controller.game.model.cards import Card
from controller.game.model.names import SEATS, Key, Method, Phase
from controller.game.phases.dealing import STALL_MS
from tests.game.felt import Felt

CROSS = "2C 7D TH JS 4C"
HANDS = {1: "AS KD", 2: "2H 3H"}
HOUR_MS = 3_600_000


def closed(rules: str = "pennsylvania", method: Method | None = None, **settings: Any) -> Felt:
    return Felt(rules, method, **settings).closed(1, 2)


def new_commands(felt: Felt) -> list[str]:
    """Return the commands sent to the shoe since the last call."""
    words = [" ".join((c.command, *c.fields)) for c in felt.commands]
    felt.commands.clear()
    return words


def faces(felt: Felt) -> dict[str, str | None]:
    return {place: dealt.face for place, dealt in felt.round.cards.items()}


def play_out(felt: Felt) -> None:
    """Fold every seat and play to the end of the round."""
    while felt.phase is not Phase.CLEARING:
        if felt.prompt["kind"] == "ask":
            felt.fold()
        felt.collect()


# ------------------------------------------------------------------ automated shoe


def test_the_shoe_gives_five_and_then_two_to_each_seat_clockwise() -> None:
    """§ 674a.10(b): the shoe gives no stack before the last one was taken, and the stub comes last."""
    felt = closed()
    assert new_commands(felt) == ["DEAL 5"]
    felt.stack(CROSS.split())
    assert new_commands(felt) == []
    felt.event(events.StackTaken())
    assert new_commands(felt) == ["DEAL 2"]
    felt.stack(["AS", "KD"])
    felt.event(events.StackTaken())
    felt.stack(["2H", "3H"])
    assert new_commands(felt) == ["DEAL 2"]
    felt.event(events.StackTaken())
    assert new_commands(felt) == ["STUBOUT"]
    felt.event(events.StubTaken(43))
    assert felt.phase is Phase.ACROSS
    assert faces(felt)["seat_1_1"] == "AS"


def test_the_setting_for_upside_down_stacks_reverses_their_order() -> None:
    """config/rules/RULES.md: a setting of the table states whether the top or the bottom card of a stack left
    the shoe first."""
    felt = closed(stack_first_out="bottom")
    felt.deal(CROSS, HANDS)
    assert faces(felt)["down_far"] == "4C"
    assert faces(felt)["seat_1_1"] == "KD"


def test_the_stub_is_taken_by_hand_from_a_shoe_that_does_not_eject_it() -> None:
    felt = closed()
    felt.stacks(CROSS, HANDS)
    assert felt.refused(events.KeyPressed(Key.CONFIRM)) is not None
    felt.event(events.CommandRefused("STUBOUT", "not here"))
    felt.press("confirm")
    assert felt.phase is Phase.ACROSS


def confirmed_first() -> Felt:
    """Return a table with a manual shoe at which the dealer confirmed the stub before the shoe reported
    it."""
    felt = closed(method=Method.MANUAL_SHOE)
    for face in (*CROSS.split(), "AS", "2H", "KD", "3H"):
        felt.card(face)
    felt.press("confirm")
    assert felt.phase is Phase.ACROSS
    return felt


def test_a_stub_report_after_the_dealer_s_confirm_raises_no_alert() -> None:
    felt = confirmed_first()
    felt.event(events.StubTaken(43))
    assert (felt.phase, felt.codes()) == (Phase.ACROSS, [])
    assert (felt.round.deal.stub_shoe, felt.table.state.shoe.left) == (43, 0)
    felt.event(events.StubTaken(43))
    assert felt.codes() == ["shoe_fault"]


@pytest.mark.parametrize("at_once", [True, False])
def test_a_stub_reported_late_is_counted(at_once: bool) -> None:
    """§ 674a.10(e) also applies to a count that arrives late, even while play is held for another reason."""
    felt = confirmed_first()
    if not at_once:
        felt.report("community_exposed", place="middle")
    felt.event(events.StubTaken(42))
    assert felt.phase is Phase.HELD
    assert "deck_count" in [entry.code for entry in felt.round.irregularities]


def test_a_shoe_that_refuses_to_deal_does_not_deal_all_cards() -> None:
    """§ 674a.13(f) applies to a device that stops before all cards are dealt."""
    felt = closed()
    felt.event(events.CommandRefused("DEAL", "lid"))
    assert (felt.phase, felt.table.state.hold and felt.table.state.hold.code) == (Phase.HELD, "shoe_fault")


def test_a_shoe_that_sends_no_further_card_counts_as_stopped() -> None:
    """§ 674a.13(f) applies to a device that stops before all cards are dealt. A dealer who leaves a stack in
    the exit does not cause this alert."""
    felt = closed()
    felt.stack(CROSS.split())
    felt.stand(10 * STALL_MS)
    assert felt.phase is Phase.DEALING
    felt.event(events.StackTaken())
    assert felt.table.next_deadline() == felt.ms + STALL_MS
    felt.stand(STALL_MS)
    assert felt.phase is Phase.HELD


def test_a_slow_dealer_with_the_stub_raises_no_alert() -> None:
    felt = closed()
    felt.stacks(CROSS, HANDS)
    felt.event(events.CommandDone("STUBOUT"))
    felt.stand(10 * STALL_MS)
    assert felt.phase is Phase.DEALING
    deadline = felt.table.next_deadline()
    assert deadline is None or deadline > felt.ms


# ------------------------------------------------------------------ one card at a time


def test_a_manual_shoe_deals_five_and_then_one_at_a_time_twice_round() -> None:
    """§ 674a.8(d): the shoe deals five cards, and then one card to each seat, twice around."""
    felt = closed(method=Method.MANUAL_SHOE)
    order = []
    for face in ["2C", "7D", "TH", "JS", "4C", "AS", "2H", "KD", "3H"]:
        order.append(felt.prompt["places"][0])
        felt.card(face)
    assert order[:5] == ["down_far", "across_left", "middle", "across_right", "down_near"]
    assert order[5:] == ["seat_1_1", "seat_2_1", "seat_1_2", "seat_2_2"]
    assert new_commands(felt) == []
    assert felt.prompt["kind"] == "take_stub"
    felt.press("confirm")
    assert felt.phase is Phase.ACROSS


def test_the_house_deals_the_seats_first_and_then_nine_with_the_bonus_cards_between() -> None:
    """House rules, Dealing procedures: the dealer deals clockwise and begins with the card nearest to the
    dealer."""
    felt = closed("six_card_bonus")
    order = []
    for face in ["AS", "2H", "KD", "3H", "4C", "9C", "7D", "9D", "2C", "9H", "JS", "9S", "TH"]:
        order.append(felt.prompt["places"][0])
        felt.card(face)
    assert order == [
        "seat_1_1", "seat_2_1", "seat_1_2", "seat_2_2", "down_near", "bonus_1", "across_left", "bonus_2",
        "down_far", "bonus_3", "across_right", "bonus_4", "middle",
    ]  # fmt: skip
    felt.event(events.StubTaken(52 - 13))
    assert felt.prompt["kind"] == "permit_cards"
    felt.press("confirm")
    assert felt.phase is Phase.ACROSS
    assert [c["lies"] for c in felt.table.view()["bonus_cards"]] == ["down"] * 4


def test_dealt_by_hand_faces_are_entered_when_turned() -> None:
    """§ 674a.9: no reader sees the faces; a card already entered is refused."""
    felt = closed(method=Method.HAND)
    assert felt.prompt["kind"] == "deal_hand"
    felt.press("confirm")
    felt.press("confirm")
    assert felt.table.view()["cross"]["middle"] == {"lies": "down", "face": None}
    felt.decide(s1=10, s2=10)
    assert felt.prompt == felt.prompt | {"kind": "enter_face", "places": ["across_left"]}
    felt.enter("across_left", "7D")
    assert felt.refusal_code(events.FaceEntered("across_right", Card("7D"))) == "card_already_seen"
    assert felt.refused(events.FaceEntered("middle", Card("TH"))) is not None
    felt.enter("across_right", "JS")
    for turned in (("down_far", "2C"), ("down_near", "4C"), ("middle", "TH")):
        if felt.prompt["kind"] == "ask":
            felt.decide(s1=10, s2=10)
        felt.enter(*turned)
    assert felt.phase is Phase.SETTLEMENT
    assert felt.settle_one()["kind"] == "turn_seat"
    felt.enter("seat_2_1", "2H")
    felt.enter("seat_2_2", "3H")
    felt.settle_one()
    while felt.prompt["kind"] in ("take", "push", "pay"):
        felt.settle_one()
    felt.press("confirm")
    felt.enter("seat_1_1", "AS")
    felt.enter("seat_1_2", "KD")
    felt.settle()
    assert felt.records[-1]["cross"]["middle"] == "TH"
    assert felt.records[-1]["stub"] == {"expected": 43, "shoe": None, "counted": None}


def test_an_unread_card_is_entered_when_turned() -> None:
    felt = closed()
    felt.stack(["2C", None, "TH", "JS", "4C"])
    felt.event(events.StackTaken())
    for hand in HANDS.values():
        felt.stack(hand.split())
        felt.event(events.StackTaken())
    felt.event(events.StubTaken(43))
    assert felt.refused(events.FaceEntered("across_left", Card("7D"))) is not None
    felt.decide(s1=10, s2=10)
    assert felt.table.view()["cross"]["across_left"] == {"lies": "unknown", "face": None}
    assert felt.prompt["kind"] == "enter_face"
    felt.enter("across_left", "7D")
    assert felt.phase is Phase.DOWN


def test_an_entered_face_equal_to_a_hidden_card_is_held_when_that_card_is_turned() -> None:
    """The table neither refuses the face nor holds play before, because either would reveal the hidden
    card."""
    felt = closed()
    felt.stack(["2C", None, "TH", "JS", "4C"])
    felt.event(events.StackTaken())
    for hand in HANDS.values():
        felt.stack(hand.split())
        felt.event(events.StackTaken())
    felt.event(events.StubTaken(43))
    felt.decide(s1=10, s2=10)
    felt.enter("across_left", "TH")
    assert felt.phase is Phase.DOWN
    felt.decide(s1=10, s2=10)
    assert felt.phase is Phase.MIDDLE
    felt.decide(s1=10, s2=10)
    hold = felt.table.state.hold
    assert hold is not None and (hold.code, hold.place) == ("duplicate_card", "across_left")
    felt.floor("refuse")
    assert felt.prompt == felt.prompt | {"kind": "enter_face", "places": ["across_left"]}
    felt.enter("across_left", "7D")
    assert felt.phase is Phase.SETTLEMENT


# ------------------------------------------------------------------ another way of dealing


def test_a_device_is_signed_out_of_order_before_another_method_is_used() -> None:
    """58 Pa. Code § 674a.13(g), MGC § 12(g) and Md. 13.E require that an abandoned device is marked as out of
    order."""
    felt = Felt()
    felt.floor("method", method=Method.HAND)
    assert new_commands(felt) == ["SIGN ON"]
    felt.method = Method.HAND
    felt.antes(1)
    refusal = felt.refused(events.KeyPressed(Key.NO_MORE_BETS))
    assert refusal is not None and refusal.code == felt.prompt["kind"] == "cover_device"
    felt.press("confirm")
    felt.close()
    assert felt.round.irregularities[-1].resolved
    assert felt.prompt["kind"] == "deal_hand"
    assert felt.refused(events.FloorDecided("B1", "method", method=Method.MANUAL_SHOE)) is not None
    felt.press("confirm")
    felt.press("confirm")
    play_out(felt)
    felt.press("confirm")
    felt.floor("method", method=Method.AUTOMATED_SHOE)
    assert "SIGN OFF" in new_commands(felt)


def test_only_a_method_of_the_pack_is_permitted() -> None:
    refusal = Felt().refused(events.FloorDecided("B1", "method", method=Method.HOUSE_ORDER))
    assert refusal is not None and refusal.code == "method_not_permitted"
    assert "674a.13(g)" in refusal.citation


# ------------------------------------------------------------------ boxes


def test_one_patron_on_two_boxes_shares_one_name_in_the_record() -> None:
    """§ 674a.7(g): a patron may use as many adjacent boxes as the casino's submission permits; Massachusetts
    permits one."""
    felt = Felt()
    felt.floor("player", seats=(2, 3))
    felt.closed(2, 3)
    assert [box.player for box in felt.round.seats.values()] == ["2", "2"]
    assert Felt().refused(events.FloorDecided("B1", "player", seats=(2, 4))) is not None
    assert Felt("massachusetts").refused(events.FloorDecided("B1", "player", seats=(2, 3))) is not None
    assert Felt().refused(events.FloorDecided("B1", "player", seats=())) is not None


def played_by(felt: Felt, *entries: tuple[int, ...]) -> list[str]:
    """Return the recorded player of each of the six boxes after a floorperson has entered the boxes of each
    patron in `entries`."""
    for seats in entries:
        felt.floor("player", seats=seats)
    felt.closed(*SEATS)
    return [felt.round.seats[seat].player for seat in SEATS]


def test_a_new_entry_for_a_box_replaces_the_former_one() -> None:
    assert played_by(Felt(), (2, 3), (2,)) == ["1", "2", "3", "4", "5", "6"]
    assert played_by(Felt(), (2, 3), (3,)) == ["1", "2", "3", "4", "5", "6"]
    assert played_by(Felt(), (1, 2), (2, 3)) == ["1", "2", "2", "4", "5", "6"]
    assert played_by(Felt(), (2, 3), (1, 2), (2,)) == ["1", "2", "3", "4", "5", "6"]
    assert played_by(Felt(), (2, 3), (5, 6)) == ["1", "2", "2", "4", "5", "5"]
    assert played_by(Felt("maryland"), (2, 3, 4), (1, 3)) == ["1", "2", "1", "4", "5", "6"]


def test_entries_for_boxes_end_when_the_table_closes() -> None:
    felt = Felt("six_card_bonus")
    felt.floor("player", seats=(2, 3))
    felt.floor("close")
    assert felt.table.state.players == {}
