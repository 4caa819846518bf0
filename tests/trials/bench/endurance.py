"""A thousand rounds of the mock table on wires: rounds per second, and growth of the daemon.

Rounds are timed from the first record, so the start is not included. To play another number of rounds:
`python -m tests.trials.bench.endurance 2000`.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tests.mocked import Mocked, open_files, resident_mib

PrintProgress = Callable[[str], None]
SEED = "7"


def rate(rounds: int, *arguments: str, each: Callable[[int, Mocked], None] | None = None) -> float:
    """Return the rounds per second of `crisscross mock`; `each` is called with the number of each record."""
    began = ended = time.monotonic()
    count = 0
    with Mocked("--rounds", str(rounds), "--seed", SEED, *arguments) as mock:
        for count, _record in enumerate(mock.records(), 1):
            ended = time.monotonic()
            began = ended if count == 1 else began
            if each is not None:
                each(count, mock)
    return round((count - 1) / (ended - began), 2)


@dataclass(frozen=True, slots=True)
class Held:
    """Resources that the daemon uses after some rounds. `journal_mib`: size of the journal with its log
    (`-wal`)."""

    rss_mib: float
    open_files: int
    journal_mib: float


def grown(rounds: int, print_progress: PrintProgress) -> tuple[float, Mapping[int, Held]]:
    """Return rounds per second, and the daemon's resources at each tenth of the rounds."""
    held: dict[int, Held] = {}
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "journal.sqlite3"

        def look(count: int, mock: Mocked) -> None:
            if count % (rounds // 10) == 0:
                daemon = mock.daemon()
                size = sum(
                    path.stat().st_size for path in journal.parent.glob("journal.sqlite3*") if path.is_file()
                )
                held[count] = Held(round(resident_mib(daemon), 2), open_files(daemon), round(size / 2**20, 2))
                print_progress(f"round {count}: {held[count]}")

        return rate(rounds, "--journal", str(journal), each=look), held


def measure(rounds: int, print_progress: PrintProgress) -> Mapping[str, Any]:
    """Return `mock_rounds_per_s_wires`, `rss_mib`, and the growth of memory from a fifth of the rounds on
    (`rss_growth_mib`), with the resources at each tenth."""
    speed, held = grown(rounds, print_progress)
    last, settled = max(held), rounds // 10 * 2
    return {
        "mock_rounds_per_s_wires": speed,
        "rss_mib": held[last].rss_mib,
        "rss_growth_mib": round(held[last].rss_mib - held[settled].rss_mib, 2),
        "open_files": held[last].open_files,
        "journal_kib_a_round": round(
            (held[last].journal_mib - held[settled].journal_mib) * 1024 / (last - settled), 1
        ),
        "held_by_round": {str(count): asdict(at) for count, at in held.items()},
    }


if __name__ == "__main__":
    print(
        json.dumps(measure(int(sys.argv[1]), lambda line: print(line, file=sys.stderr, flush=True)), indent=2)
    )
