"""The lamp driver shows each picture through gpiozero and the socket, on a chain that shifts and latches as a
real one does.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from pathlib import Path

import pytest

from controller.game.model.names import Wager
from drivers.lamps.chain import open_lamps
from drivers.lamps.off import lamps_off
from drivers.pins.factory import close_factory, open_factory
from drivers.pins.sim.server import SimPinsServer
from drivers.ports import Signal
from tests.drivers.lamps.sim_table import PINS_YAML, header, table_pins

pytestmark = pytest.mark.serial

GREEN, RED, AMBER = Signal("green"), Signal("red"), Signal("amber")


async def test_each_lamp_lights_its_own_circle_in_its_own_colour(tmp_path: Path) -> None:
    async with header(tmp_path, table_pins()) as (server, factory):
        lamps = open_lamps(table_pins(), factory)
        for circle in [(seat, wager) for seat in range(1, 7) for wager in Wager]:
            for signal in (GREEN, RED, AMBER):
                lamps.show({circle: signal})
                await server.until(lambda lit, want={circle: signal.colour}: lit == want)
        lamps.stop()
        await server.until(lambda lit: not lit)


async def test_outputs_are_enabled_only_after_the_chain_was_made_dark(tmp_path: Path) -> None:
    """A 595 has random outputs at power-on, so lamps could flash when the daemon starts."""
    pictures: list[dict[object, str]] = []
    pins = table_pins()
    async with header(tmp_path, pins, lambda lit: pictures.append(dict(lit))) as (server, factory):
        server._chain.shift(bytes([0xFF] * pins.registers))
        server._chain.latch()
        lamps = open_lamps(pins, factory)
        lamps.show({(1, "ante_across"): GREEN})
        await server.until(bool)
        lamps.stop()
        await server.until(lambda lit: not lit)
    assert {tuple(picture.items()) for picture in pictures} == {(), (((1, "ante_across"), "green"),)}


async def test_a_killed_daemon_leaves_the_table_dark(tmp_path: Path) -> None:
    async with header(tmp_path, table_pins()) as (server, factory):
        lamps = open_lamps(table_pins(), factory)
        lamps.show({(6, "middle"): RED})
        await server.until(bool)
        factory._link.close()
        await server.until_connected(False)
        assert not server.lamps
        assert server.outputs
        lamps.stop()


async def test_a_broken_wire_is_logged_once_and_the_lamps_return_after_repair(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with header(tmp_path, table_pins()) as (server, factory):
        lamps = open_lamps(table_pins(), factory)
        lamps.show({(2, "across"): RED})
        await server.until(bool)
        server.disconnect()
        await server.until_connected(False)
        lamps.show({(2, "across"): GREEN})
        for now in range(5):
            lamps.tick(float(now))
        assert not server.lamps
        await server.until_connected()
        while server.lamps != {(2, "across"): "green"}:
            lamps.tick(9.0)
            await asyncio.sleep(0)
        lamps.stop()
    levels = [record.levelname for record in caplog.records if record.name.startswith("drivers.")]
    assert levels == ["ERROR", "INFO"]


DAEMON = """
import pathlib, sys
from drivers.lamps.chain import open_lamps
from controller.settings.pin_map import read_pin_map
from drivers.pins.factory import open_factory
from drivers.ports import Signal
lamps = open_lamps(read_pin_map(pathlib.Path(sys.argv[2])), open_factory("sim", pathlib.Path(sys.argv[1])))
lamps.show({(5, "down"): Signal("red")})
sys.stdin.readline()
raise KeyError("an unforeseen mistake")
"""


@pytest.mark.parametrize("killed", [False, True])
async def test_a_process_that_ends_with_an_error_leaves_the_table_dark(tmp_path: Path, killed: bool) -> None:
    """A process that fails still sends a dark chain; after kill -9 the pull-up at OE darkens the lamps."""
    server = SimPinsServer(tmp_path / "pins.sock", table_pins())
    await server.start()
    daemon = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-c", DAEMON, str(tmp_path / "pins.sock"), str(PINS_YAML)),
        stdin=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=PINS_YAML.parents[1],
    )
    await server.until(lambda lit: lit == {(5, "down"): "red"})
    if killed:
        daemon.kill()
    _, errors = await daemon.communicate(b"\n")
    await server.until_connected(False)
    assert not server.lamps
    assert bool(server.outputs) == killed
    assert killed or b"KeyError" in errors
    await server.stop()


async def test_lamps_off_darkens_lamps_left_on_by_a_killed_daemon(tmp_path: Path) -> None:
    pins = table_pins()
    server = SimPinsServer(tmp_path / "pins.sock", pins)
    await server.start()
    server._chain.shift(bytes([0xFF] * pins.registers))
    server._chain.latch()
    lamps_off(pins, "sim", tmp_path / "pins.sock")  # opens and closes the chain before the bench checks it
    await server.until(lambda _: server.outputs == 0)
    await server.until_connected(False)
    assert not server.lamps
    await server.stop()


async def test_a_second_daemon_is_refused_and_the_first_keeps_its_lamps(tmp_path: Path) -> None:
    async with header(tmp_path, table_pins()) as (server, factory):
        lamps = open_lamps(table_pins(), factory)
        lamps.show({(4, "down"): AMBER})
        await server.until(bool)
        reader, writer = await asyncio.open_unix_connection(tmp_path / "pins.sock")
        assert await reader.read() == b""
        writer.close()
        await writer.wait_closed()
        assert server.lamps == {(4, "down"): "amber"}
        lamps.stop()


def test_the_chain_uses_the_given_factory_whatever_the_environment_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """SPISoftwareBus uses the process's default factory, which must be the given one whatever the environment
    names."""
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "nonsense")
    factory = open_factory("mock")
    lamps = open_lamps(table_pins(), factory)
    lamps.show({(1, "across"): GREEN})
    assert factory.pin(table_pins().output_enable).state == 0
    lamps.stop()
    close_factory(factory)
