"""Steps on the emulated Pi over unmodified gpiozero, lgpio and spidev. Each compares what the program reports
with the registers that the host reads."""

from __future__ import annotations

import logging
import subprocess
import sys
import time
import traceback
from pathlib import Path

import lgpio

from drivers.keys.buttons import ButtonKeys
from drivers.lamps.chain import CHECK_S
from drivers.pins.factory import PinsError, close_factory, open_factory
from drivers.pins.header_chip import header_chip
from drivers.ports import Signal
from tests.trials.kernel.guest.header import traced
from tests.trials.pi.guest import host, rpi
from tests.trials.pi.guest.table import (
    CRISSCROSS,
    FREE,
    LIT,
    OE,
    PINS,
    SPI_PINS,
    TABLE,
    dark,
    has_spi,
    killed_and_darkened,
    panel,
    write_table,
)
from tests.trials.pi.registers import changed

DRIVERS = {"3f200000.gpio": "pinctrl-bcm2835", "3f204000.spi": "spi-bcm2835"}
STOPS = 8


def board() -> str:
    """Check that the kernel's own drivers have the pins, and that the overlay of the image makes the SPI."""
    for device, driver in DRIVERS.items():
        bound = Path(f"/sys/bus/platform/devices/{device}/driver").resolve().name
        assert bound == driver, f"{device} has {bound}"
    handle = lgpio.gpiochip_open(header_chip())
    _, lines, _, label = lgpio.gpio_get_chip_info(handle)
    names = [lgpio.gpio_get_line_info(handle, pin)[3] for pin in SPI_PINS]
    lgpio.gpiochip_close(handle)
    assert (lines, label) == (54, "pinctrl-bcm2835")
    assert Path("/dev/spidev0.0").exists(), "no /dev/spidev0.0"
    seen = host.registers()
    assert [seen.function(pin) for pin in SPI_PINS] == ["output", "alt0", "alt0", "alt0"]
    assert seen.level(SPI_PINS[0]) == 1, "chip select is low while nothing is sent"
    model = Path("/proc/device-tree/model").read_text().rstrip("\0")
    spi = "" if has_spi() else "; this QEMU models no SPI: nothing is transferred"
    return f"{model}, Linux {_kernel()}: {', '.join(DRIVERS.values())}; {', '.join(names)}{spi}"


def _kernel() -> str:
    return Path("/proc/sys/kernel/osrelease").read_text().strip()


def outputs() -> str:
    """Drive each free pin of the header."""
    from gpiozero import DigitalOutputDevice

    factory = open_factory("lgpio")
    for pin in FREE:
        before = host.registers()
        device = DigitalOutputDevice(pin, pin_factory=factory)
        for level in (0, 1, 0, 1):
            device.value = level
            seen = host.registers()
            assert seen.is_driven(pin, level), f"GPIO{pin} is {seen.function(pin)} {seen.level(pin)}"
            assert device.value == level
            assert changed(before, seen) <= {pin}, f"GPIO{pin} changes {changed(before, seen)}"
        device.close()
        assert host.registers().function(pin) == "input", f"GPIO{pin} after close"
    close_factory(factory)
    return f"{len(FREE)} pins, {4 * len(FREE)} levels as set; no other pin changed, each an input at the end"


def levels() -> str:
    """Set each key's pin from outside. This board raises no interrupt, so that no press arrives."""
    from gpiozero import Button

    factory = open_factory("lgpio")
    for name, pin in PINS.keys.items():
        button = Button(pin, pull_up=True, pin_factory=factory)
        for level in (1, 0, 1, 0, 1):
            host.drive(pin, level)
            assert button.is_pressed == (not level), f"{name} at {level}"
        button.close()
    close_factory(factory)
    for down in PINS.keys:
        for name, pin in PINS.keys.items():
            host.drive(pin, int(name != down))
        factory = open_factory("lgpio")
        keys, presses = ButtonKeys(PINS, factory), list[str]()
        keys.start(presses.append)
        assert keys.stuck() == {down}, f"{down} is down, reported: {keys.stuck()}"
        keys.stop()
        close_factory(factory)
    for pin in PINS.keys.values():
        host.drive(pin, 1)
    return f"{len(PINS.keys)} keys read as set; a key that is down at the start is named"


def lamps() -> str:
    """Light lamps and check the trace: chip select is low during each transfer, and OE only after the first
    one."""
    if not has_spi():
        return _without_spi()
    with traced() as events, panel() as (chain, _):
        seen = host.registers()
        assert seen.is_driven(OE, 0), f"OE is {seen.function(OE)} {seen.level(OE)}"
        now = 100.0
        for colour in ("green", "red", "amber"):
            chain.show({LIT: Signal(colour)})
            chain.tick(now := now + CHECK_S)
            assert host.registers().level(SPI_PINS[0]) == 1, "chip select is low while nothing is sent"
        health = chain.statistics()
    assert dark(), "lit after the stop"
    transfers = _transfers(events)
    assert transfers, "no transfer in the kernel's trace"
    assert "nothing but low" in health.why, f"without a lamp board: {health.why!r}"
    return f"{transfers} transfers, chip select low during each, OE only after the first; no board is named"


def _transfers(events: list[str]) -> int:
    """Return the number of transfers in a kernel's trace. Raises AssertionError if a level is wrong."""
    first = _first_line()
    select, enable, count = 1, 1, 0
    for event in events:
        name, _, rest = event.partition(": ")
        words = rest.split()
        if name == "gpio_value" and words[1] == "set":
            if int(words[0]) == first + SPI_PINS[0]:
                select = int(words[2])
            elif int(words[0]) == first + OE:
                enable = int(words[2])
                assert enable or count, "OE is low before a frame was latched"
        elif name == "spi_transfer_start":
            assert select == 0, "chip select is high during a transfer: the frame before is latched"
            count += 1
    return count


def _first_line() -> int:
    """Return the kernel's number of GPIO0 in its trace."""
    for chip in Path("/sys/class/gpio").glob("gpiochip*"):
        if (chip / "label").read_text().strip() == "pinctrl-bcm2835":
            return int((chip / "base").read_text())
    raise AssertionError("no chip in /sys/class/gpio")


def _without_spi() -> str:
    words = ""
    try:
        with panel():
            pass
    except PinsError as error:
        words = str(error)
    assert "spi xfer" in words, f"lamps are opened although nothing is transferred: {words}"
    assert dark(), "lit although nothing was transferred"
    return "no transfer: refused with an error, OE never low"


def check() -> str:
    """Run `crisscross check --panel` with ENTER at each question; OE is low at each lamp."""
    if not has_spi():
        return "not tried without SPI"
    write_table("lgpio")
    command = [*CRISSCROSS, "check", "--mock", "--panel", "--config", str(TABLE)]
    rows, lit = list[str](), 0
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, bufsize=1) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        for row in process.stdout:
            rows.append(row.strip())
            if rows[-1].endswith(("green?", "red?")):
                assert host.registers().is_driven(OE, 0), row
                lit += 1
            elif not row.startswith("press "):
                continue
            process.stdin.write("\n")
    assert lit == len(PINS.bits), f"{lit} lamps asked for, of {len(PINS.bits)}: {rows[-8:]}"
    assert any("nothing but low" in row for row in rows), rows[-8:]
    assert dark(), "lit after the check"
    return f"{lit} lamps asked for with OE low, the missing board named, dark at the end"


def stops() -> str:
    if not has_spi():
        return "not tried without SPI"
    for turn in range(STOPS):
        with panel() as (chain, _):
            chain.show({LIT: Signal("red")})
        assert dark(), f"lit after stop {turn}"
    assert lgpio._notify_thread.is_alive(), "the thread of the keys has ended"
    return f"{STOPS} stops without an exception, dark after each"


def killed() -> str:
    return killed_and_darkened("lgpio") if has_spi() else "not tried without SPI"


STEPS = {"board": board, "outputs": outputs, "levels": levels, "lamps": lamps, "check": check, "stops": stops,
         "killed": killed, "rpi_outputs": rpi.outputs, "rpi_lamps": rpi.lamps, "rpi_keys": rpi.keys,
         "rpi_killed": rpi.killed}  # fmt: skip


def main(wanted: list[str]) -> int:
    logging.basicConfig(level=logging.ERROR, stream=sys.stdout)
    failed = 0
    for name in wanted:
        began = time.monotonic()
        try:
            held, words = True, STEPS[name]()
        except (AssertionError, OSError, RuntimeError, lgpio.error, subprocess.SubprocessError) as error:
            held, words = False, f"{type(error).__name__}: {error}"
            traceback.print_exc(file=sys.stdout)
        failed += not held
        spent = f"{time.monotonic() - began:.1f} s virtual"
        print(f"GUEST {'ok' if held else 'FAILED'} {name}: {words} ({spent})", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1].split(",")))
