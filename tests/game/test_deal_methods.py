"""Ways of dealing and the deck's life: 58 Pa. Code § 674a.3 to .5, .8 to .10, .13(g) and their twins;
RULES.md "The deal". The shoe's link and resumption are contracts/shoe-link.md's.
"""

from __future__ import annotations

from typing import Any

import pytest

from controller.game.cards import Card
from controller.game.dealing import DOUBT_MS, STALL_MS
from controller.game.events import (
    CommandDone,
    CommandRefused,
    DeckBrought,
    DeckReady,
    FaceEntered,
    FloorDecided,
    KeyPressed,
    ShoeFaultCleared,
    ShoeFaulted,
    ShoeLinkLost,
    ShoeLinkOpened,
    ShoeStated,
    ShuffleFinished,
    StackTaken,
    Started,
    StubTaken,
    SweepCompleted,
)
from controller.game.names import SEATS, Key, Method, Phase, Wager
from controller.game.shoe import LINK_GRACE_MS
from tests.game.felt import Felt

CROSS = "2C 7D TH JS 4C"
HANDS = {1: "AS KD", 2: "2H 3H"}
HOUR_MS = 3_600_000


def closed(rules: str = "pennsylvania", method: Method | None = None, **settings: Any) -> Felt:
    felt = Felt(rules, method, **settings)
    felt.antes(1, 2)
    felt.close()
    return felt


def told(felt: Felt) -> list[str]:
    """What the shoe has been commanded since it was asked last."""
    words = [" ".join((c.command, *c.fields)) for c in felt.commands]
    felt.commands.clear()
    return words


def faces(felt: Felt) -> dict[str, str | None]:
    return {place: dealt.face for place, dealt in felt.round.cards.items()}


def play_out(felt: Felt) -> None:
    """Everybody folds; the round has its record."""
    while felt.phase is not Phase.CLEARING:
        if felt.prompt["kind"] == "ask":
            felt.fold()
        felt.collect()


# ------------------------------------------------------------------ automated shoe


def test_the_shoe_gives_five_and_then_two_to_each_seat_clockwise() -> None:
    """.10(b): never before the last stack was taken; then the stub."""
    felt = closed()
    assert told(felt) == ["DEAL 5"]
    felt.stack(CROSS.split())
    assert told(felt) == []
    felt.event(StackTaken())
    assert told(felt) == ["DEAL 2"]
    felt.stack(["AS", "KD"])
    felt.event(StackTaken())
    felt.stack(["2H", "3H"])
    assert told(felt) == ["DEAL 2"]
    felt.event(StackTaken())
    assert told(felt) == ["STUBOUT"]
    felt.event(StubTaken(43))
    assert felt.phase is Phase.ACROSS
    assert faces(felt)["seat_1_1"] == "AS"


def test_a_table_whose_stacks_come_upside_down_says_so() -> None:
    """RULES.md: whether the stack's top or bottom card came out first is a setting of the table."""
    felt = closed(stack_first_out="bottom")
    felt.deal(CROSS, HANDS)
    assert faces(felt)["down_far"] == "4C"
    assert faces(felt)["seat_1_1"] == "KD"


def test_the_stub_is_taken_by_hand_from_a_shoe_that_does_not_give_it_out() -> None:
    felt = closed()
    felt.stack(CROSS.split())
    felt.event(StackTaken())
    for hand in HANDS.values():
        felt.stack(hand.split())
        felt.event(StackTaken())
    assert felt.refused(KeyPressed(Key.CONFIRM)) is not None
    felt.event(CommandRefused("STUBOUT", "not here"))
    felt.press("confirm")
    assert felt.phase is Phase.ACROSS


def confirmed_first() -> Felt:
    """A manual shoe: the stub is out and CONFIRMed, its frame is on the way still."""
    felt = closed(method=Method.MANUAL_SHOE)
    for face in (*CROSS.split(), "AS", "2H", "KD", "3H"):
        felt.card(face)
    felt.press("confirm")
    assert felt.phase is Phase.ACROSS
    return felt


def test_a_stub_that_is_told_after_the_dealers_confirm_is_nobodys_fault() -> None:
    felt = confirmed_first()
    felt.event(StubTaken(43))
    assert (felt.phase, felt.codes()) == (Phase.ACROSS, [])
    assert (felt.round.stub_shoe, felt.table.state.shoe.left) == (43, 0)
    felt.event(StubTaken(43))
    assert felt.codes() == ["shoe_fault"]


@pytest.mark.parametrize("at_once", [True, False])
def test_a_stub_that_is_told_late_is_counted_all_the_same(at_once: bool) -> None:
    """.10(e): also while play is held for something else."""
    felt = confirmed_first()
    if not at_once:
        felt.report("community_exposed", place="middle")
    felt.event(StubTaken(42))
    assert felt.phase is Phase.HELD
    assert "deck_count" in [entry.code for entry in felt.round.irregularities]


def test_a_shoe_that_refuses_to_deal_does_not_deal_all_cards() -> None:
    """.13(f)."""
    felt = closed()
    felt.event(CommandRefused("DEAL", "lid"))
    assert (felt.phase, felt.table.state.hold and felt.table.state.hold.code) == (Phase.HELD, "shoe_fault")


def test_a_shoe_that_gives_nothing_more_has_stopped() -> None:
    """.13(f); the dealer who leaves a stack in the exit is not waited for."""
    felt = closed()
    felt.stack(CROSS.split())
    felt.stand(10 * STALL_MS)
    assert felt.phase is Phase.DEALING
    felt.event(StackTaken())
    assert felt.table.next_deadline() == felt.ms + STALL_MS
    felt.stand(STALL_MS)
    assert felt.phase is Phase.HELD


def test_a_dealer_who_takes_his_time_with_the_stub_is_waited_for() -> None:
    felt = closed()
    felt.stack(CROSS.split())
    felt.event(StackTaken())
    for hand in HANDS.values():
        felt.stack(hand.split())
        felt.event(StackTaken())
    felt.event(CommandDone("STUBOUT"))
    felt.stand(10 * STALL_MS)
    assert felt.phase is Phase.DEALING
    deadline = felt.table.next_deadline()
    assert deadline is None or deadline > felt.ms


# ------------------------------------------------------------------ one card at a time


def test_a_manual_shoe_deals_five_and_then_one_at_a_time_twice_round() -> None:
    """.8(d)."""
    felt = closed(method=Method.MANUAL_SHOE)
    order = []
    for face in ["2C", "7D", "TH", "JS", "4C", "AS", "2H", "KD", "3H"]:
        order.append(felt.prompt["places"][0])
        felt.card(face)
    assert order[:5] == ["down_far", "across_left", "middle", "across_right", "down_near"]
    assert order[5:] == ["seat_1_1", "seat_2_1", "seat_1_2", "seat_2_2"]
    assert told(felt) == []
    assert felt.prompt["kind"] == "take_stub"
    felt.press("confirm")
    assert felt.phase is Phase.ACROSS


def test_the_house_deals_the_seats_first_and_then_nine_with_the_bonus_cards_between() -> None:
    """House rules, Dealing procedures: clockwise from the card nearest to the dealer."""
    felt = closed("six_card_bonus")
    order = []
    for face in ["AS", "2H", "KD", "3H", "4C", "9C", "7D", "9D", "2C", "9H", "JS", "9S", "TH"]:
        order.append(felt.prompt["places"][0])
        felt.card(face)
    assert order == [
        "seat_1_1", "seat_2_1", "seat_1_2", "seat_2_2", "down_near", "bonus_1", "across_left", "bonus_2",
        "down_far", "bonus_3", "across_right", "bonus_4", "middle",
    ]  # fmt: skip
    felt.event(StubTaken(52 - 13))
    assert felt.prompt["kind"] == "permit_cards"
    felt.press("confirm")
    assert felt.phase is Phase.ACROSS
    assert [c["lies"] for c in felt.table.view()["bonus_cards"]] == ["down"] * 4


def test_from_the_hand_faces_are_entered_as_they_are_turned() -> None:
    """.9: no reader sees them; a card already seen cannot be entered."""
    felt = closed(method=Method.HAND)
    assert felt.prompt["kind"] == "deal_hand"
    felt.press("confirm")
    felt.press("confirm")
    felt.decide(s1=10, s2=10)
    assert felt.prompt == felt.prompt | {"kind": "enter_face", "places": ["across_left"]}
    felt.enter("across_left", "7D")
    refusal = felt.refused(FaceEntered("across_right", Card("7D")))
    assert refusal is not None and refusal.code == "card_already_seen"
    assert felt.refused(FaceEntered("middle", Card("TH"))) is not None
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


def test_a_card_that_was_not_read_is_entered_when_it_is_turned() -> None:
    felt = closed()
    felt.stack(["2C", None, "TH", "JS", "4C"])
    felt.event(StackTaken())
    for hand in HANDS.values():
        felt.stack(hand.split())
        felt.event(StackTaken())
    felt.event(StubTaken(43))
    assert felt.refused(FaceEntered("across_left", Card("7D"))) is not None
    felt.decide(s1=10, s2=10)
    assert felt.table.view()["cross"]["across_left"] == {"lies": "unknown", "face": None}
    assert felt.prompt["kind"] == "enter_face"
    felt.enter("across_left", "7D")
    assert felt.phase is Phase.DOWN


def test_an_entered_face_that_the_shoe_gave_to_a_hidden_card_means_that_one_is_there_twice() -> None:
    """Not refused, which would tell where it lies: held."""
    felt = closed()
    felt.stack(["2C", None, "TH", "JS", "4C"])
    felt.event(StackTaken())
    for hand in HANDS.values():
        felt.stack(hand.split())
        felt.event(StackTaken())
    felt.event(StubTaken(43))
    felt.decide(s1=10, s2=10)
    felt.enter("across_left", "TH")
    assert felt.table.state.hold is not None and felt.table.state.hold.code == "duplicate_card"


# ------------------------------------------------------------------ counting the stub


def rounds_until_count(felt: Felt, most: int = 6) -> int:
    for number in range(1, most + 1):
        felt.antes(1)
        felt.close()
        felt.stack(CROSS.split())
        felt.event(StackTaken())
        felt.stack(["AS", "KD"])
        felt.event(StackTaken())
        felt.event(StubTaken(45))
        if felt.prompt["kind"] == "count_stub":
            return number
        play_out(felt)
        felt.next_round()
    return most + 1


def test_the_stub_is_counted_at_least_every_five_rounds() -> None:
    """.8(f), .9(d), .10(d); the shoe's count does not do."""
    felt = Felt()
    assert rounds_until_count(felt) == 5
    assert felt.codes() == ["stub_count_due"]
    felt.report("stub_count", number=45)
    assert (felt.phase, felt.codes()) == (Phase.ACROSS, [])
    play_out(felt)
    assert felt.records[-1]["stub"]["counted"] == 45
    felt.next_round()
    assert rounds_until_count(felt) == 5


def test_a_device_that_counts_to_52_makes_the_count_unnecessary() -> None:
    assert rounds_until_count(Felt(counting_device=True)) == 7


def test_a_void_round_counts_as_a_round_until_the_stub_was_counted_in_it() -> None:
    felt = Felt()
    assert rounds_until_count(felt) == 5
    felt.report("stub_count", number=40)
    felt.floor("approve")
    felt.clear()
    assert felt.table.state.deck.rounds_since_count == 0


# ------------------------------------------------------------------ the link


def test_a_link_that_is_back_within_the_grace_disturbs_nothing() -> None:
    felt = closed()
    felt.card("2C")
    felt.event(ShoeLinkLost())
    assert felt.codes() == ["shoe_lost"]
    felt.stand(LINK_GRACE_MS - 1)
    felt.event(ShoeLinkOpened("TEST", "1", "1", "boot"))
    felt.event(ShoeStated("DEALING", 51, 1, "RED", "STACK", resumed=True))
    assert (felt.phase, felt.codes()) == (Phase.DEALING, [])


def test_a_link_that_stays_away_in_the_deal_is_held_and_the_floor_may_go_on() -> None:
    felt = closed()
    felt.card("2C")
    felt.event(ShoeLinkLost())
    assert felt.table.next_deadline() == felt.ms + LINK_GRACE_MS
    felt.stand(LINK_GRACE_MS)
    hold = felt.table.state.hold
    assert hold is not None and (hold.code, hold.proposed) == ("shoe_lost", None)
    felt.event(ShoeLinkOpened("TEST", "1", "1", "boot"))
    felt.event(ShoeStated("DEALING", 51, 1, "RED", "STACK", resumed=True))
    felt.floor("outcome", outcome="go_on")
    assert told(felt)[-1] == "RELEASE"
    for face in CROSS.split()[1:]:
        felt.card(face)
    assert felt.phase is Phase.DEALING


def test_going_on_without_a_link_is_held_again() -> None:
    felt = closed()
    felt.event(ShoeLinkLost())
    felt.stand(LINK_GRACE_MS)
    felt.floor("outcome", outcome="go_on")
    assert felt.phase is Phase.DEALING
    felt.stand(STALL_MS + LINK_GRACE_MS)
    assert felt.phase is Phase.HELD


def test_a_link_that_is_lost_when_the_deal_is_complete_holds_nothing() -> None:
    felt = closed()
    felt.deal(CROSS, HANDS)
    felt.event(ShoeLinkLost())
    felt.stand(60_000)
    assert (felt.phase, felt.codes()) == (Phase.ACROSS, ["shoe_lost"])


@pytest.mark.parametrize("out", [0, 2, 7])
def test_a_shoe_that_comes_back_with_another_count_has_moved_cards_unseen(out: int) -> None:
    """shoe-link.md, Start and resumption: play is held; the floor's (RULES.md)."""
    felt = closed()
    felt.card("2C")
    felt.event(ShoeLinkOpened("TEST", "1", "1", "boot2"))
    felt.event(ShoeStated("READY" if out == 0 else "DEALING", 52 - out, out, "RED", "STACK", resumed=True))
    hold = felt.table.state.hold
    assert hold is not None and (hold.code, hold.proposed) == ("shoe_lost", None)


def test_a_command_that_was_not_acknowledged_is_given_again_once() -> None:
    """shoe-link.md: commands that were not acknowledged when HELLO is sent are void."""
    felt = closed()
    assert told(felt) == ["DEAL 5"]
    felt.event(ShoeLinkOpened("TEST", "1", "1", "boot"))
    felt.event(ShoeStated("READY", 52, 0, "RED", "STACK", resumed=True))
    felt.stand(DOUBT_MS)
    assert told(felt) == ["DEAL 5"]
    felt.event(CommandRefused("DEAL", "at work"))
    assert felt.phase is Phase.DEALING
    felt.stand(DOUBT_MS)
    assert told(felt) == []
    felt.deal(CROSS, HANDS)
    assert felt.phase is Phase.ACROSS


def test_a_command_given_again_has_all_its_time_again() -> None:
    felt = closed()
    felt.event(ShoeLinkOpened("TEST", "1", "1", "boot"))
    felt.event(ShoeStated("READY", 52, 0, "RED", "STACK", resumed=True))
    felt.stand(DOUBT_MS)
    felt.stand(STALL_MS - 1)
    assert felt.phase is Phase.DEALING
    felt.stand(1)
    hold = felt.table.state.hold
    assert hold is not None and hold.code == "shoe_fault"


def test_a_command_that_is_being_carried_out_is_not_given_again() -> None:
    felt = closed()
    told(felt)
    felt.event(ShoeLinkOpened("TEST", "1", "1", "boot"))
    felt.event(ShoeStated("DEALING", 52, 0, "RED", "STACK", resumed=True))
    felt.card("2C")
    felt.stand(DOUBT_MS)
    assert told(felt) == []


def test_the_stub_is_asked_for_again_after_a_resumption() -> None:
    felt = closed()
    felt.stack(CROSS.split())
    felt.event(StackTaken())
    for hand in HANDS.values():
        felt.stack(hand.split())
        felt.event(StackTaken())
    assert told(felt)[-1] == "STUBOUT"
    felt.event(ShoeLinkOpened("TEST", "1", "1", "boot"))
    felt.event(ShoeStated("READY", 43, 9, "RED", "STACK", resumed=True))
    felt.stand(DOUBT_MS)
    assert told(felt) == ["STUBOUT"]


def test_the_shuffle_is_asked_for_again_after_a_resumption() -> None:
    felt = Felt()
    felt.does_shuffle = False
    felt.floor("shuffle")
    assert told(felt) == ["SHUFFLE"]
    felt.event(ShoeLinkOpened("TEST", "1", "1", "boot"))
    felt.event(ShoeStated("EMPTY", None, 0, "RED", "STACK", resumed=True))
    assert told(felt) == ["SHUFFLE"]
    felt.event(CommandRefused("SHUFFLE", "no shuffler"))
    assert felt.prompt["kind"] == "load_deck"
    felt.event(DeckReady(52, "RED"))
    assert felt.phase is Phase.BETTING


def test_a_daemon_that_starts_again_in_the_deal_waits_for_the_shoe() -> None:
    felt = closed()
    felt.card("2C")
    felt.event(Started(tuple((seat, wager) for seat in SEATS for wager in Wager)))
    felt.stand(3_000)
    assert felt.phase is Phase.DEALING
    felt.stand(LINK_GRACE_MS)
    assert felt.phase is Phase.HELD


def test_an_alert_that_stood_at_a_start_is_taken_back_by_a_reading() -> None:
    felt = closed()
    felt.deal(CROSS, HANDS)
    felt.lay(1, ante_across=15)
    felt.stand()
    felt.event(Started(tuple((seat, wager) for seat in SEATS for wager in Wager)))
    felt.stand(5_000)
    assert felt.codes() == ["bet_changed"]
    felt.lay(1, ante_across=10)
    assert felt.codes() == []


# ------------------------------------------------------------------ two decks, the deck's age


def play_while_ready(felt: Felt, back: str) -> None:
    """A round that everybody folds; in it the device says that the deck of that back is ready."""
    felt.antes(1)
    felt.close()
    felt.deal(CROSS, {1: "AS KD"})
    felt.event(DeckReady(52, back))
    play_out(felt)


def two_decks() -> Felt:
    """The red deck has played, the blue one was ready by itself."""
    felt = Felt()
    play_while_ready(felt, "BLUE")
    felt.out = 0
    felt.next_round()
    assert (felt.table.view()["deck"]["back"], told(felt)[-1]) == ("blue", "STUBOUT")
    return felt


def test_two_decks_play_in_turn() -> None:
    """.3(b), 2(b), 3.B: strictly alternating."""
    felt = two_decks()
    play_while_ready(felt, "RED")
    felt.next_round()
    assert (felt.table.view()["deck"]["back"], felt.codes()) == ("red", [])


def test_the_deck_that_has_just_played_is_the_wrong_one() -> None:
    felt = two_decks()
    play_while_ready(felt, "BLUE")
    felt.next_round()
    assert felt.codes() == ["wrong_deck"]
    felt.antes(1)
    assert felt.refused(KeyPressed(Key.NO_MORE_BETS)) is not None
    felt.event(ShoeStated("EMPTY", None, 0, None, "STACK"))
    felt.event(DeckReady(52, "RED"))
    assert (felt.codes(), felt.table.view()["deck"]["back"]) == ([], "red")
    felt.close()
    assert felt.phase is Phase.DEALING


@pytest.mark.parametrize(("decks", "told"), [(1, []), (2, ["wrong_deck"])])
def test_a_table_of_two_decks_plays_none_twice_though_it_saw_no_other(decks: int, told: list[str]) -> None:
    felt = Felt(decks=decks)
    play_while_ready(felt, "RED")
    felt.next_round()
    assert felt.codes() == told


def test_another_way_of_dealing_asks_for_no_certain_deck() -> None:
    """.13(g): the decks have to be moved, and whichever comes begins the turns."""
    felt = two_decks()
    play_while_ready(felt, "BLUE")
    felt.next_round()
    assert felt.codes() == ["wrong_deck"]
    felt.floor("method", method=Method.HAND)
    assert felt.codes() == ["device_out_of_order"]


def test_a_deck_is_changed_after_eight_hours_before_the_next_round_and_never_in_one() -> None:
    """.3(c)(2), 2(c), 3.C."""
    felt = Felt()
    since = felt.table.state.deck.since
    assert since is not None
    notice = since + 8 * HOUR_MS - 15 * 60_000
    assert felt.table.next_deadline() == notice
    felt.event(SweepCompleted(0), notice - felt.ms)
    assert (felt.codes(), felt.table.view()["alerts"][0]["grade"]) == (["deck_change_due"], "notice")
    assert not felt.table.view()["deck"]["change_due"]
    assert felt.table.next_deadline() == since + 8 * HOUR_MS
    felt.antes(1)
    felt.close()
    felt.deal(CROSS, {1: "AS KD"})
    felt.stand(8 * HOUR_MS)
    assert (felt.phase, felt.codes()) == (Phase.ACROSS, ["deck_change_due"])
    play_out(felt)
    felt.next_round()
    felt.antes(1)
    assert felt.refused(KeyPressed(Key.NO_MORE_BETS)) is not None
    assert felt.table.view()["deck"]["change_due"]
    assert felt.refused(DeckBrought("RED", same=True)) is not None
    felt.event(DeckBrought("BLUE", preshuffled=True))
    assert felt.codes() == []


def test_a_deck_that_is_dealt_by_hand_is_changed_after_four_hours() -> None:
    """.3(c)(1). Another way of dealing allows the same deck more time."""
    felt = Felt(method=Method.HAND)
    felt.stand(4 * HOUR_MS)
    assert felt.codes() == ["deck_change_due"]
    felt.floor("method", method=Method.MANUAL_SHOE)
    assert felt.codes() == ["device_out_of_order"]


def test_a_change_that_is_due_is_said_whatever_event_tells_the_time() -> None:
    felt = Felt()
    felt.event(SweepCompleted(0), 8 * HOUR_MS)
    assert felt.codes() == ["deck_change_due"]


def test_the_house_rules_have_no_change_by_the_clock() -> None:
    felt = Felt("six_card_bonus")
    felt.stand(100 * HOUR_MS)
    assert felt.codes() == []


@pytest.mark.parametrize("rules", ["pennsylvania", "massachusetts", "maryland"])
def test_nothing_is_dealt_from_the_hand_without_a_shuffler(rules: str) -> None:
    """.9(a)(1), 8(a)(1), 9.A(1): where the table has none, and while it is broken."""
    without = Felt(rules, shuffler=False)
    by_hand = FloorDecided("B1", "method", method=Method.HAND)
    refused = without.refused(by_hand)
    assert refused is not None
    assert refused.code == "shuffler_needed"
    assert without.refused(FloorDecided("B1", "method", method=Method.MANUAL_SHOE)) is None
    felt = Felt(rules)
    assert felt.refused(by_hand) is None
    felt.event(ShoeFaulted("SHUFFLE"))
    assert felt.refused(by_hand) is not None
    felt.event(ShoeFaultCleared("SHUFFLE"))
    assert felt.refused(by_hand) is None


def test_the_house_rules_do_not_ask_for_a_shuffler() -> None:
    assert (
        Felt("six_card_bonus", shuffler=False).refused(FloorDecided("B1", "method", method=Method.HAND))
        is None
    )


def test_a_deck_that_replaces_one_of_two_leaves_the_other_its_age() -> None:
    """.3(c): both are changed when the older of them has been in play for as long as it may."""
    felt = Felt(decks=2)
    felt.stand(4 * HOUR_MS)
    felt.event(DeckBrought("BLUE", preshuffled=True))
    felt.stand(4 * HOUR_MS)
    assert felt.table.view()["deck"]["change_due"]
    felt.event(DeckBrought("RED", preshuffled=True))
    assert not felt.table.view()["deck"]["change_due"]


@pytest.mark.parametrize(("back", "refused"), [("Red", "same_back"), ("BLUE", None), (None, None)])
def test_the_second_of_two_decks_has_another_back(back: str | None, refused: str | None) -> None:
    """.3(b), 2(b), 3.B."""
    felt = Felt(decks=2)
    felt.floor("close")
    felt.press("confirm")
    felt.event(DeckBrought("RED", preshuffled=True))
    assert felt.refused(DeckBrought("RED", preshuffled=True)) is None  # instead of the one just brought
    felt.press("confirm")
    refusal = felt.refused(DeckBrought(back, preshuffled=True))
    assert (refusal and refusal.code) == refused


def test_a_miscounted_deck_is_not_made_good_by_the_count_of_the_other() -> None:
    """.5(b), 4(b), 5.B."""
    felt = Felt(decks=2)
    felt.event(ShuffleFinished(51, "RED"))
    felt.event(ShuffleFinished(52, "BLUE"))
    assert felt.codes() == ["deck_count"]
    felt.event(ShuffleFinished(52, "RED"))
    assert felt.codes() == []


# ------------------------------------------------------------------ opening, closing, cutting


@pytest.mark.parametrize("rules", ["pennsylvania", "massachusetts", "maryland", "six_card_bonus"])
def test_a_new_deck_goes_through_every_step_and_a_floorperson_verifies(rules: str) -> None:
    """.4, 3, 4: a preshuffled one is only cut where the text has the exception (.4(e), 4.F)."""
    felt = Felt(rules)
    felt.event(DeckBrought("GREEN"))
    steps = []
    while felt.phase is Phase.OPENING:
        steps.append(felt.prompt["step"])
        if felt.prompt["step"] == "verify":
            assert felt.refused(KeyPressed(Key.CONFIRM)) is not None
            felt.floor("sign")
        else:
            felt.press("confirm")
    assert tuple(steps) == felt.pack.opening
    felt.event(DeckBrought("GREEN", preshuffled=True))
    skips = felt.pack.preshuffled_skips_opening
    assert felt.prompt["kind"] == ("cut" if skips else "opening_step")


def test_no_step_is_signed_before_there_is_a_deck() -> None:
    felt = Felt()
    felt.floor("close")
    felt.press("confirm")
    assert felt.prompt["kind"] == "deck_needed"
    assert felt.refused(KeyPressed(Key.CONFIRM)) is not None
    assert felt.refused(FloorDecided("B1", "sign")) is not None


@pytest.mark.parametrize("rules", ["pennsylvania", "maryland"])
def test_a_deck_that_was_put_away_is_washed_and_shuffled_again(rules: str) -> None:
    """.5(f): no new inspection; Md. 5.F: all of Chapter 4. Its age goes on."""
    felt = Felt(rules)
    since = felt.table.state.deck.since
    felt.floor("close")
    assert felt.phase is Phase.CLOSED
    felt.press("confirm")
    felt.event(DeckBrought("RED", same=True))
    assert felt.table.state.opening == felt.pack.no_activity
    while felt.phase is Phase.OPENING:
        felt.floor("sign") if felt.refused(KeyPressed(Key.CONFIRM)) else felt.press("confirm")
    assert felt.phase is Phase.BETTING
    assert felt.table.state.deck.since == since


def test_a_floorperson_orders_a_recut_before_the_deal() -> None:
    """.5(e), 4(e), 5.E."""
    felt = Felt()
    felt.floor("recut")
    assert felt.prompt["kind"] == "cut"
    felt.press("confirm")
    assert felt.phase is Phase.BETTING
    felt.antes(1)
    felt.close()
    assert felt.refused(FloorDecided("B1", "recut")) is not None


def test_a_floorperson_directs_a_shuffle() -> None:
    """.5(a), 4(a), 5.A."""
    felt = Felt()
    felt.does_shuffle = False
    felt.floor("shuffle")
    assert (felt.phase, told(felt)) == (Phase.SHUFFLE, ["SHUFFLE"])
    felt.shuffled()
    assert felt.phase is Phase.BETTING


# ------------------------------------------------------------------ another way of dealing


def test_a_device_is_signed_out_of_order_before_another_method_is_used() -> None:
    """.13(g), 12(g), 13.E."""
    felt = Felt()
    felt.floor("method", method=Method.HAND)
    assert told(felt) == ["SIGN ON"]
    felt.method = Method.HAND
    felt.antes(1)
    felt.close()
    assert felt.prompt["kind"] == "deal_hand"
    assert felt.refused(FloorDecided("B1", "method", method=Method.MANUAL_SHOE)) is not None
    felt.press("confirm")
    felt.press("confirm")
    play_out(felt)
    felt.press("confirm")
    felt.floor("method", method=Method.AUTOMATED_SHOE)
    assert "SIGN OFF" in told(felt)


def test_only_a_method_of_the_pack_is_permitted() -> None:
    refusal = Felt().refused(FloorDecided("B1", "method", method=Method.HOUSE_ORDER))
    assert refusal is not None and refusal.code == "method_not_permitted"
    assert "674a.13(g)" in refusal.citation


# ------------------------------------------------------------------ boxes


def test_one_patron_on_two_boxes_shares_one_name_in_the_record() -> None:
    """.7(g): as many adjacent boxes as the submission says; MA one."""
    felt = Felt()
    felt.floor("player", seats=(2, 3))
    felt.antes(2, 3)
    felt.close()
    assert [box.player for box in felt.round.seats.values()] == ["2", "2"]
    assert Felt().refused(FloorDecided("B1", "player", seats=(2, 4))) is not None
    assert Felt("massachusetts").refused(FloorDecided("B1", "player", seats=(2, 3))) is not None
    assert Felt().refused(FloorDecided("B1", "player", seats=())) is not None
