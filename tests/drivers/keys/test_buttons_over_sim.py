"""The dealer's keys report each press once through gpiozero's Button, although contacts bounce, stick and
come loose.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from drivers.keys.buttons import ButtonKeys
from drivers.keys.sim.in_process import DirectKeys
from drivers.pins.factory import PinsError
from drivers.pins.map import KEYS, PinMap
from drivers.pins.sim.server import SimPinsServer
from tests.drivers.lamps.sim_table import header, table_pins

pytestmark = pytest.mark.serial


class Presses:
    """Sink for presses that any thread may call; the test can wait for a press."""

    def __init__(self) -> None:
        self.pressed: list[str] = []
        self._loop = asyncio.get_running_loop()
        self._arrived = asyncio.Event()

    def __call__(self, key: str) -> None:
        self._loop.call_soon_threadsafe(self._take, key)

    def _take(self, key: str) -> None:
        self.pressed.append(key)
        self._arrived.set()

    async def until(self, count: int) -> list[str]:
        while len(self.pressed) < count:
            self._arrived.clear()
            await self._arrived.wait()
        return self.pressed


@asynccontextmanager
async def keys(folder: Path, pins: PinMap) -> AsyncIterator[tuple[SimPinsServer, ButtonKeys, Presses]]:
    async with header(folder, pins) as (server, factory):
        driver, presses = ButtonKeys(pins, factory), Presses()
        driver.start(presses)
        try:
            yield server, driver, presses
        finally:
            driver.stop()


async def test_every_key_is_reported_by_its_own_name(tmp_path: Path) -> None:
    async with keys(tmp_path, table_pins()) as (server, _, presses):
        for key in KEYS:
            await server.press(key)
        assert await presses.until(len(KEYS)) == list(KEYS)


@pytest.mark.parametrize("bounces", [1, 7, 40])
async def test_a_bouncing_contact_is_reported_as_one_press(tmp_path: Path, bounces: int) -> None:
    async with keys(tmp_path, table_pins(0.1)) as (server, _, presses):
        await server.press("confirm", bounces=bounces)
        await server.press("fold")
        assert await presses.until(2) == ["confirm", "fold"]


async def test_a_spike_shorter_than_the_debounce_time_is_ignored(tmp_path: Path) -> None:
    async with keys(tmp_path, table_pins(0.1)) as (server, _, presses):
        server.hold("fold")
        server.release("fold")
        await server.press("floor")
        assert await presses.until(1) == ["floor"]


async def test_a_stuck_key_presses_once_and_is_reported_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    pins = replace(table_pins(), stuck_after_s=0.05)
    async with keys(tmp_path, pins) as (server, driver, presses):
        server.hold("confirm")
        while driver.stuck() != {"confirm"}:
            await asyncio.sleep(0)
        server.release("confirm")
        while driver.stuck():
            await asyncio.sleep(0)
        await server.press("confirm")
        assert await presses.until(2) == ["confirm", "confirm"]
    assert sum("is stuck" in record.message for record in caplog.records) == 1
    assert sum("is up again" in record.message for record in caplog.records) == 1


async def test_a_key_held_down_at_the_start_is_reported_but_not_as_a_press(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    pins = table_pins()
    async with header(tmp_path, pins) as (server, factory):
        server.hold("floor")
        while not factory.wires:
            await asyncio.sleep(0)
        driver, presses = ButtonKeys(pins, factory), Presses()
        driver.start(presses)
        assert driver.stuck() == {"floor"}
        server.release("floor")
        while driver.stuck():
            await asyncio.sleep(0)
        await server.press("confirm")
        assert await presses.until(1) == ["confirm"]
        driver.stop()
    assert sum("down since the start" in record.message for record in caplog.records) == 1


async def test_keys_work_again_after_the_wire_returns_even_if_one_was_down(tmp_path: Path) -> None:
    async with keys(tmp_path, table_pins()) as (server, _, presses):
        server.hold("fold")
        await presses.until(1)
        server.disconnect()
        await server.until_connected(False)
        server.release("fold")
        await server.until_connected()
        await server.press("fold")
        assert await presses.until(2) == ["fold", "fold"]


async def test_an_occupied_pin_is_an_error_that_names_key_and_pin(tmp_path: Path) -> None:
    async with keys(tmp_path, table_pins()) as (_, driver, _):
        again = ButtonKeys(table_pins(), driver._factory)
        with pytest.raises(PinsError, match=r"key no_more_bets \(GPIO16\).*check keys.pins"):
            again.start(lambda key: None)


def test_direct_keys_are_reported_only_between_start_and_stop() -> None:
    pressed: list[str] = []
    driver = DirectKeys()
    driver.press("confirm")
    driver.start(pressed.append)
    driver.press("fold")
    driver.stop()
    driver.press("floor")
    assert pressed == ["fold"]


async def test_a_press_whose_edges_are_read_together_is_reported(tmp_path: Path) -> None:
    """A delayed daemon reads both edges together. The simulated header supplies the time of each edge."""
    pins = table_pins(0.02)
    async with header(tmp_path, pins) as (_, factory):
        driver, presses = ButtonKeys(pins, factory), Presses()
        driver.start(presses)
        for level, at in ((0, 10.0), (1, 10.01), (0, 11.0), (1, 11.035)):
            factory.received({"pin": pins.keys["fold"], "level": level, "at": at}, 12.0)
        assert await presses.until(1) == ["fold"]
        factory.settle(12.0)  # the key is released, so closing does not wait for it
        driver.stop()
