"""Dollars are read and written as people do it, and are whole cents in the program."""

from __future__ import annotations

from decimal import Decimal

import pytest

from controller.common.files.money import cents, dollars


@pytest.mark.parametrize(
    ("written", "meant"),
    [(5, 500), ("5", 500), ("$5", 500), ("7.5", 750), (".50", 50), (Decimal("0.29"), 29), ("0", 0)],
)
def test_amounts_as_people_write_them_are_read(written: object, meant: int) -> None:
    assert cents(written) == meant


@pytest.mark.parametrize(
    "written", ["", "$", ".", "-1", "1.005", "1,000", "five", "٥", True, None, 1e20, [5]]
)
def test_invalid_amounts_are_refused(written: object) -> None:
    with pytest.raises(ValueError, match="allowed: an amount in dollars, whole cents, not below 0"):
        cents(written)


@pytest.mark.parametrize(
    ("amount", "read"), [(0, "$0"), (500, "$5"), (125_000, "$1,250"), (750, "$7.50"), (-5, "−$0.05")]
)
def test_amounts_are_formatted_for_people(amount: int, read: str) -> None:
    assert dollars(amount) == read
