"""Simulated FEIG readers on pseudo-terminals have a device's pace and chips, and faults of one antenna or a
whole reader.
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import serial

from drivers.chips.feig_link import open_reader
from drivers.chips.sim.feig_bank import FEIG_BAUD, FeigBank
from drivers.chips.sim.feig_faults import AIR_VERBS, FEIG_VERBS, WIRE_VERBS
from drivers.chips.sim.x25 import crc16_x25
from drivers.ports import CircleId

CIRCLES: list[CircleId] = [(2, "ante_across"), (2, "middle"), (5, "down")]
FIRST, MIDDLE, FAR = CIRCLES
UID = "E004010000000001"


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[FeigBank]:
    with FeigBank(tmp_path, CIRCLES, pace=0.0) as bank:
        yield bank


@pytest.fixture
def port(bank: FeigBank) -> Iterator[serial.Serial]:
    with closing(opened(bank)) as port:
        yield port


def opened(bank: FeigBank) -> serial.Serial:
    """Open a line without parity, because a pseudo-terminal drops parity and refuses a change of parity
    alone."""
    return serial.Serial(bank.paths()[FIRST], FEIG_BAUD, timeout=5)


def ask(port: serial.Serial, text: str) -> bytes:
    body = bytes.fromhex(text)
    frame = bytes((len(body) + 3,)) + body
    port.write(frame + crc16_x25(frame))
    length = port.read(1)
    return length + port.read(length[0] - 1) if length else b""


def select_output(port: serial.Serial, output: int) -> bytes:
    return ask(port, f"00 BF 01 00 20 02 1F 02 DD FE 00 {output:02X} 08")


def quiet(port: serial.Serial, seconds: float = 0.05) -> bool:
    """Return whether nothing arrives within `seconds`."""
    return not select.select([port.fileno()], [], [], seconds)[0]


def test_each_seat_has_one_reader_with_an_antenna_for_each_circle(
    bank: FeigBank, port: serial.Serial
) -> None:
    assert bank.paths()[FIRST] == bank.paths()[MIDDLE] != bank.paths()[FAR]
    bank.set_chips(MIDDLE, [UID])
    assert ask(port, "00 81 0F" + " 00" * 14)[3] == 0
    for output, status in ((1, 0x01), (5, 0x00), (4, 0x01)):
        assert select_output(port, output)[3] == 0
        assert ask(port, "00 B0 01 00")[3] == status
    assert bank.last_frames(MIDDLE)[0][2:4] == b"\xb0\x01"
    assert (bank.chips(MIDDLE), bank.take(MIDDLE, UID), bank.chips(MIDDLE)) == ((UID,), True, ())


def test_a_line_left_open_by_a_killed_daemon_can_be_opened_again(bank: FeigBank) -> None:
    """A pseudo-terminal refuses to set the same speed with even parity a second time."""
    for _ in range(3):
        with closing(open_reader(bank.paths()[FIRST])) as port:
            assert (port.baudrate, port.parity) == (FEIG_BAUD, "E")
            port.write(bytes.fromhex("05 00 65") + crc16_x25(bytes.fromhex("05 00 65")))
            assert not quiet(port, 5.0)


def test_the_port_name_survives_unplugging(bank: FeigBank) -> None:
    path = Path(bank.paths()[FIRST])
    bank.fault_seat(2, "unplug")
    assert not path.is_symlink()
    bank.fault_seat(2, "clear")
    with closing(opened(bank)) as port:
        assert ask(port, "00 52 00")[:4] == bytes.fromhex("06 00 52 00")


def test_clear_removes_every_fault(bank: FeigBank) -> None:
    for kind in FEIG_VERBS:
        bank.fault_seat(2, kind)
        bank.fault_seat(2, "clear")
        with closing(opened(bank)) as port:
            assert ask(port, "00 52 00")[:4] == bytes.fromhex("06 00 52 00")
            assert select_output(port, 1)[3:5] == b"\x00\x00"
    for kind in (*AIR_VERBS, *WIRE_VERBS):
        bank.fault(FIRST, kind)
        bank.clear(FIRST)
        with closing(opened(bank)) as port:
            assert ask(port, "00 B0 01 00")[3] == 0x01


def test_a_reader_at_another_speed_or_parity_does_not_answer(bank: FeigBank, port: serial.Serial) -> None:
    for kind in ("speed", "parity"):
        bank.fault_seat(2, kind)
        port.write(bytes.fromhex("07 FF B0 01 00 1C 56"))
        assert quiet(port)
        bank.fault_seat(2, "clear")
        time_apart()
        assert ask(port, "00 52 00")[:4] == bytes.fromhex("06 00 52 00")
    port.baudrate = 9600
    port.write(bytes.fromhex("07 FF B0 01 00 1C 56"))
    assert quiet(port)


def time_apart() -> None:
    """Wait for the pause that ends a broken frame."""
    select.select([], [], [], 0.02)


def test_an_answer_takes_a_real_device_s_time(tmp_path: Path) -> None:
    with FeigBank(tmp_path, CIRCLES) as bank, closing(opened(bank)) as port:
        begun = time.monotonic()
        assert ask(port, "00 69") == bytes.fromhex("06 00 69 00 F6 FA")
        assert time.monotonic() - begun >= 0.015 + 11 * 11 / FEIG_BAUD


def test_a_host_that_reads_nothing_does_not_block_the_bank(bank: FeigBank) -> None:
    fd = os.open(bank.paths()[FIRST], os.O_RDWR | os.O_NOCTTY)
    for _ in range(400):
        os.write(fd, bytes.fromhex("05 00 69 49 FE"))
    os.close(fd)
    assert bank.chips(FIRST) == ()
