"""The mock table over its wires for a thousand rounds: how fast it plays, and what the daemon's memory does.

Rounds a second are counted from the first record, so that starting is no part of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from tests.mocked import Mocked, resident_mib

Say = Callable[[str], None]
SEED = "7"


def rate(rounds: int, *arguments: str, each: Callable[[int, Mocked], None] | None = None) -> float:
    """Rounds a second of `crisscross mock`; `each` is told of every record by its count."""
    began = ended = time.monotonic()
    count = 0
    with Mocked("--rounds", str(rounds), "--seed", SEED, *arguments) as mock:
        for count, _record in enumerate(mock.records(), 1):
            ended = time.monotonic()
            began = ended if count == 1 else began
            if each is not None:
                each(count, mock)
    return round((count - 1) / (ended - began), 2)


def measure(rounds: int, say: Say) -> Mapping[str, Any]:
    """`mock_rounds_per_s_wires`, `rss_mib`, `rss_growth_mib` from a fifth of the way on, and each tenth."""
    resident: dict[int, float] = {}

    def look(count: int, mock: Mocked) -> None:
        if count % (rounds // 10) == 0:
            resident[count] = round(resident_mib(mock.daemon()), 2)
            say(f"round {count}: {resident[count]} MiB")

    speed = rate(rounds, each=look)
    last, settled = max(resident), rounds // 10 * 2
    return {
        "mock_rounds_per_s_wires": speed,
        "rss_mib": resident[last],
        "rss_growth_mib": round(resident[last] - resident[settled], 2),
        "rss_by_round_mib": {str(count): mib for count, mib in resident.items()},
    }
