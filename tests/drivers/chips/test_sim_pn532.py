"""The simulated PN532 accepts and refuses what UM0701-02 specifies."""

from __future__ import annotations

import random

import pytest

from drivers.chips.frames import ERROR, payload
from drivers.chips.sim.field import Antenna
from drivers.chips.sim.pn532 import DEVICE_TIMES, Pn532, SimAnswer

UID = bytes.fromhex("04a1b2c3d4e5f6")
SAM = bytes.fromhex("d414011401")
FINITE = bytes.fromhex("d43205000102")
FIELD_ON, FIELD_OFF = bytes.fromhex("d4320101"), bytes.fromhex("d4320100")
LIST, LIST_TWO = bytes.fromhex("d44a0100"), bytes.fromhex("d44a0200")
DESELECT = bytes.fromhex("d44400")


def chip(*uids: bytes, finite: bool = True) -> Pn532:
    antenna = Antenna(DEVICE_TIMES.settle_s, random.Random(3))
    antenna.set_chips(uids, 0.0)
    pn532 = Pn532(antenna, DEVICE_TIMES)
    pn532.execute(SAM, 0.0)
    if finite:
        pn532.execute(FINITE, 0.0)
    return pn532


def data(answer: SimAnswer) -> bytes:
    assert answer.frame is not None
    inner = payload(answer.frame)
    assert inner is not None
    return inner


def test_before_sam_configuration_only_the_version_is_reported() -> None:
    pn532 = Pn532(Antenna(0.0, random.Random(1)), DEVICE_TIMES)
    assert pn532.execute(LIST, 0.0).frame == ERROR
    assert data(pn532.execute(b"\xd4\x02", 0.0)) == bytes.fromhex("d50332010607")
    assert data(pn532.execute(SAM, 0.0)) == b"\xd5\x15"
    assert data(pn532.execute(FIELD_ON, 0.0)) == b"\xd5\x33"


def test_listing_and_halting_one_chip_take_the_specified_time() -> None:
    pn532 = chip(UID)
    pn532.execute(FIELD_ON, 0.0)
    found = pn532.execute(LIST, 0.01)
    assert data(found) == bytes.fromhex("d54b010100440007") + UID
    assert found.after_s == 0.004
    halted = pn532.execute(DESELECT, 0.02)
    assert data(halted) == bytes.fromhex("d54500")
    assert halted.after_s == 0.001
    missed = pn532.execute(LIST, 0.03)
    assert data(missed) == bytes.fromhex("d54b00")
    assert missed.after_s == 0.005


def test_listing_switches_the_field_on_and_waits_for_the_chips() -> None:
    pn532 = chip(UID)
    found = pn532.execute(LIST, 0.0)
    assert data(found)[2] == 1
    assert found.after_s == pytest.approx(0.009)


def test_infinite_retries_answer_only_once_a_chip_is_there() -> None:
    pn532 = chip(finite=False)
    pn532.execute(FIELD_ON, 0.0)
    assert pn532.execute(LIST, 0.01).frame is None
    assert pn532.poll_again(0.02) is None
    pn532.antenna.lay(UID, 0.03)
    again = pn532.poll_again(0.04)
    assert again is not None
    assert UID in data(again)
    assert pn532.poll_again(0.05) is None


def test_the_hosts_ack_ends_a_command_that_listens() -> None:
    pn532 = chip(finite=False)
    pn532.execute(LIST, 0.0)
    pn532.abort()
    pn532.antenna.lay(UID, 0.0)
    assert pn532.poll_again(1.0) is None


def test_at_most_two_targets_are_listed() -> None:
    other = bytes.fromhex("04000000000001")
    pn532 = chip(UID, other, bytes.fromhex("01020304"))
    pn532.execute(FIELD_ON, 0.0)
    assert data(pn532.execute(LIST_TWO, 0.01))[2] == 2
    assert pn532.execute(bytes.fromhex("d44a0300"), 0.02).frame == ERROR


def test_a_deselect_without_a_target_is_refused() -> None:
    pn532 = chip()
    assert data(pn532.execute(DESELECT, 0.0)) == bytes.fromhex("d54527")


def test_release_halts_and_drops_the_target() -> None:
    pn532 = chip(UID)
    pn532.execute(LIST, 0.0)
    assert data(pn532.execute(bytes.fromhex("d45200"), 0.1)) == bytes.fromhex("d55300")
    assert data(pn532.execute(DESELECT, 0.2)) == bytes.fromhex("d54527")
    assert data(pn532.execute(LIST, 0.3)) == bytes.fromhex("d54b00")


def test_power_down_needs_a_wake_up_source() -> None:
    pn532 = chip()
    assert data(pn532.execute(bytes.fromhex("d41600"), 0.0)) == bytes.fromhex("d51727")
    assert not pn532.asleep
    assert data(pn532.execute(bytes.fromhex("d41610"), 0.0)) == bytes.fromhex("d51700")
    assert pn532.asleep
    pn532.wake()
    assert not pn532.asleep


def test_a_sleeping_chip_ignores_a_line_that_is_no_wake_up_source() -> None:
    pn532 = chip()
    pn532.execute(bytes.fromhex("d41620"), 0.0)
    pn532.wake()
    assert pn532.asleep


def test_the_fifo_register_shows_the_cause_of_a_miss() -> None:
    pn532 = chip()
    pn532.execute(LIST, 0.0)
    assert data(pn532.execute(bytes.fromhex("d4066339"), 0.1)) == bytes.fromhex("d50726")


@pytest.mark.parametrize(
    "command",
    [
        "d499",
        "d3",
        "d4",
        "d432",
        "d43299",
        "d4320500",
        "d4320a00",
        "d414",
        "d41409",
        "d44a",
        "d44a0101",
        "d444",
        "d406",
    ],
)
def test_an_unknown_command_is_a_syntax_error(command: str) -> None:
    assert chip().execute(bytes.fromhex(command), 0.0).frame == ERROR


@pytest.mark.parametrize("command", ["d43202000b08", "d4320400", "d412 00", "d404"])
def test_commands_of_other_programs_are_accepted(command: str) -> None:
    assert chip().execute(bytes.fromhex(command), 0.0).frame != ERROR
