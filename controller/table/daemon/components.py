"""Components of a running table: journal, clock, game, devices, keys and lamps. This module assembles and
starts them.

It makes no decision. A component missing at the start is reported in one line.
"""

from __future__ import annotations

import logging
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import datetime

from controller.common.clock import SystemClock
from controller.common.files.zones import at, machine_zone
from controller.common.http.server import writing
from controller.common.process.sd_notify import Notifier
from controller.game.model.irregularities import Code
from controller.record.journal.files import default_keys
from controller.record.journal.journal import Journal
from controller.settings.config import NO_PIN, TableConfig
from controller.table.daemon.control_socket import Control
from controller.table.daemon.devices import (
    SIGNALS,
    Panel,
    open_chips,
    open_panel,
    open_shoe,
    same_adapter,
)
from controller.table.daemon.health import Health
from controller.table.daemon.journal_examiner import Examiner
from controller.table.daemon.pit_answers import open_pit_answers
from controller.table.daemon.watchdog import Watchdog
from controller.table.daemon.witness_monitor import WitnessMonitor
from controller.table.display_source.authenticator import authenticator_of
from controller.table.display_source.earlier_rounds import fetch_older
from controller.table.display_source.levels import Levels
from controller.table.display_source.levels_file import LevelsFile
from controller.table.display_source.round_reader_client import RoundReaderClient
from controller.table.display_source.source import Source
from controller.table.engine.assemble import build_engine
from controller.table.engine.assemble import write_first_event as begin_table
from controller.table.engine.engine import Engine
from controller.table.engine.loop import EngineLoop
from controller.table.engine.ports import Devices

log = logging.getLogger("crisscross")


@dataclass(slots=True)
class Components:
    """Components of one run of the daemon, assembled but not started."""

    config: TableConfig
    clock: SystemClock
    journal: Journal
    engine: Engine
    source: Source
    panel: Panel
    health: Health
    examiner: Examiner
    levels: Levels
    zone: str


def assemble(config: TableConfig, journal: Journal, stack: AsyncExitStack) -> Components:
    """Assemble all components of a table. `stack` closes them at the end. Raises JournalError if the journal
    cannot be used, PinsError if the pins cannot be opened."""
    clock = SystemClock(journal.last_stamp(), utc_continues=config.keys.mock is not None)
    panel = open_panel(config)
    stack.callback(_close_panel, panel)
    devices = Devices(open_shoe(config, clock), open_chips(config, clock), panel.lamps, SIGNALS)
    engine, rules = build_engine(config, journal, clock, devices)
    examiner = Examiner(config.journal, config.key_folder or default_keys(config.journal))
    stack.push_async_callback(examiner.stop)
    health = Health(config, devices, panel.keys, clock.seconds, lambda: examiner.damage or "")
    round_reader = RoundReaderClient(config.journal)
    stack.push_async_callback(round_reader.stop)
    zone = config.keys.zone or machine_zone()
    if config.keys.mock is None and not config.authenticating_floorpersons():
        log.warning("floorpersons: %s", NO_PIN)
    if config.keys.mock is None and (without := config.dealers_without_pin()):
        log.warning("people: no PIN, so cannot sign on: %s", ", ".join(without))
    for entries in sorted(set(same_adapter(config).values())):
        log.warning("one adapter has two names: %s: correct one of them", entries)
    authenticator = authenticator_of(engine, config.people, open_=config.keys.mock is not None)
    levels, levels_file = _levels(config, at(clock.stamp().utc, zone), panel)
    source = Source(
        engine, lambda: fetch_older(config.journal), health.view, round_reader.ask, authenticator, zone,
        levels, levels_file,
    )  # fmt: skip
    begin_table(config, engine, rules)
    return Components(config, clock, journal, engine, source, panel, health, examiner, levels, zone)


def _levels(config: TableConfig, local: datetime, panel: Panel) -> tuple[Levels, LevelsFile]:
    """Return the brightness and sound in force at `local`, and the file that stores settings made by hand."""
    file = LevelsFile(config.journal)
    return Levels(config.keys.room, local, lambda now: panel.lamps.dim(now.lamps), file.read()), file


def start_devices(parts: Components, notifier: Notifier, stack: AsyncExitStack) -> EngineLoop:
    """Start the loop and then the devices.

    The stack stops them in reverse order, so that no device calls a loop that has stopped.
    """
    engine = parts.engine
    inbox, devices = engine.inbox, engine.devices
    low = parts.config.keys.storage_low_mib * 2**20
    monitor = WitnessMonitor(parts.config, parts.journal, parts.clock.seconds)
    watchdog = Watchdog(parts.clock, notifier, bool(parts.config.reader_ports()))

    def each_second() -> None:
        watchdog.check(devices.shoe.statistics())
        parts.health.sample()
        if parts.levels.apply_schedule(at(parts.clock.stamp().utc, parts.zone)):
            parts.source.changed()
        words = monitor.words(reported=loop.has_reported(Code.UNWITNESSED))
        loop.report_trouble(Code.UNWITNESSED, words)
        damage = parts.examiner.words(reported=loop.has_reported(Code.JOURNAL_DAMAGED))
        loop.report_trouble(Code.JOURNAL_DAMAGED, damage)
        loop.report_trouble(Code.PROOFS_STOPPED, devices.chips.module_fault() or None)

    loop = EngineLoop(engine, low, each_second)
    loop.start()
    stack.callback(loop.stop)
    devices.shoe.start(inbox.put, parts.journal.last_mark())
    stack.callback(devices.shoe.stop)
    parts.panel.keys.start(inbox.put_key)
    stack.callback(parts.panel.keys.stop)
    devices.chips.start(watchdog.counting(inbox.put_readings))
    stack.callback(devices.chips.stop)
    parts.examiner.start()
    return loop


async def open_control(parts: Components, loop: EngineLoop, stack: AsyncExitStack) -> None:
    mock = parts.config.keys.mock
    if mock is not None:
        control = Control(parts.engine, parts.clock, loop.wake)
        path = parts.config.path(mock.control)
        with writing("mock.control", path):
            await control.start(path)
        stack.push_async_callback(control.stop)


def open_answers(parts: Components, stack: AsyncExitStack) -> None:
    """Open the socket for "on my way" of the pits that the table file names."""
    section = parts.config.keys.uplink
    if section is not None:
        pits = frozenset(pit.name for pit in section.pits)
        open_pit_answers(parts.config.journal, parts.engine.inbox, pits, stack)


def _close_panel(panel: Panel) -> None:
    panel.lamps.stop()
    panel.close()
