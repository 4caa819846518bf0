"""A reading by the firmware takes no longer than allowed, in virtual time, at the bus clock that the firmware
sets.
"""

from __future__ import annotations

from functools import partial
from threading import Lock

import pytest

from drivers.chips.sim import board_spi
from drivers.chips.sim.board_spi import MAX_HZ, SpiBus, SpiChip
from drivers.chips.sim.pn532 import DEVICE_TIMES
from hardware.seat_board.reading import Reader
from hardware.seat_board.spi import CLOCK_HZ, SeatPn532, Silent
from tests.drivers.chips.lines import uids

SETTLE_US = 5_000
SCAN_S = 0.450
"""Maximum duration of a full scan with three chips in each circle (tests/figures.yaml)."""
READERS = 7
USB_S = 0.002
"""Seconds that a request and its answer take on USB, for each circle."""


class VirtualTime:
    """Stand-in for the time module of a board. Time passes only during waits and while bytes are sent."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += max(0.0, seconds)

    def microseconds(self) -> int:
        return round(self.now * 1_000_000)


class Bench:
    """One reader that takes a device's time, and whose field has been off for long enough."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.time = VirtualTime()
        monkeypatch.setattr(board_spi, "time", self.time)
        self.chip = SpiChip(DEVICE_TIMES, 1.0, 1, Lock())
        self.bus = SpiBus([self.chip], 1.0)
        connect = partial(SeatPn532, self.bus, self.chip.select, self.chip.wait_low, self.time.sleep)
        self.reader = Reader(connect, self.chip.reset, self.time.microseconds, self.time.sleep)
        self.reader.setup(SETTLE_US, lambda: None)

    def reading_s(self, chips: int) -> float:
        self.chip.antenna.set_chips([bytes.fromhex(uid) for uid in uids(chips)], self.time.now)
        self.time.sleep(1.0)
        began = self.time.now
        assert len(self.reader.inventory(lambda: None)) == chips
        return self.time.now - began


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(monkeypatch)


def test_the_firmware_sets_the_clock_of_the_bus(bench: Bench) -> None:
    assert bench.bus.baudrate == CLOCK_HZ
    assert 1_000_000 <= CLOCK_HZ <= MAX_HZ


def test_a_full_scan_with_three_chips_a_circle_is_in_time(bench: Bench) -> None:
    assert READERS * (bench.reading_s(3) + USB_S) < SCAN_S


@pytest.mark.parametrize("hertz", [100_000, 250_000, 1_000_000, MAX_HZ])
def test_a_byte_takes_eight_periods_of_the_clock(bench: Bench, hertz: int) -> None:
    began = bench.time.now
    bench.bus.configure(baudrate=hertz)
    bench.bus.write(bytes(453))
    assert bench.time.now - began == pytest.approx(8 * 453 / hertz)


def test_over_five_megahertz_no_chip_answers(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.seat_board.spi.CLOCK_HZ", MAX_HZ + 1)
    with pytest.raises(Silent):
        SeatPn532(bench.bus, bench.chip.select, lambda _: False, bench.time.sleep)
