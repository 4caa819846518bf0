"""The trial decodes the GPIO registers of a Pi correctly, by values of the data sheet and of a real boot."""

from __future__ import annotations

import pytest

from tests.trials.pi.registers import BASE, PINS, changed, reading, write_of

BOOTED = reading((0x2100_0000, 0x1_2024, 0, 0xFC0, 0x800, 0, 0x100, 0))
"""Debian 12's kernel on QEMU's raspi3b: SPI0 with GPIO8 as its chip select, mini UART, SD card."""


def test_function_is_three_bits_a_pin() -> None:
    used = {pin: BOOTED.function(pin) for pin in range(PINS) if BOOTED.function(pin) != "input"}
    assert used == {8: "output", 9: "alt0", 10: "alt0", 11: "alt0", 14: "alt5", 15: "alt5",
                    32: "alt3", 33: "alt3", 43: "alt0"}  # fmt: skip
    assert BOOTED.is_driven(8, 1)


def test_level_of_a_pin_of_the_second_word() -> None:
    high = reading((0, 0, 0, 0, 0, 0, 1 << 26, 1 << 21))
    assert [pin for pin in range(PINS) if high.level(pin)] == [26, 53]


def test_changed_names_each_pin_once() -> None:
    before = reading((0, 0, 0, 0, 0, 0, 0, 0))
    after = reading((0x0004_0000, 0, 0, 0, 0, 0, 1 << 6 | 1 << 8, 0))
    assert changed(before, after) == {6, 8}
    assert after.is_driven(6, 1)
    assert not after.is_driven(8, 1)


@pytest.mark.parametrize(
    ("pin", "level", "written"),
    [(6, 1, (BASE + 0x1C, 0x40)), (6, 0, (BASE + 0x28, 0x40)), (33, 1, (BASE + 0x20, 2))],
)
def test_write_of_a_level(pin: int, level: int, written: tuple[int, int]) -> None:
    assert write_of(pin, level) == written


def test_a_word_too_few_is_refused() -> None:
    with pytest.raises(ValueError, match="7 words, not 8"):
        reading((0,) * 7)
