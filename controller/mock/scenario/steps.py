"""The steps of a scenario as frozen data, each as tests/scenarios/FORMAT.md names it.

Money in whole cents, times in milliseconds. A card that is not given is None. No step knows how it
is played; see `run.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from controller.game.model.names import Circle, Key, Method, Phase, Place, Wager


@dataclass(frozen=True, slots=True)
class CardToken:
    """One card in front of what comes out next: `face` None is drawn, `up` found face up (``^TD``),
    `read` False is not read by the shoe (``??``)."""

    face: str | None = field(repr=False)
    up: bool = False
    read: bool = True


@dataclass(frozen=True, slots=True)
class Amount:
    """What lies in a circle: `chips` where the file names them, and among them `strange` ones: `unknown`,
    `withdrawn`, or a `copy` of one that lies elsewhere."""

    cents: int
    chips: tuple[int, ...] | None = None
    strange: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Multiple:
    """So many times the ante."""

    times: Decimal


@dataclass(frozen=True, slots=True)
class Fold:
    """No bet."""


Decision = Amount | Multiple | Fold


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """What one seat holds and does in a round. A wager that is not named: nothing is laid before the
    close; at a decision the simplest legal bet, once the ante."""

    cards: tuple[CardToken, ...] = ()
    laid: Mapping[Wager, Amount] = field(default_factory=dict)
    decisions: Mapping[Wager, Decision] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RoundStep:
    cross: Mapping[Place, CardToken] = field(default_factory=dict)
    seats: Mapping[int, SeatPlan] = field(default_factory=dict)
    until: Phase | None = None
    """None: settled, the record is written."""
    method: Method | None = None
    stub: int | None = None


@dataclass(frozen=True, slots=True)
class DealerStep:
    on: bool


@dataclass(frozen=True, slots=True)
class ChipsStep:
    seat: int
    circles: Mapping[Wager, Amount]
    clear: bool = False


@dataclass(frozen=True, slots=True)
class ShoeStep:
    cards: tuple[CardToken, ...]


@dataclass(frozen=True, slots=True)
class PressStep:
    key: Key


@dataclass(frozen=True, slots=True)
class TouchStep:
    """`report`, `enter` and `floor`: the body that the screen sends, as the daemon takes it."""

    body: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True)
class FaultStep:
    """`circle` None: the shoe. `after`: None at once, else when that card from now would go out."""

    circle: Circle | None
    kind: str
    after: int | None = None


@dataclass(frozen=True, slots=True)
class DeckStep:
    back: str | None = None
    preshuffled: bool = False
    same: bool = False
    count: int | None = None


@dataclass(frozen=True, slots=True)
class ClockStep:
    both_ms: int = 0
    utc_ms: int = 0


@dataclass(frozen=True, slots=True)
class CutPowerStep:
    pass


@dataclass(frozen=True, slots=True)
class WaitStep:
    seconds: float


@dataclass(frozen=True, slots=True)
class ExpectStep:
    """All of `wanted` is so within `within` seconds. Amounts of `due` in cents."""

    wanted: Mapping[str, Any]
    within: float = 5.0


Action = (
    RoundStep | DealerStep | ChipsStep | ShoeStep | PressStep | TouchStep | FaultStep | DeckStep | ClockStep
    | CutPowerStep | WaitStep | ExpectStep
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the list: where it stands, its main key, what it does."""

    line: int
    name: str
    action: Action
    words: str = ""
    """The step as the file has it, on one line: what is printed."""


@dataclass(frozen=True, slots=True)
class Scenario:
    file: str
    line: int
    name: str
    rules: str
    config: Mapping[str, Any]
    steps: tuple[Step, ...]
    config_lines: Mapping[str, int] = field(default_factory=dict)
    """Where each key of `config` stands, and under "" where the rules are named."""
    section: tuple[str, ...] = ()
    """The sections of the text that it shows."""
