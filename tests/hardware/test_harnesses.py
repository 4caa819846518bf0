"""The harnesses join what the pin map, the netlists and the udev rules say."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
import yaml

from controller.game.model.names import Wager
from controller.settings.pin_map import read_pin_map
from drivers.pins.map import COLOURS, SERIAL_PINS, SPI_PINS
from hardware.papers.harness import wires
from hardware.papers.netlist import read
from tests.repository.house import ROOT

HARDWARE = ROOT / "hardware"
FILES = sorted((HARDWARE / "wiring").glob("*.yaml"))
PINS = read_pin_map(HARDWARE / "pins.yaml")
HEADER = {14: 8, 15: 10, 9: 21, 10: 19, 11: 23, 8: 24, 6: 31, 16: 36, 20: 38, 21: 40, 26: 37}
"""Where a BCM number is on the 40-pin header (Raspberry Pi documentation, GPIO and the 40-pin header)."""
GROUNDS, PI_3V3 = {6, 9, 14, 20, 25, 30, 34, 39}, {1, 17}


def harness(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((HARDWARE / f"wiring/{name}.yaml").read_text(encoding="utf-8"))
    return found


def label(of: dict[str, Any], node: str) -> str:
    """What is printed at a pin."""
    connector, _, pin = node.partition(".")
    here = of["connectors"][connector]
    return str(here["pinlabels"][here.get("pins", [*range(1, 99)]).index(int(pin))])


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_each_wire_is_there_and_used_once_but_for_a_common_ground(file: Any) -> None:
    of = harness(file.stem)
    used = Counter[str]()
    for row in of["connections"]:
        cable, wires = next(iter(row[1].items()))
        for pin in wires:
            low, _, high = str(pin).partition("-")
            used.update(f"{cable}.{wire}" for wire in range(int(low), int(high or low) + 1))
    counts = {name: each["wirecount"] for name, each in of["cables"].items()}
    there = {f"{name}.{wire}" for name, count in counts.items() for wire in range(1, count + 1)}
    assert set(used) == there
    shared = {wire for wire, times in used.items() if times > 1}
    assert shared <= ({"W1.1", "W1.16"} if file.stem == "seat_lamps" else set())


def test_the_header_is_wired_as_the_pin_map_says() -> None:
    of = harness("pi_header")
    joins = {label(of, far): near for near, far in wires(of) if far.startswith("KEYS")}
    for key, pin in PINS.keys.items():
        assert joins[key.replace("_", " ").upper()] == f"PI.{HEADER[pin]}"
    for number, text in zip(of["connectors"]["PI"]["pins"], of["connectors"]["PI"]["pinlabels"], strict=True):
        named = re.match(r"GPIO(\d+)", text)
        assert number == HEADER[int(named[1])] if named else number in (GROUNDS if text == "GND" else PI_3V3)


def test_the_lamp_board_s_plug_is_that_of_its_netlist() -> None:
    of, board = harness("pi_header"), read(HARDWARE / "lamp_board/netlist.yaml")
    select, miso, mosi, clock = SPI_PINS[PINS.spi_device]
    carries = {clock: "sclk_pi", mosi: "mosi_pi", miso: "miso", select: "ce0_pi", PINS.output_enable: "oe_pi"}
    by_header = {HEADER[pin]: net for pin, net in carries.items()}
    for near, far in wires(of):
        connector, _, way = far.partition(".")
        pin = int(near.partition(".")[2])
        if connector == "LAMPS":
            expected = by_header.get(pin, "gnd" if pin in GROUNDS else "3v3")
            assert board.net_of(f"J1.{way}") == expected, far


def test_fast_lines_are_short() -> None:
    """hardware/bringup.md, "What joins what": clock edges on ribbons."""
    assert harness("pi_header")["cables"]["W1"]["length"] <= 0.2
    assert harness("seat_board")["cables"]["W1"]["length"] <= 0.5
    assert {cable["length"] for cable in harness("seat_lines")["cables"].values()} == {0.5}


def test_the_shoe_is_on_the_serial_line() -> None:
    joins = dict(wires(harness("pi_header")))
    transmit, receive = (HEADER[pin] for pin in SERIAL_PINS)
    assert (joins[f"PI.{transmit}"], joins[f"PI.{receive}"]) == ("SHOE.1", "SHOE.2")


def test_each_lamp_is_at_the_way_of_the_ribbon_that_the_lamp_board_has() -> None:
    of, board = harness("seat_lamps"), read(HARDWARE / "lamp_board/netlist.yaml")
    for near, far in wires(of):
        lamp, end = far.partition(".")[0].lower(), label(of, far)
        way = near.partition(".")[2]
        for seat in range(1, 7):
            expected = "gnd" if end == "cathode" else f"{seat}.{lamp}.{end}"
            assert board.net_of(f"J{seat + 2}.{way}") == expected
    assert {far for _, far in wires(of)} == {f"{w.upper()}.{n}" for w in Wager for n in (1, 2, 3)}
    assert len(COLOURS) == 2


def test_a_reader_s_ribbon_is_that_of_the_seat_board() -> None:
    of, board = harness("seat_board"), read(HARDWARE / "seat_board/netlist.yaml")
    nets = {"5.0V": "5v", "GND": "gnd", "MISO": "miso"}
    ends = {"SCK": "sck", "MOSI": "mosi", "SSEL": "cs_far", "IRQ": "irq", "RSTPDN": "reset_far"}
    for near, far in wires(of):
        if near.startswith("BOARD"):
            at, way = label(of, far), near.partition(".")[2]
            expected = nets.get(at) or f"ante_across.{ends[at]}"
            assert board.net_of(f"J1.{way}") == expected, at


def test_the_lines_of_a_seat_are_those_of_the_udev_rules() -> None:
    """Channel A of the first module is the circle that the rules name there; TXD goes to RXD."""
    of, rules = harness("seat_lines"), (HARDWARE / "99-crisscross.rules").read_text(encoding="utf-8")
    found = re.findall(r'KERNELS=="1-1\.1\.([12]):1\.(\d)", SYMLINK\+="crisscross/seat1_(\w+)"', rules)
    assert len(found) == 7
    joins = dict(wires(of))
    for board, channel, wager in found:
        letter = "ABCD"[int(channel)]
        labels = of["connectors"][f"BOARD{board}"]["pinlabels"]
        for sends, hears in (("TXD", "RXD"), ("RXD", "TXD")):
            far = joins[f"BOARD{board}.{labels.index(f'{letter} {sends}') + 1}"]
            assert (far.partition(".")[0], label(of, far)) == (wager.upper(), hears)
