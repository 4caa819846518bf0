"""Simulated header with the real drivers, for the tests of lamps and keys."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from controller.settings.pin_map import read_pin_map
from drivers.pins.factory import PinFactory, close_factory, open_factory
from drivers.pins.map import PinMap
from drivers.pins.sim.server import SimPinsServer

PINS_YAML = Path(__file__).parents[3] / "hardware" / "pins.yaml"


def table_pins(debounce_s: float = 0.002) -> PinMap:
    """Return the repository's own pin map with short debounce times."""
    return replace(read_pin_map(PINS_YAML), debounce_s=debounce_s)


@asynccontextmanager
async def header(
    folder: Path, pins: PinMap, on_lamps: Any = None
) -> AsyncIterator[tuple[SimPinsServer, PinFactory]]:
    """Yield a bench and an open ``sim`` factory connected to it, within a timeout of thirty seconds, which
    suffices on a loaded machine."""
    server = SimPinsServer(folder / "pins.sock", pins, on_lamps)
    await server.start()
    factory = open_factory("sim", folder / "pins.sock")
    try:
        async with asyncio.timeout(30):
            await server.until_connected()
            yield server, factory
    finally:
        close_factory(factory)
        await server.stop()
