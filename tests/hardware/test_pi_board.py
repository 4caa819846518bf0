"""The netlist of the Pi's board is complete, follows the pin map, and has a clamp on each line that a hand
can touch.
"""

from __future__ import annotations

from functools import partial

from controller.settings.pin_map import read_pin_map
from drivers.pins.map import SERIAL_PINS, SPI_PINS
from hardware.papers.checks import faults
from hardware.papers.netlist import read
from tests.hardware.nets import HEADER_GROUNDS, HEADER_PIN, PI_3V3, beyond
from tests.repository.house import ROOT

BOARD = read(ROOT / "hardware/pi_board/netlist.yaml")
LAMP_BOARD = read(ROOT / "hardware/lamp_board/netlist.yaml")
PINS = read_pin_map(ROOT / "hardware/pins.yaml")
net_of, net_beyond = BOARD.net_of, partial(beyond, BOARD)


def test_every_pin_is_in_one_net_and_every_part_is_there() -> None:
    assert list(faults(BOARD)) == []


def test_supply_and_ground_are_those_of_the_header() -> None:
    assert {net_of(f"J1.{pin}") for pin in HEADER_GROUNDS} == {"gnd"}
    assert {net_of(f"J1.{pin}") for pin in PI_3V3} == {"3v3"}
    assert {"J1.2", "J1.4"} <= set(BOARD.open), "5 V of the Pi feeds nothing"


def test_the_lamp_board_s_lines_go_through_their_resistors() -> None:
    select, miso, mosi, clock = SPI_PINS[PINS.spi_device]
    pins = {"sclk_pi": clock, "mosi_pi": mosi, "ce0_pi": select, "oe_pi": PINS.output_enable}
    for name, pin in pins.items():
        (way,) = (at for at in LAMP_BOARD.nets[name] if at.startswith("J1."))
        far = way.replace("J1.", "J2.")
        assert net_beyond(f"J1.{HEADER_PIN[pin]}", "edge") == net_of(far)
    assert net_of(f"J1.{HEADER_PIN[miso]}") == net_of("J2.10")
    assert net_of("J2.9") == "3v3"


def test_each_key_goes_through_its_filter() -> None:
    for way, (key, pin) in enumerate(PINS.keys.items(), 1):
        assert net_of(f"J1.{HEADER_PIN[pin]}") == key
        assert net_beyond(key_pin := f"J1.{HEADER_PIN[pin]}", "series") == net_of(f"J3.{way}")
        assert net_beyond(key_pin, "filter") == "gnd"


def test_the_shoe_is_on_the_serial_line_behind_the_transceiver() -> None:
    sends, receives = (HEADER_PIN[pin] for pin in SERIAL_PINS)
    assert net_of(f"J1.{sends}") == net_of("U1.T1IN")
    assert net_of(f"J1.{receives}") == net_of("U1.R1OUT")
    assert (net_of("U1.T1OUT"), net_of("U1.R1IN")) == (net_of("J4.1"), net_of("J4.2"))


def test_a_discharge_raises_the_supply_within_its_limit() -> None:
    """A person at 8 kV holds 1.2 µC (150 pF, IEC 61000-4-2); a Pi's pins tolerate 0.3 V over their supply."""
    assert 150e-12 * 8000 / BOARD.kinds["bulk"]["farads"] < 0.3
