"""Finds the GPIO chip of the Raspberry Pi's header among /dev/gpiochip*.

A chip is known by its label, never by its number: kernels number the header's chip 0, 4 or 15 on a Pi 5, and
a USB adapter with pins of its own may take any number that is free.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

DEVICES = Path("/dev")
_CHIP_LABELS = ("pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1")
"""Labels of the header's chip on a Raspberry Pi up to 3, 4 and 5, by the kernel's drivers of these names."""
_PREFIX = "gpiochip"


class NoHeaderError(RuntimeError):
    """Raised if no chip is the header's. The text names every chip that was found."""


def header_chip() -> int:
    """Return the number N of the /dev/gpiochipN whose lines are the header's GPIO numbers. Raises
    NoHeaderError."""
    found = dict(_labels())
    for number, label in found.items():
        if label in _CHIP_LABELS:
            return number
    listed = ", ".join(f"{_PREFIX}{number} is {label}" for number, label in found.items())
    labels = ", ".join(_CHIP_LABELS)
    raise NoHeaderError(
        f"no {DEVICES}/{_PREFIX}* is a Raspberry Pi's header ({labels}): {listed or 'there is none'}"
    )


def _labels() -> Iterator[tuple[int, str]]:
    """Yield number and label of each chip, lowest number first; the error instead of a label if a chip cannot
    be opened."""
    lgpio = import_module("lgpio")

    names = (path.name.removeprefix(_PREFIX) for path in DEVICES.glob(f"{_PREFIX}*"))
    for number in sorted(int(name) for name in names if name.isdecimal()):
        try:
            handle = lgpio.gpiochip_open(number)
        except lgpio.error as error:
            yield number, f"not opened ({error})"
            continue
        try:
            yield number, lgpio.gpio_get_chip_info(handle)[3]
        finally:
            lgpio.gpiochip_close(handle)
