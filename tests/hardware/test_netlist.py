"""The netlist of the seat board is complete and gives each reader its own lines.

No field is on while the board boots, and the board stays within its supply.
"""

from __future__ import annotations

from functools import partial

import pytest

from controller.game.model.names import Wager
from hardware.papers.checks import faults
from hardware.papers.netlist import read
from hardware.seat_board import pins
from tests.hardware.nets import beyond
from tests.repository.house import ROOT

BOARD = read(ROOT / "hardware/seat_board/netlist.yaml")
KINDS, PARTS, NETS = BOARD.kinds, BOARD.parts, BOARD.nets
ON_A_PICO = {f"GP{number}" for number in (*range(23), 26, 27, 28)}
READERS = list(enumerate(pins.READERS, 1))
net_of, net_beyond = BOARD.net_of, partial(beyond, BOARD)


def test_every_pin_is_in_one_net_and_every_part_is_there() -> None:
    assert list(faults(BOARD)) == []


def test_the_pico_has_these_pins_and_the_firmware_uses_the_same() -> None:
    drawn = {node.partition(".")[2] for nodes in NETS.values() for node in nodes if node.startswith("U1.GP")}
    used = [pins.SCK, pins.MOSI, pins.MISO, *(pin for each in pins.READERS.values() for pin in each)]
    assert len(used) == len(set(used))
    assert set(used) == drawn
    assert drawn | {pins.LINE_TX, pins.LINE_RX} <= ON_A_PICO
    assert drawn.isdisjoint({pins.LINE_TX, pins.LINE_RX})
    assert list(pins.READERS) == [str(wager) for wager in Wager]


@pytest.mark.parametrize(("number", "circle"), READERS)
def test_each_reader_has_its_own_select_interrupt_and_reset(number: int, circle: str) -> None:
    select, interrupt, reset = pins.READERS[circle]
    assert net_beyond(f"J{number}.7", "series") == net_of(f"U1.{select}")
    assert net_of(f"J{number}.8") == net_of(f"U1.{interrupt}")
    assert net_beyond(f"J{number}.9", "series") == net_of(f"U1.{reset}")
    mine = {net_of(f"J{number}.{pin}") for pin in (7, 8, 9)}
    others = {net_of(f"J{other}.{pin}") for other, _ in READERS if other != number for pin in (7, 8, 9)}
    assert len(mine) == 3
    assert mine.isdisjoint(others)


@pytest.mark.parametrize(("number", "circle"), READERS)
def test_each_reader_is_on_the_bus_with_three_grounds_and_its_supply(number: int, circle: str) -> None:
    assert net_beyond(f"J{number}.3", "series") == net_of(f"U1.{pins.SCK}")
    assert net_beyond(f"J{number}.5", "series") == net_of(f"U1.{pins.MOSI}")
    assert net_of(f"J{number}.6") == net_of(f"U1.{pins.MISO}")
    assert {net_of(f"J{number}.{pin}") for pin in (2, 4, 10)} == {net_of("U1.GND")}
    assert net_of(f"J{number}.1") == net_beyond("J8.1", "fuse")


@pytest.mark.parametrize(("number", "circle"), READERS)
def test_an_undriven_reader_is_in_reset_and_not_selected(number: int, circle: str) -> None:
    select, _, reset = pins.READERS[circle]
    assert net_beyond(f"U1.{reset}", "hold") == net_of("U1.GND")
    assert net_beyond(f"U1.{select}", "pull") == net_of("U1.3V3")


def test_reset_is_low_even_against_a_breakout_s_own_pull_up() -> None:
    """A breakout board has 10 kΩ from RSTPDN to 3.3 V, and a PN532 reads up to 0.4 V as low."""
    holding = KINDS["hold"]["ohms"] + KINDS["series"]["ohms"]
    assert 3.3 * holding / (holding + 10_000) < 0.4


def test_supply_and_ground_are_not_joined() -> None:
    assert len({net_of("J8.1"), net_of("U1.3V3"), net_of("U1.GND"), net_of("J1.1")}) == 4


def test_a_seat_s_readers_stay_below_their_warm_fuse_s_current() -> None:
    """One field is on at a time, the other readers are idle. A closed table reaches 50 °C, where a resettable
    fuse holds less than at 23 °C, the temperature of its rating."""
    reader = KINDS["reader"]
    most = 6 * reader["draws_ma"] + reader["field_ma"]
    assert most <= KINDS["fuse"]["holds_ma"] * KINDS["fuse"]["hold_at_50c"]


def test_the_breakouts_capacitors_do_not_trip_the_fuse() -> None:
    """Charging from a stiff supply leaves in the fuse at most the heat that the capacitors store; the hold
    current produces as much in less than a tenth of a second."""
    farads = sum(KINDS[kind].get("farads", 0) for kind in PARTS.values())
    hold_a = KINDS["fuse"]["holds_ma"] * KINDS["fuse"]["hold_at_50c"] / 1000
    assert farads > 7e-5
    assert farads * 5.25**2 / 2 < hold_a**2 * KINDS["fuse"]["ohms"] * 0.1


def test_the_hub_supplies_only_the_pico() -> None:
    """A USB port must supply 10 µF behind its plug (USB 2.0, 7.2.4.1), and a low-power device takes 100
    mA."""
    assert "U1.VBUS" in BOARD.open
    resets = sum(KINDS[kind]["draws_ma"] for kind in PARTS.values() if kind == "hold")
    assert KINDS["pico"]["draws_ma"] + resets <= 100
