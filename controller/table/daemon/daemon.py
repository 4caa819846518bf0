"""The daemon of one table, `crisscross run`: assembles settings, journal, game and devices, and runs them.

Start: lock the journal, bind the display's port, replay the journal once its disk has room, open the devices,
report READY.
Stop: lamps dark, everything closed, exit 0. It makes no decision. A part missing at the start is reported in
one line.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path

from controller.common.http.admitted import LOOPBACK_HOSTS, NOBODY, THIS_MACHINE
from controller.common.http.server import ServerError, open_socket, writing
from controller.common.process.fatal import LoopErrorHandler
from controller.common.process.garbage_collection import exempt_start
from controller.common.process.rlimits import missing_rlimit
from controller.common.process.sd_notify import notifier
from controller.pages.page_process.listener import PageListener
from controller.pages.page_process.spawn import PageOptions, Pages, PageSocket
from controller.pages.page_process.supervisor import PageSupervisor
from controller.pages.page_process.wait_for_disk import wait_for_room
from controller.record.journal.journal import Journal
from controller.record.journal.lock import JournalLock
from controller.settings.config import TableConfig
from controller.table.daemon.components import assemble, open_answers, open_control, start_devices

log = logging.getLogger("crisscross")

SWITCH_S = 0.0005
"""Thread switch interval of the interpreter in seconds: a card's ACK must not wait for the threads of 42
readers.
"""


def run(config: TableConfig, pages: Pages) -> int:
    """Run until SIGTERM or SIGINT.

    Raises JournalError or ServerError if the start fails, FatalError or MemoryError if the run cannot
    continue.
    """
    sys.setswitchinterval(SWITCH_S)
    if lacking := missing_rlimit(len(config.reader_ports())):
        raise ServerError(lacking)
    asyncio.run(_run(config, pages))
    return 0


async def _run(config: TableConfig, pages: Pages) -> None:
    stopping = asyncio.Event()
    fatal = LoopErrorHandler(stopping)
    running = asyncio.get_running_loop()
    running.set_exception_handler(fatal)
    async with AsyncExitStack() as stack:
        stack.enter_context(fatal.watching_threads(running))
        # before the pages: a second program must not take the socket of the first one
        lock = JournalLock(config.journal, config.key_folder)
        stack.callback(lock.close)
        serving = _serving(config, pages, stack)
        notify = notifier()
        stack.callback(notify.close)
        await wait_for_room(config.journal, notify, serving.shown, config.keys.display.language)
        closing = stack.enter_context(ExitStack())
        stack.push_async_callback(serving.stop)
        journal = Journal(config.journal, keys=config.key_folder, origin=config.origin, lock=lock)
        closing.callback(journal.close)
        parts = assemble(config, journal, stack)
        await serving.serve(parts.source)
        for number in (signal.SIGTERM, signal.SIGINT):
            running.add_signal_handler(number, stopping.set)
        loop = start_devices(parts, notify, stack)
        await open_control(parts, loop, stack)
        open_answers(parts, stack)
        _announce(config, serving)
        exempt_start()
        notify.ready(f"table {config.keys.table}, {config.pack.title}")
        await stopping.wait()
        notify.stopping()
        log.info("stopping")
    fatal.raise_error()


def _serving(config: TableConfig, pages: Pages, stack: AsyncExitStack) -> PageSupervisor | PageListener:
    """Open the port of the pages or the socket of their process. Raises ServerError if it is not
    available."""
    if isinstance(pages, PageSocket):
        if config.keys.display.port == 0:
            raise ServerError(f"{config.file}: display.port: 0; allowed with --pages: 1 to 65535")
        return PageListener(pages, _options(config))
    sock = open_socket(config.keys.display.host, config.keys.display.port)
    stack.callback(sock.close)
    return PageSupervisor(sock, _options(config), pages)


def _options(config: TableConfig) -> PageOptions:
    display = config.keys.display
    return PageOptions(
        language=display.language,
        hosts=(*LOOPBACK_HOSTS, display.host),
        framed_by=NOBODY if config.keys.mock is None else THIS_MACHINE,
        zone=config.keys.zone or "",
        touches=display.touches_a_second,
        user=display.user,
        closed=config.keys.mock is None,
        host=display.host,
        port=display.port,
    )


def _announce(config: TableConfig, serving: PageSupervisor | PageListener) -> None:
    port_file = config.keys.display.port_file
    if port_file is not None:
        path = config.path(port_file)
        with writing("display.port_file", path):
            _write_atomically(path, f"{serving.port}\n")
    print(f"display: {serving.address}", file=sys.stderr, flush=True)


def _write_atomically(path: Path, text: str) -> None:
    """Write a file atomically, so that no reader sees part of it."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_text(text, encoding="ascii")
    beside.replace(path)
