"""The overlay of the lamp chain makes spidev 0.0 in Debian's device trees, on the pins of the pin map."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from controller.settings.pin_map import read_pin_map
from drivers.pins.map import SPI_PINS
from tests.repository.house import ROOT

sys.path.insert(0, str(ROOT / ".ci"))
import image  # a script outside any package

pytestmark = pytest.mark.skipif(shutil.which("dtc") is None, reason="device-tree-compiler is not installed")

BOARD = """/dts-v1/;
/ { #address-cells = <1>; #size-cells = <1>;
    aliases { serial0 = "/soc/serial@7e201000"; };
    soc { #address-cells = <1>; #size-cells = <1>;
        gpio@7e200000 { reg = <0x7e200000 0xb4>; phandle = <7>; };
        SPI { #address-cells = <1>; #size-cells = <0>; reg = <0x7e204000 0x200>; status = "disabled"; };
    };
};
"""
"""Nodes of Debian's bcm2711-rpi-4-b.dtb (6.1.0-56) that the overlay names; it has no symbols."""
SPI = "/soc/spi@7e204000"
PINS = read_pin_map(ROOT / "hardware/pins.yaml")


def board(to: Path, spi: str = "spi@7e204000") -> Path:
    source = BOARD.replace("SPI", spi)
    subprocess.run(["dtc", "-q", "-O", "dtb", "-o", to, "-"], input=source, text=True, check=True)
    return to


def value(tree: Path, node: str, name: str, kind: str = "s") -> list[str]:
    command = ["fdtget", "-t", kind, str(tree), node, name]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


@pytest.fixture
def merged(tmp_path: Path) -> Path:
    return image.lamps(board(tmp_path / "bcm2711.dtb"), tmp_path / "merged.dtb")


def test_the_spi_bus_is_enabled_as_number_0(merged: Path) -> None:
    assert PINS.spi_port == 0
    assert value(merged, SPI, "status") == ["okay"]
    assert value(merged, "/aliases", "spi0") == [SPI]
    assert value(merged, "/aliases", "serial0") == ["/soc/serial@7e201000"]


def test_the_lamp_chain_is_the_device_of_the_pin_map_with_a_name_that_spidev_accepts(merged: Path) -> None:
    chain = f"{SPI}/lamps@{PINS.spi_device}"
    assert value(merged, chain, "reg", "u") == [str(PINS.spi_device)]
    assert value(merged, chain, "compatible") == ["rohm,dh2228fv"]
    assert value(merged, chain, "spi-max-frequency", "u") == ["500000"]


def test_the_bus_has_the_pins_of_the_map_as_alt0(merged: Path) -> None:
    pins = "/soc/gpio@7e200000/table-lamps"
    assert value(merged, pins, "brcm,pins", "u") == sorted(map(str, SPI_PINS[PINS.spi_device]), key=int)
    assert value(merged, pins, "brcm,function", "u") == ["4"]
    assert value(merged, SPI, "pinctrl-0", "u") == value(merged, pins, "phandle", "u")


def test_chip_select_is_a_gpio_that_is_low_during_a_transfer(merged: Path) -> None:
    gpio, pin, flags = value(merged, SPI, "cs-gpios", "u")
    assert gpio == value(merged, "/soc/gpio@7e200000", "phandle", "u")[0] == "7"
    assert int(pin) == SPI_PINS[PINS.spi_device][0]
    assert flags == "1"  # GPIO_ACTIVE_LOW of dt-bindings/gpio/gpio.h


def test_a_pi_5_s_device_tree_is_unchanged(tmp_path: Path) -> None:
    tree = board(tmp_path / "bcm2712-rpi-5-b.dtb")
    assert image.lamps(tree, tmp_path / "merged.dtb") == tree


def test_a_board_without_that_bus_stops_the_build(tmp_path: Path) -> None:
    tree = board(tmp_path / "bcm2711.dtb", spi="spi@7e205000")
    with pytest.raises(subprocess.CalledProcessError):
        image.lamps(tree, tmp_path / "merged.dtb")
