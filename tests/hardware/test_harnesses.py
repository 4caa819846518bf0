"""The harnesses agree with the pin map, the netlists and the udev rules."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
import yaml

from controller.game.model.names import Wager
from controller.settings.pin_map import read_pin_map
from drivers.chips.feig import OUTPUT_OF
from drivers.pins.map import COLOURS
from hardware.papers.harness import wires
from hardware.papers.netlist import read
from tests.repository.house import ROOT

HARDWARE = ROOT / "hardware"
FILES = sorted((HARDWARE / "wiring").glob("*.yaml"))
PINS = read_pin_map(HARDWARE / "pins.yaml")


def harness(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((HARDWARE / f"wiring/{name}.yaml").read_text(encoding="utf-8"))
    return found


def label(of: dict[str, Any], node: str) -> str:
    """Return the label of the pin `node` (``CONNECTOR.PIN``) in a harness."""
    connector, _, pin = node.partition(".")
    here = of["connectors"][connector]
    return str(here["pinlabels"][here.get("pins", [*range(1, 99)]).index(int(pin))])


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_each_wire_exists_and_is_used_once_except_for_common_ground(file: Any) -> None:
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


def test_the_pi_s_board_is_wired_as_its_netlist_and_the_pin_map_say() -> None:
    of, board = harness("pi_board"), read(HARDWARE / "pi_board/netlist.yaml")
    for near, far in wires(of):
        assert label(of, near).lower() in {label(of, far).lower(), "3v3"}
        if near.startswith("J3."):
            key = label(of, near).replace(" ", "_").lower()
            assert board.net_of(near) == ("gnd" if key == "gnd" else f"{key}_far")
    assert {label(of, f"J3.{way}").replace(" ", "_").lower() for way in range(1, 5)} == set(PINS.keys)


def test_the_plugs_of_the_pi_s_board_and_of_the_lamp_board_join_the_same_lines() -> None:
    ours, lamps = (read(HARDWARE / f"{name}/netlist.yaml") for name in ("pi_board", "lamp_board"))
    for way in range(1, 11):
        assert lamps.net_of(f"J1.{way}").removesuffix("_pi") == ours.net_of(f"J2.{way}")


def ends(of: dict[str, Any], start: str) -> set[str]:
    """Return every point that conductors join to `start`, directly or through the terminals of the mains."""
    joins = [*wires(of), *((far, near) for near, far in wires(of))]
    found, new = set[str](), {start}
    while new:
        found |= new
        reached = {far for near, far in joins if near in new}
        terminals = {node.partition(".")[0] for node in reached | new} & {"L", "N", "PE"}
        new = (reached | {f"{name}.{pin}" for name in terminals for pin in range(1, 5)}) - found
    return found


def test_mains_reaches_both_supplies_and_earth_the_frame_and_the_star() -> None:
    of = harness("power")
    assert {"PSU.1", "PI_PSU.1"} <= ends(of, "INLET.1")
    assert {"PSU.2", "PI_PSU.2"} <= ends(of, "INLET.2")
    assert {"FRAME.1", "STAR_GND.11"} <= ends(of, "INLET.3")
    assert not ends(of, "INLET.1") & (ends(of, "INLET.2") | ends(of, "INLET.3"))


def test_a_clamp_holds_one_wire() -> None:
    """Only the frame terminal, a screw, may hold several wires."""
    of = harness("power")
    used = Counter(node for wire in wires(of) for node in wire if not node.startswith("FRAME"))
    assert set(used.values()) == {1}


def test_the_wiring_of_the_supplies_is_in_the_parts_list() -> None:
    text = (HARDWARE / "parts.yaml").read_text(encoding="utf-8")
    types = " ".join(each["type"] for each in harness("power")["connectors"].values())
    for number in re.findall(r"(?:WAGO|Schurter|MEAN WELL) [\w.-]+", types):
        assert f'order: "{number}"' in text, number


def test_fast_lines_are_short() -> None:
    """Clock edges need short ribbon cables (hardware/bringup.md, "What joins what")."""
    assert harness("pi_board")["cables"]["W1"]["length"] <= 0.2
    assert harness("seat_board")["cables"]["W1"]["length"] <= 0.5
    assert {cable["length"] for cable in harness("seat_lines")["cables"].values()} == {0.5}


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
    """Channel A of the first module is the circle that the rules name there. TXD must be joined to RXD."""
    of, rules = harness("seat_lines"), (HARDWARE / "99-crisscross.rules").read_text(encoding="utf-8")
    found = re.findall(r'KERNELS=="1-1\.1\.([12]):1\.(\d)", SYMLINK\+="crisscross/seat1_(\w+)"', rules)
    assert len(found) == 7
    joins = dict(wires(of))
    for board, channel, wager in found:
        letter = "ABCD"[int(channel)]
        labels = of["connectors"][f"BOARD{board}"]["pinlabels"]
        for sends, receives in (("TXD", "RXD"), ("RXD", "TXD")):
            far = joins[f"BOARD{board}.{labels.index(f'{letter} {sends}') + 1}"]
            assert (far.partition(".")[0], label(of, far)) == (wager.upper(), receives)


def test_each_output_of_a_multiplexer_leads_to_the_circle_that_the_driver_reads_there() -> None:
    of = harness("seat_feig")
    joined = dict(wires(of))
    for circle, output in OUTPUT_OF.items():
        assert joined[f"OUT{output}.1"] == f"{circle.upper()}.1"
    assert f"OUT{len(OUTPUT_OF) + 1}.1" not in joined
    ends = [(label(of, near), label(of, far)) for near, far in joined.items()]
    assert [pair for pair in ends if "TXD" in pair] == [("RXD", "TXD"), ("TXD", "RXD")]
