"""Asks the shoe and all readers once; if one does not answer, listens on its line to find the cause.

No frame of the shoe is acknowledged, so the daemon misses nothing afterwards.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from controller.common.clock import SystemClock
from controller.settings.config import TableConfig
from controller.table.commissioning import causes
from controller.table.commissioning.causes import READER_PROBE, LineFault
from controller.table.commissioning.lines import ReportLine
from controller.table.daemon.devices import open_chips, open_shoe, same_adapter
from drivers.ports import CircleId, Inventory, ShoeReport
from drivers.probe import ProbeRequest, ProbeResult, probe

ANSWER_TIMEOUT_S = 5.0
"""Timeout in seconds for an answer. A USB port may need a second after it is opened; a shoe calls once a
second.
"""
_DEVICE_NAMES = Path("/dev/crisscross")
RULES = tuple(
    Path(folder, name)
    for folder in ("/etc/udev/rules.d", "/usr/lib/udev/rules.d")
    for name in ("99-crisscross.rules", "99-crisscross-boards.rules")
)


async def check_shoe_and_readers(config: TableConfig, last: str | None) -> list[ReportLine]:
    """Ask the shoe and the readers concurrently; return a line for each result. `last`: the shoe's last mark
    in the journal.
    """
    clock = SystemClock(None)
    shoe, readers = await asyncio.gather(_ask_shoe(config, clock, last), _ask_readers(config, clock))
    return [shoe, *readers]


# ----------------------------------------------------------------------------- shoe


async def _ask_shoe(config: TableConfig, clock: SystemClock, last: str | None) -> ReportLine:
    section = config.keys.shoe
    if section is None:
        return ReportLine("shoe: none fitted")
    what = f"shoe on {section.port}"
    if twice := same_adapter(config).get(section.port):
        return ReportLine(what, causes.remedy(LineFault("named twice", twice)))
    if not is_there(section.port):
        return ReportLine(what, causes.remedy(missing(section.port)))
    answer: asyncio.Future[ShoeReport] = asyncio.get_running_loop().create_future()

    def receive(report: ShoeReport) -> None:
        if report.kind == "WELCOME" and not answer.done():
            answer.set_result(report)

    shoe = open_shoe(config, clock)
    shoe.start(receive, last)
    try:
        if section.protocol == "plain":
            return ReportLine(
                f"{what}: plain, it says nothing before a card", todo="draw one and look at the display"
            )
        model, serial, firmware = (await asyncio.wait_for(answer, ANSWER_TIMEOUT_S)).fields[1:4]
        return ReportLine(f"{what}: {model}, serial {serial}, firmware {firmware}")
    except TimeoutError:
        remark = shoe.statistics().remark
    finally:
        shoe.stop()
    return ReportLine(what, await _why_no_shoe(section.port, remark))


async def _why_no_shoe(port: str, remark: str) -> str:
    """Return cause and remedy for a shoe that does not answer. A `remark` of the driver comes first: it names
    a wrong version or key.
    """
    answer = (await asyncio.to_thread(probe, {port: READER_PROBE}))[port]
    fault = causes.fault_of_line(answer)
    if fault.cause == "unreadable":
        return causes.remedy(LineFault("a reader"))
    if fault.cause in ("echo", "held", "not permitted", "no serial port", "not there"):
        return causes.remedy(fault)
    if remark:
        return f"{remark}: is it on, is this its port, is the cable crossed?"
    if fault.cause == "a shoe":
        return (
            "a shoe is on that line, but no session was opened: shoe.link and shoe.protocol, do they fit it?"
        )
    if fault.cause == "silent":
        return f"no answer in {ANSWER_TIMEOUT_S:.0f} s: is it on, is this its port, is the cable crossed?"
    return "bytes come, and none is a shoe's: another device, another speed (shoe.baud), or another protocol"


# -------------------------------------------------------------------------- readers


async def _ask_readers(config: TableConfig, clock: SystemClock) -> list[ReportLine]:
    ports: dict[CircleId, str] = {(c.seat, str(c.wager)): port for c, port in config.reader_ports().items()}
    if not ports:
        return [ReportLine("readers: none fitted, every amount is entered by the dealer")]
    fitted = {circle for circle, port in ports.items() if is_there(port)}
    readings, notes = await _readings(config, clock, fitted)
    failed = {circle for circle in fitted if circle not in readings or readings[circle].answer != "chips"}
    requests = causes.PROBES.get(config.keys.readers.kind, (READER_PROBE,))
    why = await _line_faults({circle: ports[circle] for circle in failed}, readings, requests)
    twice = same_adapter(config)
    faults = {
        circle: why[circle] if circle in failed else missing(port)
        for circle, port in ports.items()
        if circle in failed or circle not in fitted
    }
    faults |= {at: LineFault("named twice", twice[port]) for at, port in ports.items() if port in twice}
    return list(causes.lines(ports, faults, notes))


async def _readings(
    config: TableConfig, clock: SystemClock, fitted: set[CircleId]
) -> tuple[dict[CircleId, Inventory], dict[CircleId, str]]:
    """Return the last reading of each circle, as soon as every fitted reader has given a complete
    inventory, and the drivers' remarks."""
    readings: dict[CircleId, Inventory] = {}
    loop, all_there = asyncio.get_running_loop(), asyncio.Event()

    def receive(found: Sequence[Inventory]) -> None:
        readings.update({each.circle: each for each in found})
        if fitted <= {circle for circle, last in readings.items() if last.answer == "chips"}:
            loop.call_soon_threadsafe(all_there.set)

    if not fitted:
        return readings, {}
    chips = open_chips(config, clock)
    chips.start(receive)
    try:
        await asyncio.wait_for(all_there.wait(), ANSWER_TIMEOUT_S)
    except TimeoutError:
        pass
    finally:
        chips.stop()
    return readings, {circle: each.note for circle, each in chips.statistics().items() if each.note}


async def _line_faults(
    ports: Mapping[CircleId, str], readings: Mapping[CircleId, Inventory], requests: Sequence[ProbeRequest]
) -> dict[CircleId, LineFault]:
    """Return, by circle, the fault found on the line of each reader that failed."""
    lines: dict[str, ProbeResult] = {}
    left = set(ports.values())
    for each in requests:
        results = await asyncio.to_thread(probe, dict.fromkeys(left, each)) if left else {}
        answered = {port for port, result in results.items() if causes.has_feig_answer(bytes(result.after))}
        lines |= {port: results[port] for port in results if port in answered or port not in lines}
        left -= answered
    found = {circle: causes.fault_of_line(lines[port]) for circle, port in ports.items()}
    return {circle: _with_words(fault, readings.get(circle)) for circle, fault in found.items()}


def _with_words(fault: LineFault, last: Inventory | None) -> LineFault:
    if fault.cause == "behind a board" and last is not None and last.answer == "unstable":
        return LineFault("unreadable", last.why)
    if fault.cause == "unreadable":
        return LineFault("unreadable", last.why.rpartition("/dev/")[2] if last else "")
    if fault.cause == "silent" and last is not None and last.answer == "unstable":
        return LineFault("garbage")
    return fault


def is_there(port: str) -> bool:
    """Return whether the port exists, or cannot be looked up: the attempt to open it then states why."""
    try:
        return Path(port).exists()
    except OSError:
        return True


def missing(port: str) -> LineFault:
    """Return the reason why the port does not exist."""
    return causes.fault_of_missing(port, _DEVICE_NAMES.is_dir, lambda: any(rules.exists() for rules in RULES))
