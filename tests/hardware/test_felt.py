"""The felt meets the requirements of chips and antennas (hardware/FACTS.md, "Forty-two readers on one
Pi").
"""

from __future__ import annotations

from itertools import combinations
from math import dist, hypot
from typing import Any

import pytest
import yaml

from controller.game.model.names import Wager
from drivers.chips.kinds import READER_KINDS
from drivers.chips.schedule import SlotRule, groups_of
from hardware.papers.felt import drawings, places
from tests.repository.house import ROOT

FELT: dict[str, Any] = yaml.safe_load((ROOT / "hardware/felt.yaml").read_text(encoding="utf-8"))
PLACES = places(FELT)
PAIRS = list(combinations(PLACES, 2))
RING, CHIP = FELT["circle"], FELT["chip"]
READERS: dict[str, dict[str, Any]] = FELT["readers"]
COILS = pytest.mark.parametrize("coil", [of["antenna"] for of in READERS.values()], ids=list(READERS))


def apart(one: tuple[int, str], other: tuple[int, str]) -> float:
    return dist(PLACES[one], PLACES[other])


def test_every_seat_has_every_wager_once() -> None:
    assert set(PLACES) == {(seat, str(wager)) for seat in range(1, 7) for wager in Wager}


def test_seats_are_counted_from_the_dealer_s_left() -> None:
    """The pin map counts the seats in the same way. On the felt, x increases toward the dealer's right."""
    middles = [PLACES[seat, "middle"][0] for seat in range(1, 7)]
    assert middles == sorted(middles)


def test_a_chip_lies_in_one_circle() -> None:
    assert all(apart(*pair) > RING + CHIP / 2 for pair in PAIRS)


def test_each_kind_of_reader_has_its_antenna_in_a_drawing() -> None:
    assert set(READERS) == set(READER_KINDS)
    for drawing, kinds in drawings(FELT).items():
        assert f"readers: {', '.join(kinds)}<" in (ROOT / f"hardware/{drawing}.svg").read_text(
            encoding="utf-8"
        )


@COILS
def test_wherever_a_chip_lies_in_its_ring_its_middle_is_over_the_coil(coil: int) -> None:
    assert coil / 2 >= (RING - CHIP) / 2


@COILS
def test_a_chip_of_a_neighbour_s_is_a_coil_s_width_from_the_edge_of_the_coil(coil: int) -> None:
    for pair in PAIRS:
        assert apart(*pair) - RING / 2 - coil / 2 >= coil, pair


@COILS
@pytest.mark.parametrize("rule", ["all", "odd_even"])
def test_fields_that_are_on_at_one_time_are_three_coils_apart(rule: SlotRule, coil: int) -> None:
    for slot in groups_of(sorted(PLACES), rule):
        assert all(apart(*pair) >= 3 * coil for pair in combinations(slot, 2)), slot


def test_fields_that_stay_on_at_two_seats_are_two_and_a_half_loops_apart() -> None:
    """The field of a FEIG reader stays on at the circle that was read last. This is the exception to the rule
    of three coils."""
    loop = READERS["feig_mux"]["antenna"]
    of_two_seats = [pair for pair in PAIRS if pair[0][0] != pair[1][0]]
    assert all(apart(*pair) >= 2.5 * loop for pair in of_two_seats)


def test_the_ordered_loop_and_its_ferrite_have_the_size_of_the_drawing() -> None:
    parts = yaml.safe_load((ROOT / "hardware/parts.yaml").read_text(encoding="utf-8"))["groups"]
    listed = " ".join(part["what"] for group in parts.values() for part in group)
    loop = READERS["feig_mux"]
    assert f"loop antenna {loop['antenna']} mm" in listed
    assert f"ferrite sheet {' x '.join(map(str, loop['board']))} mm" in listed


@pytest.mark.parametrize("kind", READERS)
def test_boards_do_not_lie_on_each_other(kind: str) -> None:
    """Each board lies along the middle line of its seat."""
    wide, long = READERS[kind]["board"]
    for (x, y), (x2, y2) in combinations([tuple(at) for at in FELT["circles"].values()], 2):
        assert abs(x - x2) >= wide or abs(y - y2) >= long


def test_every_ring_is_on_the_felt_and_outside_the_dealer_s_place() -> None:
    table = FELT["table"]
    for x, y in PLACES.values():
        assert table["dealer"] + RING / 2 < hypot(x, y) < table["edge"] - RING / 2 + 20
        assert y > RING / 2
