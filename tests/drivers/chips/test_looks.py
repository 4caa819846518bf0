"""The looks at the circles, in virtual time: no change stays unseen longer than its bound."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.chips.feig import OUTPUTS
from drivers.chips.looks import IN_TURN_S, MANY, MAX_WHOLE_S, WHOLE_S, Chosen, Looks, Quick
from drivers.chips.schedule import ROUND_S
from drivers.ports import CircleId, Inventory

CIRCLES: list[CircleId] = [(seat, wager) for seat in range(1, 7) for wager in OUTPUTS]
GROUPS = len(OUTPUTS)
QUICK_S = 0.038
SHARE_S = ROUND_S / GROUPS
FEW = 5
"""Chips in every circle up to which whole inventories are in time whatever is due."""


def whole_s(chips: int) -> float:
    """Return the seconds of a whole inventory with its selection of the output (drivers/chips/FEIG.md)."""
    return 0.042 + 0.0135 * chips


def uids(count: int, first: int = 0) -> tuple[str, ...]:
    return tuple(f"E004{number:012X}" for number in range(first, first + count))


class Felt:
    """Chips in the circles, and readers that take quick looks at them, in virtual time. `broken`: circles
    whose readers return nothing.
    """

    def __init__(self, chips: Mapping[CircleId, tuple[str, ...]] = {}) -> None:
        self.now = 0.0
        self.chips = {circle: chips.get(circle, ()) for circle in CIRCLES}
        self.looks = Looks(CIRCLES, "all", quick=True)
        self.broken: set[CircleId] = set()
        self.seen: dict[CircleId, list[Inventory]] = {circle: [] for circle in CIRCLES}
        self.chosen: list[tuple[float, Chosen]] = []

    def slot(self) -> Chosen:
        began = self.now
        chosen = self.looks.next(began)
        found = []
        for circle, quick in chosen.items():
            if circle in self.broken:
                continue
            took, results = self._look(circle, quick, began)
            self.now = max(self.now, began + took)
            found += results
        for inventory in found:
            self.seen[inventory.circle].append(inventory)
        self.chosen.append((began, chosen))
        self.looks.done(chosen, found, began, self.now)
        return chosen

    def until(self, end: float) -> None:
        while self.now < end:
            self.slot()

    def _look(self, circle: CircleId, quick: Quick | None, began: float) -> tuple[float, list[Inventory]]:
        there = self.chips[circle]
        took = whole_s(len(there))
        if quick is not None and shows(quick, there):
            return QUICK_S, [Inventory(circle, began, began, "chips", quick.holds, confirmed=True)]
        whole = Inventory(circle, began, began, "chips", there)
        if quick is None:
            return took, [whole]
        heard = quick.alone and not quick.holds and len(there) == 1
        return took + QUICK_S, [whole] * (2 if heard else 1)


def shows(quick: Quick, there: tuple[str, ...]) -> bool:
    """Return whether readers confirm it. Right after an inventory the chips that it showed are quiet."""
    assert quick.alone or quick.address
    assert set(quick.address) <= set(quick.holds)
    if quick.alone and set(there) - set(quick.holds):
        return False
    return set(quick.address) <= set(there)


def settled(chips: Mapping[CircleId, tuple[str, ...]] = {}) -> Felt:
    """Return a felt of which every content was shown twice."""
    felt = Felt(chips)
    for _ in range(3 * GROUPS):
        felt.slot()
    return felt


def kinds(felt: Felt, circles: Iterable[CircleId]) -> set[bool]:
    """Return whether the last slot's looks at these circles were quick."""
    return {felt.chosen[-1][1][circle] is not None for circle in circles}


# ----------------------------------------------------------------------------- choices


def test_a_reader_without_quick_looks_takes_whole_inventories_in_the_same_order() -> None:
    looks = Looks(CIRCLES, "all", quick=False)
    for number in range(30):
        chosen = looks.next(number / 10)
        assert set(chosen.values()) == {None}
        looks.done(chosen, [Inventory(c, 0, 0, "chips") for c in chosen], number / 10, number / 10 + 0.1)


def test_a_content_is_shown_twice_before_a_quick_look_confirms_it() -> None:
    felt = Felt({circle: uids(3) for circle in CIRCLES})
    for number in range(2 * GROUPS):
        felt.slot()
        assert kinds(felt, felt.chosen[-1][1]) == {False}, number
    felt.slot()
    assert kinds(felt, felt.chosen[-1][1]) == {True}


def test_an_empty_circle_is_confirmed_by_one_slot_and_a_stack_by_two_other_chips_each_time() -> None:
    felt = settled({(1, "down"): uids(5)})
    asked: list[str] = []
    for _ in range(5 * GROUPS):
        for circle, quick in felt.slot().items():
            if quick is not None and circle == (1, "down"):
                assert (quick.alone, len(quick.address)) == (False, 2)
                asked += quick.address
            elif quick is not None:
                assert (quick.alone, quick.address) == (True, ())
    assert set(asked) == set(uids(5))


def test_a_stack_where_something_is_due_gets_whole_inventories_and_an_empty_circle_quick_looks() -> None:
    felt = settled({(3, "down"): uids(2)})
    felt.looks.watch([(3, "down"), (4, "across")])
    looks = [look for _ in range(12) for look in felt.slot().items()]
    assert {look is None for circle, look in looks if circle == (3, "down")} == {True}
    assert {look is None for circle, look in looks if circle == (4, "across")} == {False}


def test_after_a_change_the_next_look_needs_silence_and_the_new_chips() -> None:
    felt = settled({(3, "down"): uids(9)})
    felt.looks.watch([(3, "down")])
    felt.chips[3, "down"] = uids(10)
    while not felt.seen[3, "down"] or felt.seen[3, "down"][-1].uids != uids(10):
        felt.slot()
    assert felt.slot() == {(3, "down"): Quick(uids(10), True, uids(1, first=9))}
    assert felt.seen[3, "down"][-1].confirmed


def test_an_inventory_that_failed_is_never_confirmed() -> None:
    felt = settled({(3, "down"): uids(2)})
    chosen = felt.looks.next(felt.now)
    failed = [Inventory(circle, felt.now, felt.now, "unstable") for circle in chosen]
    felt.looks.done(chosen, failed, felt.now, felt.now)
    for _ in range(GROUPS):
        again = felt.looks.next(felt.now)
        felt.looks.done(again, [], felt.now, felt.now)
        assert all(look is None for circle, look in again.items() if circle in chosen)


def test_a_sweep_takes_a_whole_inventory_of_every_circle_and_a_second_look() -> None:
    felt = settled({circle: uids(3) for circle in CIRCLES})
    felt.looks.watch([(3, "down")])
    asked = felt.now
    felt.looks.sweep(asked)
    for _ in range(2 * GROUPS):
        felt.slot()
    for seen in felt.seen.values():
        after = [inventory for inventory in seen if inventory.began >= asked]
        assert len(after) == 2
        assert not after[0].confirmed


def test_a_circle_that_keeps_changing_keeps_no_other_from_its_turn() -> None:
    felt = settled()
    felt.looks.watch([(3, "down")])
    for number in range(400):
        felt.chips[5, "across"] = uids(1, first=number)
        felt.slot()
    for circle, seen in felt.seen.items():
        assert felt.now - seen[-1].began < 2.5, circle


# ------------------------------------------------------------------------------ bounds


def wagers_of(due: Iterable[CircleId]) -> int:
    return len({wager for _, wager in due})


def look_bound_s(due: Sequence[CircleId], slot_s: float) -> float:
    """Return the longest time between two looks at a circle where nothing is due.

    `due`: circles that are due, `slot_s`: longest slot. While something is due, the others' slots begin at
    least every SHARE_S, after the present slot of a circle that is due.
    """
    a_slot = slot_s if not due else SHARE_S + 2 * slot_s
    return (GROUPS + 1) * a_slot


def whole_bound_s(due: Sequence[CircleId], slot_s: float) -> float:
    """Return the longest time between two whole inventories of a circle.

    With few chips they are late only by the present look and one of a circle that is due; a circle that is
    due has waited for its turn. With more there is not time for all, and quick looks get a part of it.
    """
    if slot_s > whole_s(FEW) + QUICK_S:
        return MAX_WHOLE_S + look_bound_s(due, slot_s)
    return max(WHOLE_S + 2 * slot_s, IN_TURN_S + (2 * wagers_of(due) + 1) * slot_s)


few = st.one_of(
    st.integers(0, FEW).map(lambda depth: dict.fromkeys(CIRCLES, depth)),
    st.dictionaries(st.sampled_from(CIRCLES), st.integers(0, FEW)),
)
contents = st.one_of(few, st.dictionaries(st.sampled_from(CIRCLES), st.integers(0, 40), max_size=20))
due_sets: st.SearchStrategy[list[CircleId]] = st.one_of(
    st.just([]),
    st.lists(st.sampled_from(CIRCLES), max_size=4, unique=True),
    st.sets(st.sampled_from(list(OUTPUTS)), min_size=1, max_size=4).map(
        lambda wagers: [circle for circle in CIRCLES if circle[1] in wagers]
    ),
)


@given(contents, due_sets, st.sampled_from(CIRCLES), st.integers(0, 20), st.integers(0, 20), st.floats(0, 6))
@settings(max_examples=150, deadline=None)
def test_no_change_stays_unseen_longer_than_its_bound(
    depths: Mapping[CircleId, int],
    due: list[CircleId],
    circle: CircleId,
    stays: int,
    comes: int,
    after_s: float,
) -> None:
    """The circle's old chips are replaced, all but `stays`, by `comes` others."""
    felt = settled({each: uids(depth) for each, depth in depths.items()})
    felt.looks.watch(due)
    felt.until(felt.now + after_s)
    before = felt.chips[circle]
    after = before[:stays] + uids(comes, first=100)
    changed, felt.chips[circle] = felt.now, after
    while felt.seen[circle][-1].uids != after or felt.seen[circle][-1].began < changed:
        felt.slot()
        assert felt.now - changed < 60
    longest = whole_s(max([len(after), *depths.values()])) + QUICK_S
    if circle in due:
        bound = 2 * (wagers_of(due) + 1) * longest
    elif before and set(before) <= set(after):
        bound = whole_bound_s(due, longest)  # a chip laid on a stack
    elif len(set(before) & set(after)) > 2:
        bound = whole_bound_s(due, longest)  # chips that a quick look did not happen to address
    else:
        bound = 2 * look_bound_s(due, longest)  # two chips may be left, and then be the addressed ones
    assert felt.now - changed <= bound + longest


@given(contents, due_sets)
@settings(max_examples=100, deadline=None)
def test_every_circle_is_looked_at_and_counted_whole_within_its_bounds(
    depths: Mapping[CircleId, int], due: list[CircleId]
) -> None:
    felt = settled({each: uids(depth) for each, depth in depths.items()})
    felt.looks.watch(due)
    begun = felt.now
    felt.until(begun + 15)
    longest = whole_s(max([0, *depths.values()])) + QUICK_S
    for circle, seen in felt.seen.items():
        for confirmed_too, bound in (
            (True, look_bound_s(due, longest)), (False, whole_bound_s(due, longest)),
        ):  # fmt: skip
            times = [each.began for each in seen if confirmed_too or not each.confirmed]
            gaps = [later - earlier for earlier, later in zip(times, [*times[1:], felt.now], strict=True)]
            assert max(gaps) <= bound, (circle, confirmed_too)


@pytest.mark.parametrize("due", [[], [(3, "down")]])
def test_a_broken_reader_takes_no_whole_inventory_from_the_others(due: list[CircleId]) -> None:
    felt = settled({circle: uids(FEW) for circle in CIRCLES})
    felt.broken = {(1, "across"), (2, "middle")}
    felt.looks.watch(due)
    begun = felt.now
    felt.until(begun + 15)
    for circle in set(CIRCLES) - felt.broken:
        times = [seen.began for seen in felt.seen[circle] if not seen.confirmed]
        gaps = [later - earlier for earlier, later in pairwise([*times, felt.now])]
        assert max(gaps) <= whole_bound_s(due, whole_s(FEW)), circle


@pytest.mark.parametrize("chips", [0, 1, 3, 5])
def test_a_scan_of_all_circles_is_short(chips: int) -> None:
    """From the moment on at which whole inventories are no longer as close together as at the beginning."""
    felt = settled({circle: uids(chips) for circle in CIRCLES})
    begun = felt.now + WHOLE_S
    felt.until(begun + 15)
    for circle, seen in felt.seen.items():
        times = [each.began for each in seen if each.began >= begun]
        assert max(later - earlier for earlier, later in pairwise(times)) <= 0.45, circle


def test_the_look_after_a_whole_inventory_of_many_new_chips_addresses_one() -> None:
    felt = settled()
    felt.looks.watch([(3, "down")])
    for count, addressed in ((MANY, 2), (MANY + 1, 1)):
        felt.chips[3, "down"] = uids(count, first=100 * count)
        while felt.seen[3, "down"][-1].uids != felt.chips[3, "down"]:
            felt.slot()
        look = felt.slot()[3, "down"]
        assert look is not None
        assert (look.alone, len(look.address)) == (True, addressed)


def test_a_change_that_a_quick_look_confirms_is_not_read_a_third_time_at_once() -> None:
    felt = settled({circle: uids(1) for circle in CIRCLES})
    felt.looks.watch([(3, "down")])
    felt.chips[3, "down"] = uids(5)
    while felt.seen[3, "down"][-1].uids != uids(5):
        felt.slot()
    assert felt.slot() == {(3, "down"): Quick(uids(5), True, uids(2, first=1))}
    assert any((3, "down") not in felt.slot() for _ in range(2))
