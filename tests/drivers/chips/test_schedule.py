"""The schedule reads due circles first and repeatedly, gives every circle its turn, and reads one wager at a
time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from drivers.chips.schedule import SLOW_S, Schedule, Slot, SlotRule, groups_of
from drivers.ports import CircleId, Inventory

WAGERS = ("ante_across", "ante_down", "across", "down", "middle", "five_card_bonus")
CIRCLES: list[CircleId] = [(seat, wager) for seat in range(1, 7) for wager in WAGERS]
SLOT_S = 0.05

Table = Mapping[CircleId, tuple[str, ...]]


def play(
    schedule: Schedule, slots: int, table: Callable[[int], Table] = lambda n: {}, took_s: float = SLOT_S
) -> list[Slot]:
    """Run the schedule for `slots` slots and return them. ``table`` returns the chips of each circle in the
    n-th slot."""
    chosen = []
    for number in range(slots):
        began = number * took_s
        slot = schedule.next(began)
        chosen.append(slot)
        lies = table(number)
        inventories = [Inventory(c, began, began + took_s, "chips", lies.get(c, ())) for c in slot]
        schedule.done(slot, inventories, began, began + took_s)
    return chosen


@pytest.mark.parametrize(("rule", "groups", "seats"), [("all", 6, 6), ("odd_even", 12, 3)])
def test_a_slot_is_one_wager_in_all_seats_or_in_every_other(rule: SlotRule, groups: int, seats: int) -> None:
    made = groups_of(CIRCLES, rule)
    assert len(made) == groups
    assert sorted(circle for group in made for circle in group) == sorted(CIRCLES)
    for group in made:
        assert len(group) == seats
        assert len({wager for _, wager in group}) == 1
    if rule == "odd_even":
        assert all(len({seat % 2 for seat, _ in group}) == 1 for group in made)


def test_without_due_circles_all_are_read_in_turn() -> None:
    chosen = play(Schedule(CIRCLES, "all"), 12)
    assert chosen[:6] == chosen[6:]
    assert {circle for slot in chosen[:6] for circle in slot} == set(CIRCLES)


def test_due_circles_of_several_seats_share_a_slot() -> None:
    schedule = Schedule(CIRCLES, "all")
    schedule.watch([(5, "across"), (2, "across"), (9, "nowhere")])
    chosen = play(schedule, 20)
    assert ((2, "across"), (5, "across")) in chosen


def test_two_due_readings_are_never_more_than_one_other_slot_apart() -> None:
    schedule = Schedule(CIRCLES, "all")
    schedule.watch([(3, "down")])
    chosen = play(schedule, 60)
    due = [slot == ((3, "down"),) for slot in chosen]
    assert all(a or b for a, b in pairwise(due))
    assert due.count(True) >= 2 * due.count(False) - 2


def test_a_change_in_a_due_circle_is_read_twice_more_at_once() -> None:
    for laid_in in range(6, 30):
        schedule = Schedule(CIRCLES, "all")
        schedule.watch([(3, "down")])
        chosen = play(schedule, 40, lambda n, at=laid_in: {(3, "down"): ("04",)} if n >= at else {})
        seen = next(n for n in range(laid_in, 40) if (3, "down") in chosen[n])
        assert seen <= laid_in + 1
        assert chosen[seen + 1] == chosen[seen + 2] == ((3, "down"),)


def test_a_change_in_another_circle_is_read_again_right_after_the_due_circles() -> None:
    schedule = Schedule(CIRCLES, "all")
    schedule.watch([(3, "down")])
    chosen = play(schedule, 80, lambda n: {(6, "middle"): ("04",)} if n >= 40 else {})
    seen = next(n for n in range(40, 80) if (6, "middle") in chosen[n])
    assert chosen[seen + 1] == ((3, "down"),)
    assert (6, "middle") in chosen[seen + 2]


def test_a_slow_slot_is_not_read_again_at_once_even_if_it_changes() -> None:
    schedule = Schedule(CIRCLES, "all")
    chosen = play(schedule, 40, lambda n: {(3, "down"): (f"{n:04}",)}, SLOW_S)
    assert all(one != next_one for one, next_one in pairwise(chosen))


def test_a_circle_that_keeps_changing_delays_no_other() -> None:
    schedule = Schedule(CIRCLES, "all")
    schedule.watch([(3, "down")])
    chosen = play(schedule, 200, lambda n: {(3, "down"): (f"{n:04}",)})
    assert {circle for slot in chosen for circle in slot} == set(CIRCLES)


@given(
    st.lists(st.tuples(st.integers(0, 199), st.lists(st.sampled_from(CIRCLES), max_size=8)), max_size=6),
    st.sampled_from(["all", "odd_even"]),
)
@example(
    # the turn of (4, ante_across) passes at slot 196, while it is due for three slots and not read
    [
        (0, [(1, "ante_across")]),
        (1, []),
        (122, [(1, "ante_across")]),
        (142, [(1, wager) for wager in ("ante_across", "ante_down", "across", "down")]),
        (194, [(1, "ante_across"), (1, "ante_down"), (4, "ante_across")]),
        (197, [(1, "ante_across")]),
    ],
    "odd_even",
)
@settings(max_examples=30, deadline=None)
def test_every_circle_is_read_every_few_seconds(
    watches: list[tuple[int, list[CircleId]]], rule: SlotRule
) -> None:
    schedule = Schedule(CIRCLES, rule)
    last = dict.fromkeys(CIRCLES, 0.0)
    for number in range(400):
        now = number * SLOT_S
        for at, first in watches:
            if at == number:
                schedule.watch(first)
        slot = schedule.next(now)
        assert slot
        assert len({wager for _, wager in slot}) == 1
        schedule.done(slot, [Inventory(c, now, now, "chips", ()) for c in slot], now, now + SLOT_S)
        last.update(dict.fromkeys(slot, now))
        assert min(last.values()) >= now - 5.0


def test_a_sweep_reads_all_circles_twice_before_anything_else() -> None:
    schedule = Schedule(CIRCLES, "odd_even")
    schedule.watch([(3, "down")])
    play(schedule, 5)
    schedule.sweep()
    chosen = play(schedule, 24)
    assert sorted(circle for slot in chosen for circle in slot) == sorted(CIRCLES * 2)


def test_an_unstable_reading_is_repeated_and_a_silent_one_is_not() -> None:
    for answer, again in (("unstable", True), ("silent", False)):
        schedule = Schedule(CIRCLES, "all")
        play(schedule, 6)
        slot = schedule.next(1.0)
        readings = [Inventory(c, 1.0, 1.0, answer) for c in slot]  # type: ignore[arg-type]
        schedule.done(slot, readings, 1.0, 1.1)
        assert (schedule.next(1.1) == slot) is again
