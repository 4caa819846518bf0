"""The chip register's file, which lists the value of each chip and whether it is valid or withdrawn: a CSV
with the columns ``uid,cents,currency,status``.

All mistakes are reported at once as ``file:line: key: what is allowed``. A file with a mistake is not used.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeAlias

from pydantic import Field, TypeAdapter, ValidationError

from controller.common.files.atomic_write import replace_text
from controller.common.files.forms import Form, fit
from controller.common.files.mistakes import Mistakes
from controller.common.files.yaml_lines import Lines, text_of
from drivers.chips.register import UID_PATTERN, UID_WORDS, ChipRegister, RegisteredChip, is_random, is_turned

RANDOM = "a number that the chip draws anew each time; allowed: chips with a number of their own"
"""Mistake for a UID that the chip changes each time it is read."""
MAX_REGISTER_BYTES = 16 * 1024 * 1024
TABLE_CURRENCY = "USD"
Status: TypeAlias = Literal["in_use", "withdrawn"]


class ChipRow(Form):
    """Chip in the register of the house: its UID, its value as text in `cents` of `currency`, and its
    status."""

    uid: str = Field(pattern=f"^({UID_PATTERN})$", description=UID_WORDS)
    cents: str = Field(
        pattern=r"^[1-9][0-9]{0,9}$", description="a whole number of cents from 1, without point or sign"
    )
    currency: str = Field(pattern=r"^[A-Z]{3}$", description="three capital letters, such as USD")
    status: Status = Field(description="in_use, withdrawn")

    @property
    def value(self) -> int:
        """Value printed on the chip, in cents of its currency."""
        return int(self.cents)

    @property
    def counts(self) -> bool:
        """Whether the chip may be bet at this table."""
        return self.currency == TABLE_CURRENCY and self.status == "in_use"

    @property
    def chip(self) -> RegisteredChip:
        if self.counts:
            return RegisteredChip(self.uid, self.value)
        return RegisteredChip(self.uid, None, "foreign" if self.currency != TABLE_CURRENCY else "withdrawn")


_ROWS = TypeAdapter(list[ChipRow])
HEADER = list(ChipRow.model_fields)


def read_register(path: Path) -> ChipRegister:
    """Return the chips of a table. Raises Mistakes listing all mistakes in the file."""
    _, register = _read(path)
    if not register.values:
        words = f"no chip has a value; allowed: one at least that is {TABLE_CURRENCY}, in_use"
        raise Mistakes([f"{path}:1: {words}"])
    return register


def read_rows(path: Path) -> list[ChipRow]:
    """Return all rows of the file. Raises Mistakes listing all mistakes in it."""
    return list(_read(path)[0])


def _read(path: Path) -> tuple[Sequence[ChipRow], ChipRegister]:
    text = text_of(path, MAX_REGISTER_BYTES)
    if not isinstance(text, str):
        raise Mistakes(text.report())
    rows, register, mistakes = _parsed(text)
    if mistakes:
        raise Mistakes(Lines(str(path), mistakes=list(mistakes)).report())
    return rows, register


NXP = "04"
"""First byte of a number of 7 bytes: its maker, NXP (ISO/IEC 7816-6)."""
MIN_ALIKE = 3
"""Smallest number of chips with NXP's byte at the end alone that shows a reversed order. By chance one number
of another maker in 256 has it there."""


@lru_cache(maxsize=2)
def _parsed(text: str) -> tuple[Sequence[ChipRow], ChipRegister, Sequence[tuple[int, str]]]:
    """Return the rows, the chips, and each mistake with its line. Cached by the text, which is long and
    seldom changes."""
    rows: list[ChipRow] = []
    mistakes: list[tuple[int, str]] = []
    try:
        rows = _rows(mistakes, text)
    except csv.Error as error:
        mistakes.append((1, f"no CSV: {error}"))
    return rows, ChipRegister(row.chip for row in rows), mistakes


def write_rows(path: Path, rows: Iterable[ChipRow]) -> None:
    """Replace the file atomically. Raises OSError if it cannot be written."""
    replace_text(path, text_of_rows(rows))


def text_of_rows(rows: Iterable[ChipRow]) -> str:
    return "".join(f"{','.join(line)}\n" for line in (HEADER, *(row.model_dump().values() for row in rows)))


def _rows(mistakes: list[tuple[int, str]], text: str) -> list[ChipRow]:
    rows = csv.reader(text.splitlines())
    header = next(rows, [])
    if header != HEADER:
        mistakes.append((1, f"header: not a register's; allowed: {','.join(HEADER)}"))
        return []
    given: dict[int, dict[str, str]] = {}
    first: dict[str, int] = {}
    turned: list[int] = []
    for row in filter(None, rows):
        line, uid = rows.line_num, row[0]
        if len(row) != len(HEADER):
            mistakes.append(
                (line, f"row: {len(row)} fields; allowed: the {len(HEADER)} of {','.join(HEADER)}")
            )
            continue
        known = first.setdefault(uid, line)
        if known != line:
            mistakes.append((line, f"uid: {uid} is in line {known} already; once is allowed"))
        if is_turned(uid):
            turned.append(line)
        elif is_random(uid):
            mistakes.append((line, f"uid: {uid} is {RANDOM}"))
        else:
            given[line] = dict(zip(HEADER, row, strict=True))
    mistakes += _reversed_numbers(turned, {line: row["uid"] for line, row in given.items()})
    return _fitted(mistakes, given)


def _reversed_numbers(turned: list[int], others: Mapping[int, str]) -> Iterator[tuple[int, str]]:
    """Yield one mistake for all numbers of a kind whose bytes are in reverse order, because usually the whole
    file is affected. `turned`: lines whose number begins with another byte than E0 and ends in it; `others`:
    the other numbers by line."""
    if turned:
        both = sum(len(uid) == 16 and uid.endswith("E0") for uid in others.values())
        words = f"{len(turned)} numbers here end in E0: their bytes are in reverse order"
        more = f", also of the {both} that begin and end in E0" if both else ""
        yield turned[0], f"uid: {words}; allowed: E0 first, so turn each number's bytes around{more}"
    seven = {line: uid for line, uid in others.items() if len(uid) == 14}
    if len(seven) >= MIN_ALIKE and all(
        uid.endswith(NXP) and not uid.startswith(NXP) for uid in seven.values()
    ):
        words = f"all {len(seven)} numbers of 14 digits end in {NXP}: their bytes are in reverse order"
        yield min(seven), f"uid: {words}; allowed: the maker's byte first, so turn each number's bytes around"


def _fitted(mistakes: list[tuple[int, str]], given: Mapping[int, Mapping[str, str]]) -> list[ChipRow]:
    """Return the valid rows by line. All rows are validated together; if any is wrong, each is validated
    alone and its mistakes are added to `mistakes`.
    """
    try:
        return _ROWS.validate_python([*given.values()])
    except ValidationError:
        lines = (Lines("", row, {(): line}, mistakes) for line, row in given.items())
        return [row for row in (fit(ChipRow, line) for line in lines) if row is not None]
