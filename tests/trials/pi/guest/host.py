"""Questions to the host over the console: a word of physical memory, read or written outside the machine."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from controller.settings.pin_map import read_pin_map
from drivers.pins.map import PinMap
from tests.trials.pi.registers import READ, Reading, reading, write_of

GUARD_S = 60.0
"""Timeout of every wait, in virtual seconds."""


def read_pins() -> PinMap:
    return read_pin_map(Path(__file__).parents[4] / "hardware/pins.yaml")


def _ask(question: str) -> list[int]:
    print(f"ASK {question}", flush=True)
    return [int(word, 16) for word in sys.stdin.readline().split()]


def registers() -> Reading:
    return reading(_ask(" ".join(("read", *(f"{address:x}" for address in READ)))))


def drive(pin: int, level: int) -> None:
    """Set the level of an input from outside."""
    _ask("write {:x} {:x}".format(*write_of(pin, level)))


def is_kept(address: int, word: int) -> bool:
    """Return whether a register keeps a word: a device that QEMU does not model reads as 0."""
    _ask(f"write {address:x} {word:x}")
    kept = _ask(f"read {address:x}") == [word]
    _ask(f"write {address:x} 0")
    return kept


def until(holds: Callable[[], bool], what: str) -> None:
    """Wait until `holds()` is true. Raises AssertionError after `GUARD_S`."""
    end = time.monotonic() + GUARD_S
    while not holds():
        assert time.monotonic() < end, f"not in {GUARD_S:.0f} s: {what}"
        time.sleep(0.1)
