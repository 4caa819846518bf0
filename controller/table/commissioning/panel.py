"""Lamps and keys at commissioning: opened, every lamp lit in each colour, or asked of one by one.

It leaves every lamp dark. What the lamp chain gives back is compared by its driver, and is a line here; of an
LED that line says nothing, which only a person sees.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence

from controller.settings.config import TableConfig
from controller.table.commissioning.by_hand import COLOURS, Deeds, Key, Say, walk_keys, walk_lamps
from controller.table.commissioning.lines import ReportLine
from controller.table.daemon.devices import Panel, open_panel
from drivers.pins.factory import PinsError
from drivers.pins.map import PinMap
from drivers.ports import CircleId, Signal

NOT_FITTED = ReportLine("pins: none fitted, no lamps and no keys")


def lit(config: TableConfig, lamp_s: float) -> Iterator[ReportLine]:
    """Without a person's answer: every lamp in turn, green and then red, `lamp_s` each."""
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
        panel.keys.start(_unheard)
        _light(panel, circles(config), lamp_s)
        why = _wrong(panel)
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


async def asked(config: TableConfig, deeds: Deeds, say: Say) -> list[ReportLine]:
    """With a person: each key pressed, each lamp confirmed."""
    pins = config.keys.pins
    if pins is None:
        return [NOT_FITTED]
    loop = asyncio.get_running_loop()

    def hear(key: str) -> None:
        loop.call_soon_threadsafe(deeds.put_nowait, Key(key))

    try:
        panel = open_panel(config)
    except PinsError as error:
        return [ReportLine(f"pins: {pins.factory}", str(error))]
    try:
        panel.keys.start(hear)
        keys = await walk_keys(deeds, say)
        lamps = await walk_lamps(panel, circles(config), deeds, say)
        why = _wrong(panel)
    except PinsError as error:
        return [ReportLine(f"pins: {pins.factory}", str(error))]
    finally:
        _close(panel)
    chain = [] if why else [chain_line(config.pin_map)]
    return [ReportLine(f"pins: {pins.factory}", why), *chain, *keys, *lamps]


def circles(config: TableConfig) -> Sequence[CircleId]:
    """Those that the table plays and that have a lamp in the pin map."""
    fitted = {(circle.seat, str(circle.wager)) for circle in config.reader_ports()}
    return sorted(config.pin_map.circles & fitted if fitted else config.pin_map.circles)


def _light(panel: Panel, order: Sequence[CircleId], lamp_s: float) -> None:
    for colour in COLOURS:
        for circle in order:
            panel.lamps.show({circle: Signal(colour)})
            time.sleep(lamp_s)


def _wrong(panel: Panel) -> str:
    """Return the faults of the chain, also those that occurred once; empty if there were none."""
    health = panel.lamps.statistics()
    if health is None or not health.failed:
        return ""
    return f"the lamp chain at {health.port}, {health.failed} of {health.written} times: {health.first}"


MIN_SPARE_OUTPUTS = 2
"""Outputs without a lamp that two consecutive frames need to differ."""
NO_FRAME_NUMBER = (
    f"fewer than {MIN_SPARE_OUTPUTS} outputs are `none` in lamps.registers: frames carry no number, "
    "and a missing lamp board may be found only while a lamp is lit"
)


def chain_line(pins: PinMap) -> ReportLine:
    """Return the line of `check` for a lamp chain that had no fault."""
    if not pins.way_back:
        return ReportLine(
            "lamp chain", note="it has no way back (lamps.way_back): a broken chain is not reported"
        )
    if len(pins.spare_bits) < MIN_SPARE_OUTPUTS:
        return ReportLine("lamp chain", note=NO_FRAME_NUMBER)
    return ReportLine(f"lamp chain: {pins.registers} registers, each frame came back with its own number")


def _unheard(key: str) -> None:
    """A press that nobody asked for."""


def _close(panel: Panel) -> None:
    panel.keys.stop()
    panel.lamps.stop()
    panel.close()
