"""The pin map: which key hangs on which pin and which output of the lamp chain lights what.

Reads `hardware/pins.yaml`, the data of the wiring, and reports every mistake of the file at once as
``file:line: key: what is allowed``. It opens no device and must never guess a pin that the file
does not name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import yaml

from drivers.ports import CircleId

WAGERS = (
    "ante_across",
    "ante_down",
    "across",
    "down",
    "middle",
    "five_card_bonus",
    "six_card_bonus",
)
SEATS = range(1, 7)
COLOURS = ("green", "red")
KEYS = ("no_more_bets", "confirm", "fold", "floor")
OUTPUTS_PER_REGISTER = 8
SPI_PINS = {0: (8, 9, 10, 11), 1: (7, 9, 10, 11)}
"""BCM numbers that SPI port 0 takes with chip select 0 or 1 (gpiozero reserves MISO as well)."""
SERIAL_PINS = (14, 15)
"""TXD and RXD of the Pi's own UART: the shoe's line."""

Output: TypeAlias = tuple[int, str, str]
"""(seat, wager, colour)."""


class PinMapError(ValueError):
    """The pin map cannot be used; ``mistakes`` has one line for each mistake."""

    def __init__(self, mistakes: tuple[str, ...]) -> None:
        super().__init__("\n".join(mistakes))
        self.mistakes = mistakes


@dataclass(frozen=True, slots=True)
class PinMap:
    """A checked pin map. ``bits``: 0 is output QA of the register nearest the Pi, 8 QA of the next."""

    keys: Mapping[str, int]
    debounce_s: float
    stuck_after_s: float
    spi_port: int
    spi_device: int
    output_enable: int
    registers: int
    bits: Mapping[Output, int]

    @property
    def circles(self) -> frozenset[CircleId]:
        """The circles that have a lamp."""
        return frozenset((seat, wager) for seat, wager, _ in self.bits)


def load_pin_map(path: Path) -> PinMap:
    """Read and check a pin map; raises `PinMapError` with all mistakes, or that the file is unreadable."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PinMapError((f"{path}: cannot be read: {error}: name the pin map of this table",)) from error
    return parse_pin_map(text, str(path))


def parse_pin_map(text: str, name: str) -> PinMap:
    """`load_pin_map` for text that is already at hand; ``name`` stands in the mistakes."""
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        line = getattr(getattr(error, "problem_mark", None), "line", 0) + 1
        problem = getattr(error, "problem", None) or "not readable"
        raise PinMapError((f"{name}:{line}: {problem}: allowed is YAML",)) from error
    reader = _Reader(name)
    found = reader.pin_map(root)
    if reader.mistakes:
        raise PinMapError(tuple(text for _, text in sorted(reader.mistakes)))
    return found


def format_pin_map(pins: PinMap) -> str:
    """The text that `parse_pin_map` reads back; for a bench that needs its own, quicker keys."""
    names = {bit: f"{seat}.{wager}.{colour}" for (seat, wager, colour), bit in pins.bits.items()}
    starts = range(0, pins.registers * OUTPUTS_PER_REGISTER, OUTPUTS_PER_REGISTER)
    rows = [[names.get(start + output, "none") for output in range(OUTPUTS_PER_REGISTER)] for start in starts]
    return yaml.safe_dump(
        {
            "keys": {
                "debounce_ms": round(pins.debounce_s * 1000),
                "stuck_after_s": round(pins.stuck_after_s),
                "pins": dict(pins.keys),
            },
            "lamps": {
                "spi_port": pins.spi_port,
                "spi_device": pins.spi_device,
                "output_enable": pins.output_enable,
                "registers": rows,
            },
        },
        sort_keys=False,
    )


class _Reader:
    """Walks the YAML nodes, which still know their lines, and collects mistakes instead of raising."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.mistakes: list[tuple[int, str]] = []
        self.used: dict[int, str] = {}

    def wrong(self, node: yaml.Node | None, key: str, allowed: str) -> None:
        line = node.start_mark.line + 1 if node is not None else 1
        self.mistakes.append((line, f"{self.name}:{line}: {key}: {allowed}"))

    def pin_map(self, root: yaml.Node | None) -> PinMap:
        top = self.mapping(root, "the file", ("keys", "lamps"))
        lamps = self.mapping(top.get("lamps"), "lamps", _LAMPS)
        device = self.number(lamps, "lamps.spi_device", range(2))
        for pin in SPI_PINS.get(device, ()):
            self.used[pin] = "the lamp chain's SPI"
        for pin in SERIAL_PINS:
            self.used[pin] = "the shoe's serial line"
        keys = self.mapping(top.get("keys"), "keys", ("debounce_ms", "stuck_after_s", "pins"))
        pins = self.mapping(keys.get("pins"), "keys.pins", KEYS)
        registers = lamps.get("registers")
        return PinMap(
            keys={key: self.pin(pins, f"keys.pins.{key}") for key in KEYS},
            debounce_s=self.number(keys, "keys.debounce_ms", range(201)) / 1000,
            stuck_after_s=float(self.number(keys, "keys.stuck_after_s", range(2, 601))),
            spi_port=self.number(lamps, "lamps.spi_port", range(1)),
            spi_device=device,
            output_enable=self.pin(lamps, "lamps.output_enable"),
            registers=len(registers.value) if isinstance(registers, yaml.SequenceNode) else 0,
            bits=self.outputs(registers),
        )

    def mapping(self, node: yaml.Node | None, key: str, allowed: tuple[str, ...]) -> dict[str, yaml.Node]:
        """The entries by name; unknown, doubled and missing ones are mistakes."""
        if not isinstance(node, yaml.MappingNode):
            if node is not None or key == "the file":
                self.wrong(node, key, f"a mapping with {', '.join(allowed)} is allowed")
            return {}
        found: dict[str, yaml.Node] = {}
        for name, value in node.value:
            if name.value not in allowed:
                self.wrong(name, f"{key}: {name.value}", f"unknown; allowed are {', '.join(allowed)}")
            elif name.value in found:
                self.wrong(name, f"{key}: {name.value}", "given twice; once is allowed")
            else:
                found[name.value] = value
        for name in allowed:
            if name not in found:
                self.wrong(node, f"{key}: {name}", "missing; it must be given")
        return found

    def number(self, entries: Mapping[str, yaml.Node], key: str, allowed: range) -> int:
        """A whole number of ``allowed``; -1 where it is missing (already reported) or wrong."""
        node = entries.get(key.rpartition(".")[2])
        if node is None:
            return -1
        text = node.value if isinstance(node, yaml.ScalarNode) else "not a number"
        plain = node.tag == "tag:yaml.org,2002:int" and re.fullmatch(r"0|[1-9]\d{0,8}", text)
        if not plain or int(text) not in allowed:
            self.wrong(node, key, f"{text}; {_whole(allowed)} is allowed")
            return -1
        return int(text)

    def pin(self, entries: Mapping[str, yaml.Node], key: str) -> int:
        """A BCM number of the 40-pin header that nothing else has."""
        found = self.number(entries, key, range(2, 28))
        if found in self.used:
            node = entries[key.rpartition(".")[2]]
            self.wrong(node, key, f"pin {found} is taken by {self.used[found]}; a free BCM number is allowed")
        elif found >= 0:
            self.used[found] = key
        return found

    def outputs(self, node: yaml.Node | None) -> dict[Output, int]:
        bits: dict[Output, int] = {}
        if not isinstance(node, yaml.SequenceNode) or not node.value:
            if node is not None:
                self.wrong(node, "lamps.registers", "a list of registers, nearest the Pi first, is allowed")
            return bits
        for register, row in enumerate(node.value):
            self.register(register, row, bits)
        for seat, wager in sorted({(seat, wager) for seat, wager, _ in bits}):
            for colour in COLOURS:
                if (seat, wager, colour) not in bits:
                    what = f"{seat}.{wager}.{colour}"
                    self.wrong(node, "lamps.registers", f"{what} is missing; a circle has green and red")
        return bits

    def register(self, register: int, row: yaml.Node, bits: dict[Output, int]) -> None:
        key = f"lamps.registers.{register + 1}"
        if not isinstance(row, yaml.SequenceNode) or len(row.value) != OUTPUTS_PER_REGISTER:
            self.wrong(row, key, "a list of eight outputs, QA to QH, is allowed")
            return
        for output, cell in enumerate(row.value):
            text = cell.value if isinstance(cell, yaml.ScalarNode) else "not a word"
            found = _output(text)
            if found is None and text != "none":
                self.wrong(cell, key, f"{text}; {_ALLOWED_OUTPUT}")
            elif found in bits:
                self.wrong(cell, key, f"{text} stands here a second time; once is allowed")
            elif found is not None:
                bits[found] = register * OUTPUTS_PER_REGISTER + output


_LAMPS = ("spi_port", "spi_device", "output_enable", "registers")
_ALLOWED_OUTPUT = (
    "allowed is none, or seat.wager.colour with seat 1 to 6, "
    f"wager {' '.join(WAGERS)}, colour {' '.join(COLOURS)}"
)


def _whole(allowed: range) -> str:
    first, last = allowed[0], allowed[-1]
    return str(first) if first == last else f"a whole number from {first} to {last}"


def _output(text: str) -> Output | None:
    """``3.across.red`` as (3, "across", "red"); None for everything else."""
    seat, _, rest = text.partition(".")
    wager, _, colour = rest.partition(".")
    if seat in map(str, SEATS) and wager in WAGERS and colour in COLOURS:
        return int(seat), wager, colour
    return None
