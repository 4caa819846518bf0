"""The figures of a simulated dealer in tests/DEALERS.md have correct intervals and agree with their data
file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.trials.dealer_figures import BEGIN, DATA, END, PAGE, data_of, page_lines, played, poisson_bounds


@pytest.mark.parametrize(
    ("count", "low", "high"), [(0, 0.0, 3.6889), (1, 0.0253, 5.5716), (10, 4.7954, 18.3904)]
)
def test_poisson_intervals_equal_published_tables(count: int, low: float, high: float) -> None:
    assert poisson_bounds(count) == pytest.approx((low, high), abs=1e-3)


def test_the_interval_of_a_large_count_approximates_the_normal_one() -> None:
    assert poisson_bounds(2000) == pytest.approx((2000 - 1.96 * 2000**0.5, 2000 + 1.96 * 2000**0.5), rel=2e-3)


def test_the_page_has_the_figures_of_the_data_file() -> None:
    table = PAGE.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0].strip()
    assert table == "\n".join(page_lines(json.loads(Path(DATA).read_text(encoding="utf-8"))))


@pytest.mark.slow
def test_all_errors_of_a_dealer_are_corrected_and_take_more_time() -> None:
    erring, exact = played(4, 0.2, 3), played(4, 0.0, 3)
    silent = played(4, 0.2, 3, silent=True)
    data = data_of(erring, silent, exact, {"rounds": 4, "share": 0.2, "seed": 3})
    assert data["settlements"] > 50
    assert data["errors"]["all"]["made"] > 5
    assert data["errors"]["all"]["left"] == 0
    assert sum(map(sum, erring.signed)) == 0
    of_order = data["errors"]["out_of_order"]
    assert (
        data["errors"]["all"]["left_silent"] >= data["errors"]["all"]["made_silent"] - of_order["made_silent"]
    )
    assert sum(map(sum, silent.signed)) > 0
    assert exact.account.errors == []
    assert sum(erring.seconds["settlement"].values()) > sum(exact.seconds["settlement"].values())
