"""A touch acts only on the prompt, outage or signature that was on the screen, and not on a later one of the
same kind or with another effect."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from controller.game.model import events
from controller.game.model.irregularities import Code
from controller.game.model.names import Key, Phase, Wager
from controller.game.model.procedures import OCCURRENCES_SINCE
from controller.game.phases.subjects import subject
from controller.pages.display.touches import parse
from tests.game.felt import Felt

CROSS = "2C 7D TH JS 4C"
HANDS = {1: "JC JD", 2: "2H 3H"}
BEFORE = OCCURRENCES_SINCE - 1


def played_by(felt: Felt, procedures: int) -> Felt:
    felt.table.state = replace(felt.table.state, procedures=procedures)
    return felt


def key(felt: Felt, name: Key) -> events.KeyPressed:
    return events.KeyPressed(name, prompt=felt.table.prompt_id(), screen=True)


# ------------------------------------------------------------------ prompts


@pytest.mark.parametrize(("procedures", "refused"), [(OCCURRENCES_SINCE, "stale"), (BEFORE, None)])
def test_a_fold_that_was_undone_is_not_repeated_by_the_same_touch(
    procedures: int, refused: str | None
) -> None:
    felt = played_by(Felt(), procedures).dealt(CROSS, HANDS)
    fold = key(felt, Key.FOLD)
    felt.event(fold)
    felt.press("undo")
    assert felt.refusal_code(fold) == refused


def test_a_fold_read_before_a_hold_does_not_act_after_it() -> None:
    felt = Felt().dealt(CROSS, HANDS)
    fold = key(felt, Key.FOLD)
    felt.report("wrong_count", seat=2, number=3)
    felt.floor("refuse")
    assert felt.phase is Phase.ACROSS
    assert felt.refusal_code(fold) == "stale"
    assert felt.refusal_code(key(felt, Key.FOLD)) is None


def test_no_more_bets_from_before_a_recut_does_not_close_the_bets_after_it() -> None:
    felt = Felt()
    felt.antes(*HANDS)
    close = key(felt, Key.NO_MORE_BETS)
    assert felt.refusal_code(close) is None
    felt.floor("recut")
    felt.press("confirm")
    felt.shuffled()
    assert felt.phase is Phase.BETTING
    assert felt.refusal_code(close) == "stale"


def test_the_confirm_of_one_opening_does_not_open_the_table_again() -> None:
    felt = Felt()
    felt.floor("close")
    opened = key(felt, Key.CONFIRM)
    felt.event(opened)
    felt.event(events.DeckBrought("RED", preshuffled=True))
    felt.press("confirm")
    felt.shuffled()
    felt.floor("close")
    assert felt.phase is Phase.CLOSED
    assert felt.refusal_code(opened) == "stale"


def test_the_id_stays_while_the_prompt_asks_for_the_same_act() -> None:
    felt = Felt().dealt(CROSS, HANDS)
    before = felt.table.prompt_id()
    felt.event(events.CircleRead(2, Wager.ACROSS, ()))
    felt.stand()
    assert felt.table.prompt_id() == before


# ------------------------------------------------------------------ entries for another prompt


def entering() -> Felt:
    """Return a table that asks for the amount of seat 1 while the reader of seat 2 is out of order as
    well."""
    felt = Felt().dealt(CROSS, HANDS)
    for seat in HANDS:
        felt.event(events.CircleUnreadable(seat, Wager.ACROSS, "silent"))
    assert felt.prompt["kind"] == "enter_amount"
    return felt


def test_an_amount_answers_only_the_prompt_for_its_circle() -> None:
    felt = entering()
    other = events.AmountEntered(2, Wager.ACROSS, 1000, felt.table.prompt_id())
    assert felt.refusal_code(other) == "stale"
    assert felt.refusal_code(replace(other, seat=1)) is None
    named = felt.table.view()["seats"][1]["circles"]["across"]["about"]
    assert felt.refusal_code(replace(other, about=named)) is None


def test_a_face_answers_only_the_prompt_for_its_card() -> None:
    felt = Felt().dealt(CROSS, HANDS)
    entered = events.FaceEntered("middle", "9S", felt.table.prompt_id())
    assert felt.refusal_code(entered) == "stale"


def test_a_sign_on_under_a_prompt_replaces_no_dealer() -> None:
    felt = Felt().dealt(CROSS, HANDS)
    signs = events.DealerSignedOn("D1", felt.table.prompt_id())
    felt.event(signs)
    assert felt.table.state.dealer == "D1"
    other = events.DealerSignedOn("D2", felt.table.prompt_id())
    assert felt.refusal_code(other) == "stale"
    assert felt.refusal_code(replace(other, about=subject(felt.table.state, "dealer"))) is None


# ------------------------------------------------------------------ outages of a reader


@pytest.mark.parametrize(("procedures", "refused"), [(OCCURRENCES_SINCE, "another_amount"), (BEFORE, None)])
def test_an_amount_for_one_outage_is_not_taken_in_the_next(procedures: int, refused: str | None) -> None:
    felt = played_by(Felt(), procedures).dealt(CROSS, HANDS)
    circle: Any = lambda: felt.table.view()["seats"][1]["circles"]["ante_down"]  # noqa: E731
    lost = events.CircleUnreadable(2, Wager.ANTE_DOWN, "silent")
    chips = felt.table.state.holding(2, Wager.ANTE_DOWN).chips
    felt.event(lost)
    late = events.AmountEntered(2, Wager.ANTE_DOWN, 100_000, about=circle()["about"])
    assert felt.refusal_code(late) is None
    felt.event(replace(lost, why="unstable"))
    assert felt.refusal_code(late) is None  # this is still the same outage
    felt.event(events.CircleRead(2, Wager.ANTE_DOWN, chips))
    felt.event(lost)
    assert felt.refusal_code(late) == refused


# ------------------------------------------------------------------ signatures and forfeits


def signature(felt: Felt, holder: str) -> tuple[events.Event, Any]:
    """Return the touch by which a floorperson signs the only difference to `holder`, and the effects that its
    key shows."""
    (alert,) = [each for each in felt.table.view()["alerts"] if each["about"]]
    (effects,) = [each["effects"] for each in alert["signs"] if each["holder"] == holder]
    body = {
        "do": "floor", "badge": "B1", "decision": "sign", "reason": "camera", "about": alert["about"],
        "seat": alert["seat"], "wager": alert["wager"], **({"holder": holder} if holder else {}),
    }  # fmt: skip
    touch: Any = parse(json.dumps(body).encode())
    return touch, effects


def go_on(felt: Felt, until: str) -> None:
    """Settle until the prompt is of the kind `until`."""
    while felt.prompt["kind"] != until:
        felt.settle_one()


@pytest.mark.parametrize(("procedures", "refused"), [(OCCURRENCES_SINCE, "another_amount"), (BEFORE, None)])
def test_a_signature_is_not_given_with_another_effect_than_read(procedures: int, refused: str | None) -> None:
    """A bet of $10 has $25 in its circle when the hand is to be turned, and the key states that the player
    has $15 more. When the wager is to be paid, the same key states that nothing changes."""
    felt = played_by(Felt(settle_ms=None), procedures).dealt(CROSS, HANDS)
    for _ in range(3):
        felt.decide(s1=10, s2=10)
    go_on(felt, "turn_seat")
    felt.lay(1, across=25)
    felt.stand()
    felt.stand()
    late, read = signature(felt, "")
    go_on(felt, "pay")
    current, now = signature(felt, "")
    assert now != read
    assert felt.refusal_code(late) == refused
    assert felt.refusal_code(current) is None


def test_a_forfeit_is_refused_once_another_wager_is_settled() -> None:
    """Maryland 11.A(5): once a wager is settled, the floorperson must choose whether the forfeit takes it
    too, and a touch from an earlier screen contains no such choice."""
    felt = Felt("maryland").dealt(CROSS, {1: "TS KD", 2: "2H 3H", 3: "JC JD"})
    read = felt.table.view()["about"]["forfeit"]
    late = events.FloorDecided("B1", "forfeit", seat=3, code=Code.CARDS_TOUCHED, reason="seen", about=read)
    assert felt.refusal_code(late) is None
    for _ in range(3):
        felt.decide(s1=10, s2=10, s3=10)
    while not felt.table.view()["floor"]["both"]:
        felt.settle_one()
    assert felt.refusal_code(late) == "another_state"
    assert felt.refusal_code(replace(late, about=felt.table.view()["about"]["forfeit"])) is None
