"""The daemon of one table, `crisscross run`: puts config, journal, game and devices together and runs them.

Start: the display's port is taken, the journal is replayed, devices are opened, then READY. Stop: lamps
dark, everything closed, exit 0. It decides nothing; whatever is missing at the start is one clear line.
"""

from __future__ import annotations

import asyncio
import logging
import os
import resource
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from controller.files.zones import of_machine
from controller.game.model.irregularities import Code
from controller.journal.journal import Journal
from controller.runtime.archivist import Archivist
from controller.runtime.assemble import begin, build_engine
from controller.runtime.clock import SystemClock
from controller.runtime.control import Control
from controller.runtime.devices import SIGNALS, Panel, open_chips, open_panel, open_shoe
from controller.runtime.door import door_of
from controller.runtime.engine import Engine
from controller.runtime.fatal import Fatal
from controller.runtime.front import Front
from controller.runtime.health import Health
from controller.runtime.loop import EngineLoop
from controller.runtime.notify import Notifier, notifier
from controller.runtime.pages import Options
from controller.runtime.ports import Devices
from controller.runtime.recall import older
from controller.runtime.server import ServerError, address, open_socket
from controller.runtime.source import Source
from controller.runtime.watchdog import Watchdog
from controller.runtime.witnessed import Witnessed
from controller.settings.config import NO_PIN, TableConfig

log = logging.getLogger("crisscross")

SWITCH_S = 0.0005
"""How often the interpreter switches threads: a card's ACK must not wait for 42 readers' threads."""

LEAST_FILES, FILES_A_READER = 64, 4
"""Open at once: journal, line, display and pages with room to spare; for each reader its port and what wakes
its thread. The wired table with 42 readers has 201 open (tests/EVIDENCE.md)."""


@dataclass(slots=True)
class Parts:
    """What a run consists of."""

    config: TableConfig
    clock: SystemClock
    journal: Journal
    engine: Engine
    source: Source
    panel: Panel
    health: Health


def run(config: TableConfig) -> int:
    """Until SIGTERM or SIGINT. Raises what cannot be had at the start: JournalError, ServerError; Broken and
    MemoryError where it cannot go on."""
    sys.setswitchinterval(SWITCH_S)
    _have_files(config)
    journal = Journal(config.journal, keys=config.key_folder, origin=config.origin)
    try:
        asyncio.run(_run(config, journal))
    finally:
        journal.close()
    return 0


def _have_files(config: TableConfig) -> None:
    """A table that would run out of descriptors in mid-round does not start. Raises ServerError."""
    needed = LEAST_FILES + FILES_A_READER * len(config.reader_ports())
    allowed, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if allowed != resource.RLIM_INFINITY and allowed < needed:
        raise ServerError(
            f"open files: {allowed} are allowed and this table needs {needed}; raise LimitNOFILE in its unit"
        )


async def _run(config: TableConfig, journal: Journal) -> None:
    display = config.keys.display
    sock = open_socket(display.host, display.port)
    stopping = asyncio.Event()
    fatal = Fatal(stopping)
    running = asyncio.get_running_loop()
    running.set_exception_handler(fatal)
    async with AsyncExitStack() as stack:
        stack.callback(sock.close)
        front = Front(sock, lambda line: _options(config, sock, line))
        stack.push_async_callback(front.stop)
        await front.spawn()
        parts = _assemble(config, journal, stack)
        await front.serve(parts.source)
        for number in (signal.SIGTERM, signal.SIGINT):
            running.add_signal_handler(number, stopping.set)
        told = notifier()
        stack.callback(told.close)
        loop = _begin(parts, told, stack)
        await _open_control(parts, loop, stack)
        _announce(parts, sock)
        told.ready(f"table {config.keys.table}, {config.pack.title}")
        await stopping.wait()
        told.stopping()
        log.info("stopping")
    fatal.raise_it()


def _assemble(config: TableConfig, journal: Journal, stack: AsyncExitStack) -> Parts:
    clock = SystemClock(journal.last_stamp())
    panel = open_panel(config)
    stack.callback(_close_panel, panel)
    devices = Devices(open_shoe(config, clock), open_chips(config, clock), panel.lamps, SIGNALS)
    engine, rules = build_engine(config, journal, clock, devices)
    health = Health(config, devices, panel.keys, clock.seconds)
    archivist = Archivist(config.journal)
    stack.push_async_callback(archivist.stop)
    zone = config.keys.zone or of_machine()
    if config.keys.mock is None and not config.proving():
        log.warning("floorpersons: %s", NO_PIN)
    if config.keys.mock is None and (without := config.unproven_dealers()):
        log.warning("people: no PIN, so cannot sign on: %s", ", ".join(without))
    door = door_of(engine, config.people, open_=config.keys.mock is not None)
    source = Source(engine, lambda: older(config.journal), health.view, archivist.ask, door, zone)
    begin(config, engine, rules)
    return Parts(config, clock, journal, engine, source, panel, health)


def _options(config: TableConfig, sock: socket.socket, line: int) -> Options:
    from controller.display.guard import LOOPBACK, NOBODY, THIS_MACHINE

    display = config.keys.display
    return Options(
        listen=sock.fileno(),
        line=line,
        language=display.language,
        hosts=(*LOOPBACK, display.host),
        framed_by=NOBODY if config.keys.mock is None else THIS_MACHINE,
        zone=config.keys.zone or "",
        touches=display.touches_a_second,
        user=display.user,
        closed=config.keys.mock is None,
    )


def _begin(parts: Parts, told: Notifier, stack: AsyncExitStack) -> EngineLoop:
    """The loop listens before a device talks. The stack stops them in the opposite order, so that no device
    calls a loop that has stopped."""
    engine = parts.engine
    inbox, devices = engine.inbox, engine.devices
    low = parts.config.keys.storage_low_mib * 2**20
    witnessed = Witnessed(parts.config, parts.journal, parts.clock.seconds)
    watchdog = Watchdog(parts.clock, told, bool(parts.config.reader_ports()))

    def each_second() -> None:
        watchdog.look(devices.shoe.statistics())
        parts.health.look()
        words = witnessed.words(told=loop.has_told(Code.UNWITNESSED))
        loop.tell(Code.UNWITNESSED, words)

    loop = EngineLoop(engine, low, each_second)
    loop.start()
    stack.callback(loop.stop)
    devices.shoe.start(inbox.put, parts.journal.last_mark())
    stack.callback(devices.shoe.stop)
    parts.panel.keys.start(inbox.hear_key)
    stack.callback(parts.panel.keys.stop)
    devices.chips.start(watchdog.counting(inbox.hear_chips))
    stack.callback(devices.chips.stop)
    return loop


async def _open_control(parts: Parts, loop: EngineLoop, stack: AsyncExitStack) -> None:
    mock = parts.config.keys.mock
    if mock is not None:
        control = Control(parts.engine, parts.clock, loop.ring)
        path = parts.config.path(mock.control)
        with _writing("mock.control", path):
            await control.start(path)
        stack.push_async_callback(control.stop)


def _announce(parts: Parts, sock: socket.socket) -> None:
    port_file = parts.config.keys.display.port_file
    if port_file is not None:
        path = parts.config.path(port_file)
        with _writing("display.port_file", path):
            _write_whole(path, f"{sock.getsockname()[1]}\n")
    print(f"display: {address(sock)}", file=sys.stderr, flush=True)


@contextmanager
def _writing(key: str, path: Path) -> Iterator[None]:
    """A path of the table file that cannot be written is one line."""
    try:
        yield
    except OSError as error:
        raise ServerError(f"{key}: {path}: cannot be written: {error.strerror or error}") from error


def _write_whole(path: Path, text: str) -> None:
    """Nobody who waits for the file ever finds half of it."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_text(text, encoding="ascii")
    beside.replace(path)


def _close_panel(panel: Panel) -> None:
    panel.lamps.stop()
    panel.close()
