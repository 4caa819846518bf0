"""The answer "on my way" of a floorperson to a call or a hold is shown and journalled, and has no other
effect."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.game.model.events import FloorDecided, FloorOnTheWay, KeyPressed, Stamp
from controller.game.model.names import Key
from controller.game.model.state import OnTheWay
from tests.game.felt import Felt
from tests.game.test_irregularities import dealt

FLOOR = KeyPressed(Key.FLOOR)


def handled(felt: Felt, event: object, utc: str) -> None:
    felt.table.handle(event, Stamp(felt.ms, utc))  # type: ignore[arg-type]


def called() -> Felt:
    felt = Felt()
    handled(felt, FLOOR, "T1")
    return felt


def test_the_answer_is_shown_and_does_not_affect_play() -> None:
    felt = called()
    before, shown = felt.table.state, felt.table.view()
    assert (shown["wanted"], shown["on_the_way"]) == ("call T1", None)
    assert felt.refusal_code(FloorOnTheWay("call T1", "B1")) is None
    effects = felt.table.handle(FloorOnTheWay("call T1", "B1"), Stamp(felt.ms, "T2"))
    assert effects == []
    after = felt.table.state
    assert after.on_the_way == OnTheWay("call T1", "T2", "B1")
    assert replace(after, on_the_way=None, version=before.version) == before
    view = felt.table.view()
    assert (view["standing"], view["on_the_way"]) == ("on_the_way", {"utc": "T2", "who": "B1", "pit": ""})
    assert view["floor_called"] and view["wanted"] is None


def test_the_answer_ends_with_the_call() -> None:
    felt = called()
    handled(felt, FloorOnTheWay("call T1", pit="pit-1"), "T2")
    felt.floor("answer")
    assert felt.table.state.on_the_way is None
    assert (felt.table.view()["standing"], felt.table.view()["wanted"]) == (None, None)


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (FloorOnTheWay("call T0", "B1"), "another_call"),
        (FloorOnTheWay("hold T1", "B1"), "another_state"),
        (FloorOnTheWay("", "B1"), "another_state"),
        (FloorOnTheWay("call T1", ""), "unknown_badge"),
    ],
)
def test_an_answer_to_another_subject_or_by_an_unknown_badge_is_refused(
    event: FloorOnTheWay, code: str
) -> None:
    felt = called()
    before = felt.table.state
    assert felt.refusal_code(event) == code
    handled(felt, event, "T2")
    assert replace(felt.table.state, version=before.version) == before


def test_an_answer_to_a_former_call_and_a_second_answer_are_refused() -> None:
    felt = called()
    felt.floor("answer")
    assert felt.refusal_code(FloorOnTheWay("call T1", pit="pit-1")) == "another_call"
    handled(felt, FLOOR, "T3")
    assert felt.refusal_code(FloorOnTheWay("call T1", pit="pit-1")) == "another_call"
    handled(felt, FloorOnTheWay("call T3", pit="pit-1"), "T4")
    assert felt.refusal_code(FloorOnTheWay("call T3", "B1")) == "on_the_way"
    assert felt.table.view()["on_the_way"] == {"utc": "T4", "who": "", "pit": "pit-1"}


def test_a_held_table_stays_held_and_the_next_hold_is_another_subject() -> None:
    felt = dealt()
    felt.report("community_exposed", place="middle")
    about = felt.table.view()["wanted"]
    assert about is not None and about.startswith("hold ")
    handled(felt, FloorOnTheWay(about, pit="pit-1"), "T2")
    assert felt.table.state.hold is not None
    assert felt.table.view()["on_the_way"] is not None
    handled(felt, FLOOR, "T3")
    assert felt.table.view()["on_the_way"] is not None
    felt.floor("approve")
    assert felt.table.state.on_the_way is None
    assert felt.refusal_code(FloorOnTheWay(about, pit="pit-1")) == "another_state"


def test_calls_in_an_older_journal_have_no_time() -> None:
    felt = Felt()
    felt.table.state = replace(felt.table.state, procedures=1)
    handled(felt, FLOOR, "T1")
    assert (felt.table.state.wanted, felt.table.view()["wanted"]) == ({}, None)
    assert felt.refusal_code(FloorOnTheWay("call T1", pit="pit-1")) == "another_call"
    assert felt.refused(FloorDecided("B1", "answer")) is None
