"""Pins that `lamps-off` reads from a table file with mistakes, or without a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.common.files.packaged import data_dir
from controller.settings.lamp_pins import read_lamp_pins
from controller.settings.pin_map import read_pin_map

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


def test_a_table_without_pins_has_no_lamps(tmp_path: Path) -> None:
    (tmp_path / "table.yaml").write_text("table: X\n", encoding="utf-8")
    assert read_lamp_pins(tmp_path / "table.yaml") is None
