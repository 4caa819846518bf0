"""`crisscross check`: its options, its output and its exit status: 0 no failure, 1 a failure, 2 unusable
input.

Only the parser is imported at the top, so that `--help` is quick.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from controller.common.command_line import Commands, refuse

if TYPE_CHECKING:
    from controller.settings.config import TableConfig, Use
    from controller.table.commissioning.lines import ReportLine


def add_parser(subparsers: Commands) -> None:
    text = "commissioning: what works, and what to do about the rest"
    parser = subparsers.add_parser("check", help=text, description=text)
    parser.add_argument("--config", type=Path, required=True, metavar="FILE", help="the table file")
    parser.add_argument("--readers", action="store_true", help="also ask for a chip on each circle")
    parser.add_argument("--panel", action="store_true", help="also ask for each key and of each lamp")
    parser.add_argument(
        "--deck", nargs="?", const="", metavar="FILE",
        help="also let a whole pack through the shoe; FILE: its order, 52 faces as AS KS … 2C",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")
    parser.add_argument("--report", type=Path, metavar="PAGE", help="also write a page to print and sign")
    mock = "a table of simulated devices: its file may say mock, and pins.factory sim or mock"
    parser.add_argument("--mock", action="store_true", help=mock)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    from controller.table.daemon.cli import with_config, with_odds

    use: Use = "mock" if arguments.mock else "real"
    return with_config(
        arguments.config, lambda config: with_odds(config, lambda known: _check(known, arguments), use), use
    )


def _check(config: TableConfig, arguments: argparse.Namespace) -> int:
    from controller.common.clock import utc_now
    from controller.table.commissioning.check import PersonChecks, check_table
    from controller.table.commissioning.deck import read_order
    from controller.table.commissioning.lines import as_json, verdict

    try:
        order = read_order(Path(arguments.deck)) if arguments.deck else ()
    except ValueError as error:
        return refuse(str(error))
    requested = PersonChecks(arguments.readers, arguments.panel, arguments.deck is not None, order)
    words = sys.stderr if arguments.json else sys.stdout
    with _drivers_silent():
        lines = check_table(
            config,
            lambda line: None if arguments.json else print(line, flush=True),
            lambda text: print(text, file=words, flush=True),
            requested,
        )
    print(as_json(config.keys.table, utc_now(), lines) if arguments.json else verdict(lines))
    written = _report(arguments.report, config, lines) if arguments.report else 0
    return written or int(any(line.wrong for line in lines))


@contextmanager
def _drivers_silent() -> Iterator[None]:
    """Silence the drivers' loggers while the block runs: the check reports their messages in its own
    lines.
    """
    import logging

    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(before)


def _report(page: Path, config: TableConfig, lines: list[ReportLine]) -> int:
    from controller.common.clock import utc_now
    from controller.common.files.program import version
    from controller.table.commissioning.lines import on_paper

    try:
        page.write_text(on_paper(config.keys.table, utc_now(), version(), lines), encoding="utf-8")
    except OSError as error:
        return refuse(f"{page}: cannot be written: {error.strerror}: name a folder that you may write")
    return 0
