"""A technician can lay and take chips and cause faults at the console of one simulated reader."""

from __future__ import annotations

import argparse
import io
import os
import pty
import tty

import pytest

from drivers.chips.frames import ACK
from drivers.chips.sim.console import add_arguments, simulate_reader
from tests.drivers.chips.test_simulator import SAM, SAM_ANSWER

pytestmark = pytest.mark.serial

VALUES = {"04A1B2C3D4E5F6": "$25", "04A1B2C3D4E5F7": "$25", "04A1B2C3D4E5F8": "$5"}


def run(lines: list[str], *options: str) -> tuple[int, list[str]]:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    out = io.StringIO()
    typed = io.StringIO("".join(f"{line}\n" for line in lines))
    status = simulate_reader(parser.parse_args(options or ["--pty"]), VALUES, typed, out)
    return status, out.getvalue().splitlines()


def test_chips_are_laid_and_taken_and_the_reader_is_broken() -> None:
    status, output = run(
        [
            "lay 04a1b2c3d4e5f6",
            "",
            "lay 01020304 stubborn",
            "list",
            "take 01020304",
            "take 01020304",
            "take all",
            "list",
        ]
    )
    assert status == 0
    assert output[1:] == [
        "1 on the antenna",
        "2 on the antenna",
        "04A1B2C3D4E5F6 $25",
        "01020304 unknown",
        "1 on the antenna",
        "take 01020304: no such chip is on the antenna",
        "0 on the antenna",
        "nothing",
    ]


def test_chips_are_laid_and_taken_by_value() -> None:
    _, output = run(["lay $25 2", "lay $5", "lay $25", "lay $7", "lay $5 x", "take $25", "take $5", "list"])
    assert output[1:] == [
        "2 on the antenna",
        "3 on the antenna",
        "lay $25 1: 0 such chips are left; values: $25, $5",
        "lay $7 1: 0 such chips are left; values: $25, $5",
        "lay $5 x: 0 such chips are left; values: $25, $5",
        "2 on the antenna",
        "1 on the antenna",
        "04A1B2C3D4E5F7 $25",
    ]


def test_an_unknown_command_is_answered() -> None:
    _, output = run(["dance", "lay", "lay xyz", "silent now", "silent", "clear", "help", "quit", "list"])
    assert "help says what is" in output[1]
    assert "help says what is" in output[2]
    assert output[3] == "lay xyz: a UID has 8, 14 or 20 hex digits"
    assert "help says what is" in output[4]
    assert output[5].startswith("silent: ")
    assert any(line.startswith("die ") for line in output)
    assert output[-1] == "help, quit"


def test_a_feig_reader_has_its_own_antennas_and_faults() -> None:
    _, output = run(
        [
            "lay E004010000000001",
            "lay 04A1B2C3D4E5F6",
            "lay E004010000000002 stubborn",
            "antenna 7",
            "lay e004010000000002",
            "antenna 1",
            "antenna 9",
            "mux_stuck",
            "restart",
            "clear",
            "help",
        ],
        "--pty",
        "--kind",
        "feig_mux",
    )
    assert output[0].startswith("an FEIG reader with a multiplexer answers on ")
    assert output[1:3] == ["1 on the antenna", "lay 04A1B2C3D4E5F6: a UID has 16 hex digits"]
    assert "help says what is" in output[3]
    assert output[4:7] == ["nothing", "1 on the antenna", "E004010000000001 unknown"]
    assert "help says what is" in output[7]
    assert [line.partition(":")[0] for line in output[8:11]] == ["mux_stuck", "restart", "clear"]
    assert any(line.startswith("antenna N ") for line in output)


def test_an_unusable_port_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([], "--port", "/dev/no-such-port")[0] == 2
    assert "--port /dev/no-such-port" in capsys.readouterr().err


def test_on_a_real_port_it_answers_there() -> None:
    """Two pseudo-terminals stand for the ends of a cable: bytes written to one can be read from the other."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    name = os.ttyname(slave)

    class Talk(io.StringIO):
        def __next__(self) -> str:
            os.write(master, SAM)
            self.got = b""
            while len(self.got) < len(ACK + SAM_ANSWER):
                self.got += os.read(master, 100)
            return "quit\n"

        def __iter__(self) -> Talk:
            return self

    talk = Talk()
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    assert simulate_reader(parser.parse_args(["--port", name]), VALUES, talk, io.StringIO()) == 0
    assert talk.got == ACK + SAM_ANSWER
    os.close(slave)
    os.close(master)
