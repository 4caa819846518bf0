"""`crisscross run` and `lamps-off`: their options and their exit status; each error is one line.

Only the parser is imported at the top, so that `--help` is quick; other modules are imported when a command
needs them.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from controller.common.command_line import DONE, FAILED, Commands, log_to_stderr, refuse

if TYPE_CHECKING:
    from controller.pages.page_process.spawn import Pages
    from controller.settings.config import TableConfig, Use

PAGES_USER = "crisscross-pages"
"""User of `crisscross pages` on a real table (systemd/crisscross.sysusers.conf)."""


def add_parser(subparsers: Commands) -> None:
    """Add the commands that take a table file."""
    for name, text, run in (
        ("run", "the daemon on a real table", _run),
        ("lamps-off", "all lamps dark, for a table whose daemon is gone", _lamps_off),
    ):
        parser = subparsers.add_parser(name, help=text, description=text)
        parser.add_argument("--config", type=Path, required=True, metavar="FILE", help="the table file")
        if run is not _lamps_off:
            mock = "a table of simulated devices: its file may say mock, and pins.factory sim or mock"
            parser.add_argument("--mock", action="store_true", help=mock)
            _add_pages(parser)
        parser.set_defaults(run=run)
    text = "the pages of a table, as a user who may open no file of it"
    pages = subparsers.add_parser("pages", help=text, description=text)
    pages.add_argument("socket", type=Path, metavar="SOCKET", help="the socket of `run --pages`")
    pages.set_defaults(run=_pages)


def _add_pages(parser: argparse.ArgumentParser) -> None:
    words = "answer `crisscross pages` of another user at this Unix socket; left out: a child serves them"
    parser.add_argument("--pages", type=Path, metavar="SOCKET", help=words)
    words = "who may connect to that socket; default: %(default)s"
    parser.add_argument("--pages-user", default=PAGES_USER, metavar="USER", help=words)


def with_config(file: Path, work: Callable[[TableConfig], int], use: Use = "reading") -> int:
    """Load the table file and return the result of `work`. If the file has mistakes, print each and return
    UNUSABLE.
    """
    from controller.common.files.mistakes import Mistakes
    from controller.settings.config import load_config

    try:
        config = load_config(file, use)
    except Mistakes as mistakes:
        return refuse(*mistakes.lines)
    return work(config)


def _run(arguments: argparse.Namespace) -> int:
    log_to_stderr()
    from controller.common.ipc.unix_socket import UnknownUser
    from controller.common.process.rlimits import missing_rlimit

    if lacking := missing_rlimit():
        return refuse(lacking, status=FAILED)
    use = _use(arguments)
    try:
        opened = _open_pages(arguments)
    except UnknownUser as error:
        return refuse(f"crisscross run: --pages-user: {error}")
    with opened as pages:
        run = partial(_run_daemon, pages=pages)
        return with_config(arguments.config, lambda config: with_odds(config, run, use), use)


def _open_pages(arguments: argparse.Namespace) -> AbstractContextManager[Pages]:
    """Return the server of the pages: a child process, or a socket for the process of another user. Raises
    UnknownUser if the machine has no such user.
    """
    from controller.common.ipc.unix_socket import user_id
    from controller.pages.page_process.spawn import PageSocket, spawned

    if arguments.pages is None:
        return spawned()
    return nullcontext(PageSocket(arguments.pages, user_id(arguments.pages_user)))


def _pages(arguments: argparse.Namespace) -> int:
    from controller.pages.page_process.main import serve_for

    return serve_for(arguments.socket)


def with_odds(config: TableConfig, work: Callable[[TableConfig], int], use: Use) -> int:
    """Return the result of `work`, unless the odds forbid it. Refused are a pack that does not state a
    perfect player's advantage as counted, and a real table without known odds.
    """
    from controller.rules.odds.advantage import refused_start

    if lines := refused_start(config.file, config.pack, config.pack_folder, needed=use == "real"):
        return refuse(*lines)
    return work(config)


def _use(arguments: argparse.Namespace) -> Use:
    return "mock" if arguments.mock else "real"


def _run_daemon(config: TableConfig, pages: Pages) -> int:
    from controller.common.http.server import ServerError
    from controller.common.process.fatal import FatalError
    from controller.record.journal.schema import JournalError, NotOurJournal
    from controller.table.daemon.daemon import run
    from drivers.pins.factory import PinsError

    try:
        return run(config, pages)
    except NotOurJournal as error:
        return refuse(str(error))
    except (JournalError, ServerError, PinsError, FatalError) as error:
        # status FAILED, since the input is not at fault: systemd may try again
        return refuse(str(error), status=FAILED)


def _lamps_off(arguments: argparse.Namespace) -> int:
    """Darken the lamps. Lamps are darkened even if the table file has a mistake, which is reported."""
    from controller.record.journal.files import is_locked
    from controller.record.journal.schema import JournalError
    from controller.settings.lamp_pins import read_lamp_pins
    from drivers.lamps.off import lamps_off
    from drivers.pins.factory import PinsError

    pins = read_lamp_pins(arguments.config)
    if pins is None:
        return refuse(f"{arguments.config}: has no section pins, so no lamp to darken", status=DONE)
    if pins.mistakes:
        refuse(*pins.mistakes, "crisscross lamps-off: the package's own wiring is used in place of that")
    try:
        if pins.journal and is_locked(pins.journal):
            return refuse(f"{pins.journal} is held by a daemon: its lamps are its own; stop it first")
    except JournalError as error:
        # a daemon that runs is safe nevertheless: it has OE, which the kernel gives to one process
        refuse(f"{error}; the lamps are darkened all the same")
    try:
        lamps_off(pins.pin_map, pins.factory, pins.socket)
    except PinsError as error:
        return refuse(str(error), status=FAILED)
    return DONE
