"""Lamps and keys at commissioning: lights every lamp in each colour (red, green, blue), or asks a person
about each.

Every lamp is dark at the end. The driver compares the read-back of the lamp chain, and one line here reports
the result. An LED itself has no read-back: only a person sees whether it is lit.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence

from controller.settings.config import TableConfig
from controller.table.commissioning.by_hand import COLOURS, Inputs, KeyPress, Write, walk_keys, walk_lamps
from controller.table.commissioning.lines import ReportLine
from controller.table.daemon.devices import Panel, open_panel
from drivers.pins.factory import PinsError
from drivers.pins.map import PinMap
from drivers.ports import CircleId, Signal

NOT_FITTED = ReportLine("pins: none fitted, no lamps and no keys")


def check_lamps_alone(config: TableConfig, lamp_s: float) -> Iterator[ReportLine]:
    """Light every lamp in turn, green and then red, for `lamp_s` each, without asking a person."""
    pins = config.keys.pins
    if pins is None:
        yield NOT_FITTED
        return
    what = f"pins: {pins.factory}"
    try:
        panel = open_panel(config)
    except PinsError as error:
        yield ReportLine(what, str(error))
        return
    try:
        panel.keys.start(_ignore_key)
        _light(panel, _lit_circles(config), lamp_s)
        why = _chain_fault(panel)
    except PinsError as error:
        why = str(error)
    finally:
        _close(panel)
    yield ReportLine(what, why)
    if not why:
        yield chain_line(config.pin_map)
        yield ReportLine(
            "lamps and keys: every lamp was lit, green and then red, seat 1 to seat 6",
            todo="crisscross check --panel asks of each lamp and each key",
        )


async def walk_panel(config: TableConfig, inputs: Inputs, write: Write) -> list[ReportLine]:
    """Ask a person to press each key and to confirm each lamp; return the report lines."""
    pins = config.keys.pins
    if pins is None:
        return [NOT_FITTED]
    loop = asyncio.get_running_loop()

    def hear(key: str) -> None:
        loop.call_soon_threadsafe(inputs.put_nowait, KeyPress(key))

    try:
        panel = open_panel(config)
    except PinsError as error:
        return [ReportLine(f"pins: {pins.factory}", str(error))]
    try:
        panel.keys.start(hear)
        keys = await walk_keys(inputs, write)
        lamps = await walk_lamps(panel, _lit_circles(config), inputs, write)
        why = _chain_fault(panel)
    except PinsError as error:
        return [ReportLine(f"pins: {pins.factory}", str(error))]
    finally:
        _close(panel)
    chain = [] if why else [chain_line(config.pin_map)]
    return [ReportLine(f"pins: {pins.factory}", why), *chain, *keys, *lamps]


def _lit_circles(config: TableConfig) -> Sequence[CircleId]:
    """Return the circles that the table plays and that have a lamp in the pin map."""
    fitted = {(circle.seat, str(circle.wager)) for circle in config.reader_ports()}
    return sorted(config.pin_map.circles & fitted if fitted else config.pin_map.circles)


def _light(panel: Panel, order: Sequence[CircleId], lamp_s: float) -> None:
    for colour in COLOURS:
        for circle in order:
            panel.lamps.show({circle: Signal(colour)})
            time.sleep(lamp_s)


def _chain_fault(panel: Panel) -> str:
    """Return a text about the faults of the lamp chain, transient ones included, or "" if there were none."""
    health = panel.lamps.statistics()
    if health is None or not health.failed:
        return ""
    return f"the lamp chain at {health.port}, {health.failed} of {health.written} times: {health.first}"


MIN_SPARE_OUTPUTS = 2
"""Number of outputs without a lamp that the chain needs, so that two consecutive frames always differ."""
NO_FRAME_NUMBER = (
    f"fewer than {MIN_SPARE_OUTPUTS} outputs are `none` in lamps.registers: frames carry no number, "
    "and a missing lamp board may be found only while a lamp is lit"
)


def chain_line(pins: PinMap) -> ReportLine:
    """Return the report line for a lamp chain without a fault."""
    if not pins.way_back:
        return ReportLine(
            "lamp chain", note="it has no way back (lamps.way_back): a broken chain is not reported"
        )
    if len(pins.spare_bits) < MIN_SPARE_OUTPUTS:
        return ReportLine("lamp chain", note=NO_FRAME_NUMBER)
    return ReportLine(f"lamp chain: {pins.registers} registers, each frame came back with its own number")


def _ignore_key(key: str) -> None:
    """Ignore a key press: this check does not ask for keys."""


def _close(panel: Panel) -> None:
    panel.lamps.stop()
    panel.keys.stop()
    panel.close()
