"""The tables on the wiring pages equal the data from which they are printed."""

from __future__ import annotations

import re
from pathlib import Path

from controller.game.model.names import Wager
from controller.settings.pin_map import read_pin_map

ROOT = Path(__file__).parents[2]
HARDWARE = ROOT / "hardware"
RULES = (HARDWARE / "99-crisscross.rules").read_text()
WIRING = (ROOT / "hardware/wiring.md").read_text()


def test_every_reader_has_one_name_and_one_socket() -> None:
    found = re.findall(r'^KERNELS=="([^"]+)", SYMLINK\+="crisscross/(seat\d_\w+)"$', RULES, re.MULTILINE)
    assert [name for _, name in found] == [f"seat{seat}_{wager}" for seat in range(1, 7) for wager in Wager]
    assert len({socket for socket, _ in found}) == 42


def test_a_seat_s_readers_are_on_its_own_two_boards() -> None:
    for seat in range(1, 7):
        found = re.findall(rf'KERNELS=="([\d.-]+):1\.\d", SYMLINK\+="crisscross/seat{seat}_', RULES)
        assert len(found) == 7
        assert len(set(found)) == 2


def test_every_board_has_one_name_and_one_socket() -> None:
    rules = (HARDWARE / "99-crisscross-boards.rules").read_text()
    found = re.findall(r'^KERNELS=="([^"]+):1\.0", SYMLINK\+="crisscross/(\w+)"$', rules, re.MULTILINE)
    assert [name for _, name in found] == [*(f"seat{seat}" for seat in range(1, 7)), "shoe"]
    assert len({socket for socket, _ in found}) == 7


def test_the_latency_timer_is_set_before_the_tty_rules() -> None:
    assert 0 < RULES.index('ATTR{latency_timer}="1"') < RULES.index("KERNELS==")


def test_the_wiring_shows_the_pins_of_the_map() -> None:
    pins = read_pin_map(HARDWARE / "pins.yaml")
    for key, pin in pins.keys.items():
        assert re.search(rf"GPIO{pin} \(\d+\) \| key {key.replace('_', ' ').upper()}", WIRING)
    assert re.search(rf"GPIO{pins.output_enable} \(\d+\) \| gate 4 → OE", WIRING)
