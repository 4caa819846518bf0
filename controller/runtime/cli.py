"""`crisscross run` and `lamps-off`: options in, exit status out, every error one line.

Only parsing stands at the top, so that `--help` is quick; the rest is imported when it is needed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from controller.commands import Commands

if TYPE_CHECKING:
    from controller.runtime.spawn import PagesProcess
    from controller.settings.config import TableConfig, Use

DONE, FAILED, UNUSABLE = 0, 1, 2


def add_parser(subparsers: Commands) -> None:
    """The commands that a table file is for."""
    for name, text, run in (
        ("run", "the daemon on a real table", _run),
        ("lamps-off", "all lamps dark, for a table whose daemon is gone", _lamps_off),
    ):
        parser = subparsers.add_parser(name, help=text, description=text)
        parser.add_argument("--config", type=Path, required=True, metavar="FILE", help="the table file")
        if run is not _lamps_off:
            mock = "a table of simulated devices: its file may say mock, and pins.factory sim or mock"
            parser.add_argument("--mock", action="store_true", help=mock)
        parser.set_defaults(run=run)


def with_config(file: Path, work: Callable[[TableConfig], int], use: Use = "reading") -> int:
    """Do it with the table file, or say every mistake of it."""
    from controller.files.mistakes import Mistakes
    from controller.settings.config import load_config

    try:
        config = load_config(file, use)
    except Mistakes as mistakes:
        return refuse(*mistakes.lines)
    return work(config)


def refuse(*lines: str, status: int = UNUSABLE) -> int:
    for line in lines:
        print(line, file=sys.stderr)
    return status


def _run(arguments: argparse.Namespace) -> int:
    import logging

    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    from controller.runtime.room import too_little
    from controller.runtime.spawn import spawned

    if lacking := too_little():
        return refuse(lacking, status=FAILED)
    use = _played(arguments)
    with spawned() as pages:
        run = partial(_run_daemon, pages=pages)
        return with_config(arguments.config, lambda config: with_odds(config, run, use), use)


def with_odds(config: TableConfig, work: Callable[[TableConfig], int], use: Use) -> int:
    """No table plays by rules that a perfect player would win unawares; of a real one the odds are known."""
    from controller.odds.advantage import refused_start

    if lines := refused_start(config.file, config.pack, config.pack_folder, needed=use == "real"):
        return refuse(*lines)
    return work(config)


def _played(arguments: argparse.Namespace) -> Use:
    return "mock" if arguments.mock else "real"


def _run_daemon(config: TableConfig, pages: PagesProcess) -> int:
    from controller.journal.schema import JournalError, NotOurJournal
    from controller.runtime.daemon import run
    from controller.runtime.fatal import Broken
    from controller.runtime.server import ServerError
    from drivers.pins.factory import PinsError

    try:
        return run(config, pages)
    except NotOurJournal as error:
        return refuse(str(error))
    except (JournalError, ServerError, PinsError, Broken) as error:
        # not for want of the right input: the service manager may try again
        return refuse(str(error), status=FAILED)


def _lamps_off(arguments: argparse.Namespace) -> int:
    return with_config(arguments.config, _darken)


def _darken(config: TableConfig) -> int:
    from controller.journal.files import is_held
    from controller.journal.schema import JournalError
    from drivers.lamps.off import lamps_off
    from drivers.pins.factory import PinsError

    pins = config.keys.pins
    if pins is None:
        return DONE
    try:
        if is_held(config.journal):
            return refuse(f"{config.journal} is held by a daemon: its lamps are its own; stop it first")
        socket = config.path(pins.socket) if pins.socket else None
        lamps_off(config.pin_map, pins.factory, socket)
    except (JournalError, PinsError) as error:
        return refuse(str(error), status=FAILED)
    return DONE
