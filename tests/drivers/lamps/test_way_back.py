"""What the lamp chain gives back on MISO is compared with what it was sent, and a difference is named."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.lamps.chain import CALM_S, CHECK_S, LASTING, TICK_S, open_lamps
from drivers.lamps.way_back import difference, mark
from drivers.pins.sim.chain import Chain, Harm
from drivers.ports import Signal
from tests.drivers.lamps.sim_table import header, run, table_pins
from tests.drivers.lamps.test_pattern import PINS, lamps_on

LENGTH = PINS.registers
FRAMES = st.binary(min_size=LENGTH, max_size=LENGTH)
GREEN = Signal("green")


def told(before: bytes, now: bytes, harm: Harm) -> str:
    """What is said of a chain with this harm when `now` is sent after `before`."""
    chain = Chain(LENGTH)
    chain.harm = harm
    chain.shift(before)
    return difference(before, now, chain.shift(now))


@given(st.lists(FRAMES, min_size=2, max_size=4))
def test_a_whole_chain_gives_back_each_frame_while_the_next_one_goes_in(frames: list[bytes]) -> None:
    chain = Chain(LENGTH)
    came = [chain.shift(frame) for frame in frames]
    assert came[1:] == frames[:-1]


@given(FRAMES, FRAMES, st.integers(0, 8 * LENGTH - 1))
def test_one_flipped_bit_is_seen_whatever_the_lamps_show(before: bytes, now: bytes, bit: int) -> None:
    assert told(before, now, Harm(flipped=(bit,)))


@pytest.mark.parametrize("registers", [*range(2, LENGTH), *range(LENGTH + 1, 20)])
def test_a_chain_of_the_wrong_length_is_counted(registers: int) -> None:
    words = told(mark(LENGTH), bytes(LENGTH), Harm(registers=registers))
    assert words == f"a chain of {registers} registers, and the pin map has {LENGTH}"


@pytest.mark.parametrize("cut", range(LENGTH + 1))
def test_a_chain_that_is_broken_anywhere_gives_back_nothing_but_low(cut: int) -> None:
    assert told(mark(LENGTH), bytes(LENGTH), Harm(cut=cut)).startswith("nothing but low: ")


def test_a_flipped_bit_is_named_by_register_and_output() -> None:
    """The first bit on the wire ends in QH of the last register, the last one in QA of the first."""
    assert "1 of 88 bits differ, first register 11 QH: " in told(mark(11), bytes(11), Harm(flipped=(0,)))
    assert "1 of 88 bits differ, first register 1 QA: " in told(mark(11), bytes(11), Harm(flipped=(87,)))


def test_an_edge_of_the_clock_too_many_displaces_every_bit() -> None:
    sent = int.from_bytes(mark(LENGTH), "big")
    came = (sent << 1 & (1 << 8 * LENGTH) - 1).to_bytes(LENGTH, "big")
    assert difference(mark(LENGTH), bytes(LENGTH), came).startswith("every bit is 1 off: edges on SRCLK")


def test_a_line_that_stays_high_is_named() -> None:
    assert difference(mark(LENGTH), bytes(LENGTH), b"\xff" * LENGTH).startswith("nothing but high: ")


# ------------------------------------------------------------------------------ the driver


def test_a_fault_is_one_line_and_stands_until_the_chain_gives_back_what_it_was_sent(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    lamps, registers, enable = lamps_on()
    assert lamps.statistics().why == ""
    lamps.show({(1, "across"): GREEN})
    registers.chain.harm = Harm(dead=True)
    for tick in range(40):
        lamps.tick(CHECK_S + tick * TICK_S)
    health = lamps.statistics()
    assert health.why.startswith("what came back is nothing but low: ")
    assert health.failed == 40
    assert enable.enabled, "the game goes on, and so do the lamps that can"
    registers.chain.harm = Harm()
    lamps.tick(4.0)  # what comes back is of the frame that the dead board lost
    lamps.tick(4.05)
    assert lamps.statistics().why == health.why, "a bad contact may be bad again"
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    lamps.tick(4.0 + CALM_S)
    health = lamps.statistics()
    assert (health.why, health.lasting, health.first[:9]) == ("", False, "what came")
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]
    lamps.stop()


def test_one_bad_transfer_is_a_disturbance_and_more_of_them_are_lasting() -> None:
    lamps, registers, _ = lamps_on()
    for second in range(1, 20):
        registers.chain.harm = Harm(flipped=(5,)) if second % 2 else Harm()
        lamps.tick(float(second))
        health = lamps.statistics()
        assert health.lasting == (health.failed >= LASTING)
    assert health.lasting
    lamps.stop()


def test_a_bad_contact_does_not_fill_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    lamps, registers, _ = lamps_on()
    for second in range(1, 300):
        registers.chain.harm = Harm(flipped=(5,)) if second % 3 else Harm()
        lamps.show({(1, "across"): GREEN if second % 2 else Signal("red")})
        lamps.tick(float(second))
    assert lamps.statistics().failed > 100
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    lamps.stop()


def test_a_chain_that_stands_still_is_looked_at_once_a_second() -> None:
    lamps, registers, _ = lamps_on()
    lamps.show({(1, "across"): GREEN})
    before = len(registers.latched)
    for tick in range(round(3.5 / TICK_S)):
        lamps.tick(tick * TICK_S)
    assert len(registers.latched) - before == 3
    lamps.stop()


def test_a_chain_of_another_length_is_said_when_it_is_opened() -> None:
    lamps, _, _ = lamps_on(harm=Harm(registers=10))
    assert lamps.statistics().why == "what came back is a chain of 10 registers, and the pin map has 11"
    lamps.stop()


def test_without_a_way_back_nothing_is_compared() -> None:
    lamps, _, _ = lamps_on(way_back=False, harm=Harm(dead=True))
    lamps.tick(CHECK_S)
    assert lamps.statistics().failed == 0
    lamps.stop()


@pytest.mark.serial
@pytest.mark.parametrize("harm", [Harm(dead=True), Harm(flipped=(3,)), Harm(cut=4), Harm(registers=12)])
def test_through_gpiozero_and_the_bench_it_is_the_same(tmp_path: Path, harm: Harm) -> None:
    async def test() -> None:
        async with header(tmp_path, table_pins()) as (server, factory):
            lamps = open_lamps(table_pins(), factory)
            lamps.show({(4, "down"): GREEN})
            await server.until(bool)
            assert lamps.statistics().failed == 0
            server.harm(harm)
            while factory.harm != harm:
                factory.wires.get(0)
            for tick in range(3):
                lamps.tick(CHECK_S * tick + 2.0)
            assert lamps.statistics().why.startswith("what came back is ")
            lamps.stop()

    run(test)
