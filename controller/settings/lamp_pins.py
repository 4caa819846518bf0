"""Reads from the table file what `crisscross lamps-off` needs: the pins and the journal's name.

It runs after a daemon was killed, perhaps while a technician edits the table file. A mistake in the file must
never leave the lamps lit: other keys are ignored, and an invalid value is reported and replaced by the
default. A file without the key `pins` is a table without lamps only if the daemon accepts the file: a copy
that was cut off lacks the key too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.common.files.forms import Form, fit
from controller.common.files.mistakes import Mistakes
from controller.common.files.yaml_lines import Lines, read_lines
from controller.settings.config import load_config
from controller.settings.pin_map import read_lamp_map, read_pin_map, shipped_pin_map
from controller.settings.schema import PinsSection
from drivers.pins.map import PinMap

SHIPPED = PinsSection(factory="lgpio")


class _PinsOnly(Form):
    pins: PinsSection


@dataclass(frozen=True, slots=True)
class LampPins:
    """Pins of the lamps. `mistakes`: one line for each value that was replaced by the shipped one."""

    factory: str
    socket: Path | None
    pin_map: PinMap
    journal: Path | None
    mistakes: tuple[str, ...]


def read_lamp_pins(file: Path) -> LampPins | None:
    """Return the pins that a table file names, or None if its table has no pins."""
    found = read_lines(file)
    keys: Mapping[str, Any] = found.data if isinstance(found.data, dict) else {}
    if "pins" in keys:
        pins, mistakes = _pins(found, keys)
    elif mistakes := _why_without_pins(found):
        pins = SHIPPED
    else:
        return None
    pin_map, more = _pin_map(file.parent, pins)
    socket = file.parent / pins.socket if pins.socket else None
    journal = keys.get("journal")
    named = file.parent / journal if isinstance(journal, str) and "\0" not in journal else None
    return LampPins(pins.factory, socket, pin_map, named, (*mistakes, *more))


def _pins(found: Lines, keys: Mapping[str, Any]) -> tuple[PinsSection, Sequence[str]]:
    """Return the section `pins` of the table file and its mistakes. An invalid section is replaced by the
    shipped one."""
    section = Lines(found.file, {"pins": keys["pins"]}, found.lines)
    fitted = fit(_PinsOnly, section)
    return (fitted.pins, []) if fitted else (SHIPPED, section.report())


def _why_without_pins(found: Lines) -> Sequence[str]:
    """Return the mistake of a file that has no section `pins`; none if the daemon accepts the file."""
    if found.data is None:
        return found.report()
    try:
        load_config(Path(found.file), "mock" if "mock" in found.data else "real")
    except Mistakes as mistakes:
        return [f"{found.file}: has no section pins, and the daemon refuses it: {mistakes.lines[0]}"]
    return []


def _pin_map(folder: Path, pins: PinsSection) -> tuple[PinMap, Sequence[str]]:
    """Return the pin map named in the section and its mistakes. An invalid map is replaced by the shipped
    one."""
    try:
        return read_lamp_map(folder / pins.map if pins.map else shipped_pin_map()), []
    except Mistakes as mistakes:
        return read_pin_map(shipped_pin_map()), mistakes.lines
