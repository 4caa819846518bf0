"""The table counts the cards of the deal and records the facts of each irregularity of the deal.

58 Pa. Code § 674a.10, .13(a)-(c), (f); House rules "Irregularities" (one card in each round is backed up).
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.game.model.events import StackTaken, StubTaken
from controller.game.model.evolve import evolve
from controller.game.model.irregularities import Code, Outcome
from controller.game.model.names import Phase
from controller.game.model.round import Dealt, Irregularity
from controller.game.model.rules import Ruling
from controller.game.phases.stub import expected_stub
from tests.game.felt import Felt, pack

HANDS = {3: "JH 3D"}
CROSS = "JC 7D 2H 8S 4C"


def closed(rules: str = "pennsylvania") -> Felt:
    return Felt(rules).closed(3)


def dealt(rules: str = "pennsylvania") -> Felt:
    felt = closed(rules)
    if rules == "six_card_bonus":
        felt.draw(CROSS, HANDS, "9C 9D 9H 9S")
    else:
        felt.deal(CROSS, HANDS)
    return felt


# ------------------------------------------------------------------ counts


def test_each_card_from_the_shoe_is_counted_and_ends_its_ready_state() -> None:
    felt = closed()
    shoe = felt.table.state.shoe
    assert (shoe.ready, shoe.left, shoe.out) == (True, 52, 0)
    for number, face in enumerate(CROSS.split(), 1):
        felt.card(face)
        shoe = felt.table.state.shoe
        assert (shoe.ready, shoe.left, shoe.out) == (False, 52 - number, number)
        assert (felt.round.deal.out, felt.round.deal.progress, felt.round.deal.doubt) == (
            number,
            felt.ms,
            False,
        )


def test_the_count_of_cards_left_never_falls_below_zero_or_becomes_known() -> None:
    felt = closed()
    state = felt.table.state
    felt.table.state = evolve(state, shoe=evolve(state.shoe, left=0))
    felt.card("AS")
    assert felt.table.state.shoe.left == 0
    felt.table.state = evolve(felt.table.state, shoe=evolve(felt.table.state.shoe, left=None))
    felt.card("KS")
    assert felt.table.state.shoe.left is None


def test_a_lifted_stack_is_placed_by_the_plan_and_the_next_is_requested() -> None:
    felt = closed()
    felt.stack(CROSS.split())
    assert (felt.round.deal.stacked, felt.round.deal.progress) == (True, felt.ms)
    felt.event(StackTaken())
    round_ = felt.round
    assert (round_.deal.step, round_.deal.exit, round_.deal.stacked, round_.deal.doubt) == (
        1,
        (),
        False,
        False,
    )
    assert (round_.deal.commanded, round_.deal.progress) == (True, felt.ms)
    assert [round_.cards[place].face for place in round_.deal.steps[0].places] == CROSS.split()


def test_the_stub_empties_the_shoe() -> None:
    felt = closed()
    felt.stacks(CROSS, HANDS)
    felt.event(StubTaken(45))
    round_ = felt.round
    assert (felt.table.state.shoe.left, round_.deal.stub_out, round_.deal.stub_shoe) == (0, True, 45)
    assert (round_.deal.progress, felt.phase, round_.decisions.asked, round_.decisions.decided) == (
        felt.ms,
        Phase.ACROSS,
        3,
        False,
    )


# ------------------------------------------------------------------ recorded facts


def test_a_face_up_card_is_recorded_with_its_section() -> None:
    """§ 674a.13(a): the face-up card is not used, and the next card takes its place."""
    felt = closed()
    felt.card(None, "face_up")
    cited = pack().rulings["face_up_one"].citation
    assert felt.round.irregularities == (
        Irregularity(Code.CARD_FACE_UP, Phase.DEALING, None, None, cited, True),
    )


def test_a_card_backed_up_is_recorded_with_its_seat_and_the_second_is_a_misdeal() -> None:
    felt = dealt("six_card_bonus")
    cited = felt.pack.rulings["hole_exposed"].citation
    felt.report("hole_exposed", seat=3)
    first = Irregularity(Code.HOLE_EXPOSED, Phase.ACROSS, 3, None, cited, True)
    assert (felt.round.irregularities, felt.round.deal.back_ups) == ((first,), 1)
    felt.report("hole_exposed", seat=3)
    hold = felt.table.state.hold
    assert hold is not None
    assert (hold.code, hold.seat, hold.citation) == ("hole_exposed", 3, cited)
    assert (hold.proposed, hold.outcomes) == ("void", ("void",))


def test_as_many_cards_are_backed_up_as_the_rules_allow() -> None:
    rules = replace(pack("six_card_bonus"), back_ups=3)
    felt = Felt(rules).closed(3)
    felt.draw(CROSS, HANDS, "9C 9D 9H 9S")
    for number in (1, 2):
        felt.report("hole_exposed", seat=3)
        assert (felt.phase, felt.round.deal.back_ups) == (Phase.ACROSS, number)
    for number in (1, 2):
        assert felt.table.state.hold is None
        felt.report("bonus_exposed", number=number)
    assert felt.table.state.hold is not None
    assert felt.round.deal.back_ups == 3


def test_a_decision_of_the_floor_is_recorded_with_its_seat() -> None:
    felt = dealt()
    felt.report("hole_exposed", seat=3)
    hold = felt.table.state.hold
    assert hold is not None
    assert (hold.code, hold.seat, hold.phase) == ("hole_exposed", 3, Phase.ACROSS)


def test_a_ruling_to_continue_is_recorded_with_its_seat() -> None:
    base = pack()
    rules = replace(base, rulings={**base.rulings, "hole_exposed": Ruling(Outcome.NOTICE, "a section")})
    felt = Felt(rules).dealt(CROSS, HANDS)
    felt.report("hole_exposed", seat=3)
    assert felt.round.irregularities == (
        Irregularity(Code.HOLE_EXPOSED, Phase.ACROSS, 3, None, "a section", True),
    )


# ------------------------------------------------------------------ a wrong count


@pytest.mark.parametrize(("stacks", "seat", "place"), [((), None, "cross"), ((CROSS,), 3, None)])
def test_a_stack_with_an_extra_card_is_held_with_its_place(
    stacks: tuple[str, ...], seat: int | None, place: str | None
) -> None:
    """§ 674a.13(c) makes a hand with a wrong number of cards void, so play is held and the hold names the
    hand."""
    felt = closed()
    for cards in stacks:
        felt.stack(cards.split())
        felt.event(StackTaken())
    for face in ("AS", "KS", "QS", "9S", "8D", "5D")[: 3 if stacks else 6]:
        felt.card(face)
    hold = felt.table.state.hold
    assert hold is not None
    assert (hold.code, hold.seat, hold.place) == ("wrong_count", seat, place)
    assert hold.citation == pack().rulings["wrong_count"].citation


def test_a_card_drawn_in_error_after_the_deal_belongs_to_no_hand_and_is_recorded() -> None:
    """§ 674a.13(b) rules on a card drawn in error. After the deal no hand lacks a card that it could
    become."""
    felt = dealt()
    felt.press("fold")
    felt.card("AS")
    assert (felt.phase, felt.table.state.undo) == (Phase.ACROSS, ())
    assert [(e.code, e.resolved) for e in felt.round.irregularities] == [("drawn_in_error", True)]
    assert expected_stub(felt.round) == 44
    assert (felt.round.cards["extra_8"], felt.round.deal.out) == (Dealt(8, "AS"), 8)
    felt.card("KS")
    assert (felt.round.cards["extra_9"], felt.round.deal.out) == (Dealt(9, "KS"), 9)
