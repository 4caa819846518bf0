"""The dealer can report a face-up card that no device reports, and a stub that is one card short shows that
such a card was set aside: 58 Pa. Code § 674a.13(a), config/rules/RULES.md."""

from __future__ import annotations

from typing import Any

import pytest

from controller.game.model.irregularities import FLOOR_CHOICES
from controller.game.model.names import PLAYING, Method, Phase
from controller.game.model.round import Dealt
from controller.game.phases.stub import expected_stub
from tests.game.felt import Felt
from tests.game.test_irregularities import CROSS, closed, held, noted

SILENT: list[dict[str, Any]] = [
    {"method": Method.HAND},
    {"method": Method.MANUAL_SHOE, "tells_face_up": False},
]
ASIDE = ["pennsylvania", "massachusetts"]


def dealt(felt: Felt, stub: int | None = None) -> None:
    """Complete the deal, and report `stub` as the dealer's count of the stub if it is given."""
    if felt.method is Method.HAND:
        felt.press("confirm")
    else:
        for place in [place for step in felt.round.deal.steps for place in step.places]:
            if place not in felt.round.cards:
                felt.card(felt.unused(1)[0])
    felt.press("confirm")
    if stub is not None:
        felt.report("stub_count", number=stub)


@pytest.mark.parametrize("silent", SILENT)
@pytest.mark.parametrize("rules", ASIDE)
def test_a_face_up_card_reported_by_the_dealer_counts_as_reported_by_the_shoe(
    rules: str, silent: dict[str, Any]
) -> None:
    felt = closed(rules, **silent)
    felt.report("card_face_up")
    assert (felt.phase, noted(felt), felt.round.deal.set_aside) == (
        Phase.DEALING, [("card_face_up", True)], (None,),
    )  # fmt: skip
    dealt(felt)
    assert expected_stub(felt.round) == 52 - 9 - 1
    assert felt.phase is Phase.ACROSS


@pytest.mark.parametrize("silent", SILENT)
@pytest.mark.parametrize("rules", ASIDE)
def test_a_second_face_up_card_is_held_and_may_be_withdrawn(rules: str, silent: dict[str, Any]) -> None:
    felt = closed(rules, **silent)
    felt.report("card_face_up")
    felt.report("card_face_up")
    assert held(felt) == ("card_face_up", "void", ("void",))
    felt.floor("refuse")
    assert (felt.phase, felt.round.deal.set_aside) == (Phase.DEALING, (None,))
    dealt(felt)
    assert expected_stub(felt.round) == 42


@pytest.mark.parametrize("silent", SILENT)
@pytest.mark.parametrize("rules", ASIDE)
def test_a_stub_short_by_one_means_a_card_set_aside(rules: str, silent: dict[str, Any]) -> None:
    felt = closed(rules, **silent)
    dealt(felt, stub=42)
    assert (felt.phase, felt.codes(), felt.round.deal.set_aside) == (Phase.ACROSS, ["card_face_up"], (None,))
    assert felt.round.irregularities[-1].citation == felt.pack.rulings["face_up_one"].citation
    felt.enter("set_aside", "KS")
    assert (felt.codes(), felt.round.deal.set_aside) == ([], ("KS",))
    assert expected_stub(felt.round) == 42


@pytest.mark.parametrize("silent", SILENT)
def test_a_missing_card_found_in_a_hand_is_not_set_aside(silent: dict[str, Any]) -> None:
    felt = closed(**silent)
    dealt(felt, stub=42)
    felt.report("wrong_count", seat=1, number=3)
    assert held(felt) == ("wrong_count", "void", ("void",))
    assert (felt.codes(), felt.round.deal.set_aside, expected_stub(felt.round)) == ([], (), 43)
    assert [code for code, _ in noted(felt)] == ["wrong_count"]


@pytest.mark.parametrize(("rules", "stub"), [("pennsylvania", 41), ("pennsylvania", 44), ("maryland", 42)])
def test_any_other_count_of_the_stub_is_wrong(rules: str, stub: int) -> None:
    felt = closed(rules, Method.HAND)
    dealt(felt, stub=stub)
    assert held(felt)[:2] == ("deck_count", "remove_deck")


def test_a_shoe_that_reports_face_up_cards_is_assumed_to_report_all() -> None:
    felt = closed(method=Method.MANUAL_SHOE)
    dealt(felt, stub=42)
    assert held(felt)[0] == "deck_count"


def test_a_face_up_card_counted_as_the_next_card_is_replaced_by_the_one_after_it() -> None:
    felt = closed(method=Method.MANUAL_SHOE)
    felt.card("KS")
    felt.report("card_face_up")
    assert (felt.round.deal.step, felt.round.deal.set_aside) == (0, (None,))
    felt.card("2C")
    assert felt.round.cards["down_far"] == Dealt(2, "2C")
    assert expected_stub(felt.round) == 50


def test_a_face_up_card_of_a_stack_cannot_be_identified() -> None:
    felt = closed()
    felt.stack(CROSS.split())
    felt.report("card_face_up")
    assert held(felt) == ("card_face_up", None, FLOOR_CHOICES)


@pytest.mark.parametrize("method", [None, Method.HAND, Method.MANUAL_SHOE])
def test_a_face_up_card_voids_in_maryland_under_any_way_of_dealing(method: Method | None) -> None:
    """Md. 13.A: any card found face up makes all hands void."""
    felt = closed("maryland", method)
    felt.report("card_face_up")
    assert held(felt) == ("card_face_up", "void", ("void",))


def test_the_notice_ends_with_the_round() -> None:
    felt = closed(method=Method.HAND)
    dealt(felt, stub=42)
    felt.fold()
    felt.collect()
    felt.fold()
    felt.collect()
    while felt.phase in PLAYING:
        prompt = felt.prompt
        if prompt["kind"] == "enter_face":
            felt.enter(prompt["places"][0], felt.unused(1)[0])
        elif felt.phase is Phase.SETTLEMENT:
            felt.settle_one()
        else:
            felt.press("confirm")
    assert felt.codes() == []
    assert felt.records[-1]["set_aside"] == [None]
