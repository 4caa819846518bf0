"""Whole stacks at FEIG readers prove themselves before a payout in virtual time, and readers that fail accuse
no genuine chip.
"""

from __future__ import annotations

import pytest

from drivers.chips.feig import OUTPUT_OF
from drivers.ports import CircleId
from tests.drivers.chips.virtual import stack
from tests.drivers.chips.virtual_feig import ProvingFeigTable

DOWN: CircleId = (1, "down")
SEATS = 2


def proven_table(*deeper: CircleId, depth: int = 3, chips: int = 20, seed: int = 1) -> ProvingFeigTable:
    """Return a table whose chips have all proven themselves once."""
    table = ProvingFeigTable(SEATS, seed=seed)
    table.lay_stacks(depth, *deeper, chips=chips)
    list(table.until(25.0))
    assert table.outstanding() == 0
    return table


def seconds_until_proven(table: ProvingFeigTable, circle: CircleId) -> float:
    began = table.now
    while table.outstanding(circle):
        table.slot()
        assert table.now < began + 60.0
    return table.now - began


@pytest.mark.parametrize(("chips", "limit_s"), [(1, 0.1), (5, 0.3), (20, 1.2)])
def test_the_chips_of_a_payout_prove_themselves_within_their_time(chips: int, limit_s: float) -> None:
    table = proven_table(DOWN, chips=chips)
    table.pay(DOWN)
    assert seconds_until_proven(table, DOWN) <= limit_s
    assert {proof.uid for _, proof in table.asked[-chips:]} == set(stack(DOWN, chips))


@pytest.mark.parametrize("place", [0, 19])
def test_a_copy_in_a_stack_is_named_before_the_payout_whatever_its_number(place: int) -> None:
    table = proven_table(DOWN)
    copy = stack(DOWN, 20)[place]
    table.exchange_for_copies(DOWN, copy)
    table.pay(DOWN)
    began = table.now
    while copy not in table.proofs.unproven(DOWN):
        table.slot()
        assert table.now < began + 4.0
    assert table.proofs.unproven(DOWN) == (copy,)


@pytest.mark.parametrize("seed", range(6))
def test_a_multiplexer_without_supply_accuses_no_genuine_chip(seed: int) -> None:
    """Chips prove themselves at random all the time. The multiplexer of one seat is lost for three seconds
    meanwhile."""
    table = ProvingFeigTable(SEATS, random_s=0.2, seed=seed)
    table.lay_stacks(2)
    list(table.until(8.0))
    device = table.links[1].device
    device.mux.present = False
    device.mux.power_on()
    device._connect(table.now)
    lost = table.now
    list(table.until(table.now + 3.0))
    device.mux.present = True
    missed = [proof for at, proof in table.asked if at > lost and proof.verdict == "unfinished"]
    assert all(proof.circle[0] == 1 for proof in missed)
    returned = table.now
    for found in table.until(table.now + 4.0):
        assert table.proofs.unproven(found.circle) == ()
    again = {proof.circle for at, proof in table.asked if at > returned and proof.verdict == "proven"}
    assert {circle for circle in again if circle[0] == 1} == {(1, wager) for wager in OUTPUT_OF}


@pytest.mark.parametrize("trouble", ["rf_warning", "twice"])
def test_chips_exchanged_while_the_circle_cannot_be_read_are_named(trouble: str) -> None:
    table = proven_table(depth=2)
    antenna = table.links[1].device.antennas[OUTPUT_OF[DOWN[1]]]
    antenna.trouble = trouble
    assert {found.answer for found in table.until(table.now + 2.0) if found.circle == DOWN} >= {"unstable"}
    table.exchange_for_copies(DOWN)
    antenna.trouble = ""
    list(table.until(table.now + 12.0))
    assert table.proofs.unproven(DOWN) == tuple(stack(DOWN, 2))
