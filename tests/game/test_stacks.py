"""The table records the stacks of each circle by value and order of arrival, and movements of chips in every
phase (config/rules/RULES.md, "Business around a round")."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from controller.game.books.stacks import MAX_MOVEMENTS, stack_values
from controller.game.model import events
from controller.game.model.names import Circle, Phase, Wager
from controller.game.model.procedures import PROCEDURES
from controller.game.table import Table
from tests.game.every_phase import AT
from tests.game.felt import STATE, Felt
from tests.game.settlements import paying, tens
from tests.game.test_who_has_the_chips import dealt

ANTE, OTHER = Circle(3, Wager.ANTE_ACROSS), Circle(3, Wager.ANTE_DOWN)


def read(felt: Felt, circle: Circle, *chips: events.Chip, after_ms: int = 500) -> None:
    felt.event(events.CircleRead(*circle, chips), after_ms)


def of_program(felt: Felt, procedures: int) -> None:
    """Make the table use this revision of the procedures."""
    state = replace(felt.table.state, procedures=procedures)
    felt.table = Table(felt.pack, felt.table.settings, state, events.Stamp(felt.ms, "t"))


def chips(felt: Felt, *cents: int) -> tuple[events.Chip, ...]:
    return tuple(felt.chip(each) for each in cents)


def moved(felt: Felt) -> list[tuple[Any, ...]]:
    """Return the movements since the last record, each with phase, circle, chips, the chips that they
    replace, and source."""
    return [(m.phase, m.circle, m.chips, m.replaced, m.source) for m in felt.table.state.movements]


def stack(felt: Felt, circle: Circle = ANTE) -> tuple[tuple[int, ...], ...]:
    return stack_values(felt.table.state, circle)


def exchanged(phase: Phase, new: Iterable[int], old: Iterable[int]) -> tuple[Any, ...]:
    return phase, ANTE, tuple(new), tuple(old), None


# ------------------------------------------------------------------ order of arrival


def test_chips_of_one_reading_are_one_group_with_the_largest_first() -> None:
    felt = Felt()
    one, two, three = chips(felt, 500, 2500, 500)
    read(felt, ANTE, one)
    read(felt, ANTE, two, one, three)
    assert stack(felt) == ((500,), (2500, 500))
    read(felt, ANTE, two, three)
    assert stack(felt) == ((2500, 500),)
    read(felt, ANTE, one, two, three)
    assert stack(felt) == ((2500, 500), (500,))


def test_a_failed_reading_keeps_the_order_of_remaining_chips() -> None:
    felt = Felt()
    one, two, three = chips(felt, 500, 2500, 100)
    read(felt, ANTE, one)
    read(felt, ANTE, one, two)
    felt.event(events.CircleUnreadable(*ANTE, "silent"))
    assert stack(felt) == ()
    read(felt, ANTE, three, two, one)
    assert stack(felt) == ((500,), (2500,), (100,))


def test_a_proof_of_a_chip_does_not_change_the_order() -> None:
    felt = Felt()
    one, two = chips(felt, 500, 2500)
    read(felt, ANTE, one)
    read(felt, ANTE, one, replace(two, note="unproven"))
    read(felt, ANTE, one, two)
    assert stack(felt) == ((500,), (2500,))


def test_an_older_state_has_one_group_and_orders_later_chips() -> None:
    felt = Felt()
    one, two, three = chips(felt, 500, 2500, 100)
    read(felt, ANTE, one)
    read(felt, ANTE, one, two)
    old = replace(felt.table.state, arrivals={})
    felt.table = Table(felt.pack, felt.table.settings, old, events.Stamp(felt.ms, "t"))
    assert stack(felt) == ((2500, 500),)
    read(felt, ANTE, one, two, three)
    assert stack(felt) == ((2500, 500), (100,))


def test_replays_from_a_snapshot_and_from_the_beginning_give_the_same_stacks() -> None:
    felt = Felt()
    one, two, three = chips(felt, 500, 2500, 500)
    read(felt, ANTE, one)
    read(felt, ANTE, one, two)
    kept = STATE.validate_json(STATE.dump_json(felt.table.state), strict=True)
    other = Table(felt.pack, felt.table.settings, kept, events.Stamp(felt.ms, "t"))
    event = events.CircleRead(*ANTE, (one, two, three))
    other.handle(event, events.Stamp(felt.ms + 1, f"2026-11-20T20:00:{felt.ms + 1:06}Z"))
    felt.event(event)
    assert other.state == felt.table.state
    assert stack(felt) == ((500,), (2500,), (500,))


# ------------------------------------------------------------------ change in a circle


@pytest.mark.parametrize("phase", [Phase.CLOSED, Phase.OPENING, Phase.SHUFFLE, Phase.BETTING, Phase.CLEARING])
@pytest.mark.parametrize("between", ["empty", "both", "nothing"])
def test_change_before_the_close_and_between_rounds_is_one_movement_without_an_alert(
    phase: Phase, between: str
) -> None:
    felt = AT[phase]()
    of_program(felt, PROCEDURES)
    felt.stand(31_000)
    read(felt, ANTE)
    (big, *small) = chips(felt, 2500, 500, 500, 500, 500, 500)
    read(felt, ANTE, big, after_ms=31_000)
    before = felt.codes(), len(felt.table.state.movements)
    if between != "nothing":
        read(felt, ANTE, *((big, *small) if between == "both" else ()))
    felt.stand(2_000)
    assert (felt.codes(), len(felt.table.state.movements)) == before
    read(felt, ANTE, *small)
    felt.stand(2_000)
    assert felt.codes() == before[0]
    assert felt.table.state.early == ()
    assert moved(felt)[before[1] :] == [exchanged(felt.phase, [500] * 5, [2500])]


def test_a_stack_lifted_before_the_close_is_a_withdrawn_wager() -> None:
    felt = Felt()
    felt.antes(3, 4)
    lifted = felt.table.state.holding(*ANTE).chips
    read(felt, ANTE)
    read(felt, OTHER)
    felt.close()
    assert list(felt.round.seats) == [4]
    assert (moved(felt), felt.codes(), felt.round.irregularities) == ([], [], ())
    assert lifted


def test_a_chip_put_back_or_replaced_by_an_equal_one_is_not_change() -> None:
    felt = Felt()
    one, two = chips(felt, 2500, 2500)
    for here in ((one,), (), (one,), (), (two,)):
        read(felt, ANTE, *here)
    assert moved(felt) == []


def test_chips_with_another_total_are_a_changed_wager() -> None:
    felt = Felt()
    one, two, three = chips(felt, 2500, 500, 500)
    for here in ((one,), (two,), (two, three)):
        read(felt, ANTE, *here)
    assert moved(felt) == []
    assert stack(felt) == ((500,), (500,))


def test_a_chip_without_a_value_is_not_change() -> None:
    felt = Felt()
    (one,) = chips(felt, 2500)
    read(felt, ANTE, one)
    read(felt, ANTE, one, events.Chip("04FF", None, "unknown"))
    assert (stack(felt), moved(felt)) == (((2500,),), [])


def test_repeated_change_of_a_stack_is_recorded_each_time() -> None:
    felt = Felt()
    one = chips(felt, 2500)
    fives, ones = chips(felt, *[500] * 5), chips(felt, *[500] * 4, *[100] * 5)
    for here in (one, fives, ones, chips(felt, 2500)):
        read(felt, ANTE, *here)
    assert moved(felt) == [
        exchanged(Phase.BETTING, [500] * 5, [2500]),
        exchanged(Phase.BETTING, [100] * 5, [500]),
        exchanged(Phase.BETTING, [2500], [*[500] * 4, *[100] * 5]),
    ]


def test_an_exchange_after_the_close_is_also_a_movement() -> None:
    felt = dealt(s3="TD 8S", ante=25)
    read(felt, ANTE)
    felt.stand()
    assert felt.codes() == ["bet_changed"]
    read(felt, ANTE, *chips(felt, *[500] * 5))
    felt.stand()
    assert felt.codes() == []
    assert [entry.code for entry in felt.round.irregularities] == ["chips_exchanged"]
    assert moved(felt) == [exchanged(Phase.ACROSS, [500] * 5, [2500])]


@pytest.mark.parametrize(("procedures", "code"), [(PROCEDURES, "push_disturbed"), (9, "chips_exchanged")])
def test_a_swept_push_keeps_its_entry_when_other_chips_come_back(procedures: int, code: str) -> None:
    felt = tens()
    of_program(felt, procedures)
    read(felt, ANTE)
    felt.stand()
    assert felt.codes() == ["push_disturbed"]
    read(felt, ANTE, *chips(felt, 500, 500))
    felt.stand()
    assert felt.codes() == []
    assert [(each.code, each.resolved) for each in felt.round.irregularities] == [(code, True)]
    assert moved(felt) == [exchanged(Phase.SETTLEMENT, [500, 500], [1000])]


@pytest.mark.parametrize(("procedures", "code"), [(PROCEDURES, "bet_changed"), (9, "chips_exchanged")])
def test_no_exchange_spans_turned_cards(procedures: int, code: str) -> None:
    felt = dealt(s3="TD 8S", ante=25)
    of_program(felt, procedures)
    read(felt, ANTE)
    felt.stand()
    felt.decide(s3=25)
    assert (felt.phase, felt.codes()) == (Phase.DOWN, ["bet_changed"])
    read(felt, ANTE, *chips(felt, *[500] * 5))
    felt.stand()
    assert felt.codes() == []
    assert [(each.code, each.resolved) for each in felt.round.irregularities] == [(code, True)]


def test_the_movements_of_an_idle_table_stay_within_their_limit() -> None:
    felt = Felt()
    for _ in range(MAX_MOVEMENTS):
        read(felt, ANTE, *chips(felt, 2500))
        read(felt, ANTE, *chips(felt, *[500] * 5))
    assert len(moved(felt)) == MAX_MOVEMENTS


# ------------------------------------------------------------------ from circle to circle


@pytest.mark.parametrize("first", ["source", "target"])
def test_chips_carried_to_another_circle_are_one_movement_whichever_reader_is_first(first: str) -> None:
    felt = Felt()
    one, two, three = chips(felt, 2500, 500, 100)
    read(felt, ANTE, one, two, three)
    read(felt, ANTE, one, two)
    felt.stand(1_000)
    began = felt.ms + 100
    readings = [(ANTE, (one,)), (OTHER, (two,))]
    for circle, here in readings if first == "source" else readings[::-1]:
        read(felt, circle, *here, after_ms=100)
    felt.stand(2_000)
    assert moved(felt) == [(Phase.BETTING, OTHER, (500,), (), ANTE)]
    (movement,) = felt.table.state.movements
    assert (movement.since, movement.ms) == (began, began + 100)
    assert (stack(felt), stack(felt, OTHER), felt.codes()) == (((2500,),), ((500,),), [])


def test_chips_that_only_pass_over_a_circle_keep_their_source() -> None:
    felt = Felt()
    (one,) = chips(felt, 500)
    over = Circle(4, Wager.ANTE_ACROSS)
    read(felt, ANTE, one)
    read(felt, ANTE)
    read(felt, over, one)
    read(felt, over, after_ms=200)
    read(felt, OTHER, one)
    assert moved(felt)[-1] == (Phase.BETTING, OTHER, (500,), (), ANTE)


def test_a_copied_chip_is_an_alert_and_not_a_movement() -> None:
    felt = Felt()
    (one,) = chips(felt, 500)
    read(felt, ANTE, one)
    read(felt, OTHER, one)
    felt.stand(1_000)
    assert set(felt.codes()) == {"duplicate_chip"}
    read(felt, ANTE)
    assert moved(felt) == []


def test_a_chip_that_comes_half_a_minute_later_is_a_new_wager() -> None:
    felt = Felt()
    (one,) = chips(felt, 500)
    read(felt, ANTE, one)
    read(felt, ANTE)
    read(felt, OTHER, one, after_ms=31_000)
    assert moved(felt) == []


def test_chips_taken_and_paid_elsewhere_are_not_a_movement_between_circles() -> None:
    felt = dealt(s2="TD 8S", s3="JH 3D", ante=25)
    felt.fold()
    felt.decide(s3=25)
    taken = Circle(2, Wager.ANTE_ACROSS)
    assert not felt.table.state.holding(*taken).chips
    history = felt.table.state.seen[taken.key]
    lost = history[-1].chips
    assert lost
    felt.event(events.CircleRead(3, Wager.MIDDLE, (events.Chip(lost[0], 2500),)))
    assert moved(felt) == []


def test_old_chips_of_a_change_laid_elsewhere_come_from_the_tray() -> None:
    felt = Felt()
    (big, *small) = chips(felt, 2500, *[500] * 5)
    read(felt, ANTE, big)
    read(felt, ANTE, *small)
    read(felt, Circle(5, Wager.ANTE_DOWN), big)
    assert [each[4] for each in moved(felt)] == [None]


# ------------------------------------------------------------------ record


def played(felt: Felt) -> dict[str, Any]:
    """Close the bets, fold seat 3 and return the record."""
    felt.close()
    felt.deal("JC 7D 2H 8S 4C", {3: "TD 9S"})
    felt.decide(s3=None)
    assert felt.phase is Phase.CLEARING
    return dict(felt.records[-1])


def test_the_record_has_each_wager_s_stack_and_the_movements_since_the_last_record() -> None:
    felt = Felt()
    read(felt, ANTE, *chips(felt, 500, 500))
    read(felt, OTHER, *chips(felt, 1000))
    read(felt, OTHER, *chips(felt, 500, 500))
    first = played(felt)
    assert first["stacks"] == {"3": {"ante_across": [[500, 500]], "ante_down": [[500, 500]]}}
    (movement,) = first["chip_movements"]
    assert movement.pop("at").startswith("2026-11-20T20:00:")
    assert movement == {
        "code": "chips_exchanged", "phase": "betting", "seat": 3, "wager": "ante_down", "in": [500, 500],
        "out": [1000],
    }  # fmt: skip
    felt.next_round()
    felt.antes(3)
    second = played(felt)
    assert second["stacks"] == {"3": {"ante_across": [[1000]], "ante_down": [[1000]]}}
    assert "chip_movements" not in second


def test_a_bet_changed_before_it_counted_has_its_final_stack() -> None:
    felt = dealt(s3="TD 8S", ante=25)
    bet = Circle(3, Wager.ACROSS)
    read(felt, bet, *chips(felt, 2500))
    read(felt, bet, *chips(felt, *[500] * 5))
    felt.press("confirm")
    assert felt.round.stacks[bet.key] == ((500,) * 5,)


def test_chips_added_later_and_payouts_do_not_change_the_stack_of_a_wager() -> None:
    felt = paying()
    prompt = felt.prompt
    circle = Circle(prompt["seat"], Wager(prompt["wager"]))
    placed = felt.round.stacks[circle.key]
    there, amount = felt.table.state.holding(*circle).chips, felt.table.state.amount(*circle)
    (early,) = chips(felt, 100)
    read(felt, circle, *there, early)
    assert felt.round.stacks[circle.key] == placed
    read(felt, circle, *there)
    paid = chips(felt, *[amount // 2] * (2 * prompt["amount"] // amount))
    read(felt, circle, *there, *paid)
    assert felt.round.ledger.row(circle).settled is not None
    read(felt, circle, *paid[:2])
    assert felt.table.state.amount(*circle) == amount
    assert felt.round.stacks[circle.key] == placed


def test_a_round_of_a_program_without_stacks_has_that_program_s_record() -> None:
    felt = Felt()
    of_program(felt, 7)
    read(felt, ANTE, *chips(felt, 1000))
    read(felt, ANTE, *chips(felt, 500, 500))
    read(felt, OTHER, *chips(felt, 1000))
    record = played(felt)
    assert not {"stacks", "chip_movements"} & record.keys()


def test_an_older_state_can_be_read() -> None:
    felt = Felt()
    read(felt, ANTE, *chips(felt, 1000))
    read(felt, ANTE, *chips(felt, 500, 500))
    state = STATE.dump_python(felt.table.state, mode="json")
    assert state.pop("arrivals")
    assert state.pop("movements")
    read_again = STATE.validate_json(json.dumps(state))
    assert read_again == replace(felt.table.state, arrivals={}, movements=())
