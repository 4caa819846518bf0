"""Another chip standard needs only a driver under the same scanner: here ISO 15693, with readers that need no
halt.
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
from drivers.chips.reader import Clock, LineError, LineHealth, Unreadable
from drivers.chips.sim.kinds import SIMULATED
from drivers.ports import CircleId
from tests.trials.bench.field import Watcher

FIELD: dict[str, tuple[str, ...] | None] = {}
"""Chips over each port's antenna; None if nothing answers there."""
CHIPS = ("E004010012345678", "E004010012345679", "E0040100ABCDEF01")


class Vicinity:
    """Anticollision in sixteen slots by the last digit of the UID; if two chips share a slot, by the digit
    before as well."""

    def __init__(self, path: str, _settle_s: float, _clock: Clock) -> None:
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
            heard = [uid for uid in self._answering() if uid.endswith(digit + mask)]
            if len(heard) == 1:
                yield heard[0]
            elif len(digit + mask) == 16 and heard:
                raise Unreadable(f"two chips say {heard[0]}")
            elif heard:
                yield from self._slots(digit + mask)

    def _answering(self) -> tuple[str, ...]:
        there = FIELD[self._path]
        if there is None:
            raise LineError(f"{self._path}: no answer")
        return there


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TableConfig:
    monkeypatch.setitem(kinds.KINDS, "vicinity", kinds.one_per_circle(Vicinity))
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


def test_it_is_scanned_by_the_same_scanner(table: TableConfig) -> None:
    FIELD["b"], FIELD["c"] = CHIPS, None
    seen, expected = Watcher(), {(1, "across"): (), (2, "across"): tuple(sorted(CHIPS))}
    scanner = open_chips(table, SystemClock(None))
    scanner.start(seen.sink)
    try:
        seen.wait(lambda: len(seen.readings) == 3, "every circle")
        told = {circle: kept[-1] for circle, kept in seen.readings.items()}
        assert {circle: told[circle].uids for circle in expected} == expected
        assert (told[2, "down"].answer, told[2, "down"].why) == ("silent", "c: no answer")
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


def test_what_it_cannot_tell_apart_is_unstable(table: TableConfig) -> None:
    FIELD["a"] = (CHIPS[0], CHIPS[0])
    seen = Watcher()
    scanner = open_chips(table, SystemClock(None))
    scanner.start(seen.sink)
    try:
        seen.wait(lambda: (1, "across") in seen.readings, "the circle")
        told = seen.readings[1, "across"][-1]
        assert (told.answer, told.uids, told.why) == ("unstable", (), f"two chips say {CHIPS[0]}")
    finally:
        scanner.stop()


def test_each_kind_has_its_simulated_readers() -> None:
    assert SIMULATED.keys() >= kinds.KINDS.keys()


def test_an_unknown_kind_is_a_mistake_of_the_table_file(tmp_path: Path) -> None:
    allowed = ", ".join(kinds.KINDS)
    with pytest.raises(Mistakes, match=rf"table\.yaml:6: readers\.kind: allowed: {allowed}$"):
        load_config(written(tmp_path, "no_such_kind"))
