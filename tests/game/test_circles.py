"""The tracker accepts the content of a circle after two equal complete readings in succession, with no
minimum time."""

from __future__ import annotations

from typing import Literal

import pytest

from controller.game.model.events import Chip, CircleEvent, CircleRead, CircleUnreadable, SweepCompleted
from controller.game.model.names import Circle, Wager
from controller.game.watching.circles import SILENT_AFTER, UNSTABLE_AFTER, CircleTracker, RawReading

ACROSS = Circle(3, Wager.ACROSS)
DOWN = Circle(3, Wager.DOWN)


def register(uid: str) -> Chip:
    return Chip(uid, 500)


class Readers:
    """Two circles whose readings arrive one by one, 10 ms apart."""

    def __init__(self) -> None:
        self.tracker = CircleTracker((ACROSS, DOWN))
        self.ms = 0

    def read(
        self, *uids: str, circle: Circle = ACROSS, answer: Literal["chips", "silent", "unstable"] = "chips"
    ) -> list[CircleEvent]:
        self.ms += 10
        reading = RawReading(circle, self.ms, answer, uids)
        return self.tracker.observe((reading,), register)


def test_two_equal_complete_readings_count_at_once() -> None:
    readers = Readers()
    assert readers.read("A", "B") == []
    assert readers.read("A", "B") == [CircleRead(3, Wager.ACROSS, (register("A"), register("B")))]


def test_a_known_content_is_not_reported_again() -> None:
    readers = Readers()
    readers.read("A")
    readers.read("A")
    assert [event for _ in range(10) for event in readers.read("A")] == []


def test_a_difference_in_a_single_reading_is_not_reported() -> None:
    readers = Readers()
    readers.read("A")
    readers.read("A")
    assert readers.read() == []
    assert readers.read("A") == []
    assert readers.read("A") == []


def test_an_unstable_reading_between_two_equal_ones_separates_them() -> None:
    readers = Readers()
    readers.read("A")
    assert readers.read(answer="unstable") == []
    assert readers.read("A") == []
    assert readers.read("A") == [CircleRead(3, Wager.ACROSS, (register("A"),))]


def test_a_reader_is_reported_silent_once_after_several_attempts() -> None:
    readers = Readers()
    events = [event for _ in range(SILENT_AFTER * 3) for event in readers.read(answer="silent")]
    assert events == [CircleUnreadable(3, Wager.ACROSS, "silent")]


def test_a_single_lost_byte_is_not_silence() -> None:
    readers = Readers()
    readers.read("A")
    readers.read("A")
    assert readers.read(answer="silent") == []
    assert readers.read("A") == []


def test_a_returned_reader_reports_even_an_unchanged_content() -> None:
    readers = Readers()
    readers.read("A")
    readers.read("A")
    for _ in range(SILENT_AFTER):
        readers.read(answer="silent")
    assert readers.read("A") == []
    assert readers.read("A") == [CircleRead(3, Wager.ACROSS, (register("A"),))]


def test_a_circle_that_never_reads_the_same_twice_is_unstable() -> None:
    readers = Readers()
    events = [event for n in range(UNSTABLE_AFTER * 2) for event in readers.read(str(n))]
    assert events == [CircleUnreadable(3, Wager.ACROSS, "unstable")]


def test_a_sweep_counts_only_readings_that_began_after_the_press() -> None:
    readers = Readers()
    for circle in (ACROSS, DOWN):
        readers.read("A", circle=circle)
        readers.read("A", circle=circle)
    since = readers.ms + 1
    assert readers.tracker.request_sweep(since) == []
    readers.read("A")
    readers.read("A")
    readers.read("A", circle=DOWN)
    assert readers.read("A", circle=DOWN) == [SweepCompleted(since)]


def test_a_reading_that_began_before_the_press_does_not_close_the_bets() -> None:
    """The two equal readings must both begin after the press."""
    readers = Readers()
    for circle in (ACROSS, DOWN):
        readers.read("A", circle=circle)
        readers.read("A", circle=circle)
    readers.tracker.request_sweep(readers.ms + 1)
    readers.read("A")
    assert readers.read("A", circle=DOWN) == []
    assert readers.read("A") == []


def test_a_dead_reader_does_not_delay_a_sweep() -> None:
    readers = Readers()
    readers.tracker.request_sweep(1)
    for _ in range(SILENT_AFTER):
        readers.read(circle=DOWN, answer="silent")
    readers.read("A")
    assert readers.read("A")[-1] == SweepCompleted(1)


def test_a_sweep_can_be_cancelled_and_ends_at_once_without_readers() -> None:
    readers = Readers()
    readers.tracker.request_sweep(1)
    readers.tracker.request_sweep(None)
    for circle in (ACROSS, DOWN):
        readers.read(circle=circle)
        assert not any(isinstance(event, SweepCompleted) for event in readers.read(circle=circle))
    assert CircleTracker(()).request_sweep(7) == [SweepCompleted(7)]


def test_reports_for_a_circle_without_a_reader_are_ignored() -> None:
    readers = Readers()
    stranger = Circle(1, Wager.MIDDLE)
    assert readers.read("A", circle=stranger) == readers.read("A", circle=stranger) == []


# ------------------------------------------------------------------ boundaries


def test_an_unstable_reader_does_not_delay_a_sweep() -> None:
    """If a reader is unstable, the bets close without it, and the dealer enters the amount of its circle
    (tests/scenarios/FORMAT.md)."""
    readers = Readers()
    readers.tracker.request_sweep(1)
    events = [e for _ in range(UNSTABLE_AFTER) for e in readers.read(circle=DOWN, answer="unstable")]
    assert events == [CircleUnreadable(3, Wager.DOWN, "unstable")]
    readers.read("A")
    assert readers.read("A")[-1] == SweepCompleted(1)


def test_a_reader_unstable_before_the_press_is_read_again_after_it() -> None:
    readers = Readers()
    for _ in range(UNSTABLE_AFTER):
        readers.read(circle=DOWN, answer="unstable")
    since = readers.ms + 1
    readers.tracker.request_sweep(since)
    readers.read("A")
    assert SweepCompleted(since) not in readers.read("A")
    assert readers.read(circle=DOWN, answer="unstable") == [SweepCompleted(since)]


def test_differing_readings_end_a_sweep_once_they_count_as_unstable() -> None:
    readers = Readers()
    readers.tracker.request_sweep(1)
    readers.read("A")
    readers.read("A")
    events = [event for n in range(UNSTABLE_AFTER) for event in readers.read(str(n), circle=DOWN)]
    assert events == [CircleUnreadable(3, Wager.DOWN, "unstable"), SweepCompleted(1)]


@pytest.mark.parametrize("answer", ["chips", "unstable"])
def test_a_circle_is_unstable_at_exactly_its_count(answer: Literal["chips", "unstable"]) -> None:
    readers = Readers()
    events = [readers.read(str(n), answer=answer) for n in range(UNSTABLE_AFTER)]
    assert events == [[]] * (UNSTABLE_AFTER - 1) + [[CircleUnreadable(3, Wager.ACROSS, "unstable")]]


def test_an_equal_pair_resets_the_count_of_unstable_readings() -> None:
    readers = Readers()
    for n in range(UNSTABLE_AFTER - 1):
        assert readers.read(str(n)) == []
    assert readers.read(str(UNSTABLE_AFTER - 2)) != []
    events = [readers.read(f"again {n}") for n in range(UNSTABLE_AFTER)]
    assert events == [[]] * (UNSTABLE_AFTER - 1) + [[CircleUnreadable(3, Wager.ACROSS, "unstable")]]


def test_a_reading_that_began_with_the_press_counts() -> None:
    readers = Readers()
    since = readers.ms + 10
    readers.tracker.request_sweep(since)
    tracker = readers.tracker
    for circle in (ACROSS, DOWN):
        events = [e for _ in (1, 2) for e in tracker.observe((RawReading(circle, since, "chips"),), register)]
    assert events[-1] == SweepCompleted(since)


def test_a_failed_proof_of_a_chip_and_its_late_proof_are_separate_events() -> None:
    tracker = CircleTracker((ACROSS,))

    def read(*unproven: str) -> list[CircleEvent]:
        return tracker.observe([RawReading(ACROSS, 0, "chips", ("AA", "BB"), unproven)], register)

    sound, marked = (Chip("AA", 500), Chip("BB", 500)), (Chip("AA", 500), Chip("BB", 500, "unproven"))
    assert (read(), read()) == ([], [CircleRead(3, Wager.ACROSS, sound)])
    assert (read("BB"), read("BB")) == ([CircleRead(3, Wager.ACROSS, marked)], [])
    assert (read(), read()) == ([CircleRead(3, Wager.ACROSS, sound)], [])


def test_required_proofs_are_reported_when_they_begin_and_when_all_are_decided() -> None:
    tracker = CircleTracker((ACROSS,))
    chips = (Chip("AA", 500), Chip("BB", 500))

    def read(pending: tuple[str, ...] | None) -> list[CircleEvent]:
        reading = RawReading(ACROSS, 0, "chips", ("AA", "BB"), pending=pending)
        return tracker.observe([reading, reading], register)

    assert read(None) == [CircleRead(3, Wager.ACROSS, chips)]
    assert read(("AA", "BB")) == [CircleRead(3, Wager.ACROSS, chips, "pending")]
    assert read(("BB",)) == []
    assert read(()) == [CircleRead(3, Wager.ACROSS, chips, "decided")]
    assert read(None) == [CircleRead(3, Wager.ACROSS, chips)]


def test_an_unregistered_chip_is_named_before_a_missing_proof() -> None:
    tracker = CircleTracker((ACROSS,))
    reading = RawReading(ACROSS, 0, "chips", ("AA",), ("AA",))
    found = tracker.observe([reading, reading], lambda uid: Chip(uid, None, "withdrawn"))
    assert found == [CircleRead(3, Wager.ACROSS, (Chip("AA", None, "withdrawn"),))]
