"""The schedule of proofs chooses the chip to test next, and accuses a chip only after repeated failures."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.chips.proofs import (
    FALSE_AFTER,
    MODULE_LOST_S,
    MODULE_RETRY_S,
    REQUIRED_S,
    SERIES_S,
    UNFINISHED_AFTER,
    UNPROVEN_AGAIN_S,
    ProofRequests,
    ProofSchedule,
)
from drivers.chips.reader import Proof, Verdict
from drivers.ports import CircleId, Inventory, ReaderAnswer

CIRCLES: list[CircleId] = [(seat, wager) for seat in (1, 2, 3) for wager in ("ante", "across")]
A: CircleId = (1, "ante")
ONE, TWO, OLD = "04000000000001", "04000000000002", "0A000001"
SLOT_S = 0.06


class Table:
    """A schedule with its clock. `lay` shows a content twice; `ask` reads all contents once and runs the next
    proofs."""

    def __init__(self, random_s: float = 1000.0) -> None:
        self.now = 0.0
        self.schedule = ProofSchedule(
            CIRCLES, "all", lambda uid: uid.startswith("04"), random_s, random.Random(1)
        )
        self.schedule.prove(())
        self.laid: dict[CircleId, tuple[str, ...]] = {}

    def lay(self, circle: CircleId, *uids: str) -> None:
        self.laid[circle] = tuple(sorted(uids))
        for _ in range(2):
            self.read(circle)

    def read(self, *circles: CircleId, answer: ReaderAnswer = "chips") -> None:
        for circle in circles:
            uids = self.laid[circle] if answer == "chips" else ()
            self.schedule.note([Inventory(circle, self.now, self.now, answer, uids)])

    def ask(self, verdict: Verdict = "proven") -> ProofRequests:
        self.now += 2 * SLOT_S  # the pause after the last slot of proofs
        self.read(*self.laid)
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
    assert table.ask() == {}
    table.schedule.note([Inventory(A, 0.0, 0.0, "chips", (ONE,))])
    assert table.ask() == {A: ONE}


@pytest.mark.parametrize("answer", ["unstable", "silent"])
def test_a_chip_proves_itself_again_after_a_reading_that_failed(answer: ReaderAnswer) -> None:
    """While the circle could not be read, the chip may have been exchanged for a copy with its number."""
    table = Table()
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
        table = Table()
        table.schedule.dice = random.Random(seed)
        for circle in (A, (1, "across")):
            table.lay(circle, *stack)
        firsts.update(table.ask().items())
    assert firsts == {(circle, uid) for circle in (A, (1, "across")) for uid in stack}


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


# ------------------------------------------------------------------ required proofs


def test_required_proofs_are_pending_until_each_chip_has_proven_itself() -> None:
    table = Table()
    table.lay(A, ONE, TWO, OLD)
    assert table.schedule.pending(A) is None
    table.ask()
    table.ask()
    table.schedule.prove([A])
    assert table.schedule.pending(A) == (ONE, TWO)
    table.ask()
    assert len(table.schedule.pending(A) or ()) == 1
    table.ask()
    table.read(A)
    assert table.schedule.pending(A) == ()
    table.schedule.prove(())
    assert table.schedule.pending(A) is None


def test_a_chip_that_comes_before_the_others_are_decided_is_pending_too() -> None:
    """A chip that was lifted and laid again may be a copy."""
    table = Table()
    table.lay(A, ONE, TWO)
    table.schedule.prove([A])
    table.lay(A, ONE)
    table.lay(A, ONE, TWO)
    table.ask()
    assert len(table.schedule.pending(A) or ()) == 1


def test_chips_of_the_payout_do_not_reopen_decided_proofs_but_a_failed_reading_does() -> None:
    table = Table()
    table.lay(A, ONE)
    table.schedule.prove([A])
    table.ask()
    table.read(A)
    table.lay(A, ONE, TWO)
    assert table.schedule.pending(A) == ()
    assert table.ask() == {A: TWO}
    table.read(A, answer="unstable")
    table.read(A)
    assert table.schedule.pending(A) == (ONE, TWO)


@pytest.mark.parametrize(("verdict", "times"), [("false", FALSE_AFTER), ("unfinished", UNFINISHED_AFTER)])
def test_an_accused_chip_is_no_longer_pending(verdict: Verdict, times: int) -> None:
    table = Table()
    table.lay(A, ONE)
    table.schedule.prove([A])
    for _ in range(times):
        assert table.schedule.pending(A) == (ONE,)
        table.ask(verdict)
    table.read(A)
    assert (table.schedule.pending(A), table.schedule.unproven(A)) == ((), (ONE,))


def test_a_circle_whose_chips_have_no_keys_is_decided_at_its_next_reading() -> None:
    table = Table()
    table.lay(A, OLD)
    table.schedule.prove([A])
    table.read(A)
    assert table.schedule.pending(A) == ()


def test_required_proofs_that_never_end_are_a_fault() -> None:
    """A payout must not wait for ever if its circle is read too seldom for a proof."""
    table = Table()
    table.lay(A, ONE)
    table.schedule.prove([A])
    while table.now < REQUIRED_S:
        assert table.schedule.module_fault(table.now) == ""
        table.read(A, answer="unstable")
        assert table.ask() == {}
    table.now += 1.0
    assert "seat 1, ante" in table.schedule.module_fault(table.now)
    table.schedule.prove(())
    assert table.schedule.module_fault(table.now) == ""


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
    table.ask("unfinished")  # an unfinished proof says nothing about the module
    assert table.schedule.module_fault(table.now) == "cut"
    table.ask("proven")
    assert table.schedule.module_fault(table.now) == ""


def test_missing_answers_of_a_circle_that_cannot_be_read_accuse_no_chip() -> None:
    """The antenna multiplexer has lost its supply, so genuine chips do not answer."""
    table = Table(random_s=0.01)
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
    table = Table()
    table.lay(A, ONE)
    table.ask("unfinished")
    assert table.schedule.next(table.now + 10.0) == {}
    assert table.ask() == {A: ONE}


def test_a_chip_for_which_the_module_does_not_answer_delays_no_other() -> None:
    """A copy at another seat is accused without delay, and the alert names the missing answers."""
    table = Table(random_s=0.5)
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
    table = Table(random_s=0.2)
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
    table = Table()
    table.lay(A, ONE)
    table.ask("no module")
    assert table.schedule.module_fault(table.now + MODULE_LOST_S) == "cut"
    table.lay(A)
    assert table.schedule.module_fault(table.now + MODULE_LOST_S) == ""


def test_a_copy_that_answers_wrong_does_not_hide_a_lost_module() -> None:
    """A copy without the chip's application answers wrong before the module is asked."""
    table = Table()
    other: CircleId = (2, "across")
    table.lay(A, ONE)
    table.ask("no module")
    table.lay(other, TWO)
    table.lay(A)
    assert table.ask("false") == {other: TWO}
    assert table.schedule.module_fault(table.now + MODULE_LOST_S) == "cut"


def test_no_chip_is_asked_for_a_while_after_two_without_an_answer_of_the_module() -> None:
    table = Table()
    table.lay(A, ONE)
    table.lay((2, "ante"), TWO)
    assert len(table.ask("no module")) == 2
    table.lay((3, "across"), "04000000000003")
    assert table.ask() == {}
    table.now += MODULE_RETRY_S
    assert table.ask() == {(3, "across"): "04000000000003"}


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


def test_proofs_in_the_circle_of_a_payout_follow_one_another_and_come_first() -> None:
    table = Table()
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
    table = Table()
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
