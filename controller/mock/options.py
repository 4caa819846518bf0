"""What a mock table is to be: rules, devices, pace. Plain data from the command line or a scenario.

Writes the table file and nothing else; it must never start a process or open a device.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from controller.game.names import SEATS, Circle, Method, Wager
from controller.game.rules import RulePack

TABLE = "CC-01"
BADGES = ("B1", "B2")
"""The floorpersons that the mock table knows (contracts/scenario.md)."""


@dataclass(frozen=True, slots=True)
class Options:
    """`speed` None: people do not wait and simulated devices answer at once."""

    rules: str = "pennsylvania"
    method: Method | None = None
    config: Mapping[str, Any] = field(default_factory=dict)
    """Further keys of the table file: what a rule pack lets a table set."""
    seed: int = 0
    speed: float | None = None
    shoe_port: str | None = None
    journal: Path | None = None
    port: int = 0
    wires: bool = True


def default_method(pack: RulePack) -> Method:
    """The automated shoe where the text knows it, else the first way that it describes."""
    return Method.AUTOMATED_SHOE if Method.AUTOMATED_SHOE in pack.deals else next(iter(pack.deals))


def offered(pack: RulePack) -> tuple[Wager, ...]:
    """The circles of a seat at this table."""
    return (
        *(wager for wager in Wager if wager not in (Wager.FIVE_CARD_BONUS, Wager.SIX_CARD_BONUS)),
        *pack.bonuses,
    )


def circles(pack: RulePack) -> list[Circle]:
    return [Circle(seat, wager) for seat in SEATS for wager in offered(pack)]


@dataclass(frozen=True, slots=True)
class Places:
    """Where the files and lines of one mock table are, all in one temporary folder."""

    folder: Path

    @property
    def table(self) -> Path:
        return self.folder / "table.yaml"

    @property
    def journal(self) -> Path:
        return self.folder / "journal.db"

    @property
    def shoe(self) -> Path:
        return self.folder / "shoe"

    @property
    def pins(self) -> Path:
        return self.folder / "pins.sock"

    @property
    def control(self) -> Path:
        return self.folder / "control.sock"

    @property
    def notify(self) -> Path:
        return self.folder / "notify.sock"

    @property
    def port(self) -> Path:
        return self.folder / "port"

    @property
    def log(self) -> Path:
        return self.folder / "daemon.log"


def table_file(
    options: Options, method: Method, places: Places, readers: Mapping[Circle, str]
) -> dict[str, Any]:
    """The table file of a mock table on wires, as data."""
    ports: dict[int, dict[str, str]] = {}
    for circle, port in readers.items():
        ports.setdefault(circle.seat, {})[str(circle.wager)] = port
    return {
        "table": TABLE,
        "rules": options.rules,
        "method": str(method),
        "journal": str(_journal(options, places)),
        "display": {"port": options.port, "port_file": str(places.port)},
        "shoe": {"port": options.shoe_port or str(places.shoe)},
        "readers": {"settle_ms": 0 if options.speed is None else 5, "ports": ports},
        "pins": {"factory": "sim", "socket": str(places.pins)},
        "floorpersons": list(BADGES),
        "mock": {"control": str(places.control)},
        **options.config,
    }


def _journal(options: Options, places: Places) -> Path:
    return Path(os.path.abspath(options.journal)) if options.journal else places.journal


def write_table_file(data: Mapping[str, Any], path: Path) -> None:
    path.write_text(yaml.safe_dump(dict(data), sort_keys=False), encoding="utf-8")


def seats_to_play(count: int) -> Sequence[int]:
    """Players sit from the dealer's left."""
    return tuple(SEATS)[:count]
