"""Counts of chips (a stock-taking of the house): reads one from a file, and reports the comparison with the
register as text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from controller.common.files.mistakes import Mistakes
from controller.common.files.money import dollars
from controller.common.files.yaml_lines import text_of
from controller.settings.chip_register import MAX_REGISTER_BYTES
from controller.table.chips.stock import CountResult, chip_text
from drivers.chips.register import UID_PATTERN, UID_WORDS, is_turned

_UID = re.compile(UID_PATTERN)


def read_count(file: Path) -> set[str]:
    """Return the UIDs in a file, one in each line. Text after a comma and a heading `uid` are ignored.

    Raises Mistakes listing all lines without a valid UID.
    """
    text = text_of(file, MAX_REGISTER_BYTES)
    if not isinstance(text, str):
        raise Mistakes(text.report())
    firsts = [line.split(",")[0].strip().upper() for line in text.splitlines()]
    found = {number: uid for number, uid in enumerate(firsts, 1) if uid not in ("", "UID")}
    if turned := [number for number, uid in found.items() if is_turned(uid)]:
        words = f"{len(turned)} numbers here end in E0: their bytes are in reverse order"
        raise Mistakes([f"{file}:{turned[0]}: uid: {words}; allowed: E0 first"])
    wrong = [number for number, uid in found.items() if not _UID.fullmatch(uid)]
    if wrong:
        raise Mistakes(f"{file}:{number}: uid: allowed: {UID_WORDS}" for number in wrong)
    return set(found.values())


def report(result: CountResult) -> Iterator[str]:
    """Yield chips found and missing by value, then a line for each chip that differs from the register."""
    missing = Counter(row.value for row in result.missing)
    for value in sorted({*result.present, *missing}):
        there, gone = result.present.get(value, 0), missing[value]
        short = f", {gone:,} missing ({dollars(value * gone)})" if gone else ""
        yield f"{dollars(value):>12}  {there:>7,} of {there + gone:,}{short}"
    for words, rows in (("withdrawn", result.withdrawn), ("of another currency", result.foreign)):
        yield from (f"{row.uid}  {chip_text(row)}: {words}, and found" for row in rows)
    yield from (f"{uid}  not in the register" for uid in result.unknown)
    yield from (f"{row.uid}  {chip_text(row)}: missing" for row in result.missing)
    yield "the count agrees with the register" if result.agrees else "the count does not agree"
