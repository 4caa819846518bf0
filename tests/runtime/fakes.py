"""Stand-ins for table, tracker and devices with which the engine is tested alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controller.common.clock import ManualClock
from controller.game.model.effects import Effect
from controller.game.model.events import Chip, Event, Stamp, TroubleReported
from controller.game.model.names import Circle, Wager
from controller.game.model.state import TableSettings
from controller.game.rulebook.wagers import Refusal
from controller.game.watching.circles import CircleTracker
from controller.record.journal.journal import Journal
from controller.table.engine.batcher import EventBatcher
from controller.table.engine.engine import Engine
from controller.table.engine.inbox import Inbox
from controller.table.engine.ports import Devices
from drivers.ports import CircleId, Inventory, LampsHealth, LinkStatistics, ReaderHealth, ShoeReport, Signal

ANTE = Circle(1, Wager.ANTE_ACROSS)
GREEN = Signal("green")


class FakeGame:
    """Game that records its calls. The test sets `refuse` and `react`, which define its answers."""

    def __init__(self, handled: tuple[Event, ...] = ()) -> None:
        self.state: tuple[Event, ...] = handled
        self.pack: Any = None
        self.settings = TableSettings()
        self.stamps: list[Stamp] = []
        self.refuse: Callable[[Event], Refusal | None] = lambda _: None
        self.react: Callable[[Event], list[Effect]] = lambda _: []
        self.deadline: int | None = None
        self.watched: tuple[Circle, ...] = ()
        self.sweep: int | None = None
        self.lit: dict[Circle, str] = {}
        self.views = 0

    def verify(self, event: Event) -> Refusal | None:
        return self.refuse(event)

    def handle(self, event: Event, at: Stamp) -> list[Effect]:
        self.state = (*self.state, event)
        self.stamps.append(at)
        return self.react(event)

    def next_deadline(self) -> int | None:
        return self.deadline

    def watch(self) -> tuple[Circle, ...]:
        return self.watched

    def sweep_since(self) -> int | None:
        return self.sweep

    def lamps(self) -> Mapping[Circle, Any]:
        return dict(self.lit)

    def prompt_id(self) -> str:
        return "1/asked"

    def view(self, *, exam: bool = False) -> dict[str, Any]:
        assert not exam
        self.views += 1
        troubles = [e.code for e in self.state if isinstance(e, TroubleReported) and not e.cleared]
        return {"version": len(self.state), "alerts": [{"code": code} for code in troubles]}


@dataclass
class FakeShoe:
    accepted: list[ShoeReport] = field(default_factory=list)
    commands: list[tuple[str, ...]] = field(default_factory=list)
    log: list[str] = field(default_factory=list)

    def start(self, sink: Callable[[ShoeReport], None], last: str | None) -> None:
        self.log.append(f"start {last}")

    def accept(self, report: ShoeReport) -> None:
        self.accepted.append(report)
        self.log.append(f"accept {report.kind}")

    def command(self, kind: str, *fields: str) -> None:
        self.commands.append((kind, *fields))
        self.log.append(f"command {kind}")

    def statistics(self) -> LinkStatistics:
        return LinkStatistics()

    def stop(self) -> None:
        self.log.append("stop")


@dataclass
class FakeChips:
    watched: list[tuple[CircleId, ...]] = field(default_factory=list)
    sweeps: int = 0
    proofs: list[tuple[CircleId, ...] | None] = field(default_factory=list)

    def start(self, sink: Callable[[Sequence[Inventory]], None]) -> None: ...

    def watch(self, first: Sequence[CircleId]) -> None:
        self.watched.append(tuple(first))

    def sweep(self) -> None:
        self.sweeps += 1

    def prove(self, circles: Sequence[CircleId] | None) -> None:
        self.proofs.append(None if circles is None else tuple(circles))

    def module_fault(self) -> str:
        return ""

    def statistics(self) -> Mapping[CircleId, ReaderHealth]:
        return {}

    def stop(self) -> None: ...


@dataclass
class FakeLamps:
    shown: list[Mapping[CircleId, Signal]] = field(default_factory=list)
    ticks: int = 0
    health: LampsHealth | None = None

    def show(self, signals: Mapping[CircleId, Signal]) -> None:
        self.shown.append(dict(signals))

    def dim(self, percent: int) -> None: ...

    def tick(self, now: float) -> None:
        self.ticks += 1

    def statistics(self) -> LampsHealth | None:
        return self.health

    def stop(self) -> None:
        self.shown.append({})


def chip(uid: str) -> Chip:
    return Chip(uid, 500)


@dataclass
class Bench:
    """Engine on a real journal, with stand-ins for game, tracker and devices."""

    engine: Engine
    game: FakeGame
    journal: Journal
    clock: ManualClock
    shoe: FakeShoe
    chips: FakeChips
    lamps: FakeLamps

    def kinds(self) -> list[str]:
        """Return the kinds of event in the journal."""
        return [row.kind for row in self.journal.rows()]

    def break_disk(self) -> None:
        """Make every later write fail as on a full disk."""
        pages = self.journal._db.execute("PRAGMA page_count").fetchone()[0]
        self.journal._db.execute(f"PRAGMA max_page_count = {pages}").fetchall()


def bench(path: Path, circles: Iterable[Circle] = (ANTE,)) -> Bench:
    game, clock, journal = FakeGame(), ManualClock(1000), Journal(path)
    shoe, chips, lamps = FakeShoe(), FakeChips(), FakeLamps()
    intake = EventBatcher(Inbox(), clock, CircleTracker(list(circles)), chip)
    devices = Devices(shoe, chips, lamps, {"on": GREEN})
    engine = Engine(
        game, lambda: FakeGame(game.state), journal, clock, intake, devices, lambda state: str(len(state))
    )
    return Bench(engine, game, journal, clock, shoe, chips, lamps)


def reading(*uids: str, began: float = 1.0, circle: Circle = ANTE) -> Inventory:
    return Inventory((circle.seat, str(circle.wager)), began, began + 0.01, "chips", tuple(sorted(uids)))


def pump(engine: Engine) -> None:
    """Handle all waiting events."""
    while engine.step():
        pass
