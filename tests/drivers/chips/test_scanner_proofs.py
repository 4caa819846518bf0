"""Under the real scanner and driver, over pseudo-terminals, a copy among house chips is reported and no
genuine chip is accused.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from drivers.chips.proofs import ProofSchedule
from drivers.chips.scanner import ChipScanner, Proving
from drivers.chips.secure_module import SecureModule
from drivers.chips.sim.simulator import ReaderBank
from drivers.ports import CircleId, Inventory
from tests.drivers.chips.lines import pn532s, uids
from tests.drivers.chips.proving import LostModule, house_chip, house_module
from tests.drivers.chips.test_scanner import Notes, scanning

pytestmark = pytest.mark.serial

CIRCLES: list[CircleId] = [(seat, wager) for seat in (1, 2) for wager in ("ante", "across")]
COPY = "04EE0000000003"
A: CircleId = (2, "across")


class ProofNotes(Notes):
    """Also counts the readings of `A`, and stores every chip that was ever reported as unproven, and the
    pending chips of each reading with required proofs."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self.accused: set[str] = set()
        self.pending: list[tuple[str, ...]] = []

    def sink(self, inventories: Sequence[Inventory]) -> None:
        self.count += sum(each.circle == A for each in inventories)
        self.accused |= {uid for each in inventories for uid in each.unproven}
        self.pending += [each.pending for each in inventories if each.pending is not None]
        super().sink(inventories)

    def twenty_more(self) -> None:
        seen = self.count
        self.wait(lambda: self.count > seen + 20, "twenty more readings")


@contextmanager
def scanned(tmp_path: Path, module: SecureModule) -> Iterator[tuple[ReaderBank, ChipScanner, ProofNotes]]:
    """Yield a table whose chips have keys, except for the copy."""
    bank = ReaderBank(tmp_path, CIRCLES, pace=0.0)
    bank.card_of = lambda uid: None if uid == COPY else house_chip(uid)
    with bank:
        schedule = ProofSchedule(CIRCLES, "all", lambda uid: True, 0.2, random.Random(1))
        scanner, notes = ChipScanner(pn532s(bank.paths()), proving=Proving(schedule, module)), ProofNotes()
        with scanning(scanner, notes, CIRCLES):
            yield bank, scanner, notes


def until_unproven(notes: Notes, circle: CircleId, unproven: list[str]) -> Inventory:
    def there() -> bool:
        last = notes.last(circle)
        return last is not None and list(last.unproven) == unproven and last.answer == "chips"

    notes.wait(there, f"{circle} with {unproven} unproven")
    last = notes.last(circle)
    assert last is not None
    return last


def test_a_copy_among_house_chips_is_reported_until_it_is_taken(tmp_path: Path) -> None:
    with scanned(tmp_path, house_module()) as (bank, scanner, notes):
        scanner.prove([])
        bank.set_chips(A, [*uids(2), COPY])
        bank.set_chips((1, "ante"), [f"05{number:012X}" for number in range(3)])
        assert until_unproven(notes, A, [COPY]).uids == (*uids(2), COPY)
        assert notes.accused == {COPY}
        bank.take(A, COPY)
        until_unproven(notes, A, [])


def test_a_required_proof_is_pending_and_then_decided(tmp_path: Path) -> None:
    with scanned(tmp_path, house_module()) as (bank, scanner, notes):
        bank.set_chips(A, uids(2))
        notes.until(A, "chips", uids(2))
        scanner.prove([A])
        notes.wait(lambda: () in notes.pending, "decided proofs")
        assert notes.pending[0] == tuple(uids(2)) and set(notes.pending) <= {
            tuple(uids(2)), *((uid,) for uid in uids(2)), ()
        }  # fmt: skip


def test_a_copy_is_not_tested_before_proofs_are_allowed(tmp_path: Path) -> None:
    with scanned(tmp_path, house_module()) as (bank, scanner, notes):
        scanner.prove(None)
        bank.set_chips(A, [COPY])
        notes.until(A, "chips", [COPY])
        notes.twenty_more()
        assert not notes.accused
        scanner.prove(())
        until_unproven(notes, A, [COPY])


def test_without_a_module_reading_continues_and_no_chip_is_accused(tmp_path: Path) -> None:
    with scanned(tmp_path, LostModule()) as (bank, scanner, notes):
        scanner.prove(())
        bank.set_chips(A, [*uids(2)])
        notes.until(A, "chips", uids(2))
        notes.twenty_more()
        assert not notes.accused


def test_a_lost_reader_with_a_chip_stops_no_other_proof(tmp_path: Path) -> None:
    with scanned(tmp_path, house_module()) as (bank, scanner, notes):
        scanner.watch([(1, "ante"), A])
        bank.set_chips((1, "ante"), uids(1))
        notes.until((1, "ante"), "chips", uids(1))
        bank.fault((1, "ante"), "unplug")
        notes.until((1, "ante"), "silent")
        scanner.prove(())
        bank.set_chips(A, [COPY])
        until_unproven(notes, A, [COPY])
