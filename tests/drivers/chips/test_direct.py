"""Readers without wires report the same answers as real ones, in the same order, and report each reading
twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count

import pytest

from drivers.chips.sim.in_process import DirectChips
from drivers.ports import ChipsPort, CircleId, Inventory

CIRCLES: list[CircleId] = [(1, "ante"), (1, "across"), (2, "ante")]


class Table:
    """Readers without wires, whose calls the test itself runs. The clock counts, and the readings are
    stored."""

    def __init__(self) -> None:
        self.calls: list[Callable[[], None]] = []
        self.reported: list[tuple[Inventory, ...]] = []
        ticks = count()
        self.chips = DirectChips(CIRCLES, lambda: float(next(ticks)), self.calls.append)
        port: ChipsPort = self.chips
        port.start(self.sink)

    def sink(self, inventories: Sequence[Inventory]) -> None:
        self.reported.append(tuple(inventories))

    def run(self) -> list[tuple[Inventory, ...]]:
        self.reported = []
        while self.calls:
            self.calls.pop(0)()
        return self.reported


def test_every_circle_is_reported_twice_at_the_start_and_on_a_sweep() -> None:
    table = Table()
    for _ in range(2):
        first, second = table.run()
        assert [i.circle for i in first] == [i.circle for i in second] == CIRCLES
        assert all(i.answer == "chips" and i.uids == () for i in first + second)
        assert max(i.ended for i in first) < min(i.began for i in second)
        table.chips.sweep()


def test_a_change_is_reported_twice_and_an_unchanged_circle_not_at_all() -> None:
    table = Table()
    table.run()
    table.chips.set_chips((2, "ante"), ["04B", "04A"])
    reported = table.run()
    assert [[(i.circle, i.uids) for i in slot] for slot in reported] == [[((2, "ante"), ("04A", "04B"))]] * 2
    table.chips.set_chips((2, "ante"), ["04B", "04A"])
    assert table.run() == []


def test_simultaneous_changes_are_reported_together() -> None:
    table = Table()
    table.run()
    for uid in ("04A", "04B", "04C"):
        table.chips.set_chips((1, "ante"), [uid])
        table.chips.set_chips((2, "ante"), [uid])
    assert len(table.calls) == 1
    assert [[i.uids for i in slot] for slot in table.run()] == [[("04C",), ("04C",)]] * 2


def test_a_newly_watched_circle_is_reported_once_more() -> None:
    table = Table()
    table.run()
    table.chips.watch([(1, "across"), (9, "nowhere")])
    assert [[i.circle for i in slot] for slot in table.run()] == [[(1, "across")]] * 2
    table.chips.watch([(1, "across")])
    assert table.run() == []


@pytest.mark.parametrize(
    ("kind", "answer"),
    [("silent", "silent"), ("unplug", "silent"), ("unstable", "unstable"), ("noise", "unstable")],
)
def test_each_fault_gives_its_answer_until_it_is_cleared(kind: str, answer: str) -> None:
    table = Table()
    table.chips.set_chips((1, "ante"), ["04A"])
    table.run()
    table.chips.fault((1, "ante"), kind)
    assert {(i.answer, i.uids, bool(i.why)) for slot in table.run() for i in slot} == {(answer, (), True)}
    health = table.chips.statistics()[(1, "ante")]
    assert (health.state == "sick") is (answer == "silent")
    assert health.why == f"simulated: {answer}"
    assert (health.unanswered if answer == "silent" else health.unstable) > 0
    table.chips.fault((1, "ante"), "clear")
    assert {i.uids for slot in table.run() for i in slot} == {("04A",)}


def test_an_unknown_fault_is_refused() -> None:
    with pytest.raises(ValueError, match="allowed"):
        Table().chips.fault((1, "ante"), "split")


def test_two_chips_with_one_uid_are_read_as_one() -> None:
    table = Table()
    table.chips.set_chips((1, "ante"), ["04A", "04A"])
    assert {i.uids for i in table.run()[0] if i.circle == (1, "ante")} == {("04A",)}
    assert table.chips.chips((1, "ante")) == ("04A", "04A")


def test_required_proofs_are_decided_at_once_and_end_with_the_requirement() -> None:
    table = Table()
    table.chips.set_chips((1, "ante"), ["04A"])
    table.run()
    for circles, pending in (([(1, "ante")], ()), ([], None)):
        table.chips.prove(circles)
        found = [each for slot in table.run() for each in slot]
        assert {(each.circle, each.uids, each.pending) for each in found} == {
            ((1, "ante"), ("04A",), pending)
        }
    table.chips.prove(())
    assert table.run() == []


def test_nothing_is_reported_after_the_stop() -> None:
    table = Table()
    table.chips.set_chips((1, "ante"), ["04A"])
    table.chips.stop()
    assert table.run() == []
    table.chips.sweep()
    assert table.calls == []


def test_a_chip_without_a_key_becomes_and_stays_unproven_once_proofs_are_allowed() -> None:
    reported: list[tuple[Inventory, ...]] = []
    calls: list[Callable[[], None]] = []
    chips = DirectChips(CIRCLES, lambda: 0.0, calls.append, "04BAD".__eq__)
    chips.start(lambda inventories: reported.append(tuple(inventories)))

    def unproven() -> set[tuple[str, ...]]:
        reported.clear()
        while calls:
            calls.pop(0)()
        return {each.unproven for slot in reported for each in slot if each.circle == (1, "ante")}

    chips.set_chips((1, "ante"), ["04AA", "04BAD"])
    assert unproven() == {()}
    chips.prove(())
    assert unproven() == {("04BAD",)}
    chips.prove(None)
    chips.sweep()
    assert unproven() == {("04BAD",)}
    chips.set_chips((1, "ante"), ["04AA"])
    assert unproven() == {()}
    chips.set_chips((1, "ante"), ["04BAD"])
    assert unproven() == {()}
