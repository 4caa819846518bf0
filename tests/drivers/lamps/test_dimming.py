"""Pulses at OE dim the lamps through gpiozero, without an effect on the chain and its read-back."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from drivers.lamps.chain import CALM_S, CHECK_S, open_lamps
from drivers.lamps.dimming import DimmableEnable
from drivers.pins.sim.chain import ChainFaults
from drivers.pins.sim.server import SimPinsServer
from drivers.ports import MIN_LAMPS_PERCENT, Signal
from tests.drivers.lamps.sim_table import header, table_pins

pytestmark = pytest.mark.serial

RED = Signal("red")


async def until_percent(server: SimPinsServer, percent: int) -> None:
    await server.until(lambda _lit: server.percent == percent)


async def test_dimming_changes_neither_lamps_nor_rhythms(tmp_path: Path) -> None:
    async with header(tmp_path, table_pins()) as (server, factory):
        lamps = open_lamps(table_pins(), factory)
        await until_percent(server, 100)
        lamps.show({(6, "middle"): RED, (1, "across"): Signal("green", "##..")})
        await server.until(lambda lit: len(lit) == 2)
        for percent in (40, MIN_LAMPS_PERCENT, 75):
            lamps.dim(percent)
            await until_percent(server, percent)
            assert server.lamps == {(6, "middle"): "red", (1, "across"): "green"}
        lamps.tick(0.6)
        await server.until(lambda lit: lit == {(6, "middle"): "red"})
        lamps.dim(100)
        await until_percent(server, 100)
        lamps.stop()
        await until_percent(server, 0)


@pytest.mark.parametrize("percent", [0, -5, 19])
async def test_a_lamp_stays_lit_at_any_brightness(tmp_path: Path, percent: int) -> None:
    async with header(tmp_path, table_pins()) as (server, factory):
        lamps = open_lamps(table_pins(), factory)
        lamps.show({(6, "middle"): RED})
        lamps.dim(percent)
        await until_percent(server, MIN_LAMPS_PERCENT)
        await server.until(lambda lit: lit == {(6, "middle"): "red"})
        lamps.stop()


async def test_a_chain_fault_is_found_while_dimmed_and_the_brightness_is_kept(
    tmp_path: Path,
) -> None:
    async with header(tmp_path, table_pins()) as (server, factory):
        lamps = open_lamps(table_pins(), factory)
        lamps.dim(MIN_LAMPS_PERCENT)
        lamps.show({(6, "middle"): RED})
        now = 0.0
        for faults, wrong in ((ChainFaults(cut=4), True), (ChainFaults(), False)):
            server.set_chain_faults(faults)
            while bool(lamps.statistics().why) is not wrong:
                now += CHECK_S if wrong else CALM_S
                lamps.tick(now)
                await asyncio.sleep(0)
        await until_percent(server, MIN_LAMPS_PERCENT)
        lamps.stop()


class IntegersOnly(MockPWMPin):  # type: ignore[misc]  # gpiozero carries no types
    """A pin of RPi.GPIO: `GPIO.output` raises ValueError for a float."""

    def _set_state(self, value: float) -> None:
        assert isinstance(value, int) or self.frequency is not None, value
        super()._set_state(value)


def test_a_pin_without_pulses_is_given_integers() -> None:
    enable = DimmableEnable(6, MockFactory(pin_class=IntegersOnly))
    seen = []
    for change in (enable.on, lambda: enable.dim(40), lambda: enable.dim(100), enable.off):
        change()
        seen.append(enable.pin.state)
    enable.close()
    assert seen == [0, 0.6, 0, 1]
