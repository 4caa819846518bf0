"""ISO/IEC 15693 chips in a field give published bytes, keep their states, and are all found by an inventory
at every depth.
"""

from __future__ import annotations

from random import Random
from statistics import mean, quantiles

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.chips.sim.anticollision import NO_CHIP, OK, RF_ERROR, RF_WARNING, inventory
from drivers.chips.sim.vicinity import MIN_OFF_S, START_UP_S, VicinityField, answer_s, request_s
from drivers.chips.sim.x25 import crc16_x25

UID = bytes.fromhex("E004010053D6A1B2")
OTHER = bytes.fromhex("E004010053D6A1C2")
NOW = 1.0


def field(*uids: bytes, seed: int = 1) -> VicinityField:
    made = VicinityField(Random(seed))
    made.switch(True, 0.0)
    made.set_chips(uids, 0.0)
    return made


def stack(dice: Random, count: int) -> list[bytes]:
    return [b"\xe0\x04" + dice.randbytes(6) for _ in range(count)]


def found(antenna: VicinityField, now: float = NOW) -> tuple[int, list[bytes]]:
    look = inventory(antenna, now)
    return look.status, sorted(look.uids)


def test_crcs_equal_published_values() -> None:
    """The values are those of ISO's annex C and of TI's notes (26 01 00 F6 0A), and CRC-16/MCRF4XX of the
    catalogue."""
    assert crc16_x25(bytes.fromhex("260100"), final=0xFFFF) == bytes.fromhex("f60a")
    assert crc16_x25(b"123456789") == bytes.fromhex("916f")


def test_durations_equal_published_values() -> None:
    """At 26.48 kbit/s a bit of an answer takes 37.76 us, and a byte of a request 302.08 us (15693-2, 7 and
    8)."""
    assert answer_s(12) - answer_s(11) == pytest.approx(8 * 37.76e-6, rel=1e-4)
    assert request_s(6) - request_s(5) == pytest.approx(302.08e-6, rel=1e-4)
    assert inventory(field(), NOW).took_s == pytest.approx(0.0098, abs=1e-4)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 40), st.integers(0, 2**32), st.integers(0, 44))
def test_an_inventory_is_complete_at_every_depth(count: int, seed: int, alike: int) -> None:
    """The stacks include chips of one batch, whose numbers share many bits."""
    dice = Random(seed)
    common = dice.getrandbits(alike)
    uids = sorted({(0xE004 << 48 | dice.getrandbits(48 - alike) << alike | common).to_bytes(8, "big")
                   for _ in range(count)})  # fmt: skip
    assert found(field(*uids)) == (OK if uids else NO_CHIP, uids)


def test_two_chips_with_one_number_are_read_as_one() -> None:
    """Both chips answer identically, so no reader can count them."""
    assert found(field(UID, UID)) == (OK, [UID])


def test_a_chip_that_was_read_is_quiet_until_its_field_was_off_for_long_enough() -> None:
    antenna = field(UID)
    assert found(antenna) == (OK, [UID])
    assert found(antenna) == (NO_CHIP, [])
    antenna.switch(False, 2.0)
    antenna.switch(True, 2.0 + MIN_OFF_S / 2)
    assert found(antenna, 3.0) == (NO_CHIP, [])
    antenna.switch(False, 4.0)
    antenna.switch(True, 5.0)
    assert found(antenna, 5.0 + START_UP_S / 2) == (NO_CHIP, [])
    assert found(antenna, 5.0 + START_UP_S) == (OK, [UID])


def test_without_a_field_no_chip_answers() -> None:
    antenna = field(UID)
    antenna.switch(False, 0.5)
    assert found(antenna) == (NO_CHIP, [])


SYSTEM = bytes.fromhex("222b b2a1d653000104e0")
"""Get System Information, addressed: the lowest byte of the UID first (proxmark3, `hf 15 info`)."""


def test_an_addressed_chip_answers_whether_quiet_or_not() -> None:
    antenna = field(UID, OTHER)
    answer = bytes.fromhex("000f b2a1d653000104e0 00 00 4f 03 01")
    assert antenna.ask(SYSTEM, NOW).answers == (answer + crc16_x25(answer, final=0xFFFF),)
    inventory(antenna, NOW)
    assert antenna.ask(SYSTEM, NOW).answers == (answer + crc16_x25(answer, final=0xFFFF),)


@pytest.mark.parametrize(
    ("requests", "answers"),
    [
        (["2225b2a1d653000104e0", "122b"], [1, 1]),  # one selected chip answers
        (["2225b2a1d653000104e0", "2225c2a1d653000104e0", "122b"], [1, 1, 1]),  # another takes its place
        (["122b"], [0]),  # none is selected
        (["022b"], [2]),  # both answer and collide
        (["2202b2a1d653000104e0", "022b"], [0, 1]),  # one is quiet
        (["2202b2a1d653000104e0", "2226b2a1d653000104e0", "022b"], [0, 1, 2]),  # Reset to Ready
        (["2202b2a1d653000104e0", "0202", "022b"], [0, 0, 1]),  # Stay Quiet is for an addressed chip only
        (["02ddfe000100"], [0]),  # the multiplexer's command is not a chip's
        (["2223b2a1d653000104e0 4f 00"], [1]),  # its last block
        (["0621b2"], [0]),  # the inventory flag is not for `ask`
    ],
)
def test_a_chip_changes_its_state_as_specified(requests: list[str], answers: list[int]) -> None:
    antenna = field(UID, OTHER)
    assert [len(antenna.ask(bytes.fromhex(each), NOW).answers) for each in requests] == answers


def test_an_unsupported_command_is_an_iso_error() -> None:
    antenna = field(UID)
    for request, error in (("2223b2a1d653000104e0 50 00", "0110"), ("2220b2a1d653000104e0 00", "0101")):
        (answer,) = antenna.ask(bytes.fromhex(request), NOW).answers
        assert answer[:-2] == bytes.fromhex(error)


def test_radio_faults_give_missing_or_duplicate_chips() -> None:
    """The reader may report some chips with an error status, and may give status 01 although chips are
    there."""
    uids = sorted(stack(Random(3), 20))
    for trouble, status in (("collision", RF_ERROR), ("rf_warning", RF_WARNING), ("mute", NO_CHIP)):
        antenna = field(*uids)
        antenna.trouble = trouble
        answered, read = found(antenna)
        assert answered == status
        assert set(read) < set(uids)
    antenna = field(*uids)
    antenna.trouble = "twice"
    status, read = found(antenna)
    assert (status, len(read), set(read)) == (OK, 21, set(uids))


def test_inventories_at_the_edge_of_the_field_differ() -> None:
    seen = set()
    for seed in range(20):
        antenna = field(UID, OTHER, seed=seed)
        antenna.trouble = "edge"
        seen.add(tuple(found(antenna)[1]))
    assert seen == {(), (UID,), (OTHER,), (UID, OTHER)}


@pytest.mark.parametrize(
    ("count", "average", "p99"),
    [(0, 10, 10), (1, 14, 14), (3, 25, 50), (5, 39, 73), (10, 82, 122), (20, 183, 233), (40, 378, 443)],
)
def test_inventories_take_the_calculated_time_on_the_air(count: int, average: int, p99: int) -> None:
    """Mean and p99 in ms for random stacks equal an independent calculation from ISO/IEC 15693-3. Stay Quiet
    to each chip found (H60301-3e, p. 59) costs 4.2 ms more per chip."""
    dice, took_s = Random(count), []
    for _ in range(300):
        uids = stack(dice, count)
        look = inventory(field(*uids), NOW, silences=False)
        assert len(look.uids) == count
        took_s.append(look.took_s)
    assert mean(took_s) * 1000 == pytest.approx(average, rel=0.02, abs=0.5)
    assert quantiles(took_s, n=100, method="inclusive")[98] * 1000 <= p99 * 1.08
    longer = inventory(field(*uids), NOW).took_s
    assert longer - took_s[-1] == pytest.approx(count * 0.00421, abs=2e-5 * count + 1e-9)


def test_every_ready_chip_answers_an_inventory_of_one_slot() -> None:
    """The answer has the bytes of ISO's annex: flags, DSFID, UID with its lowest byte first. Chips that an
    inventory has silenced do not answer."""
    antenna, one_slot = field(UID), bytes.fromhex("260100")
    answer = b"\x00\x00" + UID[::-1]
    assert antenna.ask(one_slot, NOW).answers == (answer + crc16_x25(answer, final=0xFFFF),)
    antenna.set_chips([UID, OTHER], 0.0)
    assert len(antenna.ask(one_slot, NOW).answers) == 2
    found(antenna)
    assert antenna.ask(one_slot, NOW).answers == ()
    assert antenna.ask(bytes.fromhex("060100"), NOW).answers == ()


def test_no_chip_answers_a_disturbed_radio() -> None:
    antenna = field(UID)
    antenna.trouble = "mute"
    assert antenna.ask(bytes.fromhex("260100"), NOW).answers == ()
