"""The schedule of proofs asks each chip in time and at random, and leaves the circles their time."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.chips.proofs import SERIES_S
from drivers.ports import CircleId, Inventory, ReaderAnswer
from tests.drivers.chips.proof_table import CIRCLES, OLD, ONE, SLOT_S, TWO, A, ProofTable


def test_a_chip_proves_itself_once_when_first_seen_and_again_when_it_returns() -> None:
    table = ProofTable()
    table.lay(A, ONE)
    assert table.ask() == {A: ONE}
    assert table.ask() == {}
    table.lay(A)
    table.lay(A, ONE)
    assert table.ask() == {A: ONE}
    table.lay(A)
    table.lay((2, "ante"), ONE)
    assert table.ask() == {(2, "ante"): ONE}


def test_a_chip_at_a_lost_reader_delays_no_other() -> None:
    table = ProofTable()
    for lost in CIRCLES:
        table.lay(lost, ONE)
    other = CIRCLES[-1]
    assert table.schedule.next(2 * SLOT_S, other.__eq__) == {other: ONE}
    assert table.schedule.next(2 * SLOT_S, lambda _circle: False) == {}
    assert table.schedule.next(2 * SLOT_S) != {}


def test_a_chip_without_a_key_is_not_tested() -> None:
    table = ProofTable()
    table.lay(A, OLD)
    assert table.ask() == {}
    assert table.schedule.unproven(A) == ()


def test_a_chip_is_tested_only_after_its_circle_is_confirmed() -> None:
    table = ProofTable()
    table.schedule.note([Inventory(A, 0.0, 0.0, "chips", (ONE,))])
    assert table.ask() == {}
    table.schedule.note([Inventory(A, 0.0, 0.0, "unstable")])
    assert table.ask() == {}
    table.schedule.note([Inventory(A, 0.0, 0.0, "chips", (ONE,))])
    assert table.ask() == {}
    table.schedule.note([Inventory(A, 0.0, 0.0, "chips", (ONE,))])
    assert table.ask() == {A: ONE}


@pytest.mark.parametrize("answer", ["unstable", "silent"])
def test_a_chip_proves_itself_again_after_a_reading_that_failed(answer: ReaderAnswer) -> None:
    """While the circle could not be read, the chip may have been exchanged for a copy with its number."""
    table = ProofTable()
    table.lay(A, ONE)
    assert table.ask() == {A: ONE}
    assert table.ask() == {}
    table.read(A, answer=answer)
    assert table.ask() == {}
    assert table.ask() == {A: ONE}
    assert table.ask() == {}


def test_the_order_of_proofs_is_at_random() -> None:
    """A copy with the highest number or in the last circle must not be the last to be tested."""
    stack = [f"040000000000{number:02}" for number in range(20)]
    firsts = set()
    for seed in range(200):
        table = ProofTable()
        table.schedule.dice = random.Random(seed)
        for circle in (A, (1, "across")):
            table.lay(circle, *stack)
        firsts.update(table.ask().items())
    assert firsts == {(circle, uid) for circle in (A, (1, "across")) for uid in stack}


def test_a_slot_tests_one_chip_of_each_seat_in_the_same_circle() -> None:
    table = ProofTable()
    for seat in (1, 2, 3):
        table.lay((seat, "ante"), f"04000000000{seat}10", f"04000000000{seat}11")
    table.lay((1, "across"), ONE)
    slots = [table.ask() for _ in range(4)]
    assert sorted(len(slot) for slot in slots) == [0, 1, 3, 3]
    for slot in slots:
        assert len({wager for _, wager in slot}) <= 1


def test_a_required_proof_tests_each_chip_of_the_circle() -> None:
    table = ProofTable()
    table.lay(A, ONE, TWO)
    table.lay((2, "across"), "04000000000003")
    for _ in range(3):
        table.ask()
    table.schedule.prove([A])
    assert {table.ask()[A], table.ask()[A]} == {ONE, TWO}
    assert table.ask() == {}


def test_no_proof_begins_during_the_deal() -> None:
    table = ProofTable(random_s=0.01)
    table.lay(A, ONE)
    table.schedule.prove(None)
    for _ in range(50):
        assert table.ask() == {}
    table.schedule.prove(())
    assert table.ask() == {A: ONE}


def test_chips_are_tested_at_random_at_the_set_rate() -> None:
    table = ProofTable(random_s=5.0)
    table.lay(A, ONE)
    table.lay((3, "across"), TWO)
    tested: list[str] = []
    while table.now < 2000:
        tested.extend(table.ask().values())
        table.now += 0.1
    assert 320 < len(tested) < 480
    assert 0.4 < tested.count(ONE) / len(tested) < 0.6


# ------------------------------------------------------------------ priority of the circles


def test_proofs_in_the_circle_of_a_payout_follow_one_another_and_come_first() -> None:
    table = ProofTable()
    table.lay(A, *(f"040000000000{number:02}" for number in range(20)))
    for seat in (2, 3):
        table.lay((seat, "across"), *(f"04000000000{seat}{number:02}" for number in range(20)))
    table.schedule.watch([A])
    table.read(A)
    table.schedule.prove([A])
    began, asked = table.now, 0
    while chosen := table.schedule.next(table.now):
        assert chosen.keys() == {A}
        table.done(chosen, "proven")
        asked += 1
    assert asked == int(SERIES_S / SLOT_S) and table.now - began <= SERIES_S + 1e-9
    table.now += SERIES_S - 0.001
    table.read(A)
    assert table.schedule.next(table.now) == {}  # the circles get the same time
    table.now += 0.002
    assert table.schedule.next(table.now).keys() == {A}


def test_elsewhere_a_due_circle_is_read_after_each_proof() -> None:
    table = ProofTable()
    table.lay((2, "across"), ONE, TWO)
    table.lay(A)
    table.schedule.watch([A])
    table.read(A)
    table.schedule.prove([A])
    assert table.ask()
    table.now += 10.0
    assert table.schedule.next(table.now) == {}
    table.read(A)
    assert table.schedule.next(table.now)


@given(st.lists(st.tuples(st.sampled_from(CIRCLES), st.integers(0, 3)), max_size=12), st.data())
@settings(max_examples=60, deadline=None)
def test_every_due_circle_is_read_between_two_slots_of_proofs(
    laid: list[tuple[CircleId, int]], data: st.DataObject
) -> None:
    table = ProofTable(random_s=0.1)
    due = data.draw(st.sets(st.sampled_from(CIRCLES)))
    table.schedule.watch(due)
    for circle in due:
        table.lay(circle)
    for circle, count in laid:
        table.lay(circle, *(f"04{CIRCLES.index(circle):02d}0000000{each}" for each in range(count)))
    read = set(due)
    ended = -1.0
    for _ in range(60):
        chosen = table.schedule.next(table.now)
        if chosen:
            assert read >= due
            assert table.now >= ended + SLOT_S or ended < 0
            table.done(chosen, data.draw(st.sampled_from(["proven", "unfinished", "false"])))
            read, ended = set(), table.now
        circle = data.draw(st.sampled_from(CIRCLES))
        table.now += 0.02
        read.add(circle)
        table.schedule.note([Inventory(circle, table.now, table.now, "unstable")])
