"""`crisscross check`: commissioning. Each device in the table file is asked once; each answer is a line.

It acknowledges no frame of the shoe and writes nothing to the journal, so the daemon misses nothing
afterwards. It does not run beside a daemon: only one of them can have the ports.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from controller.journal.files import is_held, last_seq, reading
from controller.journal.journal import read_last_mark
from controller.journal.schema import JournalError
from controller.runtime.clock import SystemClock
from controller.runtime.devices import Panel, open_chips, open_panel, open_shoe
from controller.settings.config import TableConfig
from drivers.pins.factory import PinsError
from drivers.ports import CircleId, Inventory, ShoeReport, Signal

PATIENCE_S = 5.0
"""A USB port may need a second after it is opened, and a shoe calls once a second."""
LAMP_S = 0.12
"""For each lamp: long enough to be seen, and all 42 in five seconds."""


@dataclass(frozen=True, slots=True)
class Line:
    """What was looked at. `wrong`: what failed and what to do about it; empty when all is well."""

    what: str
    wrong: str = ""

    def __str__(self) -> str:
        return f"FAILED  {self.what}: {self.wrong}" if self.wrong else f"ok      {self.what}"


def check(config: TableConfig, say: Callable[[str], None] = print, lamp_s: float = LAMP_S) -> int:
    """Exit status: 0 all is well, 1 something failed."""
    failed = 0
    for line in _lines(config, lamp_s):
        say(str(line))
        failed += bool(line.wrong)
    say(f"{failed} failed" if failed else "all is well")
    return 1 if failed else 0


def _lines(config: TableConfig, lamp_s: float) -> Iterator[Line]:
    yield Line(f"table file {config.file}: table {config.keys.table}, {config.method}")
    yield Line(f"rules {config.pack.key}: {config.pack.title}, {config.pack.digest[:19]}")
    yield Line(f"chips: {len(config.register)} in the register")
    try:
        if is_held(config.journal):
            yield Line("journal", f"{config.journal} is held by a daemon: stop it, then check its devices")
            return
        words, last = _journal(config)
    except JournalError as error:
        yield Line("journal", str(error))
        words, last = "", None
    if words:
        yield Line(words)
    yield from _panel(config, lamp_s)
    yield from asyncio.run(_answers(config, last))


def _journal(config: TableConfig) -> tuple[str, str | None]:
    """A line about it, and the shoe's last mark. It is not created here: whoever checks may not be the user
    that the daemon runs as."""
    path = config.journal
    if not path.exists():
        if not path.parent.is_dir():
            raise JournalError(f"{path.parent} is not there; make the folder for the daemon's user")
        return f"journal {path}: none yet, the daemon will begin it", None
    with reading(path) as db:
        return f"journal {path}: {last_seq(path, db)} events", read_last_mark(db)


def _panel(config: TableConfig, lamp_s: float) -> Iterator[Line]:
    pins = config.keys.pins
    if pins is None:
        yield Line("pins: none fitted, no lamps and no keys")
        return
    what = f"pins: {pins.factory}"
    try:
        panel = open_panel(config)
    except PinsError as error:
        yield Line(what, str(error))
    else:
        _walk(panel, config, lamp_s)
        yield Line(f"{what}; every lamp was lit once, seat 1 to seat 6: did one stay dark?")


def _walk(panel: Panel, config: TableConfig, lamp_s: float) -> None:
    try:
        for circle in sorted(config.reader_ports()):
            panel.lamps.show({circle: Signal("amber")})
            time.sleep(lamp_s)
    finally:
        panel.lamps.stop()
        panel.close()


async def _answers(config: TableConfig, last: str | None) -> list[Line]:
    """The shoe and the readers, at the same time."""
    clock = SystemClock(None)
    shoe, readers = await asyncio.gather(_ask_shoe(config, clock, last), _ask_readers(config, clock))
    return [shoe, *readers]


async def _ask_shoe(config: TableConfig, clock: SystemClock, last: str | None) -> Line:
    section = config.keys.shoe
    if section is None:
        return Line("shoe: none fitted")
    what = f"shoe on {section.port}"
    answer: asyncio.Future[ShoeReport] = asyncio.get_running_loop().create_future()

    def hear(report: ShoeReport) -> None:
        if report.kind == "WELCOME" and not answer.done():
            answer.set_result(report)

    shoe = open_shoe(config, clock)
    shoe.start(hear, last)
    try:
        if section.protocol == "plain":
            return Line(
                f"{what}: plain, it says nothing until a card is drawn; draw one and look at the display"
            )
        model, serial, firmware = (await asyncio.wait_for(answer, PATIENCE_S)).fields[1:4]
        return Line(f"{what}: {model}, serial {serial}, firmware {firmware}")
    except TimeoutError:
        return Line(
            what, f"no answer in {PATIENCE_S:.0f} s: is it on, is this its port, is the cable crossed?"
        )
    finally:
        shoe.stop()


async def _ask_readers(config: TableConfig, clock: SystemClock) -> list[Line]:
    ports = config.reader_ports()
    if not ports:
        return [Line("readers: none fitted, every amount is entered by the dealer")]
    heard: dict[CircleId, str] = {}
    chips = open_chips(config, clock)
    loop = asyncio.get_running_loop()
    all_there = asyncio.Event()

    def hear(found: Sequence[Inventory]) -> None:
        heard.update({each.circle: each.why for each in found if each.answer != "silent"})
        if len(heard) == len(ports):
            loop.call_soon_threadsafe(all_there.set)

    chips.start(hear)
    try:
        await asyncio.wait_for(all_there.wait(), PATIENCE_S)
    except TimeoutError:
        pass
    finally:
        chips.stop()
    return _reader_lines({(c.seat, str(c.wager)): port for c, port in ports.items()}, heard)


def _reader_lines(ports: Mapping[CircleId, str], heard: Mapping[CircleId, str]) -> list[Line]:
    silent = [
        Line(
            f"reader seat {seat} {wager} on {port}",
            "no answer: look at its cable, its supply, its HSU switches",
        )
        for (seat, wager), port in ports.items()
        if (seat, wager) not in heard
    ]
    return [Line(f"readers: {len(heard)} of {len(ports)} answered", "see below" if silent else ""), *silent]
