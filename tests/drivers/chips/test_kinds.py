"""Another chip standard needs only another driver under the same scanner.

The example is ISO 15693, with readers that need no halt.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.common.clock import SystemClock
from controller.common.files.mistakes import Mistakes
from controller.settings.config import TableConfig, load_config
from controller.table.daemon.devices import open_chips
from drivers.chips import kinds
from drivers.chips.reader import LineError, LineHealth, MonotonicClock, Unreadable
from drivers.chips.sim.kinds import SIMULATED
from drivers.ports import CircleId
from tests.trials.bench.field import Watcher

FIELD: dict[str, tuple[str, ...] | None] = {}
"""Chips over each port's antenna; None if nothing answers there."""
CHIPS = ("E004010012345678", "E004010012345679", "E0040100ABCDEF01")


class Vicinity:
    """Driver of the example: anticollision in sixteen slots by the last digit of the UID. Chips that share a
    slot are separated by the digit before."""

    def __init__(self, path: str, _settle_s: float, _clock: MonotonicClock) -> None:
        self._path = path

    def open(self, _timeout_s: float) -> None:
        self._answering()

    def rest(self) -> None: ...

    def inventory(self, _timeout_s: float) -> tuple[str, ...]:
        return tuple(sorted(self._slots("")))

    def quiet(self, _timeout_s: float) -> None: ...

    def cancel(self) -> None: ...

    def close(self) -> None: ...

    def statistics(self) -> LineHealth:
        return LineHealth(self._path)

    def _slots(self, mask: str) -> Iterator[str]:
        for digit in "0123456789ABCDEF":
            answering = [uid for uid in self._answering() if uid.endswith(digit + mask)]
            if len(answering) == 1:
                yield answering[0]
            elif len(digit + mask) == 16 and answering:
                raise Unreadable(f"two chips say {answering[0]}")
            elif answering:
                yield from self._slots(digit + mask)

    def _answering(self) -> tuple[str, ...]:
        there = FIELD[self._path]
        if there is None:
            raise LineError(f"{self._path}: no answer")
        return there


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TableConfig:
    monkeypatch.setitem(kinds.READER_KINDS, "vicinity", kinds.one_per_circle(Vicinity))
    for name in ("a", "b", "c"):
        monkeypatch.setitem(FIELD, name, ())
    return load_config(written(tmp_path, "vicinity"))


def written(folder: Path, kind: str) -> Path:
    file = folder / "table.yaml"
    file.write_text(
        f"""\
table: T
rules: pennsylvania
method: hand
journal: j.db
readers:
  kind: {kind}
  ports: {{1: {{across: a}}, 2: {{across: b, down: c}}}}
""",
        encoding="utf-8",
    )
    return file


def test_the_other_kind_is_read_by_the_same_scanner(table: TableConfig) -> None:
    FIELD["b"], FIELD["c"] = CHIPS, None
    seen, expected = Watcher(), {(1, "across"): (), (2, "across"): tuple(sorted(CHIPS))}
    scanner = open_chips(table, SystemClock(None))
    scanner.start(seen.sink)
    try:
        seen.wait(lambda: len(seen.readings) == 3, "every circle")
        readings = {circle: kept[-1] for circle, kept in seen.readings.items()}
        assert {circle: readings[circle].uids for circle in expected} == expected
        assert (readings[2, "down"].answer, readings[2, "down"].why) == ("silent", "c: no answer")
        FIELD["a"], FIELD["c"] = CHIPS[:1], ()
        wanted: dict[CircleId, tuple[str, ...]] = {(1, "across"): CHIPS[:1], (2, "down"): ()}
        seen.wait(
            lambda: all(
                (seen.readings[circle][-1].answer, seen.readings[circle][-1].uids) == ("chips", uids)
                for circle, uids in wanted.items()
            ),
            "what changed",
        )
        assert scanner.statistics()[1, "across"].port == "a"
    finally:
        scanner.stop()


def test_chips_that_it_cannot_separate_are_unstable(table: TableConfig) -> None:
    FIELD["a"] = (CHIPS[0], CHIPS[0])
    seen = Watcher()
    scanner = open_chips(table, SystemClock(None))
    scanner.start(seen.sink)
    try:
        seen.wait(lambda: (1, "across") in seen.readings, "the circle")
        reading = seen.readings[1, "across"][-1]
        assert (reading.answer, reading.uids, reading.why) == ("unstable", (), f"two chips say {CHIPS[0]}")
    finally:
        scanner.stop()


def test_each_kind_of_reader_has_a_simulator() -> None:
    assert SIMULATED.keys() >= kinds.READER_KINDS.keys()


def test_an_unknown_kind_in_the_table_file_is_refused(tmp_path: Path) -> None:
    allowed = ", ".join(kinds.READER_KINDS)
    with pytest.raises(Mistakes, match=rf"table\.yaml:6: readers\.kind: allowed: {allowed}$"):
        load_config(written(tmp_path, "no_such_kind"))
