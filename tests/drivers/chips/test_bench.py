"""The bench measures the complete table, while its readers run in another process."""

from __future__ import annotations

import pytest

from drivers.chips.kinds import READER_KINDS
from tests.trials.bench.field import measure_cost, measure_laid, measure_scan


@pytest.mark.parametrize("kind", READER_KINDS)
def test_a_full_scan_is_measured(kind: str) -> None:
    assert measure_scan("all", 1, scans=1, pace=0.0, kind=kind) > 0


def test_the_time_until_a_laid_chip_is_known_is_measured() -> None:
    took = measure_laid(1, times=2)
    assert 0 < took["p50"] <= took["p99"] <= took["max"]


def test_the_processor_time_of_reading_is_measured() -> None:
    cost = measure_cost("seat_board", 1, seconds=0.5)
    assert 0 < cost["cpu_percent"] < 100
    assert cost["cpu_ms"] > 0
