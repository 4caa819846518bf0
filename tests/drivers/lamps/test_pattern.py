"""At any time exactly the outputs of the current colours, rhythms and phases are on, and the driver transfers
each change once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.game.model.names import Wager
from controller.game.showing.lamps import RHYTHMS
from drivers.lamps.chain import CALM_S, CHECK_S, TICK_S, ChainLamps
from drivers.lamps.pattern import is_lit, pattern, rhythm_beginnings
from drivers.lamps.sim.in_process import DirectLamps
from drivers.pins.map import Output, PinMap
from drivers.pins.sim.chain import Chain, ChainFaults
from drivers.ports import SLOT_S, CircleId, Signal
from tests.drivers.lamps.sim_table import table_pins

PINS = table_pins()
CIRCLES = st.tuples(st.integers(1, 6), st.sampled_from([wager.value for wager in Wager]))
LIGHTS = sorted(RHYTHMS.values())
SIGNALS = st.builds(Signal, st.sampled_from(["off", "green", "red", "amber"]), st.sampled_from(LIGHTS))
TABLES = st.dictionaries(CIRCLES, SIGNALS)
TIMES = st.floats(0, 1e6)
WHOLE = ChainFaults()
FROM_NOUGHT = dict.fromkeys(LIGHTS, 0.0)


def seen(pins: PinMap, bits: int) -> dict[CircleId, set[str]]:
    is_lit: dict[CircleId, set[str]] = {}
    for (seat, wager, colour), bit in pins.bits.items():
        if bits >> bit & 1:
            is_lit.setdefault((seat, wager), set()).add(colour)
    return is_lit


@given(TABLES, TIMES)
def test_a_lamp_shows_its_colour_or_is_dark_and_nothing_else_is_lit(
    table: dict[CircleId, Signal], now: float
) -> None:
    chips = {"off": set(), "green": {"green"}, "red": {"red"}, "amber": {"green", "red"}}
    is_lit = seen(PINS, pattern(PINS.bits, table, FROM_NOUGHT, now))
    for circle, colours in is_lit.items():
        assert colours == chips[table[circle].colour]
    for circle, signal in table.items():
        assert circle in is_lit or signal.colour == "off" or signal.rhythm != "#"


@given(TABLES, TIMES)
def test_all_lamps_of_a_rhythm_are_in_phase(table: dict[CircleId, Signal], now: float) -> None:
    is_lit = seen(PINS, pattern(PINS.bits, table, FROM_NOUGHT, now))
    for rhythm in LIGHTS:
        same = [circle for circle, s in table.items() if s.rhythm == rhythm and s.colour != "off"]
        assert len({circle in is_lit for circle in same}) <= 1


@pytest.mark.parametrize("rhythm", LIGHTS)
def test_a_rhythm_is_shown_as_defined(rhythm: str) -> None:
    """The test compares ten seconds at the tick of the runtime."""
    table = {(1, "across"): Signal("red", rhythm)}
    times = [tick * TICK_S + TICK_S / 2 for tick in range(round(10 / TICK_S))]
    played = "".join("#" if pattern(PINS.bits, table, {rhythm: 0.0}, now) else "." for now in times)
    each = round(SLOT_S / TICK_S)
    assert played == "".join(sign * each for sign in rhythm * 40)[: len(played)]


@given(TABLES, TABLES, TIMES)
def test_a_lamp_that_is_switched_on_is_lit_at_once(
    before: dict[CircleId, Signal], after: dict[CircleId, Signal], now: float
) -> None:
    begun = rhythm_beginnings(FROM_NOUGHT, before, after, now + 1)
    is_lit = seen(PINS, pattern(PINS.bits, after, begun, now + 1))
    switched = {circle for circle, signal in after.items() if before.get(circle) != signal}
    assert all(circle in is_lit for circle in switched if after[circle].colour != "off")


@given(st.lists(st.tuples(st.floats(0.01, 1), st.dictionaries(CIRCLES, SIGNALS, max_size=3)), max_size=12))
def test_no_lamp_ever_flashes_four_times_in_a_second(
    changes: list[tuple[float, dict[CircleId, Signal]]],
) -> None:
    """WCAG 2.3.1 forbids more than three flashes in a second. One lamp keeps its state while others switch to
    its rhythm."""
    for rhythm in LIGHTS:
        stands = {(1, "across"): Signal("red", rhythm)}
        begun: dict[str, float] = {}
        before: dict[CircleId, Signal] = {}
        now, lit, due = 0.0, [], 0.0
        for wait, others in changes:
            due += wait
            while now < due:
                lit.append(bool(begun) and is_lit(rhythm, begun[rhythm], now))
                now += TICK_S
            after = others | stands
            begun, before = rhythm_beginnings(begun, before, after, now), after
        starts = [i for i, (dark, on) in enumerate(pairwise(lit)) if on and not dark]
        assert all(sum(first <= other < first + 1 / TICK_S for other in starts) <= 3 for first in starts)


class Registers:
    """Chain of registers that stores the latched frames and returns its bits as a complete chain does. It
    fails on request."""

    def __init__(self) -> None:
        self.chain = Chain(PINS.registers)
        self.latched: list[bytes] = []
        self.failing = False
        self.closed = False
        self.answer: Callable[[list[bytes]], bytes] | None = None
        """Function that replaces the chain as the source of MISO: it makes the returned frame from all frames
        sent."""

    def latch(self, words: Sequence[int]) -> bytes:
        if self.failing:
            raise OSError(5, "Input/output error")
        self.latched.append(bytes(words))
        came = self.chain.shift(bytes(words))
        return came if self.answer is None else self.answer(self.latched)

    def close(self) -> None:
        self.closed = True


LAMP_BITS = sum(1 << bit for bit in PINS.bits.values())


def is_dark(frame: bytes) -> bool:
    """Return whether no output that drives a lamp is on."""
    return not int.from_bytes(frame, "big") & LAMP_BITS


class Enable:
    def __init__(self, registers: Registers) -> None:
        self.enabled = False
        self.off_at: list[int] = []
        """Number of frames latched before each time the outputs were disabled."""
        self._registers = registers

    def on(self) -> None:
        assert is_dark(self._registers.latched[-1]), "enabled over a chain that is not dark"
        self.enabled = True

    def off(self) -> None:
        self.enabled = False
        self.off_at.append(len(self._registers.latched))

    def dim(self, percent: int) -> None:
        self.percent = percent

    def close(self) -> None:
        self.enabled = False


def lamps_on(
    way_back: bool = True, faults: ChainFaults = WHOLE, bits: Mapping[Output, int] = PINS.bits
) -> tuple[ChainLamps, Registers, Enable]:
    registers = Registers()
    registers.chain.faults = faults
    enable = Enable(registers)
    lamps = ChainLamps(replace(PINS, way_back=way_back, bits=bits), registers, enable)
    lamps.begin()
    return lamps, registers, enable


def test_a_chain_without_read_back_is_sent_only_when_a_bit_changed() -> None:
    lamps, registers, _ = lamps_on(way_back=False)
    lamps.show({(1, "ante_across"): Signal("green"), (6, "six_card_bonus"): Signal("red", "####....")})
    for tick in range(40):
        lamps.show({(1, "ante_across"): Signal("green"), (6, "six_card_bonus"): Signal("red", "####....")})
        lamps.tick(tick * TICK_S)
    first, both, one = registers.latched
    assert first == bytes(11)
    assert both == bytes([0b1000]) + bytes(9) + bytes([1]), "register 11 first, QA is bit 0"
    assert one == bytes(10) + bytes([1])
    lamps.stop()


def test_stop_darkens_the_lamps_for_good() -> None:
    lamps, registers, enable = lamps_on()
    lamps.show({(3, "down"): Signal("amber")})
    lamps.stop()
    sent = len(registers.latched)
    assert is_dark(registers.latched[-1])
    assert registers.closed
    assert not enable.enabled
    lamps.show({(3, "down"): Signal("red")})
    lamps.tick(1.0)
    lamps.stop()
    assert len(registers.latched) == sent


def test_a_failed_transfer_is_logged_once_and_repeated(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    lamps, registers, _ = lamps_on()
    registers.failing = True
    for tick in range(10):
        lamps.show({(3, "down"): Signal("green")})
        lamps.tick(float(tick))
    registers.failing = False
    lamps.tick(10.0)
    assert lamps.statistics().lasting
    lamps.tick(10.0 + CHECK_S)  # the first frame with a predecessor to compare
    assert lamps.statistics().lasting
    lamps.tick(10.0 + CHECK_S + CALM_S)
    assert not lamps.statistics().why
    assert seen(PINS, int.from_bytes(registers.latched[-1], "big")) == {(3, "down"): {"green"}}
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]
    lamps.stop()


def test_an_unwired_lamp_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    lamps, _, _ = lamps_on()
    for _ in range(3):
        lamps.show({(9, "across"): Signal("green")})
    assert len(caplog.records) == 1
    assert "seat 9 across has no output in the pin map" in caplog.text
    lamps.stop()


def test_lamps_without_wires_keep_the_picture() -> None:
    lamps = DirectLamps()
    lamps.show({(1, "across"): Signal("red", "#."), (2, "across"): Signal()})
    lamps.tick(0.3)
    assert lamps.signals == {(1, "across"): Signal("red", "#.")}
    lamps.stop()
    assert lamps.signals == {}
