"""Text in a CSV stays text in every spreadsheet and is read back unchanged."""

from __future__ import annotations

import csv
import io

import pytest

from controller.common.files.csv_text import csv_text


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "  =1", "＝1", "＋1", "－1", "＠1"]
)
def test_no_text_is_a_formula(text: str) -> None:
    ((found,),) = csv.reader(io.StringIO(csv_text([[text]]), newline=""))
    assert found == f"'{text}"


@pytest.mark.parametrize("value", ["plain", "a=b", 'say "=1"', "two\r\nlines", -5, 0, ""])
def test_anything_else_stays_as_it_is(value: object) -> None:
    (found,) = csv.reader(io.StringIO(csv_text([[value, "x"]]), newline=""))
    assert found == [str(value), "x"]
