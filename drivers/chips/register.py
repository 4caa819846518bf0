"""The chip register: what each UID is worth, read from a CSV file and checked whole.

Columns ``uid,cents,currency,status``. A chip's value comes from here and never from a count or
from the chip itself. A file with a mistake is refused with every mistake in it; nothing of it
is used.
"""

from __future__ import annotations

import argparse
import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

Note: TypeAlias = Literal["", "unknown", "withdrawn", "foreign"]

HEADER = ("uid", "cents", "currency", "status")
STATUSES = ("in_use", "withdrawn")
TABLE_CURRENCY = "USD"

MOCK_CHIPS = ((100, 400), (500, 400), (2_500, 400), (10_000, 400), (50_000, 300), (100_000, 600))
"""(cents, how many) of the mock table's bank."""

_UID = re.compile(r"(?:[0-9A-F]{8}|[0-9A-F]{14}|[0-9A-F]{20})\Z")
_CURRENCY = re.compile(r"[A-Z]{3}\Z")
_CENTS = re.compile(r"[1-9][0-9]{0,9}\Z")


class RegisterError(ValueError):
    """An unusable register; ``mistakes`` has one ``file:line: key: what is allowed`` each."""

    def __init__(self, mistakes: Sequence[str]) -> None:
        super().__init__("\n".join(mistakes))
        self.mistakes = tuple(mistakes)


@dataclass(frozen=True, slots=True)
class Chip:
    """``cents`` is None where the chip counts for nothing at this table; ``note`` says why."""

    uid: str
    cents: int | None
    note: Note = ""


class ChipRegister:
    """UIDs to chips. Asking for one that is not in it is no error: the answer says so."""

    def __init__(self, chips: Mapping[str, Chip]) -> None:
        self._chips = dict(chips)

    @classmethod
    def load(cls, path: Path, currency: str = TABLE_CURRENCY) -> ChipRegister:
        """Raises `RegisterError` with every mistake at once."""
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise RegisterError([f"{path}:1: file: a readable CSV file in UTF-8: {error}"]) from error
        return cls.parse(text, str(path), currency)

    @classmethod
    def parse(cls, text: str, name: str, currency: str = TABLE_CURRENCY) -> ChipRegister:
        reader = _Reader(name, currency)
        chips = reader.read(text.splitlines())
        if reader.mistakes:
            raise RegisterError(reader.mistakes)
        return cls(chips)

    def look_up(self, uid: str) -> Chip:
        return self._chips.get(uid) or Chip(uid, None, "unknown")

    def __len__(self) -> int:
        return len(self._chips)

    def __iter__(self) -> Iterator[Chip]:
        """In the file's order; a player or a bank draws from it."""
        return iter(self._chips.values())


class _Reader:
    """One pass over a file, gathering chips and mistakes."""

    def __init__(self, name: str, currency: str) -> None:
        self._name = name
        self._currency = currency
        self._first_line: dict[str, int] = {}
        self.mistakes: list[str] = []

    def read(self, lines: Sequence[str]) -> dict[str, Chip]:
        rows = csv.reader(lines)
        header = tuple(next(rows, ()))
        if header != HEADER:
            self._wrong(1, "header", f"must be {','.join(HEADER)}, not {','.join(header) or 'empty'}")
            return {}
        chips = {}
        for row in rows:
            if row and (chip := self._chip(rows.line_num, row)):
                chips[chip.uid] = chip
        return chips

    def _chip(self, line: int, row: list[str]) -> Chip | None:
        if len(row) != len(HEADER):
            self._wrong(line, "row", f"must have the {len(HEADER)} fields {','.join(HEADER)}, has {len(row)}")
            return None
        uid, cents, currency, status = row
        before = len(self.mistakes)
        self._check(line, "uid", uid, _UID, "8, 14 or 20 digits of 0-9A-F")
        self._check(line, "cents", cents, _CENTS, "a whole number of cents from 1, without point or sign")
        self._check(line, "currency", currency, _CURRENCY, "three capital letters, such as USD")
        if status not in STATUSES:
            self._wrong(line, "status", f"must be {' or '.join(STATUSES)}, not {status!r}")
        first = self._first_line.setdefault(uid, line)
        if first != line:
            self._wrong(line, "uid", f"must be there once; {uid} is in line {first} already")
        if len(self.mistakes) > before:
            return None
        if currency != self._currency:
            return Chip(uid, None, "foreign")
        return Chip(uid, None, "withdrawn") if status == "withdrawn" else Chip(uid, int(cents))

    def _check(self, line: int, key: str, value: str, form: re.Pattern[str], allowed: str) -> None:
        if not form.match(value):
            self._wrong(line, key, f"must be {allowed}, not {value!r}")

    def _wrong(self, line: int, key: str, what: str) -> None:
        self.mistakes.append(f"{self._name}:{line}: {key}: {what}")


def mock_lines() -> Iterable[str]:
    """The mock table's register: 7-byte UIDs as NXP's begin (04), then cents/100 and a number.

    2,500 chips worth $802,400: a 500 to 1 on three full antes ($150,000) and an ordinary round beside it.
    """
    yield ",".join(HEADER)
    for cents, count in MOCK_CHIPS:
        for number in range(1, count + 1):
            yield f"04{cents // 100:06X}{number:06X},{cents},USD,in_use"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m drivers.chips.register", description="Write the mock table's chip register."
    )
    parser.add_argument("--mock", type=Path, required=True, metavar="FILE", help="where to write it")
    file: Path = parser.parse_args(arguments).mock
    file.write_text("\n".join(mock_lines()) + "\n", encoding="utf-8")
    print(f"{file}: {sum(count for _, count in MOCK_CHIPS)} chips")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
