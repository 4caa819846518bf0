"""The emulated header: pins of gpio-sim in sysfs, the lamp board behind benchspi, the kernel's own trace."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.settings.pin_map import read_pin_map
from drivers.pins.map import PinMap

SPI = Path("/sys/module/benchspi/parameters")
TRACE = Path("/sys/kernel/tracing")
GUARD_S = 60.0
"""Timeout of every wait, in virtual seconds."""


def read_pins() -> PinMap:
    return read_pin_map(Path("/opt/table/hardware/pins.yaml"))


def _line(pin: int, what: str) -> Path:
    return next(Path("/sys/devices/platform").glob(f"gpio-sim.*/gpiochip*/sim_gpio{pin}/{what}"))


def level(pin: int) -> int:
    return int(_line(pin, "value").read_text())


def pull(pin: int, high: bool) -> None:
    """Set the level of an input pin from outside, as a key does, which pulls its pin to ground when
    pressed."""
    _line(pin, "pull").write_text("pull-up" if high else "pull-down")


def tap(pin: int, down_s: float, up_s: float) -> None:
    pull(pin, high=False)
    time.sleep(down_s)
    pull(pin, high=True)
    time.sleep(up_s)


def chain(**parameters: int) -> None:
    for name, value in parameters.items():
        (SPI / name).write_text(str(value))


def count(name: str) -> int:
    return int((SPI / name).read_text())


def latched(pins: PinMap) -> int:
    """Return the latched bits of the lamp board that drive a lamp. Bit 0 is output QA of the register nearest
    the Pi."""
    bits = int.from_bytes(bytes.fromhex((SPI / "outputs").read_text()), "big")
    return bits & sum(1 << bit for bit in pins.bits.values())


@contextmanager
def traced() -> Iterator[list[str]]:
    """Yield a list that has, after the block, the kernel's actions on pins and SPI during it, in order."""
    for events in ("gpio", "spi"):
        (TRACE / "events" / events / "enable").write_text("1")
    (TRACE / "trace").write_text("")
    found: list[str] = []
    try:
        yield found
    finally:
        found += [row.split(": ", 1)[1] for row in (TRACE / "trace").read_text().splitlines() if ": " in row]


def until(holds: object, what: str) -> None:
    """Wait until `holds()` is true. Raises AssertionError with `what` after `GUARD_S` virtual seconds."""
    assert callable(holds)
    end = time.monotonic() + GUARD_S
    while not holds():
        assert time.monotonic() < end, f"not in {GUARD_S:.0f} s: {what}"
        time.sleep(0.05)
