"""RPi.GPIO, BCM numbers, on Debian's kernel: registers over /dev/mem, edges over /sys/class/gpio.

Raspberry Pi OS has /dev/gpiomem for the registers. Debian has not, and maps no register that a driver has,
unless it is started with iomem=relaxed.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from drivers.keys.buttons import ButtonKeys
from drivers.pins.factory import PinsError, close_factory, open_factory
from drivers.ports import Signal
from tests.trials.pi.guest import host
from tests.trials.pi.guest.table import FREE, LIT, OE, PINS, dark, has_spi, killed_and_darkened, panel
from tests.trials.pi.registers import changed


def _has_registers() -> bool:
    return "iomem=relaxed" in Path("/proc/cmdline").read_text()


def outputs() -> str:
    """Drive each free pin of the header, or report the refusal."""
    if not _has_registers():
        return _refused()
    gpio = import_module("RPi.GPIO")
    gpio.setmode(gpio.BCM)
    for pin in FREE:
        before = host.registers()
        gpio.setup(pin, gpio.OUT)
        for level in (0, 1, 0, 1):
            gpio.output(pin, level)
            seen = host.registers()
            assert seen.is_driven(pin, level), f"GPIO{pin} is {seen.function(pin)} {seen.level(pin)}"
            assert gpio.input(pin) == level
            assert changed(before, seen) <= {pin}, f"GPIO{pin} changes {changed(before, seen)}"
        gpio.setup(pin, gpio.IN)
        for level in (0, 1):
            host.drive(pin, level)
            assert gpio.input(pin) == level, f"GPIO{pin} reads {1 - level}"
        gpio.cleanup(pin)
        assert host.registers().function(pin) == "input", f"GPIO{pin} after cleanup"
    board = gpio.RPI_INFO["TYPE"]
    return f"{board}: {len(FREE)} pins, {4 * len(FREE)} levels as set, {2 * len(FREE)} read; no other changed"


def _refused() -> str:
    before, words = host.registers(), ""
    try:
        with panel("rpigpio", with_keys=False):
            pass
    except PinsError as error:
        words = str(error)
    assert "GPIO registers" in words, f"registers are mapped without iomem=relaxed: {words}"
    assert not changed(before, host.registers()) & {OE}, "OE has changed"
    return f"refused on Debian's kernel: {words[:120]}"


def lamps() -> str:
    if not (_has_registers() and has_spi()):
        return "not tried without registers or SPI"
    with panel("rpigpio", with_keys=False) as (chain, _):
        assert host.registers().is_driven(OE, 0), "OE is not low"
        chain.show({LIT: Signal("red")})
        health = chain.statistics()
        chain.dim(50)
        chain.dim(100)
        assert host.registers().is_driven(OE, 0), "OE is not low at full brightness"
    assert dark(), "lit after the stop"
    return f"{health.written} frames, OE low, and high or released after the stop"


def keys() -> str:
    """RPi.GPIO must refuse the keys: it uses /sys/class/gpio, where Linux does not number the pins from 0."""
    if not _has_registers():
        return "not tried without registers"
    factory, words = open_factory("rpigpio"), ""
    try:
        ButtonKeys(PINS, factory).start(lambda _key: None)
    except PinsError as error:
        words = str(error)
    finally:
        close_factory(factory)
    assert "edge detection" in words, f"edges are detected: {words}"
    return f"refused: {words}"


def killed() -> str:
    """A killed process leaves OE as it was, because the kernel does not know that RPi.GPIO uses the
    registers."""
    if not (_has_registers() and has_spi()):
        return "not tried without registers or SPI"
    return killed_and_darkened("rpigpio")
