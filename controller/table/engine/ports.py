"""The engine's interface to the game, as Protocols, so that tests can use small stand-ins.

`controller/game/table.py` and `circles.py` implement them; nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from controller.game.model.effects import Effect
from controller.game.model.events import Chip, CircleEvent, Event, Stamp
from controller.game.model.names import Circle
from controller.game.model.rules import RulePack
from controller.game.model.state import TableSettings, TableState
from controller.game.rulebook.wagers import Refusal
from controller.game.showing.view import View
from controller.game.watching.circles import RawReading
from drivers.ports import ChipsPort, LampsPort, ShoePort, Signal

Register: TypeAlias = Callable[[str], Chip]


class Game(Protocol):
    """Interface of `controller.game.table.Table`."""

    @property
    def state(self) -> TableState: ...

    @property
    def pack(self) -> RulePack: ...

    @property
    def settings(self) -> TableSettings: ...

    def verify(self, event: Event) -> Refusal | None: ...

    def handle(self, event: Event, at: Stamp) -> list[Effect]: ...

    def next_deadline(self) -> int | None: ...

    def watch(self) -> tuple[Circle, ...]: ...

    def sweep_since(self) -> int | None: ...

    def lamps(self) -> Mapping[Circle, Any]: ...

    def view(self, *, exam: bool = False) -> View: ...

    def prompt_id(self) -> str: ...


class Tracker(Protocol):
    """Finder of changes in raw readings; implemented by `controller.game.watching.circles.CircleTracker`."""

    def observe(self, readings: Iterable[RawReading], register: Register) -> list[CircleEvent]: ...

    def request_sweep(self, since_ms: int | None) -> list[CircleEvent]: ...


@dataclass(frozen=True, slots=True)
class Devices:
    """Devices that the engine calls. Keys are left out, since they only call the engine."""

    shoe: ShoePort
    chips: ChipsPort
    lamps: LampsPort
    signals: Mapping[Any, Signal] = field(default_factory=dict)
    """Signal of each lamp state; a state without an entry is dark."""
