"""The table's clock continues across restarts, and setting the UTC clock changes no order of events."""

from __future__ import annotations

import time

import pytest

from controller.common import clock as clock_module
from controller.common.clock import STEADY_S, ManualClock, SystemClock, parse_utc, pause_ms, utc_text
from controller.game.model.events import Stamp


class FakeTime:
    """Stand-in for the operating system's two clocks, which the test sets."""

    def __init__(self) -> None:
        self.mono = 1000.0
        self.utc = 1_795_206_000.0

    def monotonic(self) -> float:
        return self.mono

    def time(self) -> float:
        return self.utc

    def both(self, seconds: float) -> None:
        self.mono += seconds
        self.utc += seconds


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> FakeTime:
    fake = FakeTime()
    monkeypatch.setattr(clock_module, "time", fake)
    return fake


def test_the_clock_of_a_new_table_begins_at_zero(system: FakeTime) -> None:
    assert SystemClock(None).stamp() == Stamp(1, "2026-11-20T20:20:00.000Z")


def test_after_a_restart_time_continues_from_the_last_row_plus_the_pause(system: FakeTime) -> None:
    clock = SystemClock(Stamp(5_000, utc_text(system.utc - 60)))
    assert clock.stamp().ms == 65_001
    system.both(1.5)
    assert clock.stamp().ms == 66_501


@pytest.mark.parametrize(
    ("utc", "why"),
    [
        (1_795_206_000.0 - 3600, "UTC went back"),
        (1_795_206_000.0, "no time passed"),
        (0.0, "a clock without a battery"),
        (1_795_206_000.0 + 500 * 86_400, "more than a year"),
    ],
)
def test_an_implausible_pause_counts_as_one_ms(utc: float, why: str) -> None:
    assert pause_ms(Stamp(9, utc_text(1_795_206_000.0)), utc) == 1, why


def test_utc_set_back_is_a_fault_and_does_not_move_the_clock(system: FakeTime) -> None:
    clock = SystemClock(None)
    assert clock.fault() is None
    system.utc -= 3600
    assert "-3600 s" in str(clock.fault())
    assert clock.stamp().ms == 1


def test_a_small_correction_of_utc_is_not_a_fault(system: FakeTime) -> None:
    clock = SystemClock(None)
    system.utc += 4.9
    assert clock.fault() is None


def test_a_fault_ends_when_utc_is_right_again_or_steady_for_a_minute(system: FakeTime) -> None:
    clock = SystemClock(None)
    system.utc += 100
    assert clock.fault()
    system.utc -= 100
    assert clock.fault() is None
    system.utc += 100
    assert clock.fault()
    system.both(59)
    assert clock.fault()
    system.both(2)
    assert clock.fault() is None
    system.utc -= 100
    assert clock.fault(), "the new difference is the reference now"


@pytest.mark.parametrize("behind_s", [6, 3600, 60 * 86_400, 1_795_206_000.0])
def test_a_start_with_utc_before_the_last_row_is_a_fault_until_utc_is_after_it(
    system: FakeTime, behind_s: float
) -> None:
    last = Stamp(5_000, utc_text(system.utc))
    system.utc -= behind_s
    clock = SystemClock(last)
    assert f"before {last.utc}" in str(clock.fault())
    system.both(STEADY_S + 1 if behind_s > STEADY_S + 1 else 0)
    assert clock.fault(), "a wrong clock is not right because it is steady"
    system.utc = parse_utc(last.utc) + 8 * 3600
    assert "the UTC clock jumped by" in str(clock.fault()), "set right while the table runs"
    system.both(STEADY_S + 1)
    assert clock.fault() is None


@pytest.mark.parametrize("last", [None, Stamp(5_000, "2026-11-20T20:20:00.000Z")])
def test_a_start_without_a_set_clock_is_a_fault_until_it_is_set(system: FakeTime, last: Stamp | None) -> None:
    system.utc = 30.0
    clock = SystemClock(last)
    system.both(STEADY_S + 1)
    assert "it is 1970-01-01T00:01:31" in str(clock.fault())


def test_a_start_two_years_after_the_last_row_is_a_fault_for_a_minute(system: FakeTime) -> None:
    clock = SystemClock(Stamp(5_000, utc_text(system.utc - 730 * 86_400)))
    assert f"{730 * 86_400:+} s" in str(clock.fault())
    system.both(STEADY_S + 1)
    assert clock.fault() is None


@pytest.mark.parametrize("pause_s", [-4, 1, 3600, 399 * 86_400])
def test_a_start_after_the_last_row_is_no_fault(system: FakeTime, pause_s: float) -> None:
    assert SystemClock(Stamp(5_000, utc_text(system.utc - pause_s))).fault() is None


def test_utc_of_a_mock_table_continues_from_the_last_row(system: FakeTime) -> None:
    last = Stamp(5_000, utc_text(system.utc + 4 * 3600))
    clock = SystemClock(last, utc_continues=True)
    assert (clock.stamp(), clock.fault()) == (Stamp(5_002, last.utc), None)


def test_a_mock_table_moves_both_clocks_without_a_fault(system: FakeTime) -> None:
    clock = SystemClock(None)
    before = clock.seconds()
    clock.forward(4 * 3_600_000)
    assert clock.stamp() == Stamp(4 * 3_600_000 + 1, "2026-11-21T00:20:00.000Z")
    assert clock.fault() is None
    assert clock.seconds() == before, "devices do not fall silent"
    assert clock.table_ms(before) == 4 * 3_600_000


def test_a_mock_table_can_set_only_utc(system: FakeTime) -> None:
    clock = SystemClock(None)
    clock.shift_utc(-3_600_000)
    assert clock.stamp() == Stamp(1, "2026-11-20T19:20:00.000Z")
    assert clock.fault()


def test_the_real_clock_never_goes_back() -> None:
    clock = SystemClock(Stamp(7, utc_text(time.time())))
    stamps = [clock.stamp().ms for _ in range(1000)]
    assert stamps == sorted(stamps)
    assert stamps[0] > 7


def test_a_manual_clock_moves_only_when_set() -> None:
    clock = ManualClock()
    assert clock.stamp() == clock.stamp()
    clock.forward(1234)
    assert clock.stamp().ms == 1234
    assert clock.table_ms(clock.seconds()) == 1234
    assert clock.fault() is None
    clock.shift_utc(10_000)
    assert clock.fault()


def test_a_reading_at_the_moment_of_a_press_is_not_after_it(system: FakeTime) -> None:
    clock = SystemClock(None)
    assert clock.table_ms(clock.seconds()) < clock.stamp().ms


def test_utc_text_is_read_back_unchanged() -> None:
    assert parse_utc(utc_text(1_795_206_000.25)) == 1_795_206_000.25
