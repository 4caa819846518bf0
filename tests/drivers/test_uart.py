"""A simulated line garbles bytes received at another speed as a UART does, and knows the host's speed on a
pseudo-terminal.
"""

from __future__ import annotations

import os
import pty
import termios
from collections.abc import Iterator
from contextlib import suppress

import pytest
import serial

from drivers.uart import across, baud, set_baud

ALL = bytes(range(256))


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    master, slave = pty.openpty()
    try:
        yield master, slave
    finally:
        os.close(slave)
        os.close(master)


def test_the_same_speed_changes_nothing() -> None:
    assert across(ALL, 115200, 115200) == ALL


def test_clocks_that_differ_by_two_percent_change_nothing() -> None:
    """A UART samples in the middle of a bit. By the tenth bit the sampling point is off by only a fifth of a
    bit."""
    for byte in ALL:
        one = bytes((byte,))
        assert across(one, 1000, 1020) == across(one, 1000, 980) == one


@pytest.mark.parametrize(("sent", "received"), [(115200, 9600), (9600, 115200), (115200, 57600)])
def test_another_speed_garbles_every_frame(sent: int, received: int) -> None:
    frame = bytes.fromhex("0000ff02fed5151600")
    assert frame not in across(frame, sent, received)
    assert across(ALL, sent, received) != ALL


def test_another_parity_garbles_consecutive_bytes() -> None:
    """Without a parity bit the stop bit is read in its place; with the wrong parity every byte has an
    error."""
    assert across(ALL, 38400, 38400, "even", "even") == ALL
    assert across(ALL, 38400, 38400, "even", "odd") == bytes(256)
    for sender, receiver in (("", "even"), ("even", ""), ("odd", "")):
        received = across(ALL, 38400, 38400, sender, receiver)
        assert received != ALL
        assert 0 in received[1:]
    assert across(ALL, 38400, 9600, "even", "even") != ALL


def test_a_fast_host_reads_a_slow_byte_as_several() -> None:
    """At twelve times the rate a low stop bit is a framing error, which the host receives as a zero."""
    received = across(b"\x00", 9600, 115200)
    assert len(received) > 1
    assert received[0] == 0


def test_the_other_end_sees_the_speed_that_a_host_has_set(terminal: tuple[int, int]) -> None:
    master, slave = terminal
    set_baud(slave, 9600)
    assert baud(master) == 9600
    with serial.Serial(os.ttyname(slave), 57600):
        assert baud(master) == 57600


def test_a_pseudo_terminal_forgets_parity_and_word_length(terminal: tuple[int, int]) -> None:
    """drivers/SIMULATORS.md therefore lists parity and word length as not simulated. If a program sets them,
    some C libraries report an error and others do not."""
    _, slave = terminal
    settings = termios.tcgetattr(slave)
    settings[2] = settings[2] & ~termios.CSIZE | termios.CS7 | termios.PARENB
    with suppress(termios.error):
        termios.tcsetattr(slave, termios.TCSANOW, settings)
    kept = termios.tcgetattr(slave)[2]
    assert not kept & termios.PARENB
    assert kept & termios.CSIZE == termios.CS8
