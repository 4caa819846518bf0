"""A copied chip is found by the numbers that all tables report (controller/floor/pit/PIT.md, "Copied chips").

A copy is reported. A chip that was carried between tables never is, whatever messages were lost, late or
repeated.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.floor.pit.chip_copies import MAX_SEEN_LATE_S, MIN_CARRY_S, ChipCopies, Copy
from controller.floor.uplink.wire import SILENT_S, Chips

UID, OTHER = "E004015012345678", "E004015012345679"
BEGUN = datetime(2026, 11, 27, 20, 0, tzinfo=UTC).timestamp()
TABLES = "ABC"


def utc(at: float) -> str:
    time = datetime.fromtimestamp(BEGUN + at, UTC).isoformat(timespec="milliseconds")
    return time.replace("+00:00", "Z")


def chips(table: str, here: Mapping[str, float], left: Mapping[str, float] = MappingProxyType({})) -> Chips:
    times = ({uid: utc(at) for uid, at in found.items()} for found in (here, left))
    return Chips(table=table, stream="ab" * 16, chips=next(times), left=next(times))


def found(*reports: tuple[float, Chips]) -> list[Copy]:
    """Return the copies found in these messages; each message has its time of receipt in seconds."""
    copies = ChipCopies()
    return [copy for at, message in reports for copy in copies.receive(message, at)]


def test_a_chip_that_was_carried_to_another_table_is_no_copy() -> None:
    came = 10 + MIN_CARRY_S
    arrived = chips("B", {UID: came})
    assert not found(
        (0, chips("A", {UID: 0})), (10, chips("A", {}, {UID: 10})), (came, arrived), (40, arrived)
    )


@pytest.mark.parametrize("before", [5.1, 9.0])
def test_a_chip_that_comes_too_long_before_it_left_another_table_is_a_copy(before: float) -> None:
    """The reader of A reported the departure at most 10 s late, and carrying a chip takes 5 s. A genuine chip
    cannot be at table B so early."""
    left = (10.0, chips("A", {}, {UID: 10}))
    (copy,) = found((0, chips("A", {UID: 0})), left, (10.1, chips("B", {UID: 10 - before, OTHER: 3})))
    assert (copy.uid, copy.tables, copy.at) == (UID, ("A", "B"), utc(10 - before))


def test_the_report_of_the_departure_may_come_last() -> None:
    came, left = chips("B", {UID: 10}), chips("A", {}, {UID: 15.5})
    reports = [(0.0, chips("A", {UID: 0})), (10.1, came), (15.6, left)]
    assert not found(*reports), "table B has not said again that it has the chip"
    assert [copy.uid for copy in found(*reports, (30, came))] == [UID]


def test_a_table_that_still_has_a_chip_after_another_one_reported_it_has_a_copy() -> None:
    one, two = chips("A", {UID: 0}), chips("B", {UID: 10})
    reports = [(0.0, one), (10.0, two), (20.0, one)]
    assert [copy.tables for copy in found(*reports)] == [("A", "B")]
    assert len(found(*reports, (30, two), (40, one))) == 1, "each copy once"


def test_a_reader_that_is_late_to_report_a_departure_makes_no_copy() -> None:
    """The chip left A at 5 and came to B at 10; A's reader reported it at 14.9."""
    one, two = chips("A", {UID: 0}), chips("B", {UID: 10})
    assert not found((0, one), (10, two), (14.8, one), (15, chips("A", {}, {UID: 14.9})), (30, two))


def test_a_late_reader_and_a_short_stay_elsewhere_make_no_copy() -> None:
    """The chip left A at 8 and was at B from 13 to 14; A's reader reports the departure at 16. The message of
    B's arrival may be lost."""
    one, gone = chips("A", {UID: 0}), chips("A", {}, {UID: 16})
    came, left = chips("B", {UID: 13}), chips("B", {}, {UID: 14})
    assert not found((0, one), (13, came), (14, left), (15, one), (16, gone), (34, left), (36, gone))
    assert not found((0, one), (14, left), (15, one), (16, gone), (34, left))


def test_a_table_that_has_a_chip_long_after_its_short_stay_elsewhere_has_a_copy() -> None:
    one, came, left = chips("A", {UID: 0}), chips("B", {UID: 13}), chips("B", {}, {UID: 14})
    assert [copy.uid for copy in found((0, one), (13, came), (14, left), (23, one))] == [UID]


def test_a_chip_that_comes_back_is_no_copy_at_the_table_that_is_late() -> None:
    """The chip went from B to A and back to B. The message of its departure from B is lost."""
    back = chips("B", {UID: 20})
    assert not found(
        (0, chips("B", {UID: 0})), (10, chips("A", {UID: 10})), (20, back), (21, chips("A", {UID: 10}))
    )


def test_a_lost_departure_makes_no_copy() -> None:
    two = chips("B", {UID: 15})
    assert not found(
        (0, chips("A", {UID: 0})), (15, two), (35, two), (36, chips("A", {OTHER: 36}, {UID: 10})), (55, two)
    )


def test_a_silent_table_has_no_chips_to_compare() -> None:
    late = SILENT_S + 1.0
    two = chips("B", {UID: late})
    assert not found((0, chips("A", {UID: 0})), (late, two), (late + 20, two))


def test_one_table_alone_has_no_copy_here() -> None:
    assert not found((0, chips("A", {UID: 0})), (1, chips("A", {}, {UID: 1})), (1.5, chips("A", {UID: 1.5})))


@given(
    stays=st.lists(
        st.tuples(st.floats(MIN_CARRY_S, 60), st.floats(0.5, 60), st.sampled_from(TABLES)), max_size=12
    ),
    late=st.lists(st.floats(0, MAX_SEEN_LATE_S - 0.01), min_size=9, max_size=9),
    lost=st.lists(st.booleans(), min_size=31, max_size=31),
)
def test_one_real_chip_is_never_a_copy(
    stays: list[tuple[float, float, str]], late: list[float], lost: list[bool]
) -> None:
    """One chip is carried between three tables. Readers report departures late, messages are lost, and each
    table repeats its newest report."""
    changes: list[tuple[float, Chips]] = [(0.0, chips(table, {})) for table in TABLES]
    now = 0.0
    for number, (way, stay, table) in enumerate(stays):
        came, left = now + way, now + way + stay
        seen_gone = left + late[number % 9]
        changes += [(came, chips(table, {UID: came})), (seen_gone, chips(table, {}, {UID: seen_gone}))]
        now = left
    messages = [*changes]
    for table in TABLES:
        own = sorted((each for each in changes if each[1].table == table), key=lambda one: one[0])
        beats = [at + 0.5 for at in range(20, int(now) + 40, 20)]
        messages += [(beat, [message for since, message in own if since <= beat][-1]) for beat in beats]
    ordered = sorted(messages, key=lambda one: one[0])
    assert not found(*(each for number, each in enumerate(ordered) if not lost[number % 31]))
