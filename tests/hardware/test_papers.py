"""Tables, netlists and drawings agree with their data; `make drawings` writes them."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from controller.settings.pin_map import read_pin_map
from hardware.papers import harness, netlist, parts
from hardware.papers.__main__ import BOARDS, HERE, papers

DATA: dict[str, Any] = yaml.safe_load((HERE / "parts.yaml").read_text(encoding="utf-8"))
ALL = [part for group in DATA["groups"].values() for part in group]
HARNESSES = sorted((HERE / "wiring").glob("*.yaml"))
NETLISTS = {name: netlist.read(HERE / name / "netlist.yaml") for name in BOARDS}
IN_A_TABLE = {"seat_board": 6, "lamp_board": 1, "pi_board": 1}
NUMBER = re.compile(r"any\b|\w[\w -]+ \S*\d\S*$|(FTDI|FEIG) ")
PRINTED = papers()


@pytest.mark.parametrize("path", PRINTED, ids=[path.name for path in PRINTED])
def test_printed_tables_and_netlists_agree_with_the_data(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == PRINTED[path]()


@pytest.mark.parametrize("file", HARNESSES, ids=[file.stem for file in HARNESSES])
def test_each_harness_has_been_drawn_since_it_was_changed(file: Path) -> None:
    drawn = file.with_suffix(".svg").read_text(encoding="utf-8")
    assert drawn.startswith(harness.mark(file)), "make drawings"
    wires = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert {name for name in wires["connectors"] if f">{name}<" not in drawn} <= {"FRAME"}


@pytest.mark.parametrize("path", sorted(HERE.rglob("*.svg")), ids=lambda path: path.stem)
def test_a_drawing_is_whole_and_small(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.rstrip().endswith("</svg>")
    assert "<image" not in text
    assert path.stat().st_size < 100_000


# ----------------------------------------------------------------------------------- parts


def test_every_part_has_a_number_to_order() -> None:
    for part in ALL:
        assert part["order"] == "as fitted" or NUMBER.match(part["order"]), part
        assert ("cents" in part) != ("quoted" in part), "a price, or a maker who is asked for it"
        assert part.get("cents", 1) > 0
        assert isinstance(part.get("cents", 1), int)
        assert sum(parts.number(part, board) for board in parts.BOARDS)


@pytest.mark.parametrize("name", BOARDS)
def test_the_parts_list_orders_what_the_boards_need(name: str) -> None:
    listed = {(part["what"], part["order"]): parts.number(part, "pi4") for part in ALL}
    board = NETLISTS[name]
    for kind, count in Counter(board.parts.values()).items():
        of = board.kinds[kind]
        assert listed[of["what"], of["order"]] == IN_A_TABLE[name] * count, kind


def test_the_parts_suffice_for_the_pin_map() -> None:
    pins = read_pin_map(HERE / "pins.yaml")
    count = {part["what"]: part["number"] for part in ALL}
    assert count["shift register 74HC595, DIP-16"] == pins.registers
    assert count["resistor 470 Ω, 0.25 W"] == len(pins.bits)
    assert count["two-colour LED, red and green, common cathode, 5 mm"] == len(pins.circles)
    assert count["push-button, normally open, 30 mm"] == len(pins.keys)


def test_the_plugs_that_a_hand_can_reach_are_named() -> None:
    """`checks.faults` requires a clamp on each of their lines: the lamps of six seats, the keys, the shoe."""
    reachable = {name: board.reachable for name, board in NETLISTS.items()}
    seats = tuple(part for part, kind in NETLISTS["lamp_board"].parts.items() if kind == "to_seat")
    assert reachable == {"seat_board": (), "lamp_board": seats, "pi_board": ("J2", "J3", "J4")}


@pytest.mark.parametrize("kind", parts.READER_KINDS)
@pytest.mark.parametrize("board", parts.BOARDS)
def test_a_table_has_a_board_a_reader_for_each_circle_and_a_hub(kind: str, board: str) -> None:
    parts_for = [part["what"] for part in parts.parts_for(DATA, kind) if parts.number(part, board)]
    assert sum(what.startswith("Raspberry Pi ") and "GB" in what for what in parts_for) == 1
    single = ("PN532 b", "loop antenna")
    readers = [part for part in parts.parts_for(DATA, kind) if part["what"].startswith(single)]
    assert sum(parts.number(part, board) for part in readers if part["order"] != "as fitted") == 42
    assert sum(what.startswith("USB 2.0 hub") for what in parts_for) == 1


def test_the_ordered_casino_reader_is_the_one_whose_configuration_the_driver_sets() -> None:
    page = (HERE.parent / "drivers/chips/FEIG.md").read_text(encoding="utf-8")
    (model,) = re.findall(r"block and byte numbers are the SDK's map of the (\w+) \[SDK \1\]", page)
    (part,) = [part for part in ALL if part["what"].startswith("HF reader for ISO/IEC 15693")]
    assert part["order"] == f"FEIG ID ISC.{model}"
    seat = yaml.safe_load((HERE / "wiring/seat_feig.yaml").read_text(encoding="utf-8"))["connectors"]
    assert {seat[end]["type"] for end in ("READER", "ANTENNA")} == {part["order"]}


def test_parts_without_a_price_are_named_beside_the_cost_that_leaves_them_out() -> None:
    (row,) = [line for line in parts.markdown(DATA).splitlines() if line.startswith("| `feig_mux`: a part")]
    left_out = [part["what"] for part in ALL if "quoted" in part]
    assert "antenna multiplexer, eight outputs" in left_out
    assert [what for what in left_out if what not in row] == []


@pytest.mark.parametrize("rail", DATA["rails"])
@pytest.mark.parametrize("kind", parts.READER_KINDS)
@pytest.mark.parametrize("board", parts.BOARDS)
def test_no_supply_is_overloaded(rail: str, kind: str, board: str) -> None:
    of = DATA["rails"][rail]
    carried = parts.carried_ma(of, board, kind)
    assert 0 < carried <= 0.75 * of["gives_ma"][board], "a closed table is warm"
    assert carried + parts.charging_ma(of, kind) <= of["gives_ma"][board]


def test_the_currents_of_the_supplies_are_those_of_the_boards() -> None:
    loads = {load["what"]: load for load in DATA["rails"]["table"]["loads"]}
    current = {what: load["ma"] for what, load in loads.items()}
    seat, lamps = NETLISTS["seat_board"].kinds, NETLISTS["lamp_board"].kinds
    idle, field, pico = seat["reader"]["draws_ma"], seat["reader"]["field_ma"], seat["pico"]["draws_ma"]
    assert current["the readers of six seat boards"] == 6 * (6 * idle + field)
    assert current["six Picos, through the hub"] >= 6 * (pico + 7 * seat["hold"]["draws_ma"])
    assert current["36 readers idle"] == 36 * idle
    assert current["six readers with their field on"] == 6 * field
    assert abs(current["84 lamp outputs, all amber"] - 84 * 3.0 / lamps["lamp"]["ohms"] * 1000) < 5
    board = NETLISTS["seat_board"]
    of_a_seat = sum(board.kinds[kind].get("farads", 0) for kind in board.parts.values())
    assert loads["the readers of six seat boards"]["uf"] == round(6 * of_a_seat * 1e6)
