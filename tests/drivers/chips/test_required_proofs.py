"""The chips of a circle whose proofs are required are pending until each is proven or accused."""

from __future__ import annotations

import pytest

from drivers.chips.proofs import FALSE_AFTER, REQUIRED_S, UNFINISHED_AFTER
from drivers.chips.reader import Verdict
from tests.drivers.chips.proof_table import OLD, ONE, TWO, A, ProofTable


def test_required_proofs_are_pending_until_each_chip_has_proven_itself() -> None:
    table = ProofTable()
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
    table = ProofTable()
    table.lay(A, ONE, TWO)
    table.schedule.prove([A])
    table.lay(A, ONE)
    table.lay(A, ONE, TWO)
    table.ask()
    assert len(table.schedule.pending(A) or ()) == 1


def test_chips_of_the_payout_do_not_reopen_decided_proofs_but_a_failed_reading_does() -> None:
    table = ProofTable()
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
    table = ProofTable()
    table.lay(A, ONE)
    table.schedule.prove([A])
    for _ in range(times):
        assert table.schedule.pending(A) == (ONE,)
        table.ask(verdict)
    table.read(A)
    assert (table.schedule.pending(A), table.schedule.unproven(A)) == ((), (ONE,))


def test_a_circle_whose_chips_have_no_keys_is_decided_at_its_next_reading() -> None:
    table = ProofTable()
    table.lay(A, OLD)
    table.schedule.prove([A])
    table.read(A)
    assert table.schedule.pending(A) == ()


def test_required_proofs_that_never_end_are_a_fault() -> None:
    """A payout must not wait for ever if its circle is read too seldom for a proof."""
    table = ProofTable()
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
