"""In every order of looks at the circles, each change is seen within its bound, in virtual time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.chips.feig import OUTPUT_OF
from drivers.chips.reading_order import IN_TURN_S, MANY, MAX_LOOK_GAP_S, WHOLE_S, Chosen, Quick, ReadingOrder
from drivers.chips.schedule import ROUND_S
from drivers.ports import CircleId, Inventory

CIRCLES: list[CircleId] = [(seat, wager) for seat in range(1, 7) for wager in OUTPUT_OF]
GROUPS = len(OUTPUT_OF)
QUICK_S = 0.038
SHARE_S = ROUND_S / GROUPS
FEW = 5
"""Maximum number of chips in each circle with which whole inventories are in time, whatever is due."""
MAX_WHOLE_S = 4.0
"""Maximum time between two whole inventories of a circle, not counting the looks at other circles."""


def whole_s(chips: int) -> float:
    """Return the seconds of a whole inventory, including selection of the output (drivers/chips/FEIG.md)."""
    return 0.042 + 0.0135 * chips


def uids(count: int, first: int = 0) -> tuple[str, ...]:
    return tuple(f"E004{number:012X}" for number in range(first, first + count))


class Felt:
    """Chips in the circles, and readers with quick looks, in virtual time. `broken`: circles whose readers
    return nothing."""

    def __init__(self, chips: Mapping[CircleId, tuple[str, ...]] = {}) -> None:
        self.now = 0.0
        self.chips = {circle: chips.get(circle, ()) for circle in CIRCLES}
        self.order = ReadingOrder(CIRCLES, "all", quick=True)
        self.broken: set[CircleId] = set()
        self.seen: dict[CircleId, list[Inventory]] = {circle: [] for circle in CIRCLES}
        self.chosen: list[tuple[float, Chosen]] = []

    def slot(self) -> Chosen:
        began = self.now
        chosen = self.order.next(began)
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
        self.order.done(chosen, found, began, self.now)
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
        answered = quick.alone and not quick.holds and len(there) == 1
        return took + QUICK_S, [whole] * (2 if answered else 1)


def shows(quick: Quick, there: tuple[str, ...]) -> bool:
    """Return whether the readers confirm the content. Right after an inventory, chips that it showed are
    quiet."""
    assert quick.alone or quick.address
    assert set(quick.address) <= set(quick.holds)
    if quick.alone and set(there) - set(quick.holds):
        return False
    return set(quick.address) <= set(there)


def settled(chips: Mapping[CircleId, tuple[str, ...]] = {}) -> Felt:
    """Return a table whose content was shown twice in every circle."""
    table = Felt(chips)
    for _ in range(3 * GROUPS):
        table.slot()
    return table


def kinds(table: Felt, circles: Iterable[CircleId]) -> set[bool]:
    """Return whether the last slot's looks at these circles were quick."""
    return {table.chosen[-1][1][circle] is not None for circle in circles}


# ----------------------------------------------------------------------------- choice of looks


def test_a_reader_without_quick_looks_takes_whole_inventories_in_the_same_order() -> None:
    order = ReadingOrder(CIRCLES, "all", quick=False)
    for number in range(30):
        chosen = order.next(number / 10)
        assert set(chosen.values()) == {None}
        order.done(chosen, [Inventory(c, 0, 0, "chips") for c in chosen], number / 10, number / 10 + 0.1)


def test_a_quick_look_follows_only_after_the_content_was_shown_twice() -> None:
    table = Felt({circle: uids(3) for circle in CIRCLES})
    for number in range(2 * GROUPS):
        table.slot()
        assert kinds(table, table.chosen[-1][1]) == {False}, number
    table.slot()
    assert kinds(table, table.chosen[-1][1]) == {True}


def test_an_empty_circle_is_confirmed_by_one_slot_and_a_stack_by_two_new_chips_each_time() -> None:
    table = settled({(1, "down"): uids(5)})
    addressed: list[str] = []
    for _ in range(5 * GROUPS):
        for circle, quick in table.slot().items():
            if quick is not None and circle == (1, "down"):
                assert (quick.alone, len(quick.address)) == (False, 2)
                addressed += quick.address
            elif quick is not None:
                assert (quick.alone, quick.address) == (True, ())
    assert set(addressed) == set(uids(5))


def test_a_stack_where_something_is_due_gets_whole_inventories_and_an_empty_circle_quick_looks() -> None:
    table = settled({(3, "down"): uids(2)})
    table.order.watch([(3, "down"), (4, "across")])
    looks = [look for _ in range(12) for look in table.slot().items()]
    assert {look is None for circle, look in looks if circle == (3, "down")} == {True}
    assert {look is None for circle, look in looks if circle == (4, "across")} == {False}


def test_after_a_change_the_next_look_needs_silence_and_the_new_chips() -> None:
    table = settled({(3, "down"): uids(9)})
    table.order.watch([(3, "down")])
    table.chips[3, "down"] = uids(10)
    while not table.seen[3, "down"] or table.seen[3, "down"][-1].uids != uids(10):
        table.slot()
    assert table.slot() == {(3, "down"): Quick(uids(10), True, uids(1, first=9))}
    assert table.seen[3, "down"][-1].confirmed


def test_a_failed_inventory_is_never_confirmed() -> None:
    table = settled({(3, "down"): uids(2)})
    chosen = table.order.next(table.now)
    failed = [Inventory(circle, table.now, table.now, "unstable") for circle in chosen]
    table.order.done(chosen, failed, table.now, table.now)
    for _ in range(GROUPS):
        again = table.order.next(table.now)
        table.order.done(again, [], table.now, table.now)
        assert all(look is None for circle, look in again.items() if circle in chosen)


def test_a_sweep_takes_a_whole_inventory_of_every_circle_and_a_second_look() -> None:
    table = settled({circle: uids(3) for circle in CIRCLES})
    table.order.watch([(3, "down")])
    requested_s = table.now
    table.order.sweep(requested_s)
    for _ in range(2 * GROUPS):
        table.slot()
    for seen in table.seen.values():
        after = [inventory for inventory in seen if inventory.began >= requested_s]
        assert len(after) == 2
        assert not after[0].confirmed


def test_a_circle_that_keeps_changing_does_not_delay_the_others() -> None:
    table = settled()
    table.order.watch([(3, "down")])
    for number in range(400):
        table.chips[5, "across"] = uids(1, first=number)
        table.slot()
    for circle, seen in table.seen.items():
        assert table.now - seen[-1].began < 2.5, circle


# ------------------------------------------------------------------------------ bounds


def wagers_of(due: Iterable[CircleId]) -> int:
    return len({wager for _, wager in due})


def look_bound_s(due: Sequence[CircleId], slot_s: float) -> float:
    """Return the longest time between two looks at a circle where nothing is due.

    `due`: circles that are due; `slot_s`: longest slot. While something is due, the slots of the other
    circles begin at least every SHARE_S, after the current slot of a due circle."""
    a_slot = slot_s if not due else SHARE_S + 2 * slot_s
    return (GROUPS + 1) * a_slot


def whole_bound_s(due: Sequence[CircleId], slot_s: float) -> float:
    """Return the longest time between two whole inventories of a circle.

    With few chips an inventory is delayed only by the present look, by one look at a due circle and, at a due
    circle, by the wait for its turn. With more chips there is no time for all inventories, and quick looks
    get a part of the time."""
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
    st.sets(st.sampled_from(list(OUTPUT_OF)), min_size=1, max_size=4).map(
        lambda wagers: [circle for circle in CIRCLES if circle[1] in wagers]
    ),
)


@given(contents, due_sets, st.sampled_from(CIRCLES), st.integers(0, 20), st.integers(0, 20), st.floats(0, 6))
@settings(max_examples=75, deadline=None)
def test_every_change_is_seen_within_its_bound(
    depths: Mapping[CircleId, int],
    due: list[CircleId],
    circle: CircleId,
    stays: int,
    comes: int,
    after_s: float,
) -> None:
    """All chips of the circle except `stays` old ones are replaced by `comes` others."""
    table = settled({each: uids(depth) for each, depth in depths.items()})
    table.order.watch(due)
    table.until(table.now + after_s)
    before = table.chips[circle]
    after = before[:stays] + uids(comes, first=100)
    changed, table.chips[circle] = table.now, after
    while table.seen[circle][-1].uids != after or table.seen[circle][-1].began < changed:
        table.slot()
        assert table.now - changed < 60
    longest = whole_s(max([len(after), *depths.values()])) + QUICK_S
    if circle in due:
        bound = 2 * (wagers_of(due) + 1) * longest
    elif before and set(before) <= set(after):
        bound = whole_bound_s(due, longest)  # one chip laid on a stack
    elif len(set(before) & set(after)) > 2:
        bound = whole_bound_s(due, longest)  # a change of chips that the quick look did not address
    else:
        bound = 2 * look_bound_s(due, longest)  # two chips may remain and be the ones that are addressed
    assert table.now - changed <= bound + longest


@given(contents, due_sets)
@settings(max_examples=50, deadline=None)
def test_every_circle_is_looked_at_and_counted_whole_within_its_bounds(
    depths: Mapping[CircleId, int], due: list[CircleId]
) -> None:
    table = settled({each: uids(depth) for each, depth in depths.items()})
    table.order.watch(due)
    begun = table.now
    table.until(begun + 15)
    longest = whole_s(max([0, *depths.values()])) + QUICK_S
    for circle, seen in table.seen.items():
        for confirmed_too, bound in (
            (True, look_bound_s(due, longest)), (False, whole_bound_s(due, longest)),
        ):  # fmt: skip
            times = [each.began for each in seen if confirmed_too or not each.confirmed]
            gaps = [later - earlier for earlier, later in zip(times, [*times[1:], table.now], strict=True)]
            assert max(gaps) <= bound, (circle, confirmed_too)


@pytest.mark.parametrize("due", [[], [(3, "down")]])
def test_a_broken_reader_delays_no_whole_inventory_of_the_others(due: list[CircleId]) -> None:
    table = settled({circle: uids(FEW) for circle in CIRCLES})
    table.broken = {(1, "across"), (2, "middle")}
    table.order.watch(due)
    begun = table.now
    table.until(begun + 15)
    for circle in set(CIRCLES) - table.broken:
        times = [seen.began for seen in table.seen[circle] if not seen.confirmed]
        gaps = [later - earlier for earlier, later in pairwise([*times, table.now])]
        assert max(gaps) <= whole_bound_s(due, whole_s(FEW)), circle


@pytest.mark.parametrize("chips", [0, 1, 3, 5])
def test_a_scan_of_all_circles_stays_within_its_bound(chips: int) -> None:
    """The test measures after the first whole inventories, which are closer together than later ones."""
    table = settled({circle: uids(chips) for circle in CIRCLES})
    begun = table.now + WHOLE_S
    table.until(begun + 15)
    for circle, seen in table.seen.items():
        times = [each.began for each in seen if each.began >= begun]
        assert max(later - earlier for earlier, later in pairwise(times)) <= 0.45, circle


@pytest.mark.parametrize("chips", [6, 10, 12, 20, 30, 40])
def test_looks_come_before_whole_inventories_and_every_pass_has_one(chips: int) -> None:
    """Whole inventories of all seven circles, with looks within MAX_LOOK_GAP_S between them, take longer than
    WHOLE_S together."""
    table = settled({circle: uids(chips) for circle in CIRCLES})
    begun = table.now + 8
    table.until(begun + 20)
    one, others = whole_s(chips), (GROUPS - 1) * QUICK_S
    for circle, seen in table.seen.items():
        looks = [each.began for each in seen if each.began >= begun]
        wholes = [each.began for each in seen if each.began >= begun and not each.confirmed]
        gaps = [
            max(later - earlier for earlier, later in pairwise([*of, table.now])) for of in (looks, wholes)
        ]
        assert gaps[0] <= max(MAX_LOOK_GAP_S, one + others) + QUICK_S / 2, circle
        assert gaps[1] <= GROUPS * (one + others + 2 * QUICK_S), circle


def test_the_look_after_an_inventory_of_many_new_chips_addresses_one_chip() -> None:
    table = settled()
    table.order.watch([(3, "down")])
    for count, addressed in ((MANY, 2), (MANY + 1, 1)):
        table.chips[3, "down"] = uids(count, first=100 * count)
        while table.seen[3, "down"][-1].uids != table.chips[3, "down"]:
            table.slot()
        look = table.slot()[3, "down"]
        assert look is not None
        assert (look.alone, len(look.address)) == (True, addressed)


def test_a_change_confirmed_by_a_quick_look_is_not_read_again_at_once() -> None:
    table = settled({circle: uids(1) for circle in CIRCLES})
    table.order.watch([(3, "down")])
    table.chips[3, "down"] = uids(5)
    while table.seen[3, "down"][-1].uids != uids(5):
        table.slot()
    assert table.slot() == {(3, "down"): Quick(uids(5), True, uids(2, first=1))}
    assert any((3, "down") not in table.slot() for _ in range(2))
