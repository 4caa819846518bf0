"""The repository's pin map is complete, and every mistake in a pin map is reported with its line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.common.files.mistakes import Mistakes
from controller.game.model.names import SEATS, Circle, Key, Wager
from controller.settings.pin_map import read_pin_map
from drivers.pins.map import COLOURS, KEYS, PinMap

PINS_YAML = Path(__file__).parents[2] / "hardware" / "pins.yaml"
TEXT = PINS_YAML.read_text()


def mistakes(folder: Path, text: str) -> list[str]:
    """Return each mistake without the folder: `pins.yaml:line: key: what is allowed`."""
    file = folder / "pins.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(Mistakes) as caught:
        read_pin_map(file)
    return [line.removeprefix(f"{folder}/") for line in caught.value.lines]


def test_the_included_pin_map_has_a_lamp_for_every_circle_on_eleven_registers() -> None:
    pins = read_pin_map(PINS_YAML)
    assert pins.circles == {Circle(seat, wager) for seat in SEATS for wager in Wager}
    assert pins.registers == 11
    assert len(pins.bits) == 84
    assert sorted(pins.bits.values()) == list(range(84))
    assert set(pins.keys) == {key for key in Key if key is not Key.UNDO}


def test_the_driver_s_keys_equal_those_of_the_game() -> None:
    """The drivers must not import the game, so this test compares the two lists."""
    assert set(KEYS) == set(Key) - {Key.UNDO}


OUTPUT = "allowed: none, or seat.wager.colour with seat 1 to 6, wager ante_across"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("debounce_ms: 20", "debounce_ms: 500", "keys.debounce_ms: allowed: a whole number from 0 to 200"),
        ("debounce_ms: 20", "debounce_ms: quick", "keys.debounce_ms: allowed: a whole number from 0 to 200"),
        ("debounce_ms: 20", "debounce: 20", "keys.debounce: unknown key; allowed: debounce_ms"),
        ("floor: 26", "floor: 16", "keys.pins.floor: pin 16 is taken by no_more_bets; allowed: a free BCM"),
        ("floor: 26", "floor: 9", "keys.pins.floor: pin 9 is taken by the lamp chain's SPI"),
        ("floor: 26", "floor: 7", "keys.pins.floor: pin 7 is taken by the lamp chain's SPI"),
        ("floor: 26", "floor: 3", "keys.pins.floor: pin 3 is taken by the clock's I2C"),
        ("floor: 26", "floor: 14", "keys.pins.floor: pin 14 is taken by the shoe's serial line"),
        ("floor: 26", "floor: 28", "keys.pins.floor: allowed: a whole number from 2 to 27"),
        ("floor: 26", "floor: '26'", "keys.pins.floor: allowed: a whole number from 2 to 27"),
        ("floor: 26", "floor: true", "keys.pins.floor: allowed: a whole number from 2 to 27"),
        ("confirm: 20", "confirm: 6", "keys.pins.confirm: pin 6 is taken by output_enable"),
        ("spi_port: 0", "spi_port: 1", "lamps.spi_port: allowed: 0"),
        ("spi_device: 0", "spi_device: 2", "lamps.spi_device: allowed: a whole number from 0 to 1"),
        ("1.across.red", "1.across.blue", f"lamps.registers.0.5: 1.across.blue; {OUTPUT}"),
        ("1.across.red", "7.across.red", f"lamps.registers.0.5: 7.across.red; {OUTPUT}"),
        ("1.across.red", "1.across.green", "lamps.registers.0.5: 1.across.green stands here a second time"),
    ],
)
def test_a_mistake_is_reported_with_its_line_and_the_allowed_values(
    tmp_path: Path, old: str, new: str, expected: str
) -> None:
    line = TEXT[: TEXT.index(old)].count("\n") + 1
    found = mistakes(tmp_path, TEXT.replace(old, new, 1))
    assert any(each.startswith(f"pins.yaml:{line}: {expected}") for each in found), found


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("floor: 26", "fold: 22", "keys.pins.fold: stands twice; once is allowed"),
        ("    floor: 26\n", "", "keys.pins.floor: missing; it must be given"),
        ("1.across.red", "none", "lamps.registers: 1.across.red is missing; a circle has green and red"),
        ("1.across.red, ", "", "lamps.registers.0: allowed: a list of registers"),
    ],
)
def test_missing_and_superfluous_entries_are_reported(
    tmp_path: Path, old: str, new: str, expected: str
) -> None:
    found = mistakes(tmp_path, TEXT.replace(old, new, 1))
    assert any(expected in each for each in found), found


def test_all_mistakes_are_reported_together(tmp_path: Path) -> None:
    text = TEXT.replace("debounce_ms: 20", "debounce_ms: -1").replace("fold: 21", "fold: x")
    text = text.replace("output_enable: 6", "output_enable: 8")
    assert len(mistakes(tmp_path, text.replace("2.middle.red", "2.middle.pink"))) == 4


@pytest.mark.parametrize("text", ["", "[]", "3", "keys: 1\nlamps: []\n", "keys: [\n", "a: &a [*a]\n"])
def test_a_file_that_is_no_pin_map_is_refused(tmp_path: Path, text: str) -> None:
    assert all(line.startswith("pins.yaml:") for line in mistakes(tmp_path, text))


def test_a_missing_pin_map_is_reported(tmp_path: Path) -> None:
    with pytest.raises(Mistakes, match=r"nowhere\.yaml:1: cannot be read"):
        read_pin_map(tmp_path / "nowhere.yaml")


OUTPUTS = [(seat, wager, colour) for seat in range(1, 7) for wager in Wager for colour in COLOURS]


def written(pins: PinMap) -> str:
    """Return the text of a pin map file with these pins."""
    names = {bit: f"{seat}.{wager}.{colour}" for (seat, wager, colour), bit in pins.bits.items()}
    rows = [[names.get(at * 8 + output, "none") for output in range(8)] for at in range(pins.registers)]
    keys = {"debounce_ms": round(pins.debounce_s * 1000), "stuck_after_s": 10, "pins": pins.keys}
    lamps = {"spi_port": 0, "spi_device": 0, "output_enable": 6, "way_back": True, "registers": rows}
    return yaml.safe_dump({"keys": keys, "lamps": lamps})


@settings(deadline=None)
@given(st.permutations(OUTPUTS), st.integers(0, 200))
@pytest.mark.slow
def test_written_values_are_read_back(
    tmp_path_factory: pytest.TempPathFactory, order: list[tuple[int, str, str]], debounce_ms: int
) -> None:
    bits = {output: bit for bit, output in enumerate(order)}
    pins = replace(read_pin_map(PINS_YAML), bits=bits, debounce_s=debounce_ms / 1000)
    file = tmp_path_factory.getbasetemp() / "written.yaml"
    file.write_text(written(pins), encoding="utf-8")
    assert read_pin_map(file) == pins
