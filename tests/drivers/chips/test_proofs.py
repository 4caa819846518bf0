"""Schedule of proofs: which chip is tested and when, and which failed proof accuses a chip."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.chips.proofs import (
    FALSE_AFTER,
    MODULE_LOST_S,
    MODULE_RETRY_S,
    UNFINISHED_AFTER,
    UNPROVEN_AGAIN_S,
    ProofRequests,
    ProofSchedule,
)
from drivers.chips.reader import Proof, Verdict
from drivers.ports import CircleId, Inventory

CIRCLES: list[CircleId] = [(seat, wager) for seat in (1, 2, 3) for wager in ("ante", "across")]
A: CircleId = (1, "ante")
ONE, TWO, OLD = "04000000000001", "04000000000002", "0A000001"
SLOT_S = 0.06


class Table:
    """A schedule with its clock. `lay` shows a content twice; `ask` runs the next proofs."""

    def __init__(self, random_s: float = 1000.0) -> None:
        self.now = 0.0
        self.schedule = ProofSchedule(
            CIRCLES, "all", lambda uid: uid.startswith("04"), random_s, random.Random(1)
        )
        self.schedule.prove(())

    def lay(self, circle: CircleId, *uids: str) -> None:
        for _ in range(2):
            self.schedule.note([Inventory(circle, self.now, self.now, "chips", tuple(sorted(uids)))])

    def ask(self, verdict: Verdict = "proven") -> ProofRequests:
        self.now += 2 * SLOT_S  # the pause after the last slot of proofs
        chosen = self.schedule.next(self.now)
        if chosen:
            self.done(chosen, verdict)
        return chosen

    def done(self, chosen: ProofRequests, verdict: Verdict) -> None:
        began, self.now = self.now, self.now + SLOT_S
        proofs = [Proof(circle, uid, verdict, "cut") for circle, uid in chosen.items()]
        self.schedule.done(proofs, began, self.now)


def test_a_chip_proves_itself_once_when_first_seen_and_again_when_it_returns() -> None:
    table = Table()
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
    table = Table()
    for lost in CIRCLES:
        table.lay(lost, ONE)
    other = CIRCLES[-1]
    assert table.schedule.next(2 * SLOT_S, other.__eq__) == {other: ONE}
    assert table.schedule.next(2 * SLOT_S, lambda _circle: False) == {}
    assert table.schedule.next(2 * SLOT_S) != {}


def test_a_chip_without_a_key_is_not_tested() -> None:
    table = Table()
    table.lay(A, OLD)
    assert table.ask() == {}
    assert table.schedule.unproven(A) == ()


def test_a_chip_is_tested_only_after_its_circle_is_confirmed() -> None:
    table = Table()
    table.schedule.note([Inventory(A, 0.0, 0.0, "chips", (ONE,))])
    assert table.ask() == {}
    table.schedule.note([Inventory(A, 0.0, 0.0, "unstable")])
    assert table.ask() == {}
    table.schedule.note([Inventory(A, 0.0, 0.0, "chips", (ONE,))])
    assert table.ask() == {A: ONE}


def test_a_slot_tests_one_chip_of_each_seat_in_the_same_circle() -> None:
    table = Table()
    for seat in (1, 2, 3):
        table.lay((seat, "ante"), f"04000000000{seat}10", f"04000000000{seat}11")
    table.lay((1, "across"), ONE)
    slots = [table.ask() for _ in range(4)]
    assert sorted(len(slot) for slot in slots) == [0, 1, 3, 3]
    for slot in slots:
        assert len({wager for _, wager in slot}) <= 1


def test_a_required_proof_tests_each_chip_of_the_circle() -> None:
    table = Table()
    table.lay(A, ONE, TWO)
    table.lay((2, "across"), "04000000000003")
    for _ in range(3):
        table.ask()
    table.schedule.prove([A])
    assert {table.ask()[A], table.ask()[A]} == {ONE, TWO}
    assert table.ask() == {}


def test_no_proof_begins_during_the_deal() -> None:
    table = Table(random_s=0.01)
    table.lay(A, ONE)
    table.schedule.prove(None)
    for _ in range(50):
        assert table.ask() == {}
    table.schedule.prove(())
    assert table.ask() == {A: ONE}


def test_chips_are_tested_at_random_at_the_set_rate() -> None:
    table = Table(random_s=5.0)
    table.lay(A, ONE)
    table.lay((3, "across"), TWO)
    tested: list[str] = []
    while table.now < 2000:
        tested.extend(table.ask().values())
        table.now += 0.1
    assert 320 < len(tested) < 480
    assert 0.4 < tested.count(ONE) / len(tested) < 0.6


# ------------------------------------------------------------------ failed proofs


def test_the_second_wrong_answer_accuses_a_chip() -> None:
    table = Table()
    table.lay(A, ONE)
    for _ in range(FALSE_AFTER - 1):
        table.ask("false")
        assert table.schedule.unproven(A) == ()
    table.ask("false")
    assert table.schedule.unproven(A) == (ONE,)
    assert [table.ask() for _ in range(200)] == [{}] * 200  # a chip counts wrong answers
    table.lay(A)
    assert table.schedule.unproven(A) == ()


def test_a_right_answer_between_two_wrong_ones_clears_the_chip() -> None:
    table = Table()
    table.lay(A, ONE)
    table.ask("false")
    table.ask("proven")
    table.schedule.prove([A])
    table.ask("false")
    assert table.schedule.unproven(A) == ()


def test_a_chip_that_completes_no_proof_is_accused_later_and_tested_again() -> None:
    table = Table()
    table.lay(A, ONE)
    for _ in range(UNFINISHED_AFTER - 1):
        table.ask("unfinished")
        assert table.schedule.unproven(A) == ()
    table.ask("unfinished")
    assert table.schedule.unproven(A) == (ONE,)
    assert table.ask() == {}
    table.now += UNPROVEN_AGAIN_S
    assert table.ask("proven") == {A: ONE}
    assert table.schedule.unproven(A) == ()


def test_a_lost_module_accuses_no_chip_and_is_tried_again_later() -> None:
    table = Table()
    table.lay(A, ONE)
    for _ in range(20):
        assert table.ask("no module") == {A: ONE}
        assert table.ask() == {}
        table.now += MODULE_RETRY_S
    assert table.schedule.unproven(A) == ()
    assert table.schedule.module_fault(table.now) == "cut"
    table.ask("unfinished")  # which proves nothing about the module
    assert table.schedule.module_fault(table.now) == "cut"
    table.ask("proven")
    assert table.schedule.module_fault(table.now) == ""


def test_one_missed_answer_does_not_mark_the_module_as_lost() -> None:
    table = Table()
    table.lay(A, ONE)
    table.ask("no module")
    assert table.schedule.module_fault(table.now + MODULE_LOST_S - 0.1) == ""
    assert table.schedule.module_fault(table.now + MODULE_LOST_S) == "cut"


def test_a_required_proof_does_not_clear_an_accusation_before_it_is_given() -> None:
    table = Table()
    table.lay(A, ONE)
    table.ask("false")
    table.ask("false")
    table.schedule.prove([A])
    assert table.schedule.unproven(A) == (ONE,)
    assert table.ask("proven") == {A: ONE}
    assert table.schedule.unproven(A) == ()


@pytest.mark.parametrize("known", [True, False])
def test_a_proof_of_a_chip_removed_meanwhile_changes_nothing(known: bool) -> None:
    table = Table()
    table.lay(A, ONE)
    chosen = table.schedule.next(table.now)
    table.lay(A, *([TWO] if known else []))
    table.done(chosen, "false")
    assert table.schedule.unproven(A) == ()


# ------------------------------------------------------------------ priority of the circles


@given(st.lists(st.tuples(st.sampled_from(CIRCLES), st.integers(0, 3)), max_size=12), st.data())
@settings(max_examples=60, deadline=None)
def test_every_due_circle_is_read_between_two_slots_of_proofs(
    laid: list[tuple[CircleId, int]], data: st.DataObject
) -> None:
    table = Table(random_s=0.1)
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
