"""Stand-in for the module lgpio 0.2.2, which has no build for every machine that runs the tests.

It behaves like lgpio where gpiozero's LGPIOFactory calls it: the kernel gives a line of the chip to one
process, errors are texts, and one thread makes all edge callbacks and ends at the first exception in one.
`labels` gives the label of each chip by number; one without a label cannot be opened. `other` lists lines of
another process. `polled` lists lines whose alert the library's C thread still uses, with the number of times
that a new request for them is refused meanwhile.
"""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

import pytest

from drivers.pins import header_chip

Callback: TypeAlias = Callable[[int, int, int, int], None]
PI_4B = 0xC03114
_OUT, _ALERT = 1 << 1, 1 << 10


class Error(Exception):
    """`lgpio.error`; its text is the repr of its argument."""

    def __init__(self, value: str) -> None:
        self.value = value

    def __str__(self) -> str:
        return repr(self.value)


class NotifyThread(threading.Thread):
    """`lgpio._callback_thread`: calls the callbacks of a line without catching exceptions."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.callbacks: list[tuple[int, Callback]] = []
        self.queue: queue.SimpleQueue[tuple[int, int] | None] = queue.SimpleQueue()
        self.start()

    def run(self) -> None:
        while (edge := self.queue.get()) is not None:
            for line, call in self.callbacks:
                if line == edge[0]:
                    call(0, *edge, 0)


class Registered:
    """`lgpio._callback`."""

    def __init__(self, thread: NotifyThread, line: int, call: Callback) -> None:
        self._thread, self._entry = thread, (line, call)
        thread.callbacks.append(self._entry)

    def cancel(self) -> None:
        if self._entry in self._thread.callbacks:
            self._thread.callbacks.remove(self._entry)


class FakeLgpio(ModuleType):
    """Stand-in for the module. `levels` and `frames`: pins and SPI, to be read by the test."""

    BOTH_EDGES, RISING_EDGE, FALLING_EDGE = 3, 1, 2
    SET_PULL_NONE, SET_PULL_UP, SET_PULL_DOWN = 128, 32, 64
    SET_BIAS_DISABLE, SET_BIAS_PULL_UP, SET_BIAS_PULL_DOWN = 128, 32, 64
    error = Error

    def __init__(self) -> None:
        super().__init__("lgpio")
        self.other: set[int] = set()
        self.polled: dict[int, int] = {}
        self.modes: dict[int, int] = {}
        self.levels: dict[int, int] = {}
        self.frames: list[bytes] = []
        self.open_chips = 0
        self.labels = {0: "pinctrl-bcm2711"}
        self.opened: list[int] = []
        self._notify_thread = NotifyThread()

    # ------------------------------------------------------------------ called by tests

    def edge(self, line: int, level: int) -> None:
        """Queue an edge for the thread, as the library's C thread does."""
        self.levels[line] = level
        self._notify_thread.queue.put((line, level))

    def end_thread(self) -> None:
        """Let the thread make the callbacks of all queued edges, then end it."""
        self._notify_thread.queue.put(None)
        self._notify_thread.join()

    # ------------------------------------------------------------------ called by gpiozero

    def gpiochip_open(self, chip: int) -> int:
        if not self.labels[chip]:
            raise Error("can not open gpiochip")
        self.open_chips += 1
        self.opened.append(chip)
        return chip

    def gpio_get_chip_info(self, handle: int) -> list[int | str]:
        return [0, 54, f"gpiochip{handle}", self.labels[handle]]

    def gpiochip_close(self, handle: int) -> int:
        self.open_chips -= 1
        self.modes.clear()
        return handle

    def _claim(self, line: int, mode: int) -> None:
        if line in self.other:
            raise Error("GPIO busy")
        if self.polled.get(line):
            self.polled[line] -= 1
            raise Error("GPIO busy")
        self.modes[line] = mode

    def gpio_claim_input(self, handle: int, line: int, flags: int = 0) -> None:
        self._claim(line, flags)
        self.levels.setdefault(line, 1)

    def gpio_claim_output(self, handle: int, line: int, level: int = 0, flags: int = 0) -> None:
        self._claim(line, flags | _OUT)
        self.levels[line] = level

    def gpio_claim_alert(self, handle: int, line: int, edges: int, flags: int = 0) -> None:
        self._claim(line, flags | _ALERT)

    def gpio_free(self, handle: int, line: int) -> None:
        self.modes.pop(line, None)

    def gpio_get_mode(self, handle: int, line: int) -> int:
        return self.modes.get(line, 0)

    def gpio_read(self, handle: int, line: int) -> int:
        return self.levels[line]

    def gpio_write(self, handle: int, line: int, level: int) -> None:
        self.levels[line] = level

    def gpio_set_debounce_micros(self, handle: int, line: int, micros: int) -> None: ...

    def tx_pwm(self, handle: int, line: int, hertz: float, duty: float) -> None: ...

    def callback(self, handle: int, line: int, edges: int, call: Callback) -> Registered:
        return Registered(self._notify_thread, line, call)

    def spi_open(self, port: int, device: int, baud: int, flags: int) -> int:
        return 1

    def spi_close(self, handle: int) -> None: ...

    def spi_xfer(self, handle: int, data: Sequence[int]) -> tuple[int, bytes]:
        self.frames.append(bytes(data))
        came = self.frames[-2] if len(self.frames) > 1 else bytes(len(data))
        return len(data), came


def install(monkeypatch: pytest.MonkeyPatch, devices: Path) -> FakeLgpio:
    """Install the fake in place of the module lgpio, on a Raspberry Pi 4. `devices`: the folder for /dev."""
    fake = FakeLgpio()
    (devices / "gpiochip0").touch()
    monkeypatch.setattr(header_chip, "DEVICES", devices)
    monkeypatch.setitem(sys.modules, "lgpio", fake)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: PI_4B)
    return fake
