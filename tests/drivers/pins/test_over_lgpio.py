"""Lamps and keys work over gpiozero's lgpio factory, and an occupied pin is reported.

A stand-in treats occupied pins as lgpio does.
"""

from __future__ import annotations

import logging
import os
import re
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from drivers.keys.buttons import ButtonKeys
from drivers.lamps.chain import ChainLamps, open_lamps
from drivers.pins.factory import PinFactory, PinsError, close_factory, open_factory
from drivers.ports import Signal
from tests.drivers.lamps.sim_table import table_pins
from tests.drivers.lamps.test_pattern import is_dark
from tests.drivers.pins.fake_lgpio import FakeLgpio, install

PINS = table_pins()


@pytest.fixture
def lgpio(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[FakeLgpio]:
    fake = install(monkeypatch, tmp_path)
    yield fake
    fake.end_thread()


@pytest.fixture
def factory(lgpio: FakeLgpio) -> Iterator[PinFactory]:
    opened = open_factory("lgpio")
    yield opened
    close_factory(opened)


def lit(factory: PinFactory) -> ChainLamps:
    lamps = open_lamps(PINS, factory)
    lamps.show({(3, "across"): Signal("red")})
    return lamps


@pytest.mark.parametrize(
    ("labels", "header"),
    [
        ({0: "pinctrl-bcm2711", 1: "raspberrypi-exp-gpio"}, 0),
        ({0: "ftdi-cbus", 4: "pinctrl-rp1"}, 4),
        ({4: "ftdi-cbus", 10: "gpio-brcmstb@107d508500", 15: "pinctrl-rp1"}, 15),
        ({0: "", 2: "pinctrl-bcm2835"}, 2),
    ],
)
def test_the_header_s_chip_is_found_by_its_label(
    lgpio: FakeLgpio, tmp_path: Path, labels: dict[int, str], header: int
) -> None:
    chips(lgpio, tmp_path, labels)
    opened = open_factory("lgpio")
    assert (opened.chip, lgpio.opened[-1], lgpio.open_chips) == (header, header, 1)
    close_factory(opened)


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        ({}, "there is none"),
        (
            {0: "ftdi-cbus", 9: ""},
            "gpiochip0 is ftdi-cbus, gpiochip9 is not opened ('can not open gpiochip')",
        ),
    ],
)
def test_chips_without_the_header_are_named(
    lgpio: FakeLgpio, tmp_path: Path, labels: dict[int, str], found: str
) -> None:
    chips(lgpio, tmp_path, labels)
    with pytest.raises(PinsError, match=re.escape(f"pinctrl-rp1): {found}: lgpio needs")):
        open_factory("lgpio")
    assert lgpio.open_chips == 0


def chips(lgpio: FakeLgpio, devices: Path, labels: dict[int, str]) -> None:
    """Replace the chips of the machine by these."""
    (devices / "gpiochip0").unlink()
    for number in labels:
        (devices / f"gpiochip{number}").touch()
    (devices / "gpiochip-sim").touch()
    lgpio.labels = labels


@pytest.mark.parametrize("refusals", [1, 2, 9])
@pytest.mark.parametrize("busy", [{"confirm"}, {"no_more_bets", "floor"}, set(PINS.keys)])
def test_a_key_that_the_kernel_does_not_release_is_logged_once_and_the_lamps_go_dark(
    lgpio: FakeLgpio, busy: set[str], refusals: int, caplog: pytest.LogCaptureFixture
) -> None:
    factory = open_factory("lgpio")
    keys, lamps = ButtonKeys(PINS, factory), lit(factory)
    keys.start(lambda key: None)
    lgpio.polled = {PINS.keys[key]: refusals for key in busy}
    with caplog.at_level(logging.WARNING):
        keys.stop()
    held = [] if refusals < 2 else [(key, pin) for key, pin in PINS.keys.items() if key in busy]
    messages = [record.message for record in caplog.records]
    assert messages == [f"key {key} (GPIO{pin}) is not released: 'GPIO busy'" for key, pin in held]
    lamps.stop()
    assert is_dark(lgpio.frames[-1])
    close_factory(factory)
    assert lgpio.open_chips == 0
    keys.stop()


def test_a_key_held_down_does_not_delay_the_stop(
    lgpio: FakeLgpio, factory: PinFactory, caplog: pytest.LogCaptureFixture
) -> None:
    """gpiozero would wait ten seconds for its hold thread, give up, and leave the pin open."""
    pressed = threading.Event()
    keys = ButtonKeys(replace(PINS, stuck_after_s=600.0), factory)
    keys.start(lambda key: pressed.set())
    lgpio.edge(PINS.keys["fold"], 0)
    assert pressed.wait(30)
    keys.stop()
    assert not caplog.records


def test_pins_that_stay_busy_are_released_with_their_chip(
    lgpio: FakeLgpio, caplog: pytest.LogCaptureFixture
) -> None:
    factory = open_factory("lgpio")
    factory.pin(16)
    lgpio.other = {16}
    close_factory(factory)
    assert lgpio.open_chips == 0
    assert "GPIO busy" in caplog.text
    close_factory(open_factory("lgpio"))


def test_an_edge_queued_when_its_key_is_closed_reaches_no_callback(
    lgpio: FakeLgpio, factory: PinFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[object] = []
    monkeypatch.setattr(threading, "excepthook", lambda args: ended.append(args.exc_type))
    keys = ButtonKeys(PINS, factory)
    keys.start(lambda key: None)
    keys.stop()
    for pin in PINS.keys.values():
        lgpio.edge(pin, 0)
    lgpio.end_thread()
    assert not ended


def test_a_key_s_pin_held_by_another_program_is_reported_as_such(
    lgpio: FakeLgpio, factory: PinFactory
) -> None:
    lgpio.other = {PINS.keys["fold"]}
    keys = ButtonKeys(PINS, factory)
    with pytest.raises(PinsError, match=r"key fold \(GPIO21\) .*'GPIO busy': another program holds this pin"):
        keys.start(lambda key: None)
    keys.stop()


def test_lamps_held_by_another_program_are_reported_and_keep_their_picture(
    lgpio: FakeLgpio, factory: PinFactory
) -> None:
    """Any process can open the SPI. A dark frame from a second program would turn the lamps off, so none is
    sent."""
    lgpio.other = {PINS.output_enable}
    with pytest.raises(PinsError, match=r"OE on GPIO6\) .*another program holds this pin.*stop crisscross"):
        open_lamps(PINS, factory)
    assert not lgpio.frames


LGPIO = """
import os, sys
from tests.drivers.pins.fake_lgpio import FakeLgpio
os.chdir(os.environ.get("LG_WD") or os.getcwd())
os.mkfifo(".lgd-nfy0")
sys.modules[__name__] = FakeLgpio()
"""
"""Script that imports lgpio 0.2.2, which changes to the folder LG_WD and makes a pipe there."""


@pytest.mark.parametrize("named", [True, False])
def test_the_import_of_lgpio_leaves_the_working_directory_as_it_was(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, named: bool
) -> None:
    for folder in ("module", "here", "there"):
        (tmp_path / folder).mkdir()
    (tmp_path / "module/lgpio.py").write_text(LGPIO, encoding="utf-8")
    install(monkeypatch, tmp_path).end_thread()
    monkeypatch.delitem(sys.modules, "lgpio")
    monkeypatch.syspath_prepend(tmp_path / "module")
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.delenv("LG_WD", raising=False)
    if named:
        monkeypatch.setenv("LG_WD", str(tmp_path / "there"))
    environment = dict(os.environ)
    close_factory(open_factory("lgpio"))
    sys.modules["lgpio"].end_thread()
    assert Path.cwd() == tmp_path / "here"
    assert os.environ == environment
    assert [each.name for each in tmp_path.glob("*/.lgd*")] == [".lgd-nfy0"] * named
    assert not list((tmp_path / "here").iterdir())
