"""One table's engine from its table file, its journal and its devices.

The daemon and the mock without wires are put together here and nowhere else. It starts no device.
"""

from __future__ import annotations

from controller.game.model.events import Chip, Event, Started
from controller.game.table import Table
from controller.game.watching.circles import CircleTracker
from controller.journal.journal import Journal
from controller.journal.replay import keep_settings, restore, snapshot
from controller.runtime.clock import Clock
from controller.runtime.engine import Engine
from controller.runtime.inbox import Inbox
from controller.runtime.intake import Intake
from controller.runtime.ports import Devices, Register
from controller.runtime.tally import kept
from controller.settings.config import TableConfig


def build_engine(config: TableConfig, journal: Journal, clock: Clock, devices: Devices) -> Engine:
    """The table as the journal left it. Whoever listens to it does so before `engine.start(started(...))`."""
    settings = config.settings()
    tally = kept(*journal.figures())
    table = restore(journal, config.pack, settings, tally.replayed)
    tally.stands(table.state)
    keep_settings(journal, clock.stamp(), config.pack, settings)
    tracker = CircleTracker(list(config.reader_ports()))
    intake = Intake(Inbox(), clock, tracker, _register(config), config.keys.dead_time_ms)

    def rebuild() -> Table:
        return Table(config.pack, settings, table.state)

    engine = Engine(table, rebuild, journal, clock, intake, devices, snapshot, tally)
    engine.on_record.append(tally.record)
    engine.on_correction.append(tally.correct)
    engine.on_event.append(lambda _event, at: tally.seen(table.state, at.utc))
    return engine


def started(config: TableConfig) -> Event:
    """The first event of a run: which circles have a reader."""
    return Started(tuple((circle.seat, circle.wager) for circle in sorted(config.reader_ports())))


def _register(config: TableConfig) -> Register:
    """The chip register as the game asks for it."""

    def look_up(uid: str) -> Chip:
        chip = config.register.look_up(uid)
        return Chip(chip.uid, chip.cents, chip.note)

    return look_up
