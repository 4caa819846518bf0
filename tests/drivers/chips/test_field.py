"""Simulated chips over an antenna behave as ISO/IEC 14443-3 specifies."""

from __future__ import annotations

import random

import pytest

from drivers.chips.sim.field import Antenna, ChipState, TypeAChip

A, B, C = (bytes([4, 0, 0, 0, 0, 0, n]) for n in (1, 2, 3))
TRIES = 3


def field(*uids: bytes, settle_s: float = 0.005) -> Antenna:
    antenna = Antenna(settle_s, random.Random(7))
    for uid in uids:
        antenna.lay(uid, 0.0)
    antenna.switch(True, 0.0)
    return antenna


def inventory(antenna: Antenna, now: float) -> list[bytes]:
    found = []
    while (uid := antenna.activate(TRIES, now)) is not None and len(found) < 20:
        found.append(uid)
        antenna.halt()
    return found


def test_only_an_idle_chip_answers_reqa() -> None:
    chip = TypeAChip(A)
    assert chip.reqa(1.0)
    assert chip.state is ChipState.READY
    assert chip.select(A)
    assert chip.state is ChipState.ACTIVE
    chip.hlta()
    assert chip.state is ChipState.HALT
    assert not chip.reqa(2.0)
    assert chip.state is ChipState.HALT


def test_an_active_chip_ignores_one_reqa_and_answers_the_next() -> None:
    antenna = field(A)
    assert antenna.activate(1, 1.0) == A
    assert antenna.activate(1, 1.1) is None
    assert antenna.activate(1, 1.2) == A


def test_each_chip_answers_once() -> None:
    antenna = field(A, B, C)
    assert sorted(inventory(antenna, 1.0)) == [A, B, C]
    assert inventory(antenna, 1.1) == []


def test_a_chip_does_not_answer_in_the_first_five_milliseconds_of_the_field() -> None:
    antenna = field(A)
    assert antenna.activate(TRIES, 0.0049) is None
    assert antenna.activate(TRIES, 0.0051) == A


@pytest.mark.parametrize(("away", "found"), [(0.0049, []), (0.0051, [A])])
def test_a_halt_lasts_until_the_field_was_off_for_five_milliseconds(away: float, found: list[bytes]) -> None:
    antenna = field(A)
    inventory(antenna, 1.0)
    antenna.switch(False, 2.0)
    antenna.switch(True, 2.0 + away)
    assert inventory(antenna, 2.1) == found


def test_two_chips_with_one_uid_answer_as_one() -> None:
    antenna = field(A, A, B)
    assert sorted(inventory(antenna, 1.0)) == [A, B]
    assert antenna.uids() == (A, A, B)


def test_a_chip_that_ignores_the_halt_answers_again() -> None:
    antenna = field()
    antenna.lay(A, 0.0, ignores_halt=True)
    assert inventory(antenna, 1.0)[:3] == [A, A, A]


def test_the_order_of_answers_is_random_and_follows_the_seed() -> None:
    orders = set()
    for seed in range(30):
        antenna = Antenna(0.0, random.Random(seed))
        antenna.set_chips([A, B, C], 0.0)
        antenna.switch(True, 0.0)
        orders.add(tuple(inventory(antenna, 1.0)))
    assert len(orders) == 6


def test_setting_chips_keeps_the_state_of_those_that_stay() -> None:
    antenna = field(A, B)
    assert len(inventory(antenna, 1.0)) == 2
    antenna.set_chips([A, C], 1.0)
    assert inventory(antenna, 1.1) == [C]


def test_a_removed_chip_does_not_answer() -> None:
    antenna = field(A, B)
    assert antenna.take(A)
    assert not antenna.take(A)
    assert inventory(antenna, 1.0) == [B]
