"""Each operation on the register of chips is done completely, or is refused and changes nothing."""

from __future__ import annotations

import pytest

from controller.settings.chip_register import ChipRow
from controller.table.chips.count import report
from controller.table.chips.stock import Stock, StockRefused, chip_text

A, B, C, D = "01020304", "01020305", "01020306", "01020307"


def row(uid: str, cents: int = 2500, status: str = "in_use", currency: str = "USD") -> ChipRow:
    return ChipRow.model_validate({"uid": uid, "cents": str(cents), "currency": currency, "status": status})


def test_new_chips_are_added_and_known_ones_ignored() -> None:
    stock = Stock([row(A)]).with_chips([A, B], 2500)
    assert stock.rows() == (row(A), row(B))


def test_a_batch_with_a_withdrawn_or_different_chip_is_refused() -> None:
    stock = Stock([row(A, 500), row(B, 2500, "withdrawn")])
    with pytest.raises(StockRefused) as refused:
        stock.with_chips([A, B, C], 2500)
    assert refused.value.lines == (
        f"{A}: the register has it as $5, not $25",
        f"{B}: the register has it as $25 withdrawn, not $25",
    )
    assert len(stock) == 2


def test_a_withdrawn_chip_can_be_used_again() -> None:
    stock = Stock([row(A), row(B)]).with_status([A], "withdrawn")
    assert [chip_text(each) for each in stock.rows()] == ["$25 withdrawn", "$25"]
    assert stock.with_status([A], "in_use").rows() == (row(A), row(B))


def test_an_unregistered_chip_cannot_be_withdrawn() -> None:
    with pytest.raises(StockRefused, match=f"{C}: not in the register"):
        Stock([row(A)]).with_status([A, C], "withdrawn")


def test_totals_are_by_currency_value_and_status() -> None:
    stock = Stock([row(A), row(B), row(C, 500, "withdrawn"), row(D, 1000, currency="EUR")])
    assert stock.totals() == {
        ("USD", 2500, "in_use"): 2, ("USD", 500, "withdrawn"): 1, ("EUR", 1000, "in_use"): 1,
    }  # fmt: skip


def test_an_agreeing_count_has_no_differences() -> None:
    counted = Stock([row(A), row(B, 500), row(C, 500, "withdrawn")]).reconcile([B, A, A])
    assert counted.agrees
    assert list(report(counted)) == [
        "          $5        1 of 1",
        "         $25        1 of 1",
        "the count agrees with the register",
    ]


def test_a_count_names_each_chip_that_differs_from_the_register() -> None:
    stock = Stock([row(A), row(B, 2500, "withdrawn"), row(C, 1000, currency="EUR")])
    assert list(report(stock.reconcile([B, C, D]))) == [
        "         $25        0 of 1, 1 missing ($25)",
        f"{B}  $25 withdrawn: withdrawn, and found",
        f"{C}  EUR 10.00: of another currency, and found",
        f"{D}  not in the register",
        f"{A}  $25: missing",
        "the count does not agree",
    ]
