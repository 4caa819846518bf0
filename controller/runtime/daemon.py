"""The daemon of one table, `crisscross run`: puts config, journal, game and devices together and runs them.

Start: the display's port is taken, the journal is replayed, devices are opened, then READY. Stop: lamps
dark, everything closed, exit 0. It decides nothing; whatever is missing at the start is one clear line.

What the table itself needs is imported while the process of the pages imports what it needs.
"""

from __future__ import annotations

import asyncio
import logging
import os
import resource
import signal
import socket
import sys
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path

from controller.runtime.fatal import Fatal
from controller.runtime.front import Front
from controller.runtime.notify import notifier
from controller.runtime.pages import Options
from controller.runtime.server import ServerError, address, open_socket, writing
from controller.settings.config import TableConfig

log = logging.getLogger("crisscross")

SWITCH_S = 0.0005
"""How often the interpreter switches threads: a card's ACK must not wait for 42 readers' threads."""

LIMITS = (
    ("open files", resource.RLIMIT_NOFILE, 1, 64, 4),
    ("MiB of addresses", resource.RLIMIT_AS, 2**20, 256, 32),
)
"""What the system may limit, its unit, what a table needs of it, and what each reader needs more. The wired
table with 42 readers has 201 files open and 1,215 MiB of addresses, most of them of its threads' stacks."""


def run(config: TableConfig) -> int:
    """Until SIGTERM or SIGINT. Raises what cannot be had at the start: JournalError, ServerError; Broken and
    MemoryError where it cannot go on."""
    sys.setswitchinterval(SWITCH_S)
    _have_room(config)
    asyncio.run(_run(config))
    return 0


def _have_room(config: TableConfig) -> None:
    """A table that would run out of something in mid-round does not start. Raises ServerError."""
    readers = len(config.reader_ports())
    for what, limit, unit, least, of_a_reader in LIMITS:
        needed = least + of_a_reader * readers
        allowed, _hard = resource.getrlimit(limit)
        if allowed != resource.RLIM_INFINITY and allowed < needed * unit:
            had = f"{what}: {allowed // unit} are allowed and this table needs {needed}"
            raise ServerError(f"{had}; raise the limit in its unit")


async def _run(config: TableConfig) -> None:
    display = config.keys.display
    sock = open_socket(display.host, display.port)
    stopping = asyncio.Event()
    fatal = Fatal(stopping)
    running = asyncio.get_running_loop()
    running.set_exception_handler(fatal)
    async with AsyncExitStack() as stack:
        stack.callback(sock.close)
        closing = stack.enter_context(ExitStack())
        front = Front(sock, lambda line: _options(config, sock, line))
        stack.push_async_callback(front.stop)
        await front.spawn()
        from controller.journal.journal import Journal
        from controller.runtime.parts import assemble, begin, open_control

        journal = Journal(config.journal, keys=config.key_folder, origin=config.origin)
        closing.callback(journal.close)
        parts = assemble(config, journal, stack)
        await front.serve(parts.source)
        for number in (signal.SIGTERM, signal.SIGINT):
            running.add_signal_handler(number, stopping.set)
        told = notifier()
        stack.callback(told.close)
        loop = begin(parts, told, stack)
        await open_control(parts, loop, stack)
        _announce(config, sock)
        told.ready(f"table {config.keys.table}, {config.pack.title}")
        await stopping.wait()
        told.stopping()
        log.info("stopping")
    fatal.raise_it()


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


def _announce(config: TableConfig, sock: socket.socket) -> None:
    port_file = config.keys.display.port_file
    if port_file is not None:
        path = config.path(port_file)
        with writing("display.port_file", path):
            _write_whole(path, f"{sock.getsockname()[1]}\n")
    print(f"display: {address(sock)}", file=sys.stderr, flush=True)


def _write_whole(path: Path, text: str) -> None:
    """Nobody who waits for the file ever finds half of it."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_text(text, encoding="ascii")
    beside.replace(path)
