"""Opens the back end (library) of the GPIO pins that the config names: lgpio, rpigpio, mock or sim.

The factory is made from its class and is gpiozero's only factory in this process. GPIOZERO_PIN_FACTORY and
gpiozero's own order of preference must never decide: after a failure no other back end is tried, and the
error states the fault, its place and the remedy. gpiozero is imported only when a factory is opened. Open it
after the last fork: lgpio's handles do not survive one.
"""

from __future__ import annotations

import logging
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from drivers.pins.header_chip import header_chip

log = logging.getLogger(__name__)

FACTORIES = ("lgpio", "rpigpio", "mock", "sim")

PinFactory: TypeAlias = Any
"""A ``gpiozero.Factory``; gpiozero has no type annotations."""

_ADVICE = {
    "lgpio": (
        "lgpio needs a Raspberry Pi, where the package crisscross-table brings it; the daemon's user must be "
        "in the group gpio, and LG_WD, if it is set, name a directory that it may write (lgpio makes a pipe "
        "there). On any other machine use simulated devices: crisscross mock"
    ),
    "rpigpio": (
        "install RPi.GPIO and spidev as systemd/README.md describes, and put the daemon's user into the "
        "group gpio; on a Raspberry Pi 5 only lgpio works"
    ),
    "mock": "set pin factory sim for a table without hardware; mock is for tests",
    "sim": "start the bench (crisscross mock) first and name its socket in the config",
}


_REMEDIES = {
    "GPIO busy": (
        "another program holds this pin, usually the daemon: stop it first (systemctl stop crisscross)"
    ),
    "edge detection": (
        "RPi.GPIO needs GPIO0 as number 0 in /sys/class/gpio and the right to write there, which Linux 6.6 "
        "and later, Debian's kernels and crisscross.service do not give: set pins.factory to lgpio"
    ),
    "GPIO registers": (
        "RPi.GPIO needs /dev/gpiomem, which only Raspberry Pi OS has: set pins.factory to lgpio, or start "
        "Debian's kernel with iomem=relaxed and the daemon as root"
    ),
}
"""Part of an error's text -> what to do about it, in place of the device's own advice."""


class PinsError(RuntimeError):
    """Raised if the pins cannot be used. The text states the fault, its place and the remedy."""


def open_factory(name: str, socket_path: Path | None = None) -> PinFactory:
    """Return the gpiozero factory of this name. ``socket_path`` is for ``sim`` only.

    The caller closes it with `close_factory`. Raises PinsError if it cannot be opened.
    """
    if name not in FACTORIES:
        raise PinsError(f"pin factory {name}: there is none of this name: allowed are {', '.join(FACTORIES)}")
    if (name == "sim") != (socket_path is not None):
        raise PinsError(
            f"pin factory {name}: a socket path is for sim, and sim needs one: mend the config's pin settings"
        )
    factory = _construct(name, () if socket_path is None else (socket_path,))
    device = _device()
    if device.pin_factory is not None:
        factory.close()
        raise PinsError(f"pin factory {name}: another is open in this process: close that one first")
    # Parts of gpiozero (SPISoftwareBus) ignore the factory passed to them and use that of the process.
    device.pin_factory = factory
    return factory


def close_factory(factory: PinFactory) -> None:
    """Release all pins. They become inputs, so those with a pull-up go high."""
    try:
        factory.close()
    except io_errors() as error:
        # gpiozero stops at the first pin that it cannot reset; closing the chip releases every pin
        log.warning("pins: not all were reset: %s", error)
        factory.pins.clear()
        factory.close()
    device = _device()
    if device.pin_factory is factory:
        device.pin_factory = None


def io_errors(*more: type[Exception]) -> tuple[type[Exception], ...]:
    """Return the errors that a call on an open back end can raise if the device fails, and ``more``."""
    from gpiozero.exc import GPIOZeroError

    lgpio = sys.modules.get("lgpio")
    of_rpi_gpio = (RuntimeError,) if "RPi.GPIO" in sys.modules else ()
    return (OSError, GPIOZeroError, *more, *of_rpi_gpio, *(() if lgpio is None else (lgpio.error,)))


@contextmanager
def opening(what: str, advice: str) -> Iterator[None]:
    """Convert the back end's errors while a device is opened into a `PinsError`.

    If a hardware SPI does not open, gpiozero only warns and uses a slower one made of pins
    (``PiFactory.spi``); in this block the warning is an error.
    """
    from gpiozero.exc import SPISoftwareFallback

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", SPISoftwareFallback)
            yield
    except io_errors(SPISoftwareFallback) as error:
        remedy = next((remedy for part, remedy in _REMEDIES.items() if part in str(error)), advice)
        raise PinsError(f"{what} cannot be opened: {type(error).__name__}: {error}: {remedy}") from error


def _device() -> Any:
    from gpiozero import Device

    return Device


def _construct(name: str, arguments: tuple[Path, ...]) -> PinFactory:
    where = "" if not arguments else f" at {arguments[0]}"
    try:
        # RPi.GPIO raises RuntimeError on a machine that is not a Raspberry Pi, lgpio its own class.
        factory = _class_of(name)
        return factory(header_chip()) if name == "lgpio" else factory(*arguments)
    except io_errors(ImportError, RuntimeError) as error:
        what = f"pin factory {name}{where} cannot be opened: {type(error).__name__}: {error}"
        raise PinsError(f"{what}: {_ADVICE[name]}") from error


def _class_of(name: str) -> PinFactory:
    if name == "lgpio":
        with _lgpio_folder():
            from gpiozero.pins.lgpio import LGPIOFactory as Factory
    elif name == "rpigpio":
        from gpiozero.pins.rpigpio import RPiGPIOFactory as Factory
    elif name == "mock":
        from gpiozero.pins.mock import MockFactory as Factory
    else:
        from drivers.pins.sim.factory import SimFactory as Factory
    return Factory


@contextmanager
def _lgpio_folder() -> Iterator[None]:
    """Give the import of lgpio a folder for its pipe, and restore the working directory afterwards.

    lgpio makes `.lgd-nfy0` in LG_WD, opens both ends and changes to that folder. Without LG_WD it would use
    the working directory, in which the user may not write. The pipe needs no name once it is open.
    """
    with ExitStack() as stack:
        try:
            here = os.open(".", os.O_PATH | os.O_CLOEXEC)
        except PermissionError:
            stack.callback(os.chdir, "/")  # this user may not enter the folder, so not return to it either
        else:
            stack.callback(os.close, here)
            stack.callback(os.fchdir, here)
        if "LG_WD" not in os.environ:
            os.environ["LG_WD"] = stack.enter_context(TemporaryDirectory(prefix="crisscross-lgpio-"))
            stack.callback(os.environ.pop, "LG_WD")
        yield
