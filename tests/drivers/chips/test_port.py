"""The frame port returns complete frames or raises one kind of exception, and silence is never an answer."""

from __future__ import annotations

import os
import pty
import time
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from drivers.chips.frames import ACK, TO_HOST, frame
from drivers.chips.port import FramePort
from drivers.chips.reader import Garbled, LineError, NoAnswer
from tests.drivers.chips.lines import ModelSerial, port_on

pytestmark = pytest.mark.serial

ANSWER = frame(TO_HOST, bytes.fromhex("4b00"))


@contextmanager
def scripted() -> Iterator[tuple[ModelSerial, FramePort]]:
    serial = ModelSerial()
    port = port_on(serial)
    try:
        yield serial, port
    finally:
        port.close()


@pytest.fixture
def terminal() -> Iterator[tuple[int, str]]:
    master, slave = pty.openpty()
    tty.setraw(slave)
    try:
        yield master, os.ttyname(slave)
    finally:
        os.close(slave)
        os.close(master)


def test_a_read_returns_one_frame_whatever_size_is_requested() -> None:
    with scripted() as (serial, port):
        serial.deliver(ACK + ANSWER)
        port.expect(1.0)
        assert port.in_waiting == len(ACK)
        assert port.read(73) == ACK
        assert port.read(6) == ANSWER


def test_a_frame_split_at_any_byte_is_awaited() -> None:
    stream = ACK + ANSWER
    for index in range(1, len(stream)):
        with scripted() as (serial, port):
            serial.deliver(stream[:index])
            serial.deliver(stream[index:])
            port.expect(1.0)
            assert [port.read(6), port.read(73)] == [ACK, ANSWER]
            assert port.noise == 0


def test_silence_and_noise_are_distinguished() -> None:
    with scripted() as (serial, port):
        port.expect(0.0)
        with pytest.raises(NoAnswer):
            _ = port.in_waiting
        serial.deliver(b"\x12\x34")
        port.expect(0.01)
        with pytest.raises(Garbled):
            port.read(6)
        assert port.noise == 2


def test_an_answer_that_arrived_while_the_process_was_stopped_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The clock passes the deadline between `expect` and the first check of the line."""
    with scripted() as (serial, port):
        now = iter([100.0, *[200.0] * 9])
        monkeypatch.setattr(time, "monotonic", lambda: next(now))
        port.expect(1.0)
        serial.deliver(ANSWER)
        assert port.read(73) == ANSWER


def test_without_a_deadline_silence_returns_no_bytes() -> None:
    with scripted() as (_, port):
        assert port.in_waiting == 0
        assert port.read(6) == b""


def test_a_late_answer_is_dropped_before_the_next_command() -> None:
    with scripted() as (serial, port):
        serial.deliver(ANSWER + ANSWER[:5])
        port.reset_input_buffer()
        assert port.stale == 1
        assert port.in_waiting == 0


def test_a_closed_port_always_raises() -> None:
    with scripted() as (_, port):
        port.close()
        for use in (lambda p: p.in_waiting, lambda p: p.read(1), FramePort.reset_input_buffer):
            with pytest.raises(LineError):
                use(port)
        with pytest.raises(LineError):
            port.write(b"\x00")


def test_every_wait_is_short_after_cancel() -> None:
    with scripted() as (_, port):
        port.expect(1000.0)
        port.cancel(0.0)
        with pytest.raises(NoAnswer):
            port.read(6)
        port.expect(1000.0)
        with pytest.raises(NoAnswer):
            port.read(6)


def test_a_hang_up_raises_line_error_in_every_method() -> None:
    master, slave = pty.openpty()
    path = os.ttyname(slave)
    port = FramePort.open(path)
    os.close(slave)
    os.close(master)
    for use in (lambda p: p.in_waiting, lambda p: p.read(1), FramePort.reset_input_buffer):
        with pytest.raises(LineError, match=path):
            use(port)
    with pytest.raises(LineError, match=path):
        port.write(b"\x00")
    port.close()


def test_a_missing_or_occupied_port_is_reported(terminal: tuple[int, str], tmp_path: Path) -> None:
    with pytest.raises(LineError, match="cannot be opened"):
        FramePort.open(str(tmp_path / "none"))
    _, path = terminal
    port = FramePort.open(path)
    with pytest.raises(LineError, match="cannot be opened"):
        FramePort.open(path)
    port.close()


def test_missing_low_latency_mode_is_reported(terminal: tuple[int, str]) -> None:
    port = FramePort.open(terminal[1])
    assert port.low_latency() is False
    port.close()


def test_a_line_that_accepts_no_more_bytes_is_reported_as_stuck(terminal: tuple[int, str]) -> None:
    port = FramePort.open(terminal[1])
    with pytest.raises(LineError):  # noqa: PT012  # which of them is the last is the kernel's affair
        for _ in range(100):
            port.write(b"\x55" * 4096)
    port.close()
