"""For each irregularity the table holds play and proposes the outcome of the pack, and a void returns exactly
the wagers.

The tests follow config/rules/RULES.md "Irregularities" row by row under all four packs, before, in and after
the phases in which an irregularity can happen.
"""

from __future__ import annotations

from typing import Any

import pytest

from controller.game.model.cards import Card
from controller.game.model.events import DeckBrought, FaceEntered, Reported, StackCompleted
from controller.game.model.irregularities import FLOOR_CHOICES, Code, DealerReport, Outcome
from controller.game.model.names import Method, Phase
from tests.game.felt import Felt

PACKS = ("pennsylvania", "massachusetts", "maryland", "six_card_bonus")
STACKS = PACKS[:3]
CROSS = "2C 7D TH JS 4C"
HANDS = {1: "AS KD", 2: "2H 3H"}
BONUS = "9C 9D 9H 9S"
everywhere = pytest.mark.parametrize("rules", PACKS)


def closed(rules: str = "pennsylvania", method: Method | None = None, **settings: Any) -> Felt:
    """Return a table whose bets are closed and at which no card is dealt yet."""
    return Felt(rules, method, **settings).closed(1, 2, five_card_bonus=5)


def dealt(rules: str = "pennsylvania", method: Method | None = None) -> Felt:
    felt = closed(rules, method)
    if any(step.kind == "stack" for step in felt.round.deal.steps):
        felt.deal(CROSS, HANDS)
    else:
        felt.draw(CROSS, HANDS, BONUS if rules == "six_card_bonus" else "")
    assert felt.phase is Phase.ACROSS
    return felt


def held(felt: Felt) -> tuple[str, str | None, tuple[str, ...]]:
    hold = felt.table.state.hold
    assert hold is not None, felt.phase
    assert felt.phase is Phase.HELD
    return hold.code, hold.proposed and str(hold.proposed), hold.outcomes


def noted(felt: Felt) -> list[tuple[str, bool]]:
    return [(entry.code, entry.resolved) for entry in felt.round.irregularities]


def returned(felt: Felt) -> dict[int, int]:
    """Return the wagers to the players as the prompts ask; return the cents by seat."""
    back: dict[int, int] = {}
    while felt.phase is Phase.VOID:
        prompt = felt.prompt
        back[prompt["seat"]] = back.get(prompt["seat"], 0) + prompt["amount"]
        if prompt["kind"] == "return_wager":
            felt.lay(prompt["seat"], **{prompt["wager"]: 0})
        else:
            felt.press("confirm")
    return back


def settling() -> Felt:
    """Return a table in settlement at which seat 1 makes a pair of jacks with the board and was paid for the
    Across hand."""
    felt = Felt().dealt("2C JD 8H 5S 4C", {1: "JH 3D"})
    for _ in range(3):
        felt.decide(s1=10)
    felt.settle_one()
    assert felt.settle_one()["kind"] == "pay"
    assert felt.settle_one()["kind"] == "pay"
    return felt


def must(outcome: Outcome) -> tuple[str | None, tuple[str, ...]]:
    """Return the outcome that the table must propose for this ruling, and all outcomes that it must offer."""
    if outcome is Outcome.FLOOR:
        return None, FLOOR_CHOICES
    return outcome.value, (outcome.value,)


# ------------------------------------------------------------------ cards from the shoe


@everywhere
def test_one_face_up_card_follows_the_pack(rules: str) -> None:
    """§ 674a.13(a), MGC § 12(a): the card is set aside and replaced. Md. 13.A: all hands are void. Under
    HOUSE the card is backed up."""
    felt = closed(rules)
    felt.card(None, "face_up")
    if felt.pack.rulings["face_up_one"].outcome is Outcome.VOID:
        assert held(felt) == ("card_face_up", "void", ("void",))
        return
    assert felt.phase is Phase.DEALING
    assert noted(felt) == [("card_face_up", True)]
    assert felt.codes() == []
    assert felt.table.view()["set_aside"] == 1
    felt.enter("set_aside", "9S")
    assert felt.refusal_code(FaceEntered("set_aside", Card("8S"))) == "nothing_set_aside"
    assert felt.round.deal.set_aside == ("9S",)
    if rules in STACKS:
        felt.deal(CROSS, HANDS)
        assert (felt.phase, felt.round.deal.stub_shoe) == (Phase.ACROSS, 52 - 9 - 1)


@everywhere
def test_several_face_up_cards_follow_the_pack(rules: str) -> None:
    """§ 674a.13(a), MGC § 12(a), Md. 13.A: the hands are void, the wagers are returned and the cards
    reshuffled. Under HOUSE it is a misdeal."""
    felt = closed(rules)
    felt.card(None, "face_up")
    if felt.phase is Phase.HELD:
        return
    felt.card(None, "face_up")
    assert held(felt) == ("card_face_up", "void", ("void",))


@everywhere
def test_a_card_drawn_in_error_follows_the_pack(rules: str) -> None:
    """§ 674a.13(b), MGC § 12(b), Md. 13.B: the card is used as the next card. Under HOUSE one card in each
    round is backed up."""
    felt = closed(rules)
    felt.report("drawn_in_error")
    assert (felt.phase, noted(felt)) == (Phase.DEALING, [("drawn_in_error", True)])


@everywhere
@pytest.mark.parametrize("what", ["face_seen", "hole_exposed"])
def test_an_exposed_hole_card_follows_the_pack(rules: str, what: str) -> None:
    """The texts leave the decision to the floor. Under HOUSE one card in each round is backed up."""
    felt = closed(rules)
    felt.report(what, seat=1 if what == "hole_exposed" else None)
    outcome = felt.pack.rulings[what].outcome
    if outcome is Outcome.BACK_UP:
        assert (felt.phase, noted(felt)) == (Phase.DEALING, [(what, True)])
    else:
        assert held(felt) == (what, None, FLOOR_CHOICES)


def test_the_house_backs_up_one_card_a_round_and_no_more() -> None:
    """HOUSE, Irregularities: a second irregular card of any kind in a round is a misdeal."""
    felt = closed("six_card_bonus")
    felt.report("drawn_in_error")
    felt.report("bonus_exposed", number=2)
    assert held(felt) == ("bonus_exposed", "void", ("void",))
    felt.floor("approve")
    returned(felt)
    felt.next_round()
    felt.closed(1)
    felt.report("hole_exposed", seat=1)
    assert felt.phase is Phase.DEALING


def test_a_bonus_card_can_be_exposed_only_if_there_are_bonus_cards() -> None:
    refusal = closed().refused(Reported(Code.BONUS_EXPOSED, number=1))
    assert refusal is not None and refusal.code == "no_bonus_cards"


@everywhere
def test_a_community_card_exposed_early_follows_the_pack(rules: str) -> None:
    """§ 674a.13(d), MGC § 12(d): the hands are void. Under MD and HOUSE the floor decides."""
    felt = dealt(rules)
    felt.report("community_exposed", place="middle")
    assert held(felt) == ("community_exposed", *must(felt.pack.rulings["community_exposed"].outcome))
    hold = felt.table.state.hold
    assert hold is not None and hold.place == "middle"
    assert felt.table.view()["cross"]["middle"] == {"lies": "down", "face": None}


@everywhere
def test_a_community_card_that_has_been_turned_cannot_be_exposed(rules: str) -> None:
    felt = dealt(rules)
    felt.decide(s1=10, s2=10)
    assert felt.refusal_code(Reported(Code.COMMUNITY_EXPOSED, place="across_left")) == "already_turned"


@everywhere
@pytest.mark.parametrize("what", ["community_exposed", "wrong_count", "face_seen", "hole_exposed"])
def test_reports_about_the_deal_are_refused_before_the_close_and_after_the_round(
    rules: str, what: str
) -> None:
    felt = Felt(rules)
    event = Reported(what, 1, "middle", 3)
    assert felt.refused(event) is not None
    felt = dealt(rules)
    while felt.phase is not Phase.CLEARING:
        if felt.phase is Phase.SETTLEMENT:
            felt.settle_one()
        else:
            felt.decide(s1=10, s2=10)
    assert felt.refused(event) is not None


def test_a_seat_that_has_been_shown_cannot_be_exposed() -> None:
    felt = dealt()
    for _ in range(3):
        felt.decide(s1=10, s2=10)
    felt.settle_one()
    assert felt.refused(Reported(Code.HOLE_EXPOSED, 2)) is not None
    assert felt.refused(Reported(Code.HOLE_EXPOSED, 1)) is None


# ------------------------------------------------------------------ wrong counts


@everywhere
@pytest.mark.parametrize(("seat", "number"), [(1, 3), (1, 1), (None, 4), (None, 6)])
def test_a_wrong_number_of_cards_in_a_hand_or_the_cross_voids_the_round(
    rules: str, seat: int | None, number: int
) -> None:
    """§ 674a.13(c), MGC § 12(c), Md. 13.C, HOUSE: the round is void, and the wagers are returned."""
    felt = dealt(rules)
    felt.report("wrong_count", seat=seat, number=number)
    assert held(felt) == ("wrong_count", "void", ("void",))
    hold = felt.table.state.hold
    assert hold is not None and (hold.seat, hold.place) == (seat, None if seat else "cross")


def test_the_right_number_of_cards_is_no_irregularity() -> None:
    refusal = dealt().refused(Reported(Code.WRONG_COUNT, 1, None, 2))
    assert refusal is not None and refusal.code == "count_is_right"


@pytest.mark.parametrize("rules", STACKS)
def test_a_short_or_long_stack_is_held_at_once(rules: str) -> None:
    """§ 674a.13(c): play is held as soon as the shoe reports a count that is too low or too high."""
    felt = closed(rules)
    for face in ["2C", "7D", "TH", "JS"]:
        felt.card(face)
    felt.event(StackCompleted(4))
    assert held(felt) == ("wrong_count", "void", ("void",))
    felt = closed(rules)
    for face in ["2C", "7D", "TH", "JS", "4C", "5C"]:
        felt.card(face)
    assert held(felt) == ("wrong_count", "void", ("void",))


@pytest.mark.parametrize("rules", STACKS)
def test_a_card_after_the_complete_deal_is_held(rules: str) -> None:
    felt = dealt(rules)
    felt.card("9C")
    assert (felt.phase, noted(felt)) == (Phase.ACROSS, [("drawn_in_error", True)])
    assert "9C" not in str(felt.table.view())


# ------------------------------------------------------------------ the stub


@pytest.mark.parametrize("rules", STACKS)
def test_a_stub_that_does_not_make_52_voids_the_round_and_removes_the_deck(rules: str) -> None:
    """§ 674a.10(f), MGC § 9(f), Md. 10.C(4): the round is void without a misdeal, the wagers are returned and
    the deck is removed."""
    felt = closed(rules)
    felt.deal(CROSS, HANDS, stub=42)
    assert held(felt) == ("deck_count", "remove_deck", ("remove_deck",))
    felt.floor("approve")
    assert returned(felt) == {1: 2500, 2: 2500}
    assert felt.records[-1]["deck"]["after"] == "removed"
    felt.press("confirm")
    assert (felt.phase, felt.prompt["kind"]) == (Phase.OPENING, "deck_needed")
    assert felt.refused(DeckBrought("RED", same=True)) is not None
    felt.event(DeckBrought("BLUE", preshuffled=True))
    assert felt.phase is Phase.OPENING


def wrong_stub_and_count(felt: Felt, stub: int, first: str) -> None:
    if first == "stub":
        felt.report("stub_count", number=stub)
        felt.report("wrong_count", seat=1, number=3)
    else:
        felt.report("wrong_count", seat=1, number=3)
        felt.report("stub_count", number=stub)


@pytest.mark.parametrize("first", ["stub", "count"])
@pytest.mark.parametrize("rules", STACKS)
def test_misdealt_but_52_in_all_is_void_and_the_deck_stays(rules: str, first: str) -> None:
    """§ 674a.10(e), MGC § 9(e), Md. 10.C(3): here a card of the stub lies at seat 1. The two reports may come
    in either order."""
    felt = dealt(rules)
    wrong_stub_and_count(felt, 42, first)
    _, proposed, offered = held(felt)
    assert (proposed, offered) == ("void", ("void",))
    hold = felt.table.state.hold
    assert hold is not None
    assert hold.citation == felt.pack.rulings["stub_misdealt"].section(Method.AUTOMATED_SHOE)


@pytest.mark.parametrize("first", ["stub", "count"])
@pytest.mark.parametrize("rules", STACKS)
def test_a_misdeal_without_52_cards_also_removes_the_deck(rules: str, first: str) -> None:
    """No text rules on it; config/rules/RULES.md, The deal, states our reading."""
    felt = dealt(rules)
    wrong_stub_and_count(felt, 40, first)
    assert held(felt)[1:] == ("remove_deck", ("remove_deck",))


def test_two_wrong_hands_with_a_right_total_are_still_a_misdeal() -> None:
    felt = dealt()
    felt.report("stub_count", number=42)
    felt.report("wrong_count", seat=1, number=4)
    assert held(felt)[1] == "remove_deck"
    felt.report("wrong_count", seat=2, number=1)
    assert held(felt)[1] == "void"


def test_the_dealer_s_count_precedes_the_shoe_s() -> None:
    """config/rules/RULES.md: the shoe's count is compared and shown, but does not replace the dealer's."""
    felt = closed()
    felt.deal(CROSS, HANDS, stub=42)
    felt.report("stub_count", number=43)
    assert held(felt) == ("deck_count", "go_on", FLOOR_CHOICES)
    felt.floor("approve")
    assert felt.phase is Phase.ACROSS


def test_a_stub_is_counted_when_it_is_out() -> None:
    refusal = closed().refused(Reported(DealerReport.STUB_COUNT, number=43))
    assert refusal is not None and refusal.code == "stub_not_out"


# ------------------------------------------------------------------ impossible cards


@everywhere
@pytest.mark.parametrize("kind", ["twice", "impossible"])
def test_a_duplicate_or_impossible_card_voids_the_round(rules: str, kind: str) -> None:
    """No text rules on it. By analogy with § 674a.10(f) the round is void, the wagers are returned and the
    deck is removed. No message names a hidden face."""
    felt = closed(rules)
    felt.card("2C")
    felt.card("2C") if kind == "twice" else felt.card(None, "impossible")
    assert held(felt) == ("duplicate_card", "remove_deck", ("remove_deck",))
    assert "2C" not in str(felt.table.view())


@everywhere
def test_a_card_before_no_more_bets_is_decided_by_the_floor(rules: str) -> None:
    """§ 674a.8(b), .10(a)(2): the floor decides. A void returns the wagers, and the round is recorded."""
    felt = Felt(rules)
    felt.antes(1)
    felt.card("2C")
    assert held(felt) == ("card_before_close", None, FLOOR_CHOICES)
    felt.floor("outcome", outcome="void")
    assert returned(felt) == {1: 2000}
    assert felt.records[-1]["void"]["code"] == "card_before_close"
    assert felt.records[-1]["irregularities"][0]["phase"] == "betting"


def test_an_unread_card_is_not_an_irregularity() -> None:
    felt = closed()
    felt.card(None, "not_read")
    assert (felt.phase, noted(felt)) == (Phase.DEALING, [])
