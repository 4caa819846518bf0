"""The pin map as data: the repository's own is whole, and every mistake is named with its line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.game.model.names import SEATS, Circle, Key, Wager
from drivers.pins.map import COLOURS, KEYS, WAGERS, PinMapError, format_pin_map, load_pin_map, parse_pin_map

PINS_YAML = Path(__file__).parents[3] / "hardware" / "pins.yaml"
TEXT = PINS_YAML.read_text()


def mistakes(text: str) -> tuple[str, ...]:
    with pytest.raises(PinMapError) as caught:
        parse_pin_map(text, "pins.yaml")
    return caught.value.mistakes


def test_the_table_s_map_has_a_lamp_for_every_circle_on_eleven_registers() -> None:
    pins = load_pin_map(PINS_YAML)
    assert pins.circles == {Circle(seat, wager) for seat in SEATS for wager in Wager}
    assert pins.registers == 11
    assert len(pins.bits) == 84
    assert sorted(pins.bits.values()) == list(range(84))
    assert set(pins.keys) == {key for key in Key if key is not Key.UNDO}


def test_the_drivers_words_are_the_game_s() -> None:
    """drivers may not import the game, so a test holds the two lists together."""
    assert tuple(Wager) == WAGERS
    assert set(KEYS) == set(Key) - {Key.UNDO}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("debounce_ms: 20", "debounce_ms: 500", "keys.debounce_ms: 500; a whole number from 0 to 200"),
        ("debounce_ms: 20", "debounce_ms: quick", "keys.debounce_ms: quick; a whole number from 0 to 200"),
        ("debounce_ms: 20", "debounce: 20", "keys: debounce: unknown; allowed are debounce_ms"),
        ("floor: 26", "floor: 16", "keys.pins.floor: pin 16 is taken by keys.pins.no_more_bets"),
        ("floor: 26", "floor: 9", "keys.pins.floor: pin 9 is taken by the lamp chain's SPI"),
        ("floor: 26", "floor: 14", "keys.pins.floor: pin 14 is taken by the shoe's serial line"),
        ("floor: 26", "floor: 28", "keys.pins.floor: 28; a whole number from 2 to 27"),
        ("floor: 26", "floor: '26'", "keys.pins.floor: 26; a whole number"),
        ("floor: 26", "floor: 26\n    fold: 22", "keys.pins: fold: given twice"),
        (
            "output_enable: 6",
            "output_enable: 20",
            "lamps.output_enable: pin 20 is taken by keys.pins.confirm",
        ),
        ("spi_port: 0", "spi_port: 1", "lamps.spi_port: 1; 0 is allowed"),
        ("1.across.red", "1.across.blue", "lamps.registers.1: 1.across.blue; allowed is none, or"),
        ("1.across.red", "7.across.red", "lamps.registers.1: 7.across.red; allowed is none, or"),
        ("1.across.red", "1.across.green", "lamps.registers.1: 1.across.green stands here a second time"),
        ("1.across.red", "none", "lamps.registers: 1.across.red is missing"),
        ("1.across.red, ", "", "lamps.registers.1: a list of eight outputs, QA to QH"),
    ],
)
def test_a_mistake_is_named_with_its_line_and_what_is_allowed(old: str, new: str, expected: str) -> None:
    found = mistakes(TEXT.replace(old, new, 1))
    assert any(expected in text for text in found), found
    line = int(next(text for text in found if expected in text).split(":")[1])
    where = TEXT[: TEXT.index(old)].count("\n") + 1
    assert line in (where, where - 1, where + 1) or "is missing" in expected


def test_all_mistakes_come_at_once() -> None:
    text = TEXT.replace("debounce_ms: 20", "debounce_ms: -1").replace("fold: 21", "fold: x")
    assert len(mistakes(text.replace("2.middle.red", "2.middle.pink"))) == 4


@pytest.mark.parametrize("text", ["", "[]", "3", "keys: 1\nlamps: []\n", "keys: [\n", "a: &a [*a]\n"])
def test_what_is_no_pin_map_at_all_is_refused(text: str) -> None:
    assert all(line.startswith("pins.yaml:") for line in mistakes(text))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(PinMapError, match=r"nowhere\.yaml: cannot be read"):
        load_pin_map(tmp_path / "nowhere.yaml")


OUTPUTS = [(seat, wager, colour) for seat in range(1, 7) for wager in WAGERS for colour in COLOURS]


@given(st.permutations(OUTPUTS), st.integers(0, 200))
def test_what_was_written_is_read_back(order: list[tuple[int, str, str]], debounce_ms: int) -> None:
    bits = {output: bit for bit, output in enumerate(order)}
    pins = replace(load_pin_map(PINS_YAML), bits=bits, debounce_s=debounce_ms / 1000)
    assert parse_pin_map(format_pin_map(pins), "copy") == pins
