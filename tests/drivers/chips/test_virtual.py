"""FEIG readers under their driver and schedule report stacks of any depth completely and in time, in virtual
time.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.game.model.events import Chip, CircleRead
from controller.game.model.names import Circle, Wager
from controller.game.watching.circles import CircleTracker, RawReading
from drivers.chips.feig import OUTPUT_OF
from drivers.chips.reading_order import WHOLE_S, ReadingOrder
from drivers.chips.sim import vicinity
from drivers.ports import CircleId, Inventory
from tests.drivers.chips.virtual import VirtualTable, stack
from tests.trials.feig_times import idle_ms, known_ms, scan_ms

DUE: CircleId = (1, "down")


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.integers(1, 7), st.integers(0, 40), st.floats(0, 4)), max_size=12),
    st.booleans(),
)
@settings(max_examples=20, deadline=None)
def test_every_reported_inventory_is_complete_whenever_chips_are_laid(
    moves: list[tuple[int, int, float]], due: bool
) -> None:
    """Each reported content must have been in the circle at some moment between the ends of the circle's last
    two looks. A look during which a lost chip comes back reports no content."""
    table = VirtualTable(seats=1)
    history: dict[CircleId, list[tuple[float, tuple[str, ...]]]] = {c: [(0.0, ())] for c in table.circles}
    wagers = list(OUTPUT_OF)
    for circle_number, depth, at in sorted(moves, key=lambda move: move[2]):
        circle = (1, wagers[circle_number - 1])
        history[circle].append((at, tuple(stack(circle, 40)[:depth])))
        table.lay(circle, history[circle][-1][1], at)
    if due:
        table.order.watch([DUE])
    for found in table.until(8.0):
        assert found.answer == "chips" or "edge of the field" in found.why
        if found.answer == "chips" and not found.confirmed:
            assert found.uids in lay_between(history[found.circle], found.began, table.now), found
    last = {found.circle: found for found in table.until(16.0)}
    for circle, laid in history.items():
        assert last[circle].uids == tuple(sorted(laid[-1][1]))


def lay_between(
    laid: list[tuple[float, tuple[str, ...]]], began: float, ended: float
) -> list[tuple[str, ...]]:
    """Return all contents of a circle from `began` to `ended`."""
    before = [uids for at, uids in laid if at <= began][-1:]
    return [tuple(sorted(uids)) for uids in [*before, *(u for at, u in laid if began < at <= ended)]]


class Accepted:
    """Table with five chips in DUE, and the numbers of chips that the game accepts there from now on."""

    def __init__(self, slots: int = 0, circles: list[CircleId] | None = None) -> None:
        self.table = VirtualTable(seats=2)
        if circles:
            self.table.circles, self.table.order = circles, ReadingOrder(circles, "all", quick=True)
        self.table.lay(DUE, stack(DUE, 5))
        list(self.table.until(6.0))
        self.table.order.watch([DUE])
        list(self.table.until(8.0))
        self._circle = Circle(DUE[0], Wager(DUE[1]))
        self._tracker = CircleTracker([self._circle])
        for _ in range(8 + slots):
            self._feed(self.table.slot())

    def counts(self, seconds: float) -> list[int]:
        found: list[int] = []
        end = self.table.now + seconds
        while self.table.now < end:
            found += self._feed(self.table.slot())
        return found

    def _feed(self, looks: list[Inventory]) -> list[int]:
        events = [
            event
            for look in looks
            if look.circle == DUE
            for event in self._tracker.observe(
                [RawReading(self._circle, int(1000 * look.began), look.answer, look.uids)],
                lambda uid: Chip(uid, 500),
            )
        ]
        return [len(event.chips) for event in events if isinstance(event, CircleRead)]


@pytest.mark.parametrize("present", [False, True], ids=["without supply", "restarted"])
@pytest.mark.parametrize("circles", [None, [DUE, (2, "down")]], ids=["seven circles", "one circle"])
@pytest.mark.parametrize("slots", range(10))
def test_a_multiplexer_that_lost_its_supply_empties_no_circle(
    slots: int, circles: list[CircleId] | None, present: bool
) -> None:
    """The reader goes on and answers "no chip", because no antenna is connected to it."""
    accepted = Accepted(slots, circles)
    multiplexer = accepted.table.links[DUE[0]].device.mux
    multiplexer.present = present
    multiplexer.power_on()
    assert accepted.counts(3.0) == []


def test_a_stack_at_the_edge_of_the_field_loses_no_chip(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each chip of the stack answers nine times in ten."""
    monkeypatch.setattr(vicinity, "_EDGE", 0.9)
    accepted = Accepted()
    accepted.table.links[DUE[0]].device.antennas[OUTPUT_OF[DUE[1]]].trouble = "edge"
    assert set(accepted.counts(30.0)) <= {5}


def test_a_removed_stack_and_a_chip_laid_on_one_are_seen() -> None:
    table = VirtualTable(seats=2)
    for circle in table.circles:
        table.lay(circle, stack(circle, 5))
    list(table.until(4.0))
    table.lay((1, "across"), (), 4.0)
    table.lay((2, "across"), stack((2, "across"), 6, seed=1), 4.0)
    seen: dict[CircleId, Inventory] = {}
    for found in table.until(7.0):
        if found.circle[1] == "across" and not found.confirmed:
            seen[found.circle] = found
    assert seen[1, "across"].uids == ()
    assert seen[2, "across"].uids == tuple(stack((2, "across"), 6, seed=1))


@pytest.mark.slow
@pytest.mark.parametrize("chips", [0, 1, 2, 5])
def test_a_scan_by_quick_looks_takes_less_than_450_ms(chips: int) -> None:
    quick, _, _ = idle_ms(chips)
    assert quick < 450


@pytest.mark.slow
@pytest.mark.parametrize("chips", [1, 3, 5])
def test_whole_inventories_are_two_seconds_apart_whether_or_not_something_is_due(chips: int) -> None:
    scan = scan_ms(chips)
    assert scan.whole_gap <= 1000 * WHOLE_S
    assert scan.due_whole_gap <= 1000 * WHOLE_S + 2 * scan.whole / len(OUTPUT_OF)


@pytest.mark.slow
def test_a_chip_laid_where_something_is_due_is_soon_known() -> None:
    assert known_ms(0, 1, times=60).p99 <= 150
    assert known_ms(0, 20, others=3, times=60).p99 <= 400


@pytest.mark.slow
def test_stacks_with_other_numbers_each_time_take_the_time_of_their_anticollision() -> None:
    """The inventory takes 358 ms and its confirmation 24 ms (p99), beside the looks at other circles."""
    assert known_ms(0, 20, others=3, times=60, anew=True).p99 <= 460


@pytest.mark.slow
@pytest.mark.parametrize(
    ("chips", "looks_ms", "wholes_ms"), [(10, 450, 3300), (20, 600, 4400), (40, 950, 6700)]
)
def test_the_longest_times_with_nothing_due_stay_within_their_bounds(
    chips: int, looks_ms: float, wholes_ms: float
) -> None:
    _, look_gap, whole_gap = idle_ms(chips)
    assert look_gap <= looks_ms
    assert whole_gap <= wholes_ms


@pytest.mark.slow
def test_a_reader_at_the_delivered_speed_is_slower() -> None:
    fast, slow = known_ms(0, 20, others=3, times=20), known_ms(0, 20, others=3, times=20, baud=38400)
    assert fast.p50 + 30 < slow.p50
    assert slow.p99 <= 500
