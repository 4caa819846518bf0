"""A complete bank of readers under the real driver reports every change and no wrong chips, over
pseudo-terminals without device times.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from drivers.chips.scanner import ChipScanner
from drivers.chips.schedule import SlotRule
from drivers.chips.sim.field import Antenna
from drivers.chips.sim.simulator import ReaderBank
from drivers.ports import CircleId, Inventory
from tests.drivers.chips.lines import pn532s, uids
from tests.trials.bench.field import Watcher

pytestmark = pytest.mark.serial

CIRCLES: list[CircleId] = [(seat, wager) for seat in (1, 2, 3, 4) for wager in ("ante", "across", "bonus")]


class Notes(Watcher):
    """Stores the last readings and waits for an expected reading of a circle."""

    def last(self, circle: CircleId) -> Inventory | None:
        kept = self.readings.get(circle)
        return kept[-1] if kept else None

    def until(self, circle: CircleId, answer: str, laid: list[str] | None = None) -> Inventory:
        def there() -> bool:
            last = self.last(circle)
            return last is not None and last.answer == answer and (laid is None or list(last.uids) == laid)

        self.wait(there, f"{circle} {answer} {laid}")
        last = self.last(circle)
        assert last is not None
        return last

    def all_read(self) -> None:
        self.all_circles(CIRCLES)

    def all_circles(self, circles: list[CircleId]) -> None:
        self.wait(lambda: len(self.readings) == len(circles), "every circle")


@contextmanager
def scanning(scanner: ChipScanner, notes: Notes, circles: Sequence[CircleId]) -> Iterator[None]:
    """Run a scanner from its first reading of every circle to the end of the block."""
    scanner.start(notes.sink)
    try:
        notes.all_circles(circles)
        yield
    finally:
        scanner.stop()


@contextmanager
def scanned(tmp_path: Path, slots: SlotRule = "all") -> Iterator[tuple[ReaderBank, ChipScanner, Notes]]:
    with ReaderBank(tmp_path, CIRCLES, pace=0.0) as bank:
        scanner, notes = ChipScanner(pn532s(bank.paths()), slots=slots), Notes()
        with scanning(scanner, notes, CIRCLES):
            yield bank, scanner, notes


def test_chips_and_their_changes_are_reported(tmp_path: Path) -> None:
    with scanned(tmp_path) as (bank, scanner, notes):
        for circle in CIRCLES:
            notes.until(circle, "chips", [])
        bank.set_chips((2, "across"), uids(3))
        scanner.watch([(2, "across")])
        notes.until((2, "across"), "chips", uids(3))
        bank.take((2, "across"), uids(3)[0])
        notes.until((2, "across"), "chips", uids(3)[1:])
        assert bank.chips((2, "across")) == tuple(uids(3)[1:])


@pytest.mark.parametrize("slots", ["all", "odd_even"])
def test_fields_are_on_only_for_one_wager_at_a_time_and_obey_the_slot_rule(
    tmp_path: Path, slots: SlotRule, monkeypatch: pytest.MonkeyPatch
) -> None:
    owners: dict[int, CircleId] = {}
    on: set[CircleId] = set()
    wrong: list[set[CircleId]] = []
    switch = Antenna.switch

    def watched(antenna: Antenna, to: bool, now: float) -> None:
        switch(antenna, to, now)
        (on.add if to else on.discard)(owners[id(antenna)])
        odd = {seat % 2 for seat, _ in on}
        if len({wager for _, wager in on}) > 1 or (slots == "odd_even" and len(odd) > 1):
            wrong.append(set(on))

    monkeypatch.setattr(Antenna, "switch", watched)
    bank = ReaderBank(tmp_path, CIRCLES, pace=0.0)
    owners.update({id(line.antenna): circle for circle, line in bank._lines.items()})
    with bank:
        scanner, notes = ChipScanner(pn532s(bank.paths()), slots=slots), Notes()
        scanner.start(notes.sink)
        notes.all_read()
        scanner.watch([(1, "across"), (4, "bonus")])
        for laid in (uids(2), uids(1), []):
            bank.set_chips((4, "bonus"), laid)
            notes.until((4, "bonus"), "chips", laid)
        scanner.stop()
    assert not wrong
    assert not on


@pytest.mark.parametrize(
    ("fault", "answer"),
    [
        ("silent", "silent"),
        ("unplug", "silent"),
        ("late", "silent"),
        ("die", "silent"),
        ("noise", "unstable"),
    ],
)
def test_a_failed_reader_is_reported_delays_no_other_and_returns(
    tmp_path: Path, fault: str, answer: str
) -> None:
    with scanned(tmp_path) as (bank, _, notes):
        bank.set_chips((1, "ante"), uids(2))
        notes.until((1, "ante"), "chips", uids(2))
        bank.fault((1, "ante"), fault)
        assert notes.until((1, "ante"), answer).why
        bank.set_chips((1, "across"), uids(1))
        notes.until((1, "across"), "chips", uids(1))
        bank.clear((1, "ante"))
        notes.until((1, "ante"), "chips", uids(2))


@pytest.mark.parametrize("fault", ["noise", "drop", "split", "duplicate", "flip"])
def test_no_fault_of_the_line_causes_wrong_chips_to_be_reported(tmp_path: Path, fault: str) -> None:
    laid = uids(3)
    with scanned(tmp_path) as (bank, scanner, notes):
        bank.set_chips((3, "bonus"), laid)
        notes.until((3, "bonus"), "chips", laid)
        seen: list[Inventory] = []
        sink = notes.sink
        scanner._sink = lambda inventories: (seen.extend(inventories), sink(inventories))[1]
        bank.fault((3, "bonus"), fault)
        scanner.watch([(3, "bonus")])
        notes.wait(lambda: len([i for i in seen if i.circle == (3, "bonus")]) >= 20, fault)
        reported = {i.uids for i in seen if i.circle == (3, "bonus") and i.answer == "chips"}
        assert reported <= {tuple(laid)}


def test_a_missing_reader_is_silent_and_delays_no_other(tmp_path: Path) -> None:
    with ReaderBank(tmp_path, CIRCLES, pace=0.0) as bank:
        ports = bank.paths() | {(1, "nothing"): str(tmp_path / "none")}
        scanner, notes = ChipScanner(pn532s(ports)), Notes()
        scanner.start(notes.sink)
        assert "cannot be opened" in notes.until((1, "nothing"), "silent").why
        notes.until((4, "bonus"), "chips", [])
        assert scanner.statistics()[(1, "nothing")].state == "sick"
        assert scanner.statistics()[(4, "bonus")].state == "open"
        scanner.stop()


def test_a_table_whose_readers_all_fail_reports_every_circle(tmp_path: Path) -> None:
    ports = {circle: str(tmp_path / f"none-{circle[0]}-{circle[1]}") for circle in CIRCLES}
    scanner, notes = ChipScanner(pn532s(ports)), Notes()
    scanner.start(notes.sink)
    for circle in CIRCLES:
        notes.until(circle, "silent")
    scanner.stop()


def test_a_sweep_reads_every_circle_twice_after_it_was_asked_for(tmp_path: Path) -> None:
    with scanned(tmp_path) as (_, scanner, notes):
        requested_s = scanner._clock()
        scanner.watch([(1, "ante")])
        scanner.sweep()

        def twice() -> bool:
            return all(
                len([i for i in kept if i.began >= requested_s]) >= 2 for kept in notes.readings.values()
            )

        notes.wait(twice, "twice")


def test_the_scanner_stops_while_it_waits_for_readers(tmp_path: Path) -> None:
    with ReaderBank(tmp_path, CIRCLES, pace=0.0) as bank:
        scanner, notes = ChipScanner(pn532s(bank.paths()), timeout_s=60.0), Notes()
        scanner.start(notes.sink)
        notes.all_read()
        for circle in CIRCLES:
            bank.fault(circle, "silent")
        scanner.stop()


def test_the_scanner_stops_before_anything_was_opened(tmp_path: Path) -> None:
    with ReaderBank(tmp_path, CIRCLES, pace=0.0) as bank:
        scanner = ChipScanner(pn532s(bank.paths()))
        scanner.start(Notes().sink)
        scanner.stop()
    ChipScanner({}).stop()


def test_a_second_program_cannot_open_the_readers(tmp_path: Path) -> None:
    with scanned(tmp_path) as (bank, _, _):
        second, notes = ChipScanner(pn532s({(1, "ante"): bank.paths()[(1, "ante")]})), Notes()
        second.start(notes.sink)
        assert "cannot be opened" in notes.until((1, "ante"), "silent").why
        second.stop()
