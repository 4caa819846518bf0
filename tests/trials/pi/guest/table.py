"""Pins of the table on the emulated Pi, and a process with lit lamps that is killed."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from drivers.keys.buttons import ButtonKeys
from drivers.lamps.chain import ChainLamps, open_lamps
from drivers.pins.factory import close_factory, open_factory
from drivers.ports import Signal
from tests.trials.pi.guest import host

PINS = host.read_pins()
OE = PINS.output_enable
LIT = (3, "across")
SPI_PINS = (8, 9, 10, 11)
"""Chip select, MISO, MOSI and clock."""
_CONSOLE = (14, 15)
FREE = [pin for pin in range(2, 28) if pin not in (*SPI_PINS, *_CONSOLE)]
"""Pins of the 40-pin header that neither the SPI nor the trial's console has."""
_SPI_CLOCK, _DIVIDER = 0x3F20_4008, 0x1F4
_PERSISTS = Path("/sys/module/pinctrl_bcm2835/parameters/persist_gpio_outputs")
TABLE = Path("/tmp/table.yaml")  # noqa: S108  # the machine is the trial's own
CRISSCROSS = [sys.executable, "-m", "controller"]


@contextmanager
def panel(factory_name: str = "lgpio", with_keys: bool = True) -> Iterator[tuple[ChainLamps, ButtonKeys]]:
    """Open lamps and keys as the daemon does, and close them at the end."""
    factory = open_factory(factory_name)
    try:
        lamps, keys = open_lamps(PINS, factory), ButtonKeys(PINS, factory)
        try:
            if with_keys:
                keys.start(lambda _key: None)
            yield lamps, keys
        finally:
            lamps.stop()
            keys.stop()
    finally:
        close_factory(factory)


def dark() -> bool:
    """Return whether OE is high, or an input with its pull-up."""
    seen = host.registers()
    return seen.function(OE) == "input" or seen.is_driven(OE, 1)


def has_spi() -> bool:
    """Return whether this QEMU models the SPI: otherwise its registers read as 0."""
    return host.is_kept(_SPI_CLOCK, _DIVIDER)


def write_table(factory: str) -> None:
    TABLE.write_text(
        "table: CC-K\nrules: pennsylvania\nmethod: hand\njournal: /tmp/journal.db\n"
        "display: {host: 127.0.0.1, port: 8080, language: en, user: root}\n"
        f"pins: {{factory: {factory}}}\nfloorpersons: [B-Floor]\n"
    )


def hold(factory: str) -> None:
    """Light a lamp until the process is killed."""
    with panel(factory, with_keys=False) as (chain, _):
        chain.show({LIT: Signal("red")})
        print("lit", flush=True)
        while True:
            time.sleep(60)


def killed_and_darkened(factory: str) -> str:
    """Kill a process with lit lamps, then run the command that systemd runs after it."""
    write_table(factory)
    program = f"from tests.trials.pi.guest.table import hold; hold({factory!r})"
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          text=True) as process:  # fmt: skip
        assert process.stdout is not None
        rows = iter(process.stdout)
        assert any(row.startswith("lit") for row in rows), "the process ended before a lamp was lit"
        assert host.registers().is_driven(OE, 0), "OE is not low while a lamp is lit"
        process.kill()
        process.wait()
    kept = host.registers().is_driven(OE, 0)
    persists = factory != "lgpio" or (_PERSISTS.exists() and _PERSISTS.read_text().strip() in "Y1")
    assert kept == persists, f"OE {'stays' if kept else 'is no longer'} low after kill -9"
    subprocess.run([*CRISSCROSS, "lamps-off", "--config", str(TABLE)], check=True, stdin=subprocess.DEVNULL)
    assert dark(), "lit after lamps-off"
    after = "stays low: the lamps stay lit" if kept else "is released by the kernel"
    return f"after kill -9 OE {after}; dark after lamps-off"
