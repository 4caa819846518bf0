"""Lamps and keys at commissioning: opened, every lamp lit in each colour, or asked of one by one.

It leaves every lamp dark.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence

from controller.commissioning.by_hand import COLOURS, Deeds, Key, Say, walk_keys, walk_lamps
from controller.commissioning.lines import Line
from controller.runtime.devices import Panel, open_panel
from controller.settings.config import TableConfig
from drivers.pins.factory import PinsError
from drivers.ports import CircleId, Signal

NOT_FITTED = Line("pins: none fitted, no lamps and no keys")


def lit(config: TableConfig, lamp_s: float) -> Iterator[Line]:
    """Without a person's answer: every lamp in turn, green and then red, `lamp_s` each."""
    pins = config.keys.pins
    if pins is None:
        yield NOT_FITTED
        return
    what = f"pins: {pins.factory}"
    try:
        panel = open_panel(config)
    except PinsError as error:
        yield Line(what, str(error))
        return
    try:
        panel.keys.start(_unheard)
        why = _light(panel, circles(config), lamp_s)
    except PinsError as error:
        why = str(error)
    finally:
        _close(panel)
    yield Line(what, why)
    if not why:
        yield Line(
            "lamps and keys: every lamp was lit, green and then red, seat 1 to seat 6",
            todo="crisscross check --panel asks of each lamp and each key",
        )


async def asked(config: TableConfig, deeds: Deeds, say: Say) -> list[Line]:
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
        return [Line(f"pins: {pins.factory}", str(error))]
    try:
        panel.keys.start(hear)
        keys = await walk_keys(deeds, say)
        lamps = await walk_lamps(panel, circles(config), deeds, say)
    except PinsError as error:
        return [Line(f"pins: {pins.factory}", str(error))]
    finally:
        _close(panel)
    return [Line(f"pins: {pins.factory}"), *keys, *lamps]


def circles(config: TableConfig) -> Sequence[CircleId]:
    """Those that the table plays and that have a lamp in the pin map."""
    fitted = {(circle.seat, str(circle.wager)) for circle in config.reader_ports()}
    return sorted(config.pin_map.circles & fitted if fitted else config.pin_map.circles)


def _light(panel: Panel, order: Sequence[CircleId], lamp_s: float) -> str:
    """Why the chain could not be written; empty when it was."""
    for colour in COLOURS:
        for circle in order:
            panel.lamps.show({circle: Signal(colour)})
            time.sleep(lamp_s)
    health = panel.lamps.statistics()
    return f"the lamp chain cannot be written: {health.why}" if health and health.failed else ""


def _unheard(key: str) -> None:
    """A press that nobody asked for."""


def _close(panel: Panel) -> None:
    panel.keys.stop()
    panel.lamps.stop()
    panel.close()
