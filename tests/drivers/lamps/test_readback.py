"""The bits that the lamp chain returns on MISO are compared with the bits sent, and each difference is
named.
"""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.lamps.chain import CALM_S, CHECK_S, LASTING, TICK_S, open_lamps
from drivers.lamps.pattern import pattern
from drivers.lamps.readback import IDENTITIES, difference, has_both_levels, identity_bits, mark
from drivers.pins.sim.chain import Chain, ChainFaults
from drivers.ports import Colour, Signal
from tests.drivers.lamps.sim_table import header, table_pins
from tests.drivers.lamps.test_pattern import FROM_NOUGHT, PINS, SIGNALS, is_dark, lamps_on

LENGTH = PINS.registers
FRAMES = st.binary(min_size=LENGTH, max_size=LENGTH)
GREEN = Signal("green")


def _place(bit: int) -> str:
    """Return the output at which a bit of a frame ends."""
    register, output = divmod(87 - bit, 8)
    return f"register {register + 1} Q{'ABCDEFGH'[output]}"


def fault_of(before: bytes, now: bytes, faults: ChainFaults) -> str:
    """Return the reported fault of a chain with these faults when `now` is sent after `before`."""
    chain = Chain(LENGTH)
    chain.faults = faults
    chain.shift(before)
    return difference(before, now, chain.shift(now))


@given(st.lists(FRAMES, min_size=2, max_size=4))
def test_a_complete_chain_returns_each_frame_during_the_next_one(frames: list[bytes]) -> None:
    chain = Chain(LENGTH)
    came = [chain.shift(frame) for frame in frames]
    assert came[1:] == frames[:-1]


@given(FRAMES, FRAMES, st.integers(0, 8 * LENGTH - 1))
def test_one_flipped_bit_is_detected_in_any_picture(before: bytes, now: bytes, bit: int) -> None:
    assert fault_of(before, now, ChainFaults(flipped=(bit,)))


@pytest.mark.parametrize("registers", [*range(2, LENGTH), *range(LENGTH + 1, 20)])
def test_a_chain_of_the_wrong_length_is_reported_with_its_length(registers: int) -> None:
    words = fault_of(mark(LENGTH), bytes(LENGTH), ChainFaults(registers=registers))
    assert words == f"a chain of {registers} registers, and the pin map has {LENGTH}"


@pytest.mark.parametrize("cut", range(LENGTH + 1))
def test_a_chain_broken_anywhere_returns_only_low_levels(cut: int) -> None:
    assert fault_of(mark(LENGTH), bytes(LENGTH), ChainFaults(cut=cut)).startswith("nothing but low: ")


def test_a_flipped_bit_is_named_by_register_and_output() -> None:
    """The first bit on the wire ends at QH of the last register, the last bit at QA of the first."""
    assert "1 of 88 bits differ, first register 11 QH: " in fault_of(
        mark(11), bytes(11), ChainFaults(flipped=(0,))
    )
    assert "1 of 88 bits differ, first register 1 QA: " in fault_of(
        mark(11), bytes(11), ChainFaults(flipped=(87,))
    )


def test_an_extra_clock_edge_shifts_every_bit() -> None:
    sent = int.from_bytes(mark(LENGTH), "big")
    came = (sent << 1 & (1 << 8 * LENGTH) - 1).to_bytes(LENGTH, "big")
    assert difference(mark(LENGTH), bytes(LENGTH), came).startswith("bits are 1 off: edges on SRCLK")


def test_a_line_that_stays_high_is_named() -> None:
    assert difference(mark(LENGTH), bytes(LENGTH), b"\xff" * LENGTH).startswith("nothing but high: ")


@given(st.integers(0, 300), st.sets(st.integers(0, 87), min_size=1, max_size=12))
def test_successive_frames_have_different_identities_and_none_is_all_low(frame: int, spare: set[int]) -> None:
    bits = sorted(spare)
    number, following = identity_bits(bits, frame), identity_bits(bits, frame + 1)
    assert number, "a dark frame with this number is not all zeros"
    assert not number & ~sum(1 << bit for bit in bits), "no lamp is lit by it"
    assert number != following or len(bits) == 1


def test_without_a_spare_output_a_frame_has_no_identity() -> None:
    assert identity_bits((), 7) == 0


@pytest.mark.parametrize(
    ("frame", "proves"), [(bytes(11), False), (b"\xff" * 11, False), (bytes(10) + b"\x01", True)]
)
def test_a_frame_with_one_level_proves_nothing(frame: bytes, proves: bool) -> None:
    assert has_both_levels(frame) is proves


CIRCLES = sorted(PINS.circles)
PICTURES = {
    "dark": [],
    "every lamp": CIRCLES,
    "every second": CIRCLES[::2],
    "every third": CIRCLES[::3],
    "the first": CIRCLES[:1],
    "the last": CIRCLES[-1:],
    "one seat": [circle for circle in CIRCLES if circle[0] == 3],
    "across": [circle for circle in CIRCLES if circle[1] == "across"],
}
COLOURS: list[Colour] = ["green", "red", "amber"]
ONE_BIT = [(f"1 of 88 bits differ, first {_place(bit)}: ", ChainFaults(flipped=(bit,))) for bit in range(88)]
BETWEEN = [("bits are 1 off: ", ChainFaults(edge=place)) for place in (0, 88, -1, -88)]
"""Expected texts and faults for an extra or missing clock edge before or after a transfer."""
INSIDE = [ChainFaults(edge=place) for place in (*range(5, 88), *range(-87, -4))]
"""Clock edges inside a transfer, after the frame's number. Whether more than one bit shows such an edge
depends on the picture."""


def frames(shown: str, colour: Colour) -> list[bytes]:
    """Return the frames of an unchanged picture, one for each frame number."""
    lit = pattern(PINS.bits, dict.fromkeys(PICTURES[shown], Signal(colour)), FROM_NOUGHT, 0.0)
    numbers = [identity_bits(PINS.spare_bits, number) for number in range(len(IDENTITIES) + 2)]
    return [(lit | number).to_bytes(LENGTH, "big") for number in numbers]


def named(sent: tuple[bytes, ...], faults: ChainFaults) -> str:
    """Return the first fault reported if the second of three frames has a brief fault."""
    chain = Chain(LENGTH)
    chain.shift(sent[0])
    chain.faults = faults
    came = chain.shift(sent[1])
    chain.faults = ChainFaults()
    return difference(sent[0], sent[1], came) or difference(sent[1], sent[2], chain.shift(sent[2]))


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("shown", sorted(PICTURES))
def test_a_fault_of_one_transfer_is_named_right_in_every_picture(shown: str, colour: Colour) -> None:
    """A disturbed clock is reported at once or not at all, because the mark of the next frame returns
    correctly."""
    sent = frames(shown, colour)
    for three in zip(sent, sent[1:], sent[2:], strict=False):
        for words, faults in (*ONE_BIT, *BETWEEN):
            assert named(three, faults).startswith(words), (three, faults)
        for faults in INSIDE:
            words = named(three, faults)
            assert words == "" or words.startswith(("bits are 1 off: ", "1 of 88 bits differ, "))


@pytest.mark.parametrize("faults", [ChainFaults(edge=place) for place in (*range(89), *range(-88, 0))])
def test_a_lasting_clock_fault_is_named_right_with_a_dark_table(
    faults: ChainFaults,
) -> None:
    lamps, registers, _ = lamps_on()
    registers.chain.faults = faults
    lamps.tick(CHECK_S)
    lamps.tick(2 * CHECK_S)
    assert lamps.statistics().why.startswith("what came back is bits are 1 off: ")
    lamps.stop()


# ------------------------------------------------------------------------------ the driver

FALSE_ECHOES = {
    "no board": lambda sent: bytes(len(sent[-1])),
    "stuck high": lambda sent: b"\xff" * len(sent[-1]),
    "MISO on MOSI": lambda sent: sent[-1],
    "two frames late": lambda sent: sent[-3] if len(sent) > 2 else bytes(len(sent[-1])),
    "one frame for ever": lambda sent: sent[0],
}


@pytest.mark.parametrize("source", sorted(FALSE_ECHOES))
@pytest.mark.parametrize("shown", [{}, {(1, "across"): GREEN}, {(3, "down"): Signal("amber")}])
def test_no_other_source_is_mistaken_for_the_chain_in_any_picture(
    source: str, shown: dict[tuple[int, str], Signal]
) -> None:
    """Without an identity in each frame, a dark table and a missing board would both return zeros."""
    lamps, registers, _ = lamps_on()
    lamps.show(shown)
    registers.answer = FALSE_ECHOES[source]
    for second in range(1, 61):
        lamps.tick(float(second))
    health = lamps.statistics()
    assert health.why
    assert health.lasting
    assert health.failed >= 59
    registers.answer = None
    for second in range(61, 64 + round(CALM_S)):
        lamps.tick(float(second))
    assert lamps.statistics().why == ""
    lamps.stop()


def test_a_board_missing_from_the_start_is_still_reported_after_the_first_tick() -> None:
    """The table's clock may start at any value. A fault before the first tick must not count as old for that
    reason."""
    lamps, _, _ = lamps_on(faults=ChainFaults(dead=True))
    lamps.tick(86_400.0)
    assert "nothing but low" in lamps.statistics().why
    lamps.stop()


@given(st.dictionaries(st.sampled_from(sorted(PINS.circles)), SIGNALS), st.integers(0, 87))
def test_a_lasting_fault_is_named_right_in_every_picture(
    shown: dict[tuple[int, str], Signal], bit: int
) -> None:
    lamps, registers, _ = lamps_on()
    lamps.show(shown)
    registers.chain.faults = ChainFaults(flipped=(bit,))
    lamps.tick(CHECK_S)
    lamps.tick(2 * CHECK_S)  # the frame that was changed on its way in returns
    assert f"1 of 88 bits differ, first {_place(bit)}: " in lamps.statistics().why
    lamps.stop()


def test_a_failed_register_is_named_until_it_works_again() -> None:
    lamps, registers, _ = lamps_on()
    registers.chain.faults = ChainFaults(registers=10)
    for second in range(1, 20):
        lamps.tick(float(second))
    assert lamps.statistics().why == "what came back is a chain of 10 registers, and the pin map has 11"
    registers.chain.faults = ChainFaults(dead=True)
    lamps.tick(20.0)
    lamps.tick(21.0)
    assert lamps.statistics().why.startswith("what came back is nothing but low: ")
    lamps.stop()


def test_the_diagnosis_lights_no_lamp() -> None:
    lamps, registers, enable = lamps_on()
    registers.chain.faults = ChainFaults(flipped=(3,))
    lamps.tick(CHECK_S)
    first = len(registers.latched)
    lamps.tick(2 * CHECK_S)
    assert mark(LENGTH) in registers.latched[first:]
    assert enable.off_at == [registers.latched.index(mark(LENGTH), first)]
    assert is_dark(registers.latched[-1])
    assert enable.enabled
    lamps.stop()


def test_without_spare_outputs_a_fault_remains_until_a_lamp_was_lit() -> None:
    """Every output of this pin map drives a lamp. A dark frame is therefore all zeros, and zeros cannot prove
    that a fault has ended."""
    lamps, registers, _ = lamps_on(bits={**PINS.bits, **{(7, str(n), "green"): n for n in PINS.spare_bits}})
    registers.chain.faults = ChainFaults(flipped=(4,))
    lamps.tick(CHECK_S)
    registers.chain.faults = ChainFaults()
    for second in range(2, 30):
        lamps.tick(float(second))
    assert lamps.statistics().why
    lamps.show({(1, "across"): GREEN})
    for second in range(30, 33 + round(CALM_S)):
        lamps.tick(float(second))
    assert lamps.statistics().why == ""
    lamps.stop()


def test_a_fault_is_logged_once_and_remains_until_the_chain_returns_the_sent_bits(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    lamps, registers, enable = lamps_on()
    assert lamps.statistics().why == ""
    lamps.show({(1, "across"): GREEN})
    registers.chain.faults = ChainFaults(dead=True)
    for tick in range(40):
        lamps.tick(CHECK_S + tick * TICK_S)
    health = lamps.statistics()
    assert health.why.startswith("what came back is nothing but low: ")
    assert health.failed == 40
    assert enable.enabled, "the game goes on, and so do the lamps that can"
    registers.chain.faults = ChainFaults()
    lamps.tick(4.0)  # the returned bits belong to the frame that the dead board lost
    lamps.tick(4.05)
    assert lamps.statistics().why == health.why, "a bad contact may be bad again"
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    lamps.tick(4.05 + CALM_S)
    health = lamps.statistics()
    assert (health.why, health.lasting, health.first[:9]) == ("", False, "what came")
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]
    lamps.stop()


def test_one_bad_transfer_is_a_disturbance_and_several_are_a_lasting_fault() -> None:
    lamps, registers, _ = lamps_on()
    for second in range(1, 20):
        registers.chain.faults = ChainFaults(flipped=(5,)) if second % 2 else ChainFaults()
        lamps.tick(float(second))
        health = lamps.statistics()
        assert health.lasting == (health.failed >= LASTING)
    assert health.lasting
    lamps.stop()


def test_a_bad_contact_does_not_fill_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    lamps, registers, _ = lamps_on()
    for second in range(1, 300):
        registers.chain.faults = ChainFaults(flipped=(5,)) if second % 3 else ChainFaults()
        lamps.show({(1, "across"): GREEN if second % 2 else Signal("red")})
        lamps.tick(float(second))
    assert lamps.statistics().failed > 100
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    lamps.stop()


def test_an_unchanged_chain_is_checked_once_a_second() -> None:
    lamps, registers, _ = lamps_on()
    lamps.show({(1, "across"): GREEN})
    before = len(registers.latched)
    for tick in range(round(3.5 / TICK_S)):
        lamps.tick(tick * TICK_S)
    assert len(registers.latched) - before == 3
    lamps.stop()


def test_a_chain_of_another_length_is_reported_when_opened() -> None:
    lamps, _, _ = lamps_on(faults=ChainFaults(registers=10))
    assert lamps.statistics().why == "what came back is a chain of 10 registers, and the pin map has 11"
    lamps.stop()


def test_without_read_back_nothing_is_compared() -> None:
    lamps, _, _ = lamps_on(way_back=False, faults=ChainFaults(dead=True))
    lamps.tick(CHECK_S)
    assert lamps.statistics().failed == 0
    lamps.stop()


@pytest.mark.serial
@pytest.mark.parametrize(
    "faults",
    [
        ChainFaults(dead=True),
        ChainFaults(flipped=(3,)),
        ChainFaults(cut=4),
        ChainFaults(registers=12),
        ChainFaults(looped=True),
    ],
)
@pytest.mark.parametrize("shown", [{}, {(4, "down"): GREEN}])
async def test_faults_are_named_through_gpiozero_and_the_bench_too(
    tmp_path: Path, shown: dict[tuple[int, str], Signal], faults: ChainFaults
) -> None:
    async with header(tmp_path, table_pins()) as (server, factory):
        lamps = open_lamps(table_pins(), factory)
        lamps.show(shown)
        await server.until(lambda lit: bool(lit) == bool(shown))
        assert lamps.statistics().failed == 0
        server.set_chain_faults(faults)
        while factory.faults != faults:
            factory.wires.get(0)
        for tick in range(3):
            lamps.tick(CHECK_S * tick + 2.0)
        assert lamps.statistics().why.startswith("what came back is ")
        lamps.stop()
