"""A count of instructions that rose is named, and a count gives the range of its durations."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.trials.cost import __main__ as cost
from tests.trials.cost import counting
from tests.trials.cost.processors import PROCESSORS

KEPT = {"counts": {"view": 1_000_000, "touch": 500}}


def test_a_count_that_rose_by_more_than_one_percent_is_named() -> None:
    assert list(cost.risen(KEPT, {"view": 1_010_000, "touch": 505, "start": 9})) == []
    [line] = cost.risen(KEPT, {"view": 1_010_001, "touch": 100})
    assert line == "view: 1,000,000 became 1,010,001 instructions, +1.0 %"


def test_a_count_gives_the_range_of_its_times() -> None:
    pi_4, pi_5 = PROCESSORS
    assert pi_4.ms(1.5e6 * 1.2) == pytest.approx((1.0, 1.2 / 0.7))
    assert pi_5.percent(2.4e6 * 2.2, 100)[0] == pytest.approx(10.0)


def test_the_file_names_only_counted_parts() -> None:
    kept = yaml.safe_load(cost.FILE.read_text(encoding="utf-8"))
    assert set(kept["counts"]) == set(counting.NAMES)


def test_without_valgrind_one_line_names_the_package_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.argv", ["cost"])
    with pytest.raises(SystemExit, match=r"valgrind is missing.*apt-get install valgrind"):
        cost.main()
    assert counting.MISSING.count("\n") == 0
