"""Options of a mock table: rules, devices, pace. Plain data from the command line or a scenario.

Nothing is opened or written here; see `table_file.py` for the table file.
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

TABLE = "CC-01"
BADGES = ("B1", "B2")
"""The floorpersons that the mock table knows (tests/scenarios/FORMAT.md)."""
PIN = "1234"
"""PIN of each of them. It is public: nothing is at stake on a mock table."""
PIN_HASH = "$argon2id$v=19$m=19456,t=2,p=1$0uHlIq9ka+BspZ2saEXlGw$/ctiinJkn3sEu8WAzPvwpFVx/Kqa89rmk1nmCihZnIs"
"""The same as `crisscross people` writes it; made once, so that a start need not."""


@dataclass(frozen=True, slots=True)
class Options:
    """`speed` None: people do not wait and simulated devices answer at once."""

    rules: str = "pennsylvania"
    method: Method | None = None
    config: Mapping[str, Any] = field(default_factory=dict)
    """Other keys of the table file that a rule pack lets a table set."""
    seed: int = 0
    speed: float | None = None
    shoe_port: str | None = None
    journal: Path | None = None
    port: int = 0
    wires: bool = True
    link: int = 1
    """The version of the shoe link, on wires."""
    readers: str = DEFAULT
    """The kind of the readers, on wires."""
    exam: bool = False
    """Pages and lamps withhold what a trainee has to know, on wires."""
    ways: tuple[Method, ...] = ()
    """Other ways of dealing that the table will change to, and needs a shoe for."""


def default_method(pack: RulePack) -> Method:
    """The automated shoe if the rules have it, else the first way that they describe."""
    return Method.AUTOMATED_SHOE if Method.AUTOMATED_SHOE in pack.deals else next(iter(pack.deals))


def offered(pack: RulePack) -> tuple[Wager, ...]:
    """The circles of a seat at this table."""
    return (
        *(wager for wager in Wager if wager not in BONUSES),
        *pack.bonuses,
    )


def circles(pack: RulePack) -> list[Circle]:
    return [Circle(seat, wager) for seat in SEATS for wager in offered(pack)]


@dataclass(frozen=True, slots=True)
class Places:
    """Files and lines of one mock table, all in one temporary folder."""

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
    """Players sit down from the dealer's left."""
    return tuple(SEATS)[:count]
