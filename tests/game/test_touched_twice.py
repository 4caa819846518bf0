"""A touch that arrives twice or late counts once, and a card that is reported twice is one card.

Sources: 58 Pa. Code § 674a.3(b), .4(d) and .13(a), MGC § 12(a), House rules, Irregularities 3.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from controller.game.model import events
from controller.game.model.irregularities import FLOOR_CHOICES, Code, DealerReport, Reportable
from controller.game.model.names import Key, Method, Phase
from controller.game.model.procedures import PROCEDURES, SUBJECTS_SINCE
from controller.game.phases.subjects import subject
from tests.game.felt import Felt
from tests.game.test_irregularities import held, noted

CROSS, BONUS = "2C 7D TH JS 4C", "9C 9D 5S 5H"
HANDS = {2: "AS KD", 3: "2H 3H"}
BEFORE = SUBJECTS_SINCE - 1


def about(felt: Felt, kind: str) -> str:
    return subject(felt.table.state, kind)


def report(felt: Felt, what: Reportable, **more: Any) -> events.Reported:
    """Return the touch by which a screen that shows the present state makes this report."""
    return events.Reported(what, about=about(felt, "cards"), prompt=felt.table.prompt_id(), **more)


def played_by(felt: Felt, procedures: int) -> Felt:
    """Make the table use this revision of the procedures, and return the table."""
    felt.table.state = replace(felt.table.state, procedures=procedures)
    return felt


def drawn() -> Felt:
    """Return a table under the house rules on which all cards are dealt."""
    felt = Felt("six_card_bonus").closed(*HANDS)
    felt.draw(CROSS, HANDS, BONUS)
    return felt


# ------------------------------------------------------------------ a card face up


@pytest.mark.parametrize("rules", ["pennsylvania", "massachusetts", "six_card_bonus"])
def test_one_touch_of_a_card_face_up_is_one_card(rules: str) -> None:
    felt = Felt(rules, Method.HAND).closed(2)
    touch = report(felt, Code.CARD_FACE_UP)
    felt.event(touch)
    assert felt.refusal_code(replace(touch, prompt=None)) == "another_state"
    assert (felt.phase, felt.round.deal.set_aside) == (Phase.DEALING, (None,))
    felt.event(report(felt, Code.CARD_FACE_UP))
    assert held(felt)[:2] == ("card_face_up", "void"), "a touch that names the new subject is a second card"


def test_a_replay_of_an_older_journal_takes_the_touch_twice() -> None:
    felt = played_by(Felt(method=Method.HAND).closed(2), BEFORE)
    touch = report(felt, Code.CARD_FACE_UP)
    felt.event(touch)
    felt.event(touch)
    assert held(felt)[:2] == ("card_face_up", "void")


@pytest.mark.parametrize("rules", ["pennsylvania", "massachusetts", "six_card_bonus"])
@pytest.mark.parametrize("further", [(), ("TH", "JS")])
def test_a_report_of_a_card_that_the_shoe_reported_is_for_the_floor(
    rules: str, further: tuple[str, ...]
) -> None:
    felt = Felt(rules, Method.MANUAL_SHOE if rules != "six_card_bonus" else None).closed(2)
    felt.card("2C")
    late = report(felt, Code.CARD_FACE_UP)
    felt.card("7D", "face_up")
    assert felt.refusal_code(late) == "another_state", "this screen did not show the shoe's report"
    for face in further:
        felt.card(face)
    before = felt.round
    felt.event(report(felt, Code.CARD_FACE_UP))
    assert held(felt) == ("card_face_up", None, FLOOR_CHOICES)
    felt.floor("refuse", reason="the same card")
    assert (felt.phase, felt.round.deal.set_aside) == (Phase.DEALING, (None,))
    assert (felt.round.cards, felt.round.deal.step) == (before.cards, before.deal.step)


def test_the_shoe_s_second_card_face_up_is_a_second_card() -> None:
    felt = Felt(method=Method.MANUAL_SHOE).closed(2)
    felt.card("2C", "face_up")
    felt.card("7D", "face_up")
    assert held(felt)[:2] == ("card_face_up", "void")


def test_a_rejected_report_of_a_stack_leaves_the_shoe_s_card_aside() -> None:
    felt = Felt().closed(2)
    felt.card("KS", "face_up")
    felt.stack(CROSS.split())
    felt.report("card_face_up")
    felt.floor("refuse", reason="not seen")
    assert felt.round.deal.set_aside == (None,)


# ------------------------------------------------------------------ exposed cards


@pytest.mark.parametrize(
    ("what", "named"), [(Code.HOLE_EXPOSED, {"seat": 2}), (Code.BONUS_EXPOSED, {"number": 3})]
)
def test_one_touch_of_an_exposed_card_backs_up_one_card(what: Reportable, named: dict[str, int]) -> None:
    felt = drawn()
    touch = report(felt, what, **named)
    felt.event(touch)
    assert felt.refusal_code(touch) == "another_state"
    assert (felt.phase, felt.round.deal.back_ups) == (Phase.ACROSS, 1)


def test_a_bonus_card_that_is_backed_up_is_not_reported_again() -> None:
    """House rules, Irregularities 3: if one card is backed up, another irregular card is a misdeal. Reporting
    the same card again must not cause a misdeal."""
    felt = drawn()
    felt.event(report(felt, Code.BONUS_EXPOSED, number=3))
    assert felt.refusal_code(report(felt, Code.BONUS_EXPOSED, number=3)) == "already_reported"
    felt.event(report(felt, Code.BONUS_EXPOSED, number=2))
    assert held(felt)[:2] == ("bonus_exposed", "void")


def test_the_two_cards_of_a_seat_are_two_cards() -> None:
    felt = drawn()
    felt.event(report(felt, Code.HOLE_EXPOSED, seat=2))
    felt.event(report(felt, Code.HOLE_EXPOSED, seat=2))
    assert held(felt)[:2] == ("hole_exposed", "void")
    assert felt.refusal_code(report(felt, Code.HOLE_EXPOSED, seat=2)) == "already_reported"
    felt.floor("refuse", reason="the same card")
    assert (felt.phase, felt.round.deal.exposed) == (Phase.ACROSS, ("seat_2",))


def test_a_rejected_report_may_be_made_again() -> None:
    felt = Felt().dealt(CROSS, HANDS)
    felt.event(report(felt, Code.COMMUNITY_EXPOSED, place="middle"))
    assert felt.refusal_code(report(felt, Code.COMMUNITY_EXPOSED, place="middle")) == "already_reported"
    felt.floor("refuse", reason="not seen")
    felt.event(report(felt, Code.COMMUNITY_EXPOSED, place="middle"))
    assert felt.phase is Phase.HELD


@pytest.mark.parametrize(
    ("what", "named"),
    [
        (Code.HOLE_EXPOSED, {"seat": 2}),
        (Code.FACE_SEEN, {}),
        (Code.WRONG_COUNT, {"seat": 2, "number": 3}),
        (Code.PLAYER_LEFT, {"seat": 2}),
    ],
)
def test_a_report_that_the_floor_decided_is_not_taken_from_a_late_screen(
    what: Reportable, named: dict[str, int]
) -> None:
    felt = Felt().dealt(CROSS, HANDS)
    touch = report(felt, what, **named)
    felt.event(touch)
    during = replace(touch, about=about(felt, "cards"), prompt=None)
    if Code.WRONG_COUNT is what:
        felt.floor("refuse", reason="counted again")
    else:
        felt.floor("outcome", outcome="go_on", reason="nobody saw it")
    assert felt.phase is Phase.ACROSS
    assert felt.refusal_code(touch) == "stale"
    assert felt.refusal_code(during) == "another_state"
    assert len(noted(felt)) == 1


def test_a_count_of_the_stub_is_taken_once() -> None:
    felt = Felt().closed(*HANDS)
    felt.stacks(CROSS, HANDS)
    felt.event(events.StubTaken(52 - felt.out))
    touch = events.Reported(DealerReport.STUB_COUNT, number=40, about=about(felt, "cards"))
    felt.event(touch)
    assert felt.refusal_code(touch) == "another_state"


# ------------------------------------------------------------------ orders for the deck


def opened_again(felt: Felt) -> None:
    felt.press("confirm")
    felt.event(events.DeckBrought("RED", preshuffled=True))
    while felt.phase is Phase.OPENING:
        felt.press("confirm")


def decided(felt: Felt, decision: str, kind: str, **more: Any) -> events.FloorDecided:
    return events.FloorDecided("B1", decision, about=about(felt, kind), **more)


@pytest.mark.parametrize(("procedures", "refused"), [(PROCEDURES, "another_round"), (BEFORE, None)])
def test_a_table_that_was_opened_again_is_not_closed_by_the_former_touch(
    procedures: int, refused: str | None
) -> None:
    felt = played_by(Felt(), procedures)
    touch = decided(felt, "close", "round")
    felt.event(touch)
    opened_again(felt)
    assert felt.phase is Phase.BETTING
    assert felt.refusal_code(touch) == refused
    assert felt.refusal_code(decided(felt, "close", "round")) is None


@pytest.mark.parametrize(("procedures", "refused"), [(PROCEDURES, "another_state"), (BEFORE, None)])
def test_a_change_of_the_way_of_dealing_belongs_to_one_round(procedures: int, refused: str | None) -> None:
    felt = played_by(Felt(), procedures)
    touch = decided(felt, "method", "method", method=Method.HAND)
    felt.dealt(CROSS, {1: "AS KD"})
    felt.event(decided(felt, "outcome", "round", outcome="void"))
    felt.clear()
    felt.next_round()
    assert felt.refusal_code(touch) == refused


def test_a_shuffle_is_ordered_once_by_one_touch() -> None:
    felt = Felt()
    felt.does_shuffle = False
    touch = decided(felt, "shuffle", "deck")
    felt.event(touch)
    assert felt.refusal_code(touch) == "another_state"
    felt.shuffled()
    assert felt.refusal_code(touch) == "another_state"


def test_a_key_for_a_step_of_one_deck_confirms_none_of_the_other() -> None:
    """§ 674a.4(d): each of two decks goes through all steps, so a late key for the first deck must not
    confirm a step of the second."""
    felt = Felt("massachusetts", decks=2)
    felt.floor("close")
    felt.press("confirm")
    ids: list[str] = []
    for back in ("RED", "BLUE"):
        felt.event(events.DeckBrought(back))
        while felt.table.state.deck.present and felt.phase is Phase.OPENING:
            ids.append(felt.table.prompt_id())
            for former in ids[:-1]:
                assert felt.refusal_code(events.KeyPressed(Key.CONFIRM, prompt=former)) == "stale"
            if felt.refused(events.KeyPressed(Key.CONFIRM)):
                felt.floor("sign")
            else:
                felt.event(events.KeyPressed(Key.CONFIRM, prompt=ids[-1]))
    assert felt.phase is Phase.BETTING
    assert len(set(ids)) == len(ids) == 2 * len(felt.pack.opening)


@pytest.mark.parametrize(("procedures", "refused"), [(PROCEDURES, "stale"), (BEFORE, None)])
def test_a_second_recut_has_a_key_of_its_own(procedures: int, refused: str | None) -> None:
    felt = played_by(Felt(), procedures)
    felt.floor("recut")
    touch = events.KeyPressed(Key.CONFIRM, prompt=felt.table.prompt_id())
    felt.event(touch)
    felt.floor("recut")
    assert felt.refusal_code(touch) == refused
    assert felt.refusal_code(replace(touch, prompt=felt.table.prompt_id())) is None


# ------------------------------------------------------------------ one of two decks removed


def without_red(procedures: int = PROCEDURES) -> Felt:
    """Return a table of two decks, of which the red one was removed after a void round."""
    felt = played_by(Felt(decks=2), procedures)
    felt.closed(1)
    assert felt.table.state.deck.back == "red"
    felt.floor("outcome", outcome="remove_deck", reason="a marked card")
    felt.clear()
    felt.press("confirm")
    assert (felt.prompt["kind"], felt.records[-1]["deck"]["after"]) == ("deck_needed", "removed")
    return felt


@pytest.mark.parametrize(
    ("back", "procedures", "refused"),
    [
        ("Blue", PROCEDURES, "same_back"),
        ("RED", PROCEDURES, None),
        ("GREEN", PROCEDURES, None),
        (None, PROCEDURES, None),
        ("BLUE", BEFORE, None),
    ],
)
def test_a_deck_that_replaces_a_removed_one_has_another_back_than_the_remaining_one(
    back: str | None, procedures: int, refused: str | None
) -> None:
    """The backs of two decks must differ (§ 674a.3(b)(1), MGC § 2(b)(1), Md. 3.B(2))."""
    felt = without_red(procedures)
    assert felt.refusal_code(events.DeckBrought(back, preshuffled=True)) == refused


def test_the_screen_asks_for_another_back_than_the_remaining_one() -> None:
    felt = without_red()
    shown = felt.table.view()["deck"]
    assert (shown["number"], shown["apart"], shown["again"]) == (2, "blue", False)
    felt.event(events.DeckBrought("GREEN", preshuffled=True))
    while felt.phase is Phase.OPENING:
        felt.press("confirm")
    deck = felt.table.state.deck
    assert (felt.phase, deck.opened, deck.brought) == (Phase.BETTING, 2, ("blue", "green"))
