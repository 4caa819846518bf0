"""The netlist of the lamp board has the chain with its read-back, and each output on its lamp.

The lamps are dark while the Pi boots or has no supply.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import pytest

from controller.game.model.names import Wager
from controller.settings.pin_map import read_pin_map
from drivers.pins.map import COLOURS
from hardware.papers.checks import faults
from hardware.papers.netlist import read
from tests.hardware.nets import beyond
from tests.repository.house import ROOT

BOARD = read(ROOT / "hardware/lamp_board/netlist.yaml")
PINS = read_pin_map(ROOT / "hardware/pins.yaml")
CHAIN = [f"U{number}" for number in range(1, PINS.registers + 1)]
net_of, net_beyond = BOARD.net_of, partial(beyond, BOARD)
SUPPLY_V, LED_V, PI_V = 5.25, 2.0, 3.6
BASE_V, GAIN = {True: 0.7, False: 0.55}, 40
"""Base voltage of the transistor: the most that it needs to conduct (True), and the least at which it
conducts (False); then its smallest gain."""


def test_every_pin_is_in_one_net_and_every_part_is_there() -> None:
    assert list(faults(BOARD)) == []


def test_each_register_feeds_the_next() -> None:
    for register, following in pairwise(CHAIN):
        assert net_of(f"{register}.QH'") == net_of(f"{following}.SER")
        assert len(BOARD.nets[net_of(f"{following}.SER")]) == 2


def test_the_read_back_reaches_the_pi_at_a_safe_level() -> None:
    """A divider makes 3.2 V of 5 V, and does not exceed the Pi's limit even with a supply of 5.25 V."""
    back = net_of(f"{CHAIN[-1]}.QH'")
    miso = net_beyond(f"{CHAIN[-1]}.QH'", "down")
    assert miso == net_of("J1.10")
    assert back != miso
    assert net_beyond("J1.10", "ground") == "gnd"
    above, below = BOARD.kinds["down"]["ohms"], BOARD.kinds["ground"]["ohms"]
    assert 2.0 < 4.75 * below / (above + below) <= SUPPLY_V * below / (above + below) < PI_V


def test_clock_data_latch_and_enable_come_through_a_gate_each() -> None:
    for gate, way, pin in ((1, 2, "SRCLK"), (2, 4, "SER"), (3, 6, "RCLK"), (4, 8, "OE")):
        assert net_of(f"J1.{way}") == net_of(f"U12.{gate}A")
        reached = {at for at in BOARD.nets[net_of(f"U12.{gate}Y")] if at.endswith(f".{pin}")}
        assert reached == {f"{register}.{pin}" for register in (CHAIN[:1] if pin == "SER" else CHAIN)}
        assert net_of(f"U12.{gate}OE") == ("oe_gate" if gate == 4 else "gnd")


def test_a_lamp_board_that_no_pi_drives_is_dark() -> None:
    """A pin of the Pi that is an input leaves OE's gate with a high level; the gate of a Pi without supply is
    closed, and its output is pulled up."""
    assert net_beyond("U12.4A", "pull") == net_of("J1.9") == "3v3"
    assert net_beyond("U12.4Y", "pull") == net_beyond("U12.4OE", "pull") == "5v"
    assert {net_beyond(f"U12.{gate}A", "pull") for gate in (1, 2, 3)} == {"gnd"}
    assert {net_of(f"{register}.SRCLR") for register in CHAIN} == {"5v"}


@pytest.mark.parametrize(
    ("pi_v", "opens"),
    [
        pytest.param(3.135, True, id="supplied, 5 % low"),
        pytest.param(1.6, False, id="rising"),
        pytest.param(0.3, False, id="fed by the read-back alone"),
        pytest.param(0.0, False, id="off, or the ribbon unplugged"),
    ],
)
def test_the_gate_of_oe_opens_only_while_the_pi_gives_3_3_v(pi_v: float, opens: bool) -> None:
    """2N3904, onsemi 2N3904/D: its base needs 0.55 to 0.7 V for 0.5 mA, and its gain is at least 40."""
    assert net_of("Q1.C") == net_of("U12.4OE")
    assert (net_of("Q1.E"), net_beyond("Q1.B", "down")) == ("gnd", "gnd")
    assert net_beyond("Q1.B", "pull") == "3v3"
    above, below = BOARD.kinds["pull"]["ohms"], BOARD.kinds["down"]["ohms"]
    base = (pi_v - BASE_V[opens]) / above - BASE_V[opens] / below
    wanted = SUPPLY_V / BOARD.kinds["pull"]["ohms"] / GAIN
    assert base > wanted if opens else base <= 0


def test_between_two_lines_of_the_ribbon_to_the_pi_there_is_a_ground() -> None:
    assert {net_of(f"J1.{way}") for way in (1, 3, 5, 7)} == {"gnd"}


@pytest.mark.parametrize("output", PINS.bits, ids=lambda output: "-".join(map(str, output)))
def test_each_output_reaches_the_lamp_that_the_pin_map_says(output: tuple[int, str, str]) -> None:
    seat, wager, colour = output
    register, place = divmod(PINS.bits[output], 8)
    lamp = net_beyond(f"U{register + 1}.Q{'ABCDEFGH'[place]}", "lamp")
    way = 2 + 2 * list(Wager).index(Wager(wager)) + COLOURS.index(colour)
    assert lamp == net_of(f"J{seat + 2}.{way}") == f"{seat}.{wager}.{colour}"


def test_outputs_without_a_lamp_are_open() -> None:
    used = {f"U{bit // 8 + 1}.Q{'ABCDEFGH'[bit % 8]}" for bit in PINS.bits.values()}
    assert used.isdisjoint(BOARD.open)
    assert len(used) + len(BOARD.open) == 8 * PINS.registers


def test_no_register_exceeds_its_chip_s_current_limit() -> None:
    """The absolute maximum of an SN74HC595 is 70 mA through VCC or GND (SCLS041)."""
    lamp = (SUPPLY_V - LED_V) / BOARD.kinds["lamp"]["ohms"] * 1000
    assert 8 * lamp < BOARD.kinds["register"]["carries_ma"]


def test_each_chip_has_its_capacitor() -> None:
    beside = [part for part, kind in BOARD.parts.items() if kind == "beside"]
    assert len(beside) == len(CHAIN) + 1
    assert {(net_of(f"{part}.1"), net_of(f"{part}.2")) for part in beside} == {("5v", "gnd")}


def test_a_discharge_raises_the_supply_within_its_limit() -> None:
    """A person at 8 kV holds 1.2 µC (150 pF, IEC 61000-4-2), which the clamps send to the supply."""
    (supply,) = (kind for kind in BOARD.parts.values() if kind == "supply")
    assert 150e-12 * 8000 / BOARD.kinds[supply]["farads"] < 0.25
