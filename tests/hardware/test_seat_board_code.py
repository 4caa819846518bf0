"""The firmware's entry point, `code.py`, connects pins, readers and line, on modules that stand in for
CircuitPython's own.
"""

from __future__ import annotations

import importlib
import runpy
import sys
import time
from threading import Lock
from types import ModuleType, SimpleNamespace

import pytest

from drivers.chips.board_frames import Frame, Lines, encode_frame
from drivers.chips.sim.board_spi import SpiBus, SpiChip
from drivers.chips.sim.pn532 import INSTANT_TIMES
from hardware.seat_board import pins
from tests.drivers.chips.lines import uids
from tests.repository.house import ROOT

PARTS = ("board", "link", "pins", "reading", "spi")


class Enough(Exception):
    """Raised when the Pi has received everything that it needs."""


class Pico:
    """Pico with PN532s on its pins and one line. It runs until the line has no more requests."""

    def __init__(self, *requests: bytes) -> None:
        self.chips = {name: SpiChip(INSTANT_TIMES, 0.0, 1, Lock()) for name in pins.READERS}
        self.by_pin = {
            pin: (name, use)
            for name, three in pins.READERS.items()
            for pin, use in zip(three, ("select", "irq", "reset"), strict=True)
        }
        self.pending = list(requests)
        self.sent = b""
        self.fed = 0

    def pin(self, name: str) -> object:
        circle, use = self.by_pin[name]
        chip = self.chips[circle]
        return chip.select if use == "select" else Wire(chip, use)

    # ------------------------------------------------------------------ its line and its watchdog

    @property
    def in_waiting(self) -> int:
        return len(self.pending[0]) if self.pending else 0

    def read(self, count: int) -> bytes:
        data, self.pending = self.pending[0], self.pending[1:]
        assert count == len(data)
        return data

    def write(self, data: bytes) -> None:
        self.sent += data

    def feed(self) -> None:
        self.fed += 1
        if not self.pending:
            raise Enough

    def answers(self) -> list[Frame]:
        return Lines().feed(self.sent)


class Wire:
    """IRQ or RSTPDN of a simulated chip, in the form of digitalio."""

    def __init__(self, chip: SpiChip, use: str) -> None:
        self._chip, self._use = chip, use
        self.direction = self.pull = None

    def switch_to_output(self, value: bool = False) -> None:
        self.value = value

    @property
    def value(self) -> bool:
        return not self._chip.wait_low(0.0)

    @value.setter
    def value(self, level: bool) -> None:
        assert self._use == "reset"
        self._chip.reset(not level)


def circuitpython(pico: Pico) -> dict[str, object]:
    """Return stand-ins for the modules of a Pico, by name."""
    watchdog = SimpleNamespace(feed=pico.feed)
    names = {name: name for name in (*pico.by_pin, pins.SCK, pins.MOSI, pins.MISO)}
    return {
        "board": SimpleNamespace(**names),
        "busio": SimpleNamespace(SPI=lambda *_, **__: SpiBus(list(pico.chips.values()))),
        "digitalio": SimpleNamespace(
            DigitalInOut=pico.pin, Direction=SimpleNamespace(INPUT=1), Pull=SimpleNamespace(UP=1)
        ),
        "microcontroller": SimpleNamespace(cpu=SimpleNamespace(uid=b"\x12\xab"), watchdog=watchdog),
        "usb_cdc": SimpleNamespace(data=pico),
        "watchdog": SimpleNamespace(WatchDogMode=SimpleNamespace(RESET="reset")),
    }


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Import the folder under the name that it has on the board."""
    monkeypatch.setitem(sys.modules, "seat_board", ModuleType("seat_board"))
    for part in PARTS:
        module = importlib.import_module(f"hardware.seat_board.{part}")
        monkeypatch.setitem(sys.modules, f"seat_board.{part}", module)
    return monkeypatch


def run(pico: Pico, loaded: pytest.MonkeyPatch) -> list[Frame]:
    for name, module in circuitpython(pico).items():
        loaded.setitem(sys.modules, name, module)
    with pytest.raises(Enough):
        runpy.run_path(str(ROOT / "hardware/seat_board/code.py"))
    return pico.answers()


def test_every_circle_is_set_up_and_read_on_its_own_pins(loaded: pytest.MonkeyPatch) -> None:
    wanted = {circle: uids(number) for number, circle in enumerate(pins.READERS)}
    requests = [encode_frame(0, "HELLO", "1", "test")]
    for number, circle in enumerate(pins.READERS, 1):
        requests += [
            encode_frame(2 * number, "SETUP", circle, "0"),
            encode_frame(2 * number + 1, "READ", circle),
        ]
    pico = Pico(*requests)
    for circle, laid in wanted.items():
        pico.chips[circle].antenna.set_chips([bytes.fromhex(uid) for uid in laid], time.monotonic())
    welcome, *answers = run(pico, loaded)
    assert (welcome.fields[2], welcome.fields[5].split()) == ("12ab", list(pins.READERS))
    assert [answer.kind for answer in answers] == ["READY", "CHIPS"] * 7
    assert {answer.fields[0]: answer.fields[3].split() for answer in answers[1::2]} == wanted
    assert pico.fed > len(requests)


def test_every_reader_is_in_reset_from_the_first_moment(loaded: pytest.MonkeyPatch) -> None:
    pico = Pico(encode_frame(0, "HELLO", "1", "test"))
    run(pico, loaded)
    assert all(chip.transfer(b"\x40\x00") == b"\xff\xff" for chip in pico.chips.values())
