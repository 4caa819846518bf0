"""A proof takes no longer than its bound in virtual time, and delays a circle where something is due by one
proof at most.
"""

from __future__ import annotations

import random

import pytest

from drivers.chips.reader import PROOF_S, SHORT_TIMEOUT_S
from drivers.chips.sim.ntag424 import Ntag424
from drivers.chips.sim.pn532 import FWT_S
from drivers.chips.sim.software_module import chip_key
from drivers.ports import CircleId
from tests.drivers.chips.proving import HOUSE_KEY, house_chip
from tests.drivers.chips.virtual_pn532 import WAGERS, ProvingTable

ACROSS: list[CircleId] = [(seat, "across") for seat in range(1, 7)]
ANTES: list[CircleId] = [(seat, wager) for seat in range(1, 7) for wager in WAGERS[:4]]
SOUND_S = 0.075
"""Maximum seconds of a sound chip's proof, with its share of the time for which the field is on."""


def slow_chip(uid: str) -> Ntag424:
    """Return a chip that takes nearly the frame waiting time for each answer."""
    return Ntag424(chip_key(HOUSE_KEY, uid), random.Random(uid), late_s=FWT_S - 0.005)


def longest_gap(table: ProvingTable, due: list[CircleId], seconds: float = 12.0) -> float:
    list(table.until(seconds))
    return max(table.gaps[circle] for circle in due)


@pytest.mark.slow
@pytest.mark.parametrize("due", [ACROSS, ANTES], ids=["across", "antes"])
@pytest.mark.parametrize("chips", [1, 3])
def test_a_due_circle_waits_for_at_most_one_proof(due: list[CircleId], chips: int) -> None:
    """All chips of the table are new, so a proof begins in every slot in which it may."""
    without = longest_gap(ProvingTable(chips, due, proving=False), due)
    table = ProvingTable(chips, due)
    assert longest_gap(table, due) <= without + SOUND_S
    assert {proof.verdict for _, proofs in table.proof_slots for proof in proofs} == {"proven"}


def test_a_slow_chip_delays_a_due_circle_no_longer_than_its_limit() -> None:
    without = longest_gap(ProvingTable(1, ACROSS, proving=False), ACROSS)
    table = ProvingTable(1, ACROSS, card=slow_chip)
    assert longest_gap(table, ACROSS) <= without + PROOF_S + SHORT_TIMEOUT_S
    assert {proof.verdict for _, proofs in table.proof_slots for proof in proofs} == {"proven"}


def test_every_chip_of_a_full_table_is_proven_within_seconds() -> None:
    """Three chips in each of 42 circles, all laid at once, with one bet due at each seat."""
    table = ProvingTable(3, ACROSS)
    list(table.until(4.0))
    assert len({proof.uid for _, proofs in table.proof_slots for proof in proofs}) == 3 * len(table.circles)


def test_during_the_deal_readings_are_those_of_a_table_without_proofs() -> None:
    table, other = ProvingTable(2, ANTES, proving=False), ProvingTable(2, ANTES, random_s=0.01, proving=False)
    assert [found.circle for found in table.until(3.0)] == [found.circle for found in other.until(3.0)]
    assert not table.proof_slots + other.proof_slots


def test_only_the_copies_among_all_chips_are_unproven() -> None:
    """Each of two circles holds a copy with a UID but no key. Every other chip has its own key."""
    table = ProvingTable(2, ACROSS, card=lambda uid: None if uid[2:4] in ("05", "11") else house_chip(uid))
    found = {each.circle for each in table.until(6.0) if table.proofs.unproven(each.circle)}
    assert found == {table.circles[0x05], table.circles[0x11]}
