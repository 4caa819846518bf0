"""Results of `crisscross check`, line by line: for a terminal, for paper and as JSON.

A failed line states the fault and its remedy. A check that was not made must never be reported as passed: a
check that only a person can make is `open` until a person has made it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from controller.common.terminal import Colour, coloured

CheckState = Literal["ok", "failed", "note", "open"]
_LABELS: dict[CheckState, tuple[str, Colour]] = {
    "ok": ("ok", "green"), "failed": ("FAILED", "red"), "note": ("note", "amber"), "open": ("open", "amber"),
}  # fmt: skip
READY = "ready for play"
WIDTH = 8


@dataclass(frozen=True, slots=True)
class ReportLine:
    """Result of one check; at most one of the three texts is set.

    `wrong`: the failure and its remedy. `note`: a remark that does not prevent play. `todo`: a check that a
    person still has to make.
    """

    what: str
    wrong: str = ""
    note: str = ""
    todo: str = ""

    @property
    def state(self) -> CheckState:
        return "failed" if self.wrong else "note" if self.note else "open" if self.todo else "ok"

    @property
    def why(self) -> str:
        return self.wrong or self.note or self.todo

    def __str__(self) -> str:
        word, colour = _LABELS[self.state]
        return f"{coloured(word, colour)}{' ' * (WIDTH - len(word))}{self._words()}"

    def plain(self) -> str:
        """Return the line without colour, for paper."""
        return f"{_LABELS[self.state][0]:<{WIDTH}}{self._words()}"

    def _words(self) -> str:
        return f"{self.what}: {self.why}" if self.why else self.what


def verdict(lines: Sequence[ReportLine]) -> str:
    """Return the last line: ready, or the number of failed or open checks."""
    counts = Counter(line.state for line in lines)
    if counts["failed"]:
        return f"{counts['failed']} failed"
    if counts["open"]:
        return f"nothing failed; {counts['open']} still to be seen by a person"
    return READY


def as_json(table: str, utc: str, lines: Sequence[ReportLine]) -> str:
    """Return `{"table", "utc", "verdict", "lines": [{"state", "what", "why"}]}` as JSON."""
    found = [{"state": line.state, "what": line.what, "why": line.why} for line in lines]
    return json.dumps({"table": table, "utc": utc, "verdict": verdict(lines), "lines": found}, indent=2)


def on_paper(table: str, utc: str, program: str, lines: Sequence[ReportLine]) -> str:
    """Return the report as a page of text that a technician prints and signs. `utc`: time of the check;
    `program`: version of the program."""
    head = [f"Commissioning of table {table}", f"{utc}, crisscross {program}", ""]
    foot = [
        "",
        f"Verdict: {verdict(lines)}",
        "",
        "Technician: ______________________   Signed: ____________________",
        "",
    ]
    return "\n".join([*head, *(line.plain() for line in lines), *foot])
