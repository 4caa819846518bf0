"""CSV for a spreadsheet (RFC 4180): text stays text, and no cell becomes a formula.

Some spreadsheets evaluate a cell that begins with one of `FORMULA` (OWASP, CSV Injection); such a text gets
an apostrophe before it. Numbers are unchanged.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Return the rows as CSV, each ended by CR and LF, with values that no spreadsheet evaluates (`cell`)."""
    out = io.StringIO()
    csv.writer(out).writerows(map(cell, row) for row in rows)
    return out.getvalue()


def cell(value: object) -> object:
    """Return a text that no spreadsheet evaluates, also after leading spaces; other values unchanged."""
    if isinstance(value, str) and (value.startswith(FORMULA) or value.lstrip(" ").startswith(FORMULA)):
        return f"'{value}"
    return value
