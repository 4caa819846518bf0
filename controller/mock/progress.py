"""Output of a mock table: rounds and addresses on standard output, faults and progress on standard error.

With --json only round records are written to standard output. The progress line is written to terminals only.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from controller.common.files.money import dollars

RoundResult = Mapping[str, Any]


@dataclass(slots=True)
class RoundCounter:
    """Counter and printer of rounds. `name`: name of the table if several tables run. Each line then begins
    with this name, and a terminal gets one line per round instead of a progress line.
    """

    as_json: bool = False
    rounds: int | None = None
    name: str = ""
    done: int = 0
    void: int = 0
    _began: float = field(default_factory=time.monotonic)
    _line: bool = False

    def record(self, record: RoundResult) -> None:
        self.done += 1
        self.void += record["outcome"] == "void"
        if self.as_json:
            sys.stdout.write(json.dumps(record, separators=(",", ":")) + "\n")
            sys.stdout.flush()
        elif self.name or not sys.stderr.isatty():
            sys.stdout.write(self._named(summary(record)) + "\n")
            sys.stdout.flush()
        if sys.stderr.isatty() and not self.name:
            self._show()

    def _named(self, words: str) -> str:
        return f"{self.name}: {words}" if self.name and words else words

    def _show(self) -> None:
        of = f" of {self.rounds}" if self.rounds else ""
        rate = self.done / max(time.monotonic() - self._began, 0.001)
        pace = f"{rate:.1f} rounds a second" if rate >= 1 else f"{rate * 60:.1f} rounds a minute"
        sys.stderr.write(f"\rround {self.done}{of}, {self.void} void, {pace} ")
        sys.stderr.flush()
        self._line = True

    def announce(self, words: str) -> None:
        """Print an answer such as an address: on standard output, with --json on standard error."""
        if self.as_json:
            self.write(words)
        else:
            print(self._named(words), flush=True)

    def write(self, words: str) -> None:
        """Print lines for the user on standard error."""
        self._error(self._named(words))

    def fail(self, words: str) -> None:
        """Print the reason why the command ends, on standard error."""
        self._error(f"crisscross mock: {self._named(words)}")

    def _error(self, line: str) -> None:
        if self._line:
            sys.stderr.write("\n")
            self._line = False
        sys.stderr.write(line + "\n")
        sys.stderr.flush()


def summary(record: RoundResult) -> str:
    """Return a round in one line, with the sums paid and taken and without faces."""
    if record["outcome"] == "void":
        return f"round {record['round']}: void, {record['void']['code']} ({record['void']['citation']})"
    paid = sum(seat["paid"] for seat in record["seats"])
    taken = sum(seat["taken"] for seat in record["seats"])
    folded = sum(seat["folded_at"] is not None for seat in record["seats"])
    return (
        f"round {record['round']}: {len(record['seats'])} seats, {folded} folded, "
        f"paid {dollars(paid)}, taken {dollars(taken)}"
    )
