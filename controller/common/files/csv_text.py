"""CSV for a spreadsheet (RFC 4180): text stays text.

A cell that begins with one of `FORMULA` is a formula to some spreadsheet (OWASP, CSV Injection); such a text
gets an apostrophe before it. Numbers are left as they are.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Return the rows as CSV with CRLF."""
    out = io.StringIO()
    csv.writer(out).writerows(map(cell, row) for row in rows)
    return out.getvalue()


def cell(value: object) -> object:
    """Return a text so that no spreadsheet evaluates it, also behind spaces; anything else as it is."""
    if isinstance(value, str) and (value.startswith(FORMULA) or value.lstrip(" ").startswith(FORMULA)):
        return f"'{value}"
    return value
