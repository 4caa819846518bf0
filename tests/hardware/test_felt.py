"""The felt meets the requirements of chips and antennas: hardware/FACTS.md, "Forty-two readers on one Pi"."""

from __future__ import annotations

from itertools import combinations
from math import dist, hypot
from typing import Any

import pytest
import yaml

from controller.game.model.names import Wager
from drivers.chips.schedule import SlotRule, groups_of
from hardware.papers.felt import places
from tests.repository.house import ROOT

FELT: dict[str, Any] = yaml.safe_load((ROOT / "hardware/felt.yaml").read_text(encoding="utf-8"))
PLACES = places(FELT)
PAIRS = list(combinations(PLACES, 2))
RING, CHIP, COIL = FELT["circle"], FELT["chip"], FELT["antenna"]


def apart(one: tuple[int, str], other: tuple[int, str]) -> float:
    return dist(PLACES[one], PLACES[other])


def test_every_seat_has_every_wager_once() -> None:
    assert set(PLACES) == {(seat, str(wager)) for seat in range(1, 7) for wager in Wager}


def test_seats_are_counted_from_the_dealer_s_left() -> None:
    """The pin map counts them in the same way; x increases toward the dealer's right."""
    middles = [PLACES[seat, "middle"][0] for seat in range(1, 7)]
    assert middles == sorted(middles)


def test_a_chip_lies_in_one_circle() -> None:
    assert all(apart(*pair) > RING + CHIP / 2 for pair in PAIRS)


def test_wherever_a_chip_lies_in_its_ring_its_middle_is_over_the_coil() -> None:
    assert (RING - CHIP) / 2 <= COIL / 2


def test_a_chip_of_a_neighbour_s_is_a_coil_s_width_from_the_edge_of_the_coil() -> None:
    for pair in PAIRS:
        assert apart(*pair) - RING / 2 - COIL / 2 >= COIL, pair


@pytest.mark.parametrize("rule", ["all", "odd_even"])
def test_fields_that_are_on_at_one_time_are_three_coils_apart(rule: SlotRule) -> None:
    for slot in groups_of(sorted(PLACES), rule):
        assert all(apart(*pair) >= 3 * COIL for pair in combinations(slot, 2)), slot


def test_boards_do_not_lie_on_each_other() -> None:
    """Each board lies along the middle line of its seat, the antenna at the far end."""
    wide, long = FELT["board"]
    for (x, y), (x2, y2) in combinations([tuple(at) for at in FELT["circles"].values()], 2):
        assert abs(x - x2) >= wide or abs(y - y2) >= long


def test_every_ring_is_on_the_felt_and_outside_the_dealer_s_place() -> None:
    table = FELT["table"]
    for x, y in PLACES.values():
        assert table["dealer"] + RING / 2 < hypot(x, y) < table["edge"] - RING / 2 + 20
        assert y > RING / 2
