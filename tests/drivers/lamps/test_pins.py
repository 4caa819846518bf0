"""The configured back end for the pins is opened, and never another one."""

from __future__ import annotations

import socket
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from drivers.lamps.chain import open_lamps
from drivers.pins.factory import PinsError, close_factory, open_factory, opening
from tests.drivers.lamps.sim_table import table_pins


@pytest.fixture(autouse=True)
def nothing_stays_open() -> Iterator[None]:
    yield
    assert Device.pin_factory is None


def test_an_unknown_name_is_an_error_with_the_allowed_ones() -> None:
    with pytest.raises(PinsError, match=r"pin factory pigpio: .*allowed are lgpio, rpigpio, mock, sim"):
        open_factory("pigpio")


@pytest.mark.parametrize(("name", "module"), [("lgpio", "lgpio"), ("rpigpio", "RPi")])
@pytest.mark.filterwarnings("error")
def test_a_missing_back_end_is_an_error_and_no_other_is_tried(
    name: str, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delitem(sys.modules, f"gpiozero.pins.{name}", raising=False)
    with pytest.raises(
        PinsError,
        match=rf"pin factory {name} cannot be opened: .*(package crisscross-table|install RPi.GPIO)",
    ):
        open_factory(name)


def test_rpi_gpio_on_another_machine_is_an_error_that_names_the_pi_5(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class NoPi(types.ModuleType):
        def __getattr__(self, name: str) -> object:
            raise RuntimeError("This module can only be run on a Raspberry Pi!")

    monkeypatch.setitem(sys.modules, "RPi", NoPi("RPi"))
    monkeypatch.delitem(sys.modules, "gpiozero.pins.rpigpio", raising=False)
    with pytest.raises(PinsError, match=r"can only be run on a Raspberry Pi.*on a Raspberry Pi 5 only lgpio"):
        open_factory("rpigpio")


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        ("Failed to add edge detection", "set pins.factory to lgpio"),
        ("Mmap of GPIO registers failed", "/dev/gpiomem, which only Raspberry Pi OS has"),
        ("Please set pin numbering mode", "the device's own advice"),
    ],
)
def test_an_error_of_rpi_gpio_names_its_remedy(
    words: str, remedy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "RPi.GPIO", types.ModuleType("RPi.GPIO"))
    with (
        pytest.raises(PinsError, match=rf"^a key cannot be opened: RuntimeError: {words}: .*{remedy}"),
        opening("a key", "the device's own advice"),
    ):
        raise RuntimeError(words)


def test_a_fault_of_the_program_is_no_fault_of_the_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "RPi.GPIO", raising=False)
    with pytest.raises(RuntimeError, match=r"^no device's$"), opening("a key", "advice"):
        raise RuntimeError("no device's")


def test_sim_without_a_bench_names_the_socket(tmp_path: Path) -> None:
    with pytest.raises(PinsError, match=r"sim at .*pins\.sock cannot be opened: .*start the bench"):
        open_factory("sim", tmp_path / "pins.sock")


@pytest.mark.parametrize(("name", "path"), [("sim", None), ("mock", Path("/run/pins.sock"))])
def test_a_socket_is_for_sim_and_sim_needs_one(name: str, path: Path | None) -> None:
    with pytest.raises(PinsError, match="a socket path is for sim"):
        open_factory(name, path)


def test_two_back_ends_in_one_process_are_an_error() -> None:
    first = open_factory("mock")
    with pytest.raises(PinsError, match="another is open"):
        open_factory("mock")
    close_factory(first)


def test_hardware_spi_that_does_not_open_is_an_error_without_a_fallback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without this check gpiozero would continue over pins with a warning (PiFactory.spi)."""

    def no_device(**_: object) -> None:
        raise FileNotFoundError("/dev/spidev0.0")

    factory = open_factory("mock")
    software = factory._get_spi_class
    monkeypatch.setattr(
        MockFactory, "_get_spi_class", lambda _, shared, hardware: no_device if hardware else software
    )
    with pytest.raises(PinsError, match=r"SPI 0\.0.*SPISoftwareFallback.*spidev0\.0.*dtparam=spi=on"):
        open_lamps(table_pins(), factory)
    monkeypatch.undo()
    close_factory(factory)


def test_invalid_messages_of_a_bench_are_ignored(tmp_path: Path) -> None:
    path = tmp_path / "pins.sock"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as bench:
        bench.bind(str(path))
        bench.listen()
        factory = open_factory("sim", path)
        line, _ = bench.accept()
        with line:
            pin = factory.pin(16)
            pin.pull = "up"
            for nonsense in (
                b"\xff\xfe\n",
                b"[]\n",
                b"{}\n",
                b'{"pin":"x","level":[]}\n',
                b'{"pin":[16],"level":0}\n',
                b'{"pin":16,"level":7}\n',
            ):
                line.sendall(nonsense)
            line.sendall(b'{"pin":16,"level":0}\n')
            while pin.state:
                factory.wires.get(16)
        close_factory(factory)
