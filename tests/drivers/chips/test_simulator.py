"""A simulated reader on a serial line takes a device's time, keeps the name of its port, and leaves no file
after unplugging.
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.chips.frames import ACK, NACK, TO_CHIP, frame
from drivers.chips.port import FramePort
from drivers.chips.reader import Garbled, NoAnswer
from drivers.chips.sim import bank_loop
from drivers.chips.sim.line import BYTE_S, PN532_BAUD, Pn532Line
from drivers.chips.sim.simulator import ReaderBank, rf_times
from drivers.ports import CircleId
from drivers.uart import set_baud

CIRCLE: CircleId = (2, "middle")
SAM = frame(TO_CHIP, bytes.fromhex("14011401"))
FIRMWARE = frame(TO_CHIP, b"\x02")
FINITE = frame(TO_CHIP, bytes.fromhex("3205000102"))
LIST = frame(TO_CHIP, bytes.fromhex("4a0100"))
SAM_ANSWER = bytes.fromhex("0000ff02fed5151600")
UID = "04A1B2C3D4E5F6"


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[ReaderBank]:
    with ReaderBank(tmp_path, [CIRCLE], pace=0.0) as bank:
        yield bank


def ask(port: FramePort, command: bytes, count: int = 2, timeout_s: float = 5.0) -> list[bytes]:
    port.expect(timeout_s)
    port.write(command)
    found = list[bytes]()
    while len(found) < count:
        if whole := port.read(100):
            found.append(whole)
    return found


def test_a_command_is_acknowledged_and_answered(bank: ReaderBank) -> None:
    port = FramePort.open(bank.paths()[CIRCLE])
    assert ask(port, b"\x55\x55" + bytes(15) + SAM) == [ACK, SAM_ANSWER]
    assert ask(port, NACK, 1) == [SAM_ANSWER]
    port.close()


@pytest.mark.parametrize(("quiet_s", "answer_s", "least_s"), [(-1.0, 0.05, 0.05), (60.0, 30.0, 0.0)])
def test_a_bank_answers_with_delay_only_after_a_while_without_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet_s: float, answer_s: float, least_s: float
) -> None:
    monkeypatch.setattr(bank_loop, "QUIET_S", quiet_s)
    monkeypatch.setattr(bank_loop, "IDLE_ANSWER_S", answer_s)
    with ReaderBank(tmp_path, [CIRCLE], pace=0.0) as bank:
        port = FramePort.open(bank.paths()[CIRCLE])
        began = time.monotonic()
        assert ask(port, SAM) == [ACK, SAM_ANSWER]
        assert time.monotonic() - began >= least_s
        port.close()


def test_an_endless_listing_is_answered_when_a_chip_is_laid(bank: ReaderBank) -> None:
    port = FramePort.open(bank.paths()[CIRCLE])
    ask(port, SAM)
    assert ask(port, LIST, 1) == [ACK]
    port.expect(5.0)
    bank.lay(CIRCLE, UID)
    assert bytes.fromhex(UID) in (port.read(100) or port.read(100))
    port.close()


def test_the_port_name_survives_unplugging(bank: ReaderBank) -> None:
    path = Path(bank.paths()[CIRCLE])
    bank.fault(CIRCLE, "unplug")
    assert not path.is_symlink()
    bank.clear(CIRCLE)
    assert path.is_symlink()
    port = FramePort.open(str(path))
    assert ask(port, FIRMWARE)[0] == ACK
    port.close()


def test_a_host_at_another_speed_gets_no_answer(bank: ReaderBank) -> None:
    port = FramePort.open(bank.paths()[CIRCLE])
    fd = os.open(bank.paths()[CIRCLE], os.O_RDWR | os.O_NOCTTY)
    set_baud(fd, 9600)
    with pytest.raises((NoAnswer, Garbled)):
        ask(port, SAM, timeout_s=0.2)
    set_baud(fd, PN532_BAUD)
    port.reset_input_buffer()
    assert ask(port, SAM) == [ACK, SAM_ANSWER]
    os.close(fd)
    port.close()


def test_behind_an_ftdi_without_low_latency_every_frame_takes_16_ms_more(bank: ReaderBank) -> None:
    """The ACK and the answer are both delayed, so a listing of 15 frames takes a quarter of a second."""
    port = FramePort.open(bank.paths()[CIRCLE])
    bank.fault(CIRCLE, "ftdi")
    begun = time.monotonic()
    assert ask(port, SAM) == [ACK, SAM_ANSWER]
    assert time.monotonic() - begun >= 0.016
    port.close()


def test_an_unknown_fault_of_the_simulator_is_refused(bank: ReaderBank) -> None:
    with pytest.raises(ValueError, match="allowed are silent, unplug"):
        bank.fault(CIRCLE, "explode")


def test_clear_removes_every_fault(bank: ReaderBank) -> None:
    for kind in ("silent", "noise", "drop", "split", "late", "ftdi", "duplicate", "flip", "die", "unplug"):
        bank.fault(CIRCLE, kind)
        bank.clear(CIRCLE)
        port = FramePort.open(bank.paths()[CIRCLE])
        assert ask(port, SAM) == [ACK, SAM_ANSWER]
        port.close()


def test_a_host_that_fetches_nothing_does_not_block_the_bank(bank: ReaderBank) -> None:
    fd = os.open(bank.paths()[CIRCLE], os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    poller = select.poll()
    poller.register(fd, select.POLLOUT)
    for _ in range(400):
        poller.poll()
        os.write(fd, SAM)
    os.close(fd)
    assert bank.chips(CIRCLE) == ()
    bank.set_chips(CIRCLE, [UID])
    assert bank.chips(CIRCLE) == (UID,)


# ------------------------------------------------------------------------ a device's timing


def paced() -> Pn532Line:
    return Pn532Line(None, rf_times(1.0), BYTE_S, seed=1)


def test_every_byte_takes_its_time_in_both_directions() -> None:
    line = paced()
    arrived = line.arrival(len(SAM), 0.0)
    assert arrived == pytest.approx(len(SAM) * BYTE_S)
    out = line.receive(SAM, arrived)
    assert [data for _, data in out] == [ACK, SAM_ANSWER]
    assert out[0][0] == pytest.approx(arrived + 6 * BYTE_S)
    assert out[1][0] == pytest.approx(arrived + 15 * BYTE_S)


def test_the_radio_starts_after_the_ack_was_sent() -> None:
    line = paced()
    line.receive(SAM + FINITE, 0.0)
    line.antenna.switch(True, 0.0)
    (acked, _), (missed, answer) = line.receive(LIST, 1.0)
    assert missed - acked == pytest.approx(0.005 + len(answer) * BYTE_S)
    line.antenna.lay(bytes.fromhex(UID), 1.0)
    (acked, _), (found, answer) = line.receive(LIST, 2.0)
    assert found - acked == pytest.approx(0.004 + len(answer) * BYTE_S)


def test_bytes_written_together_arrive_one_after_the_other() -> None:
    line = paced()
    line.arrival(10, 0.0)
    assert line.arrival(10, 0.0) == pytest.approx(20 * BYTE_S)


def test_a_frame_with_a_wrong_sum_is_not_acknowledged() -> None:
    assert paced().receive(SAM[:-2] + b"\x00\x00", 0.0) == []


def test_a_sleeping_chip_receives_nothing_until_woken() -> None:
    line = paced()
    line.receive(SAM, 0.0)
    line.receive(frame(TO_CHIP, bytes.fromhex("1610")), 1.0)
    assert line.receive(FIRMWARE, 2.0) == []
    assert len(line.receive(b"\x55\x55" + FIRMWARE, 3.0)) == 2
