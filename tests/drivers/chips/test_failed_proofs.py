"""A chip is accused only after repeated failures, and a module that does not answer accuses no chip."""

from __future__ import annotations

import pytest

from drivers.chips.proofs import (
    FALSE_AFTER,
    MODULE_LOST_S,
    MODULE_RETRY_S,
    UNFINISHED_AFTER,
    UNPROVEN_AGAIN_S,
)
from drivers.ports import CircleId
from tests.drivers.chips.proof_table import ONE, SLOT_S, TWO, A, ProofTable


def test_the_second_wrong_answer_accuses_a_chip() -> None:
    table = ProofTable()
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
    table = ProofTable()
    table.lay(A, ONE)
    table.ask("false")
    table.ask("proven")
    table.schedule.prove([A])
    table.ask("false")
    assert table.schedule.unproven(A) == ()


def test_a_chip_that_completes_no_proof_is_accused_later_and_tested_again() -> None:
    table = ProofTable()
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
    table = ProofTable()
    table.lay(A, ONE)
    for _ in range(20):
        assert table.ask("no module") == {A: ONE}
        assert table.ask() == {}
        table.now += MODULE_RETRY_S
    assert table.schedule.unproven(A) == ()
    assert table.schedule.module_fault(table.now) == "cut"
    table.ask("unfinished")  # an unfinished proof says nothing about the module
    assert table.schedule.module_fault(table.now) == "cut"
    table.ask("proven")
    assert table.schedule.module_fault(table.now) == ""


def test_missing_answers_of_a_circle_that_cannot_be_read_accuse_no_chip() -> None:
    """The antenna multiplexer has lost its supply, so genuine chips do not answer."""
    table = ProofTable(random_s=0.01)
    table.lay(A, ONE, TWO)
    table.ask()
    table.ask()
    for _ in range(3 * UNFINISHED_AFTER):
        table.now += 2 * SLOT_S
        if chosen := table.schedule.next(table.now):
            table.done(chosen, "unfinished")
        table.read(A, answer="unstable")
        assert table.schedule.next(table.now + 1.0) == {}
    for _ in range(UNFINISHED_AFTER):
        table.ask("unfinished")
        assert table.schedule.unproven(A) == ()


def test_a_chip_is_asked_again_only_after_a_reading_that_shows_it() -> None:
    table = ProofTable()
    table.lay(A, ONE)
    table.ask("unfinished")
    assert table.schedule.next(table.now + 10.0) == {}
    assert table.ask() == {A: ONE}


def test_a_chip_for_which_the_module_does_not_answer_delays_no_other() -> None:
    """A copy at another seat is accused without delay, and the alert names the missing answers."""
    table = ProofTable(random_s=0.5)
    other: CircleId = (2, "across")
    table.lay(A, ONE)
    table.lay(other, TWO)
    asked = []
    while table.now < MODULE_LOST_S + 1.0:
        table.now += 2 * SLOT_S
        table.read(*table.laid)
        for circle, uid in table.schedule.next(table.now).items():
            asked.append((table.now, uid))
            table.done({circle: uid}, "no module" if uid == ONE else "false")
        if table.now < 0.8:
            assert table.schedule.module_fault(table.now) == ""
    assert [uid for at, uid in asked if at < 0.8].count(TWO) >= FALSE_AFTER
    assert table.schedule.unproven(other) == (TWO,)
    assert table.schedule.unproven(A) == ()
    assert table.schedule.module_fault(table.now) == "cut"
    assert [uid for _, uid in asked].count(ONE) >= 3


def test_a_chip_that_proves_itself_hides_no_missing_answers_for_another() -> None:
    table = ProofTable(random_s=0.2)
    other: CircleId = (2, "across")
    table.lay(A, ONE)
    table.lay(other, TWO)
    proven = 0
    while table.now < MODULE_LOST_S + 2.0:
        table.now += 2 * SLOT_S
        table.read(*table.laid)
        for circle, uid in table.schedule.next(table.now).items():
            proven += uid == TWO
            table.done({circle: uid}, "no module" if uid == ONE else "proven")
    assert proven > 3
    assert table.schedule.module_fault(table.now) == "cut"
    table.lay(A)
    assert table.schedule.module_fault(table.now) == ""


def test_a_lost_module_is_reported_only_while_a_chip_needs_it() -> None:
    """An alert that no chip can end would stay on an empty table."""
    table = ProofTable()
    table.lay(A, ONE)
    table.ask("no module")
    assert table.schedule.module_fault(table.now + MODULE_LOST_S) == "cut"
    table.lay(A)
    assert table.schedule.module_fault(table.now + MODULE_LOST_S) == ""


def test_a_copy_that_answers_wrong_does_not_hide_a_lost_module() -> None:
    """A copy without the chip's application answers wrong before the module is asked."""
    table = ProofTable()
    other: CircleId = (2, "across")
    table.lay(A, ONE)
    table.ask("no module")
    table.lay(other, TWO)
    table.lay(A)
    assert table.ask("false") == {other: TWO}
    assert table.schedule.module_fault(table.now + MODULE_LOST_S) == "cut"


def test_no_chip_is_asked_for_a_while_after_two_without_an_answer_of_the_module() -> None:
    table = ProofTable()
    table.lay(A, ONE)
    table.lay((2, "ante"), TWO)
    assert len(table.ask("no module")) == 2
    table.lay((3, "across"), "04000000000003")
    assert table.ask() == {}
    table.now += MODULE_RETRY_S
    assert table.ask() == {(3, "across"): "04000000000003"}


def test_one_missed_answer_does_not_mark_the_module_as_lost() -> None:
    table = ProofTable()
    table.lay(A, ONE)
    table.ask("no module")
    assert table.schedule.module_fault(table.now + MODULE_LOST_S - 0.1) == ""
    assert table.schedule.module_fault(table.now + MODULE_LOST_S) == "cut"


def test_a_required_proof_does_not_clear_an_accusation_before_it_is_given() -> None:
    table = ProofTable()
    table.lay(A, ONE)
    table.ask("false")
    table.ask("false")
    table.schedule.prove([A])
    assert table.schedule.unproven(A) == (ONE,)
    assert table.ask("proven") == {A: ONE}
    assert table.schedule.unproven(A) == ()


@pytest.mark.parametrize("known", [True, False])
def test_a_proof_of_a_chip_removed_meanwhile_changes_nothing(known: bool) -> None:
    table = ProofTable()
    table.lay(A, ONE)
    chosen = table.schedule.next(table.now)
    table.lay(A, *([TWO] if known else []))
    table.done(chosen, "false")
    assert table.schedule.unproven(A) == ()
