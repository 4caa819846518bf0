"""Reads the pin map's file (`hardware/pins.yaml`) into the data that the drivers take.

All mistakes are reported at once as ``file:line: key: what is allowed``. This module opens no device and must
never guess a pin that the file does not name.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo

from controller.common.files.forms import Form, fit, validation_error, whole_number
from controller.common.files.mistakes import Mistakes
from controller.common.files.packaged import data_dir
from controller.common.files.yaml_lines import Lines, read_lines
from controller.game.model.names import SEATS, Wager
from drivers.pins.map import (
    CLOCK_PINS,
    COLOURS,
    OUTPUTS_PER_REGISTER,
    SERIAL_PINS,
    SPI_PINS,
    SPI_SELECTS,
    Output,
    PinMap,
)

_OUTPUTS = {
    f"{seat}.{wager}.{colour}": (seat, wager.value, colour)
    for seat in SEATS
    for wager in Wager
    for colour in COLOURS
}
AN_OUTPUT = (
    f"none, or seat.wager.colour with seat 1 to 6, wager {', '.join(Wager)}, colour {', '.join(COLOURS)}"
)


def _check_free(pin: int, info: ValidationInfo) -> int:
    taken_by = _owners(info).setdefault(pin, str(info.field_name))
    if taken_by != info.field_name:
        raise ValueError(f"pin {pin} is taken by {taken_by}; allowed: a free BCM number")
    return pin


def _takes_spi(device: int, info: ValidationInfo) -> int:
    _owners(info).update(dict.fromkeys((*SPI_PINS[device], *SPI_SELECTS), "the lamp chain's SPI"))
    return device


def _owners(info: ValidationInfo) -> dict[int, str]:
    """Return the owner of each pin assigned so far, by BCM number."""
    return cast("dict[int, str]", info.context)


def _output(word: object) -> Output | None:
    if word == "none":
        return None
    if not isinstance(word, str) or word not in _OUTPUTS:
        raise ValueError(f"{word}; allowed: {AN_OUTPUT}")
    return _OUTPUTS[word]


_PinNumber = Annotated[int, whole_number(2, 27), AfterValidator(_check_free)]
Register = Annotated[
    list[Annotated[Output | None, BeforeValidator(_output)]],
    Field(min_length=OUTPUTS_PER_REGISTER, max_length=OUTPUTS_PER_REGISTER),
]


def _each_once(registers: list[Register]) -> list[Register]:
    """Check that each output is listed once, and that each circle has both colours."""
    seen: set[Output] = set()
    mistakes: list[tuple[tuple[int, ...], str]] = []
    for at, register in enumerate(registers):
        for place, output in enumerate(register):
            if output in seen:
                mistakes.append(((at, place), f"{_name(output)} stands here a second time; once is allowed"))
            elif output:
                seen.add(output)
    whole_circles = {(seat, wager, colour) for seat, wager, _ in seen for colour in COLOURS}
    mistakes += [
        ((), f"{_name(output)} is missing; a circle has green and red")
        for output in sorted(whole_circles - seen)
    ]
    if mistakes:
        raise validation_error(mistakes)
    return registers


def _name(output: Output) -> str:
    return ".".join(map(str, output))


class Lamps(Form):
    spi_port: Literal[0]
    spi_device: Annotated[int, whole_number(0, 1), AfterValidator(_takes_spi)]
    output_enable: _PinNumber
    way_back: bool
    registers: Annotated[list[Register], Field(min_length=1), AfterValidator(_each_once)] = Field(
        description="a list of registers, nearest the Pi first, each a list of eight outputs, QA to QH"
    )


class KeyPins(Form):
    no_more_bets: _PinNumber
    confirm: _PinNumber
    fold: _PinNumber
    floor: _PinNumber


class KeySection(Form):
    debounce_ms: Annotated[int, whole_number(0, 200)]
    stuck_after_s: Annotated[int, whole_number(2, 600)]
    pins: KeyPins


class PinsFile(Form):
    """Content of the file. The lamps are first: their SPI takes its pins before the keys are checked."""

    lamps: Lamps
    keys: KeySection


class _LampsOnly(Form):
    lamps: Lamps


def _reserved() -> dict[int, str]:
    """Return the pins that no key and no lamp may have, with their owners."""
    shoe, clock = "the shoe's serial line", "the clock's I2C"
    return dict.fromkeys(SERIAL_PINS, shoe) | dict.fromkeys(CLOCK_PINS, clock)


def shipped_pin_map() -> Path:
    """Return the pin map file of the program, used by a table file that names none."""
    return data_dir("hardware") / "pins.yaml"


def read_pin_map(path: Path) -> PinMap:
    """Return the pin map. Raises Mistakes listing all mistakes in the file."""
    found = read_lines(path)
    file = fit(PinsFile, found, _reserved())
    if file is None or found.mistakes:
        raise Mistakes(found.report())
    keys = file.keys
    return PinMap(
        keys=keys.pins.model_dump(),
        debounce_s=keys.debounce_ms / 1000,
        stuck_after_s=float(keys.stuck_after_s),
        **_chain(file.lamps),
    )


def read_lamp_map(path: Path) -> PinMap:
    """Return the pin map with the lamps of this file and the keys of the shipped one: for `lamps-off`, which
    needs no key. Raises Mistakes listing all mistakes of `lamps`.
    """
    found = read_lines(path)
    if found.data is not None:
        found = Lines(found.file, {key: found.data[key] for key in found.data if key == "lamps"}, found.lines)
    file = fit(_LampsOnly, found, _reserved())
    if file is None:
        raise Mistakes(found.report())
    return replace(read_pin_map(shipped_pin_map()), **_chain(file.lamps))


def _chain(lamps: Lamps) -> dict[str, Any]:
    """Return the fields of a `PinMap` that describe the lamp chain."""
    outputs = chain.from_iterable(lamps.registers)
    return {
        "spi_port": lamps.spi_port,
        "spi_device": lamps.spi_device,
        "output_enable": lamps.output_enable,
        "registers": len(lamps.registers),
        "way_back": lamps.way_back,
        "bits": {output: bit for bit, output in enumerate(outputs) if output is not None},
    }
