"""While play is held, a floorperson's decision has its stated effect, and a void returns exactly the wagers:
config/rules/RULES.md "Irregularities"."""

from __future__ import annotations

import pytest

from controller.game.model import events
from controller.game.model.cards import Card
from controller.game.model.irregularities import FLOOR_CHOICES, Code
from controller.game.model.names import Key, Method, Phase, Wager
from controller.game.phases.corrections import signable
from tests.game.felt import Felt
from tests.game.settlements import jacks
from tests.game.test_irregularities import (
    CROSS,
    HANDS,
    closed,
    dealt,
    everywhere,
    held,
    must,
    noted,
    returned,
    settling,
)

# ------------------------------------------------------------------ CARD DIFFERS


def test_card_differs_is_held_and_a_floorperson_signs() -> None:
    felt = settling()
    felt.report("card_differs", place="across_left", face="9D")
    assert held(felt) == ("card_differs", "go_on", FLOOR_CHOICES)
    felt.floor("refuse")
    assert felt.round.cards["across_left"].face == "JD"


def test_a_replaced_card_causes_a_new_settlement() -> None:
    """The wagers were paid for a pair of jacks. The card was in fact a 9, so they are taken."""
    felt = settling()
    felt.report("card_differs", place="across_left", face="9D")
    felt.floor("approve")
    assert (felt.prompt["kind"], felt.prompt["wager"]) == ("take", "ante_across")
    felt.settle()
    assert felt.result(1, "across")["result"] == "lose"
    assert felt.records[-1]["cross"]["across_left"] == "9D"
    assert felt.table.state.amount(1, Wager.ACROSS) == 0
    assert next(e["code"] for e in felt.records[-1]["irregularities"]) == "card_differs"


def test_two_swapped_cards_cause_a_new_settlement() -> None:
    felt = settling()
    felt.event(events.CardsSwapped("across_left", "down_far"))
    felt.floor("approve")
    assert felt.table.view()["cross"]["down_far"]["face"] == "JD"
    felt.settle()
    assert (felt.result(1, "across")["result"], felt.result(1, "down")["result"]) == ("lose", "win")
    assert felt.records[-1]["settlement_order"][0] == [1, "ante_across"]


def test_entering_a_face_that_lies_elsewhere_swaps_the_cards() -> None:
    """A stack was spread in reverse order, so entering the right face of one card corrects both places."""
    felt = settling()
    felt.report("card_differs", place="across_left", face="4C")
    felt.floor("approve")
    faces = {place: felt.round.cards[place].face for place in ("across_left", "down_near")}
    assert faces == {"across_left": "4C", "down_near": "JD"}


@pytest.mark.parametrize("place", ["middle", "seat_1_1", "nowhere"])
def test_a_face_down_card_cannot_be_reported_as_different(place: str) -> None:
    refusal = dealt().refused(events.Reported(Code.CARD_DIFFERS, place=place, face=Card("9C")))
    assert refusal is not None and refusal.code == "not_turned"


# ------------------------------------------------------------------ held


def test_only_the_floor_can_continue_a_held_table() -> None:
    felt = dealt()
    felt.report("community_exposed", place="middle")
    for key in (Key.NO_MORE_BETS, Key.CONFIRM, Key.FOLD, Key.UNDO):
        assert felt.refused(events.KeyPressed(key)) is not None
    assert felt.refused(events.CardsSwapped("middle", "down_far")) is not None
    assert felt.refused(events.DeckBrought("BLUE")) is not None
    felt.lay(1, ante_across=0)
    felt.stand(60_000)
    felt.event(events.ShoeFaulted("JAM"))
    felt.event(events.StubTaken(3))
    felt.press("floor")
    assert felt.phase is Phase.HELD


@pytest.mark.parametrize("decision", ["shuffle", "recut", "close", "method", "player", "forfeit"])
def test_the_floor_decides_only_what_is_offered(decision: str) -> None:
    felt = dealt()
    felt.report("community_exposed", place="middle")
    event = events.FloorDecided("B1", decision, seat=1, seats=(1, 2), method=Method.HAND)
    refusal = felt.refused(event)
    assert refusal is not None and (refusal.code, refusal.params) == ("not_offered", {"offered": "void"})
    assert felt.refused(events.FloorDecided("B1", "outcome", "go_on")) is not None
    assert felt.refused(events.FloorDecided("", "approve")) is not None


def test_only_known_badges_can_decide() -> None:
    felt = Felt(floorpersons=("B1", "B2"))
    assert felt.refused(events.FloorDecided("B3", "shuffle")) is not None
    assert felt.refused(events.FloorDecided("B2", "shuffle")) is None


def test_further_irregularities_end_with_a_void() -> None:
    felt = dealt()
    felt.report("community_exposed", place="middle")
    felt.report("hole_exposed", seat=1)
    assert held(felt)[0] == "community_exposed"
    assert noted(felt) == [("community_exposed", False), ("hole_exposed", False)]
    felt.floor("approve")
    assert felt.phase is Phase.VOID
    assert noted(felt) == [("community_exposed", True), ("hole_exposed", True)]
    assert felt.table.state.held_next == ()


@everywhere
def test_further_irregularities_are_decided_in_turn(rules: str) -> None:
    """§ 674a.13(c), MGC § 12(c), Md. 13.C, HOUSE: a misdealt round is void, even if a floorperson lets play
    go on after another hold."""
    felt = dealt(rules)
    felt.report("player_left", seat=2)
    felt.report("wrong_count", seat=1, number=3)
    assert held(felt)[0] == "player_left"
    hold = felt.table.view()["hold"]
    assert hold["then"] == [{"code": "wrong_count", "seat": 1, "place": None}]
    felt.floor("outcome", outcome="go_on")
    assert held(felt) == ("wrong_count", *must(felt.pack.rulings["wrong_count"].outcome))
    assert felt.refused(events.FloorDecided("B1", "outcome", "go_on")) is not None
    felt.floor("approve")
    assert felt.phase is Phase.VOID


def test_a_repeated_irregularity_is_decided_once() -> None:
    felt = dealt()
    for _ in range(2):
        felt.report("hole_exposed", seat=1)
    felt.floor("refuse")
    assert felt.phase is Phase.ACROSS


def test_a_forfeited_seat_causes_no_further_hold() -> None:
    felt = dealt("maryland")
    felt.report("cards_touched", seat=1)
    felt.report("out_of_view", seat=1)
    felt.report("out_of_view", seat=2)
    felt.floor("approve")
    assert (held(felt)[0], felt.table.view()["hold"]["seat"]) == ("out_of_view", 2)
    assert noted(felt)[:2] == [("cards_touched", True), ("out_of_view", True)]


@everywhere
def test_a_mistaken_report_of_a_dealer_can_be_rejected(rules: str) -> None:
    felt = dealt(rules)
    felt.report("wrong_count", seat=1, number=3)
    assert felt.table.view()["hold"]["refusable"]
    felt.floor("refuse")
    assert felt.phase is Phase.ACROSS


def test_a_report_of_a_device_cannot_be_rejected() -> None:
    felt = closed()
    felt.event(events.ShoeFaulted("JAM"))
    assert not felt.table.view()["hold"]["refusable"]
    assert felt.refusal_code(events.FloorDecided("B1", "refuse")) == "not_offered"


def test_the_shoe_is_released_only_after_the_last_hold() -> None:
    felt = closed()
    felt.card("2C")
    felt.report("player_left", seat=1)
    felt.report("player_left", seat=2)
    felt.commands.clear()
    felt.floor("outcome", outcome="go_on")
    assert (felt.phase, felt.commands) == (Phase.HELD, [])
    felt.floor("outcome", outcome="go_on")
    assert (felt.phase, [each.command for each in felt.commands]) == (Phase.DEALING, ["RELEASE"])


def test_only_the_seat_that_is_held_may_forfeit() -> None:
    felt = dealt("maryland")
    felt.report("cards_touched", seat=1)
    assert felt.refused(events.FloorDecided("B1", "forfeit", seat=2)) is not None
    felt.floor("forfeit", seat=1)
    assert felt.round.seats[1].forfeited and not felt.round.seats[2].forfeited


def test_a_forfeit_directed_by_the_floor_is_recorded() -> None:
    felt = dealt()
    felt.floor("forfeit", seat=1)
    entry = felt.round.irregularities[-1]
    assert (entry.code, entry.seat, entry.resolved) == ("player_left", 1, True)


def test_go_on_continues_where_play_stopped() -> None:
    felt = dealt()
    felt.report("hole_exposed", seat=1)
    felt.floor("outcome", outcome="go_on")
    assert (felt.phase, felt.prompt["kind"]) == (Phase.ACROSS, "ask")


# ------------------------------------------------------------------ void


def test_a_void_returns_collected_folds_and_taken_losing_wagers() -> None:
    """config/rules/RULES.md: the tray returns collected wagers, bonuses included, and the dealer confirms
    them seat by seat."""
    felt = dealt()
    felt.decide(s1=None, s2=30)
    felt.decide(s2=10)
    felt.decide(s2=10)
    felt.settle_one()
    felt.settle_one()
    assert felt.settle_one()["kind"] == "take"
    felt.report("wrong_count", seat=2, number=3)
    felt.floor("approve")
    assert returned(felt) == {1: 2500, 2: 1000 * 4 + 3000 + 500}
    record = felt.records[-1]
    assert record["void"] == {
        "code": "wrong_count", "citation": "58 Pa. Code § 674a.13(c)", "approved_by": "B1",
    }  # fmt: skip
    assert {e["result"] for s in record["seats"] for e in s["wagers"].values()} == {"returned"}
    assert record["seats"][0]["folded_at"] == "across"


def test_a_void_also_returns_unreadable_circles_and_late_chips() -> None:
    felt = dealt()
    felt.lay(5, ante_across=5)
    felt.event(events.CircleUnreadable(2, Wager.ANTE_DOWN, "silent"))
    felt.report("wrong_count", seat=2, number=3)
    felt.floor("approve")
    prompts = []
    while felt.phase is Phase.VOID:
        prompt = felt.prompt
        prompts.append((prompt["seat"], prompt["wager"], prompt["amount"]))
        unread = (prompt["seat"], prompt["wager"]) == (2, "ante_down")
        felt.press("confirm") if unread else felt.lay(prompt["seat"], **{prompt["wager"]: 0})
    assert (2, "ante_down", 1000) in prompts
    assert (5, "ante_across", 500) in prompts
    wagers = felt.records[-1]["seats"][1]["wagers"]
    assert (wagers["ante_down"]["verified"], wagers["ante_across"]["verified"]) == (False, True)


def test_a_void_is_not_confirmed_while_chips_lie_there() -> None:
    felt = dealt()
    felt.report("wrong_count", seat=2, number=3)
    felt.floor("approve")
    assert felt.refused(events.KeyPressed(Key.CONFIRM)) is not None


def test_a_void_leaves_no_alert_behind() -> None:
    felt = dealt()
    felt.lay(1, ante_across=15)
    felt.stand()
    assert felt.codes() == ["bet_changed"]
    felt.report("wrong_count", seat=2, number=3)
    felt.floor("approve")
    returned(felt)
    assert (felt.phase, felt.codes()) == (Phase.CLEARING, [])


def test_the_next_round_has_the_next_number() -> None:
    felt = dealt()
    felt.report("wrong_count", seat=2, number=3)
    felt.floor("approve")
    returned(felt)
    felt.next_round()
    assert felt.table.view()["round"] == 2


def test_a_stack_completed_during_a_hold_is_kept() -> None:
    felt = closed()
    for face in CROSS.split():
        felt.card(face)
    felt.report("player_left", seat=1)
    felt.event(events.StackCompleted(5))
    felt.event(events.StackTaken())
    felt.floor("outcome", outcome="go_on")
    assert felt.table.view()["cross"]["middle"]["lies"] == "down"


def test_a_stub_that_comes_out_during_a_hold_is_counted() -> None:
    felt = closed()
    felt.stacks(CROSS, HANDS)
    felt.report("player_left", seat=1)
    felt.event(events.StubTaken(43))
    felt.floor("outcome", outcome="go_on")
    assert (felt.phase, felt.round.deal.stub_shoe) == (Phase.ACROSS, 43)


def test_a_forfeit_keeps_differences_of_other_seats() -> None:
    felt = Felt().dealt(CROSS, {1: "AS KD", 2: "JD 3S"})
    for _ in range(3):
        felt.decide(s1=10, s2=10)
    felt.settle_one()
    felt.pay(2, "ante_across", 5_000)
    felt.stand()
    before = felt.table.state.alerts
    assert [alert.seat for alert in before] == [2]
    felt.floor("forfeit", seat=1)
    assert felt.table.state.alerts == before


def test_a_deck_set_aside_between_rounds_is_not_dealt() -> None:
    felt = Felt()
    felt.does_shuffle = False
    felt.floor("shuffle")
    felt.event(events.ShuffleFinished(51, "RED"))
    assert felt.table.state.hold is not None
    felt.floor("outcome", outcome="remove_deck")
    assert not felt.table.state.shoe.ready


def test_a_card_dealt_during_a_hold_lies_in_its_place() -> None:
    felt = closed()
    felt.card("2C")
    felt.report("player_left", seat=1)
    for face in CROSS.split()[1:]:
        felt.card(face)
    felt.event(events.StackCompleted(5))
    felt.event(events.StackTaken())
    felt.floor("outcome", outcome="go_on")
    assert felt.round.cards["down_near"].face == "4C"
    assert [entry.code for entry in felt.round.irregularities] == ["player_left"]


def test_a_card_that_slips_out_during_a_hold_is_drawn_in_error() -> None:
    """The deal is complete, so the card belongs to no hand and counts as one more card out of the shoe (58
    Pa. Code § 674a.13(b))."""
    felt = dealt()
    out = felt.round.deal.out
    felt.report("player_left", seat=1)
    felt.card(felt.unused(1)[0])
    assert felt.round.deal.out == out + 1
    assert "drawn_in_error" in [entry.code for entry in felt.round.irregularities]


def test_chips_not_returned_by_a_void_may_be_signed_once_every_circle_is_empty() -> None:
    felt = jacks()
    assert felt.settle_one()["kind"] == "take"
    felt.report("cards_touched", seat=3)
    felt.floor("outcome", outcome="void")
    assert felt.phase is Phase.VOID
    assert signable(felt.table.state) == []
    while felt.prompt["kind"] == "return_wager":
        felt.lay(felt.prompt["seat"], **{felt.prompt["wager"]: 0})
    assert felt.prompt["kind"] == "refund"
    assert {code for code, _ in signable(felt.table.state)} == {Code.NOT_RETURNED}
    assert {circle.wager for _, circle in signable(felt.table.state)} == {Wager.ANTE_ACROSS}


def test_each_return_names_the_next_wager_and_the_last_names_the_cards() -> None:
    felt = dealt()
    felt.report("cards_touched", seat=1)
    felt.floor("outcome", outcome="void")
    prompts = []
    while felt.phase is Phase.VOID:
        now, then = felt.prompt, felt.table.view()["next"]
        prompts.append((now["kind"], now["seat"], now["wager"], now["amount"]))
        after = (then["kind"], then["seat"], then["wager"], then["amount"])
        felt.lay(now["seat"], **{now["wager"]: 0})
        if felt.phase is Phase.VOID:
            assert after == tuple(felt.prompt[part] for part in ("kind", "seat", "wager", "amount"))
    assert {kind for kind, *_ in prompts} == {"return_wager"} and len(prompts) > 1
    assert after == ("clear", None, None, None) and felt.prompt["kind"] == "clear"


def test_the_next_step_is_not_named_while_a_refund_is_due() -> None:
    felt = jacks()
    felt.settle_one()
    felt.report("cards_touched", seat=3)
    felt.floor("outcome", outcome="void")
    while felt.prompt["kind"] == "return_wager":
        then = felt.table.view()["next"]
        felt.lay(felt.prompt["seat"], **{felt.prompt["wager"]: 0})
    assert (felt.prompt["kind"], then) == ("refund", None)
