"""`lamps-off` finds its pins even if the table file has mistakes or is missing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from controller.common.files.packaged import data_dir
from controller.settings.lamp_pins import read_lamp_pins
from controller.settings.pin_map import read_pin_map
from tests.runtime.child import table_file

SHIPPED_MAP = read_pin_map(data_dir("hardware") / "pins.yaml")


@pytest.mark.parametrize(
    ("text", "factory", "mistake"),
    [
        ("pins: {factory: sim, socket: pins.sock}\njournal: j.db\nnosuch: 1\n", "sim", ""),
        ("pins: {factory: gpio}\n", "lgpio", ":1: pins.factory: "),
        ("table: X\npins:\n  factory: mock\n  wires: 1\n", "lgpio", ":4: "),
        ("table: X\npins:\n", "lgpio", ":2: pins: allowed: "),
        ("pins: {factory: mock, map: none.yaml}\n", "mock", "none.yaml:1: cannot be read"),
        ("pins: {factory: mock\nrules: [", "lgpio", ":2: no YAML"),
        ("", "lgpio", ":1: the file is empty"),
        ("{}\n", "lgpio", "the daemon refuses it"),
        ("table: X\njournal: j.db\n", "lgpio", "the daemon refuses it"),
        ('pins: {factory: mock}\njournal: "j\\0.db"\n', "mock", ""),
    ],
)
def test_with_any_mistake_lamps_off_finds_its_pins(
    tmp_path: Path, text: str, factory: str, mistake: str
) -> None:
    file = tmp_path / "table.yaml"
    file.write_text(text, encoding="utf-8")
    pins = read_lamp_pins(file)
    assert pins is not None
    assert (pins.factory, pins.pin_map) == (factory, SHIPPED_MAP)
    assert mistake in "\n".join(pins.mistakes)
    assert bool(mistake) == bool(pins.mistakes)


def test_without_a_table_file_the_pins_are_those_of_the_package(tmp_path: Path) -> None:
    pins = read_lamp_pins(tmp_path / "none.yaml")
    assert pins is not None
    assert (pins.factory, pins.pin_map, pins.journal) == ("lgpio", SHIPPED_MAP, None)
    assert pins.mistakes == (f"{tmp_path / 'none.yaml'}:1: cannot be read: No such file or directory",)


TABLE = (data_dir("config") / "table.yaml").read_text(encoding="utf-8")


def test_a_table_without_pins_has_no_lamps(tmp_path: Path) -> None:
    assert read_lamp_pins(table_file(tmp_path)) is None
    assert read_lamp_pins(table_file(tmp_path, mock={"control": "c.sock"}, sign_on=False)) is None


@pytest.mark.parametrize(
    "text",
    [
        TABLE[: TABLE.index("\npins:")],
        TABLE[: TABLE.index("\nreaders:")],
        TABLE.replace("\npins:", "\npin:"),
        TABLE.replace("\npins:", "\nPins:"),
        TABLE.replace("\npins:", "\n  pins:").replace("\n  factory", "\n    factory"),
    ],
)
def test_a_table_file_that_lacks_its_pins_by_a_mistake_has_those_of_the_package(
    tmp_path: Path, text: str
) -> None:
    file = tmp_path / "table.yaml"
    file.write_text(text, encoding="utf-8")
    pins = read_lamp_pins(file)
    assert pins is not None
    assert (pins.factory, pins.pin_map) == ("lgpio", SHIPPED_MAP)
    assert [line.partition(", and ")[0] for line in pins.mistakes] == [f"{file}: has no section pins"]


def test_a_mistake_in_the_keys_of_a_pin_map_leaves_its_lamps(tmp_path: Path) -> None:
    own = (data_dir("hardware") / "pins.yaml").read_text(encoding="utf-8")
    own = own.replace("output_enable: 6", "output_enable: 12").replace("debounce_ms: 20", "debounce_ms: 2000")
    (tmp_path / "own.yaml").write_text(own, encoding="utf-8")
    (tmp_path / "table.yaml").write_text("pins: {factory: mock, map: own.yaml}\n", encoding="utf-8")
    pins = read_lamp_pins(tmp_path / "table.yaml")
    assert pins is not None
    assert pins.pin_map == replace(SHIPPED_MAP, output_enable=12)
    assert pins.mistakes == ()
