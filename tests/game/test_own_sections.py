"""Each irregularity cites the pack's own ruling on it, on the screen and in the record.

In the packs of these tests every ruling cites its own name, so that a wrong citation is detected.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from controller.game.model import events
from controller.game.model.names import Method
from controller.game.model.rules import RulePack
from tests.game.felt import Felt, pack
from tests.game.test_irregularities import CROSS, closed, dealt


def self_cited(key: str) -> RulePack:
    rules = pack(key)
    return replace(
        rules, rulings={code: replace(r, citation=code, by_method={}) for code, r in rules.rulings.items()}
    )


def face_up(felt: Felt, count: int) -> None:
    for _ in range(count):
        felt.card(None, "face_up")


def same_card_twice(felt: Felt) -> None:
    felt.card("2C")
    felt.card("2C")


AFTER_CLOSE: dict[str, tuple[str, Callable[[Felt], None]]] = {
    "face_up_one": ("card_face_up", lambda felt: face_up(felt, 1)),
    "face_up_more": ("card_face_up", lambda felt: face_up(felt, 2)),
    "impossible_card": ("duplicate_card", lambda felt: felt.card(None, "impossible")),
    "duplicate_card": ("duplicate_card", same_card_twice),
    "drawn_in_error": ("drawn_in_error", lambda felt: felt.report("drawn_in_error")),
    "face_seen": ("face_seen", lambda felt: felt.report("face_seen")),
    "hole_exposed": ("hole_exposed", lambda felt: felt.report("hole_exposed", seat=1)),
    "community_exposed": ("community_exposed", lambda felt: felt.report("community_exposed", place="middle")),
    "wrong_count": ("wrong_count", lambda felt: felt.report("wrong_count", seat=1, number=3)),
    "player_left": ("player_left", lambda felt: felt.report("player_left", seat=1)),
    "cards_touched": ("cards_touched", lambda felt: felt.report("cards_touched", seat=1)),
    "shoe_fault": ("shoe_fault", lambda felt: felt.event(events.ShoeFaulted("JAM"))),
}
"""Code recorded for each ruling, and the acts after the close that cause this irregularity."""


MET = [(key, ruling) for key in ("pennsylvania", "maryland", "six_card_bonus") for ruling in AFTER_CLOSE]
MET.remove(("maryland", "face_up_more"))  # this pack voids the round already


@pytest.mark.parametrize(("rules", "ruling"), MET)
def test_an_event_after_the_close_cites_its_ruling(rules: str, ruling: str) -> None:
    felt = Felt(self_cited(rules)).closed(1, 2)
    code, happens = AFTER_CLOSE[ruling]
    happens(felt)
    assert felt.round.irregularities[-1].code == code
    assert felt.round.irregularities[-1].citation == ruling
    if felt.table.state.hold is not None:
        assert felt.table.state.hold.citation == ruling


@pytest.mark.parametrize(
    "event",
    [
        events.DeckReady(52, "BLUE"),
        events.DeckReady(52, None),
        events.ShoeStated("EMPTY", None, 1, None, "STACK"),
    ],
    ids=["a deck becomes ready", "a deck of no colour becomes ready", "the deck is lifted out"],
)
def test_cards_moved_unseen_cite_their_ruling(event: events.Event) -> None:
    """The cards move unseen in the middle of a deal."""
    felt = Felt(self_cited("pennsylvania")).closed(1)
    felt.card("2C")
    felt.event(event)
    assert [(e.code, e.citation) for e in felt.round.irregularities] == [("shoe_lost", "cards_unseen")]


def test_a_card_number_out_of_sequence_cites_its_ruling() -> None:
    felt = Felt(self_cited("pennsylvania")).closed(1)
    felt.card("2C")
    felt.out += 1
    felt.card("3C")
    assert [(e.code, e.citation) for e in felt.round.irregularities] == [("shoe_lost", "cards_unseen")]


def test_a_short_stub_and_a_misdeal_cite_their_rulings() -> None:
    """§ 674a.10(e) rules on the misdeal, and (f) on the short stub."""
    felt = Felt(self_cited("pennsylvania")).closed(1)
    felt.deal(CROSS, {1: "AS KD"}, stub=44)
    assert felt.held_for() == ("deck_count", "stub_short")
    felt.report("wrong_count", seat=1, number=3)
    hold = felt.table.state.hold
    assert hold is not None and hold.citation == "stub_misdealt"
    felt.report("wrong_count", seat=1, number=3)
    hold = felt.table.state.hold
    assert hold is not None and hold.citation == "stub_both"


def test_a_miscounted_stack_and_a_short_stub_cite_their_rulings() -> None:
    """§ 674a.10(f) applies, because the dealer has not counted the cards at the seat."""
    felt = Felt(self_cited("pennsylvania")).closed(1)
    for face in CROSS.split()[:4]:
        felt.card(face)
    felt.event(events.StackCompleted(4))
    assert felt.held_for() == ("wrong_count", "wrong_count")
    felt.event(events.StackTaken())
    for _ in range(2):
        felt.card(felt.unused(1)[0])
    felt.event(events.StackCompleted(2))
    felt.event(events.StackTaken())
    felt.event(events.StubTaken(40))
    assert felt.held_for() == ("wrong_count", "stub_both")


def test_cards_out_after_a_resumption_cite_their_ruling() -> None:
    felt = Felt(self_cited("pennsylvania")).closed(1)
    felt.card("2C")
    felt.event(events.ShoeLinkLost())
    felt.event(events.ShoeLinkOpened("TEST", "1", "1", "boot"))
    felt.event(events.ShoeStated("DEALING", 50, 2, "RED", "STACK", resumed=True))
    assert felt.held_for() == ("shoe_lost", "cards_unseen")


def test_a_failed_manual_shoe_cites_its_ruling() -> None:
    felt = Felt(self_cited("pennsylvania"), Method.MANUAL_SHOE).closed(1)
    felt.event(events.ShoeFaulted("JAM"))
    assert [(e.code, e.citation) for e in felt.round.irregularities] == [("shoe_fault", "manual_shoe_fault")]


def test_a_card_before_the_close_cites_its_ruling() -> None:
    felt = Felt(self_cited("pennsylvania"))
    felt.card("2C")
    assert felt.held_for() == ("card_before_close", "card_before_close")


# ------------------------------------------------------------------ places


@pytest.mark.parametrize(("first", "second"), [("middle", "seat_1_1"), ("seat_1_1", "middle")])
def test_swapped_cards_are_held_with_the_first_place(first: str, second: str) -> None:
    felt = dealt()
    felt.event(events.CardsSwapped(first, second))
    hold = felt.table.state.hold
    assert hold is not None and (hold.place, hold.swap) == (first, (first, second))


def test_a_second_card_to_be_backed_up_is_named() -> None:
    """HOUSE, Irregularities: only one card in each round is backed up."""
    felt = closed("six_card_bonus")
    felt.report("drawn_in_error")
    felt.report("bonus_exposed", number=2)
    hold = felt.table.state.hold
    assert hold is not None and (hold.code, hold.place) == ("bonus_exposed", "bonus_2")
