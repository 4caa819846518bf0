"""`crisscross check`: finds out when a table is ready for play (commissioning), one line for each check.

A table is ready for play when no check has failed and none is open: the last line is then `ready for play`,
else their numbers. The check begins with an empty table. It writes nothing to the journal. It acknowledges no
frame of the shoe, so the daemon misses nothing afterwards; the exception is a known deck, which a person
requests between rounds. It does not run beside a daemon: only one process can have the ports open.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from controller.common.terminal import ProgressLine
from controller.record.journal.files import is_locked, last_seq, reading
from controller.record.journal.rows import read_last_mark
from controller.record.journal.schema import JournalError
from controller.settings.config import NO_PIN, TableConfig
from controller.table.commissioning import asking, deck, machine, panel
from controller.table.commissioning.by_hand import Inputs, Write, typing, walk_readers
from controller.table.commissioning.lines import ReportLine

LAMP_S = 0.06
"""Seconds for each lamp and colour: long enough to be seen, and all 84 take five seconds."""


@dataclass(frozen=True, slots=True)
class PersonChecks:
    """Checks with a person that were requested: chips on the readers, lamps and keys, a known deck in the
    shoe.

    `order`: faces of the deck, the first card first; empty if unknown.
    """

    readers: bool = False
    panel: bool = False
    deck: bool = False
    order: Sequence[str] = ()


def check_table(
    config: TableConfig,
    report: Callable[[ReportLine], None],
    write: Write,
    requested: PersonChecks = PersonChecks(),
    lamp_s: float = LAMP_S,
) -> list[ReportLine]:
    """Run all checks of a table and return their lines. `report` gets each line at once; `write` prompts a
    person. `requested`: checks that need a person; `lamp_s`: seconds for which each lamp is lit."""
    found, progress = [], ProgressLine()
    for line in _lines(config, write, requested, lamp_s, progress):
        progress.clear()
        report(line)
        found.append(line)
    return found


def _lines(
    config: TableConfig, write: Write, requested: PersonChecks, lamp_s: float, progress: ProgressLine
) -> Iterator[ReportLine]:
    yield ReportLine(f"table file {config.file}: table {config.keys.table}, {config.method}")
    yield ReportLine(f"rules {config.pack.key}: {config.pack.title}, {config.pack.digest[:19]}")
    yield ReportLine(f"chips: {len(config.register)} in the register")
    yield _people(config)
    yield machine.clock()
    try:
        if is_locked(config.journal):
            yield ReportLine(
                "journal", f"{config.journal} is held by a daemon: stop it, then check its devices"
            )
            return
        words, last = _journal(config)
    except JournalError as error:
        yield ReportLine("journal", str(error))
        words, last = "", None
    if words:
        yield ReportLine(words)
    if config.journal.parent.is_dir():
        yield machine.disk(config)
    yield machine.pages(config)
    if not requested.panel:
        progress.show("every lamp in turn …")
        yield from panel.check_lamps_alone(config, lamp_s)
    progress.show(f"asking the shoe and {len(config.reader_ports())} readers, some seconds …")
    yield from asyncio.run(asking.check_shoe_and_readers(config, last))
    progress.clear()
    yield from asyncio.run(_person_checks(config, write, requested, last))


async def _person_checks(
    config: TableConfig, write: Write, requested: PersonChecks, last: str | None
) -> list[ReportLine]:
    """Run the requested checks with a person and return their lines. Checks that were not requested are
    returned as open. `last`: the shoe's last mark in the journal."""
    lines: list[ReportLine] = []
    if requested.deck:
        lines += await deck.check_deck(config, last, requested.order, write)
    elif config.keys.shoe is not None:
        lines.append(ReportLine(deck.DECK_CHECK, todo="crisscross check --deck lets a whole pack through it"))
    inputs = Inputs()
    if config.reader_ports() and not requested.readers:
        todo = "crisscross check --readers asks for a chip on each circle"
        lines.append(ReportLine("which reader is under which circle", todo=todo))
    if not (requested.readers or requested.panel):
        return lines
    async with typing(inputs):
        if requested.panel:
            lines += await panel.walk_panel(config, inputs, write)
        if requested.readers:
            lines += await walk_readers(config, inputs, write)
    return lines


def _people(config: TableConfig) -> ReportLine:
    """Report whether a floorperson of a real table has a PIN, and which listed dealers cannot sign on
    without one."""
    if config.keys.mock is None and not config.authenticating_floorpersons():
        return ReportLine("floorpersons", NO_PIN)
    if config.keys.mock is None and (without := config.dealers_without_pin()):
        return ReportLine(
            "people", f"no PIN, so cannot sign on: {', '.join(without)}; crisscross people pin NAME"
        )
    return ReportLine(f"floorpersons: {', '.join(config.floorpersons())}")


def _journal(config: TableConfig) -> tuple[str, str | None]:
    """Return a line about the journal, and the shoe's last mark in it.

    It must never create the journal, because the user of the check may be another than the daemon's.
    """
    path = config.journal
    if not path.exists():
        if not path.parent.is_dir():
            raise JournalError(f"{path.parent} is not there; make the folder for the daemon's user")
        return f"journal {path}: none yet, the daemon will begin it", None
    with reading(path) as db:
        return f"journal {path}: {last_seq(path, db)} events", read_last_mark(db)
