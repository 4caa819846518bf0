"""The chip register's file: a CSV with the columns ``uid,cents,currency,status``.

Every mistake at once as ``file:line: key: what is allowed``; of a file with a mistake nothing is used.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Literal

from pydantic import Field, TypeAdapter

from controller.files.forms import Form, fit
from controller.files.mistakes import Mistakes
from controller.files.yaml_lines import Lines, text_of
from drivers.chips.register import Chip, ChipRegister

MOST_BYTES = 16 * 1024 * 1024
TABLE_CURRENCY = "USD"


class Row(Form):
    uid: str = Field(
        pattern=r"^([0-9A-F]{8}|[0-9A-F]{14}|[0-9A-F]{20})$", description="8, 14 or 20 digits of 0-9A-F"
    )
    cents: str = Field(
        pattern=r"^[1-9][0-9]{0,9}$", description="a whole number of cents from 1, without point or sign"
    )
    currency: str = Field(pattern=r"^[A-Z]{3}$", description="three capital letters, such as USD")
    status: Literal["in_use", "withdrawn"] = Field(description="in_use, withdrawn")

    def chip(self) -> Chip:
        if self.currency != TABLE_CURRENCY:
            return Chip(self.uid, None, "foreign")
        return (
            Chip(self.uid, None, "withdrawn")
            if self.status == "withdrawn"
            else Chip(self.uid, int(self.cents))
        )


_ROW = TypeAdapter(Row)
HEADER = list(Row.model_fields)


def read_register(path: Path) -> ChipRegister:
    """Raises `Mistakes` with every one of them."""
    text = text_of(path, MOST_BYTES)
    if not isinstance(text, str):
        raise Mistakes(text.report())
    found = Lines(str(path))
    try:
        chips = _chips(found, text)
    except csv.Error as error:
        found.mistakes.append((1, f"no CSV: {error}"))
    if not found.mistakes and not any(chip.cents for chip in chips):
        found.mistakes.append(
            (1, f"no chip has a value; allowed: one at least that is {TABLE_CURRENCY}, in_use")
        )
    if found.mistakes:
        raise Mistakes(found.report())
    return ChipRegister(chips)


def _chips(found: Lines, text: str) -> list[Chip]:
    rows = csv.reader(text.splitlines())
    header = next(rows, [])
    if header != HEADER:
        found.mistakes.append((1, f"header: {','.join(header) or 'empty'}; allowed: {','.join(HEADER)}"))
        return []
    chips = []
    first: dict[str, int] = {}
    for row in filter(None, rows):
        line = Lines(found.file, dict(zip(HEADER, row, strict=False)), {(): rows.line_num}, found.mistakes)
        if len(row) != len(HEADER):
            line.add(("row",), f"{len(row)} fields; allowed: the {len(HEADER)} of {','.join(HEADER)}")
            continue
        known = first.setdefault(row[0], rows.line_num)
        if known != rows.line_num:
            line.add(("uid",), f"{row[0]} is in line {known} already; once is allowed")
        if chip := fit(_ROW, line):
            chips.append(chip.chip())
    return chips
