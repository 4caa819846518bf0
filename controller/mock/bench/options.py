"""Options of a mock table: rules, devices, pace. Plain data from the command line or a scenario.

Nothing is opened or written here; `table_file.py` writes the table file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controller.game.model.names import SEATS, Circle, Method, Wager
from controller.game.model.rules import RulePack
from controller.game.model.side_bets import BONUSES
from drivers.chips.kinds import DEFAULT

TABLE_NAME = "CC-01"
BADGES = ("B1", "B2")
"""Badges of the mock table's floorpersons (tests/scenarios/FORMAT.md)."""
PIN = "1234"
"""PIN of both floorpersons. It is public, because a mock table protects nothing."""
PIN_HASH = "$argon2id$v=19$m=19456,t=2,p=1$0uHlIq9ka+BspZ2saEXlGw$/ctiinJkn3sEu8WAzPvwpFVx/Kqa89rmk1nmCihZnIs"
"""Hash of `PIN` in the form of `crisscross people`, computed once so that each start is quicker."""


@dataclass(frozen=True, slots=True)
class MockOptions:
    """Options of one mock table. `speed`: 1 is real time; None: people do not wait and simulated devices
    answer at once."""

    rules: str = "pennsylvania"
    method: Method | None = None
    config: Mapping[str, Any] = field(default_factory=dict)
    """Other keys of the table file that a rule pack allows a table to set."""
    seed: int = 0
    speed: float | None = None
    shoe_port: str | None = None
    journal: Path | None = None
    port: int = 0
    wires: bool = True
    link: int = 1
    """Version of the shoe link; on wires only."""
    readers: str = DEFAULT
    """Kind of the readers, as `readers.kind` of the table file; on wires only."""
    exam: bool = False
    """Whether pages and lamps withhold the facts that a trainee must know (exam); on wires only."""
    ways: tuple[Method, ...] = ()
    """Further deal methods to which the table will switch, each with a shoe of its own."""


def default_method(pack: RulePack) -> Method:
    """Return the automated shoe if the rules have it, else the first deal method that they describe."""
    return Method.AUTOMATED_SHOE if Method.AUTOMATED_SHOE in pack.deals else next(iter(pack.deals))


def offered_wagers(pack: RulePack) -> tuple[Wager, ...]:
    """Return the wagers that have a circle at each seat."""
    return (
        *(wager for wager in Wager if wager not in BONUSES),
        *pack.bonuses,
    )


def circles_of_pack(pack: RulePack) -> list[Circle]:
    return [Circle(seat, wager) for seat in SEATS for wager in offered_wagers(pack)]


@dataclass(frozen=True, slots=True)
class TablePaths:
    """Paths and ports of one mock table, all in one temporary folder."""

    folder: Path

    @property
    def table(self) -> Path:
        return self.folder / "table.yaml"

    @property
    def journal(self) -> Path:
        return self.folder / "journal.db"

    @property
    def readers(self) -> Path:
        return self.folder / "readers"

    @property
    def shoe(self) -> Path:
        return self.folder / "shoe"

    @property
    def pairing(self) -> Path:
        return self.folder / "journal.db.shoe"

    @property
    def module(self) -> Path:
        return self.folder / "module.sock"

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


def seats_to_play(count: int) -> Sequence[int]:
    """Return the seats of `count` players, beginning at the dealer's left."""
    return tuple(SEATS)[:count]
