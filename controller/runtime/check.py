"""`crisscross check`: commissioning. Each device in the table file is asked once; each answer is a line.

It acknowledges no frame of the shoe and writes nothing to the journal, so the daemon misses nothing
afterwards. It does not run beside a daemon: only one of them can have the ports.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from controller.journal.files import is_held, last_seq, reading
from controller.journal.rows import read_last_mark
from controller.journal.schema import JournalError
from controller.runtime.clock import SystemClock
from controller.runtime.devices import Panel, open_chips, open_panel, open_shoe
from controller.runtime.pages import NO_USER, number_of
from controller.settings.config import NO_PIN, TableConfig
from controller.terminal import Progress, coloured
from drivers.pins.factory import PinsError
from drivers.ports import CircleId, Inventory, ShoeReport, Signal

PATIENCE_S = 5.0
"""A USB port may need a second after it is opened, and a shoe calls once a second."""
LAMP_S = 0.12
"""For each lamp: long enough to be seen, and all 42 in five seconds."""

NO_PORT = "there is no such port: is it plugged in, and do the udev rules of hardware/ give it that name?"


@dataclass(frozen=True, slots=True)
class Line:
    """What was looked at. `wrong`: what failed and what to do about it; empty when all is well."""

    what: str
    wrong: str = ""

    def __str__(self) -> str:
        if self.wrong:
            return f"{coloured('FAILED', 'red')}  {self.what}: {self.wrong}"
        return f"{coloured('ok', 'green')}      {self.what}"


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a reader gave no inventory: its kind, and what was said and is to be done."""

    cause: str
    words: str


def check(config: TableConfig, say: Callable[[str], None] = print, lamp_s: float = LAMP_S) -> int:
    """Exit status: 0 all is well, 1 something failed."""
    failed, progress = 0, Progress()
    for line in _lines(config, lamp_s, progress):
        progress.clear()
        say(str(line))
        failed += bool(line.wrong)
    say(f"{failed} failed" if failed else "all is well")
    return 1 if failed else 0


def _lines(config: TableConfig, lamp_s: float, progress: Progress) -> Iterator[Line]:
    yield Line(f"table file {config.file}: table {config.keys.table}, {config.method}")
    yield Line(f"rules {config.pack.key}: {config.pack.title}, {config.pack.digest[:19]}")
    yield Line(f"chips: {len(config.register)} in the register")
    yield _people(config)
    yield _screen(config)
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
    progress.show("every lamp in turn …")
    yield from _panel(config, lamp_s)
    progress.show(f"asking the shoe and {len(config.reader_ports())} readers, {PATIENCE_S:.0f} s at most …")
    yield from asyncio.run(_answers(config, last))


def _people(config: TableConfig) -> Line:
    """A real table decides nothing without a PIN, and no dealer who is listed signs on without one."""
    if config.keys.mock is None and not config.proving():
        return Line("floorpersons", NO_PIN)
    if config.keys.mock is None and (without := config.unproven_dealers()):
        return Line("people", f"no PIN, so cannot sign on: {', '.join(without)}; crisscross people pin NAME")
    return Line(f"floorpersons: {', '.join(config.floorpersons())}")


def _screen(config: TableConfig) -> Line:
    """Whose browser a real table answers, and nobody else's."""
    user = config.keys.display.user
    if config.keys.mock is not None:
        return Line("display: for whoever asks on this machine")
    if number_of(user) is None:
        return Line("display", NO_USER.format(user=user))
    return Line(f"display: for the user {user} alone")


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
    if not _is_there(section.port):
        return Line(what, NO_PORT)
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
        why = shoe.statistics().remark or f"no answer in {PATIENCE_S:.0f} s"
        return Line(what, f"{why}: is it on, is this its port, is the cable crossed?")
    finally:
        shoe.stop()


async def _ask_readers(config: TableConfig, clock: SystemClock) -> list[Line]:
    ports = {(c.seat, str(c.wager)): port for c, port in config.reader_ports().items()}
    if not ports:
        return [Line("readers: none fitted, every amount is entered by the dealer")]
    heard: dict[CircleId, Inventory] = {}
    fitted = {circle for circle, port in ports.items() if _is_there(port)}
    loop = asyncio.get_running_loop()
    all_there = asyncio.Event()

    def hear(found: Sequence[Inventory]) -> None:
        heard.update({each.circle: each for each in found})
        if fitted <= {circle for circle, last in heard.items() if last.answer == "chips"}:
            loop.call_soon_threadsafe(all_there.set)

    chips = open_chips(config, clock)
    chips.start(hear)
    try:
        await asyncio.wait_for(all_there.wait(), PATIENCE_S if fitted else 0)
    except TimeoutError:
        pass
    finally:
        chips.stop()
    return _reader_lines(ports, {circle: _fault(port, heard.get(circle)) for circle, port in ports.items()})


def _is_there(port: str) -> bool:
    return Path(port).exists()


def _fault(port: str, last: Inventory | None) -> Fault | None:
    """What is wrong with a reader; None where it gave a whole inventory."""
    if not _is_there(port):
        return Fault("without a port", NO_PORT)
    why = last.why.removeprefix(f"{port}: ") if last else ""
    if why.startswith("cannot be opened"):
        return Fault("cannot be opened", f"{why}: is it a serial port, and does no other program hold it?")
    if last is None or last.answer == "silent":
        return Fault("silent", "no answer: look at its cable, its supply, its HSU switches")
    if last.answer == "unstable":
        return Fault("not understood", f"{why}: is it a reader of that kind, and do no chips stand on edge?")
    return None


def _reader_lines(ports: Mapping[CircleId, str], faults: Mapping[CircleId, Fault | None]) -> list[Line]:
    """How many answered and what the others have in common; then each that did not."""
    failed = {circle: fault for circle, fault in faults.items() if fault}
    causes = Counter(fault.cause for fault in failed.values())
    wrong = ", ".join(f"{count} {cause}" for cause, count in causes.items())
    return [
        Line(f"readers: {len(ports) - len(failed)} of {len(ports)} answered", wrong),
        *(
            Line(f"reader seat {seat} {wager} on {ports[seat, wager]}", fault.words)
            for (seat, wager), fault in failed.items()
        ),
    ]
