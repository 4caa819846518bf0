"""Figures of a bench: percentiles, the final table, the file. Only `write` does I/O.

A bench prints its figures beside the wanted values. It must never fail because a figure is too large, and no
test may check one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import quantiles
from typing import Any

Results = Mapping[str, Any]

BOUNDS: Mapping[str, str] = {
    "card_to_ack_ms.p99": "at most 10",
    "card_to_ack_ms_link_2.p99": "at most 10",
    "card_to_prompt_ms.p99": "at most 100",
    "scan_ms.3": "at most 450",
    "scan_odd_even_ms.3": "at most 900",
    "scan_seat_board_ms.3": "at most 450",
    "chip_known_ms.1.p99": "at most 150",
    "chip_known_ms.3.p99": "at most 200",
    "start_s": "at most 1",
    "par.wall_s": "at most 30",
    "rss_mib": "at most 80",
    "rss_growth_mib": "none that repeats",
    "kernel_rounds_per_s.any": "at least 5000",
    "kernel_rounds_per_s.best": "at least 5000",
    "mock_rounds_per_s_wires": "at least 1",
    "mock_rounds_per_s_no_wires": "at least 20",
}


def spread(values: Sequence[float]) -> dict[str, float]:
    """Return median, 99th percentile and maximum of some values."""
    if len(values) == 1:
        return {"p50": round(values[0], 2), "p99": round(values[0], 2), "max": round(values[0], 2)}
    cuts = quantiles(values, n=100, method="inclusive")
    return {"p50": round(cuts[49], 2), "p99": round(cuts[98], 2), "max": round(max(values), 2)}


def flat(results: Results, before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield nested figures with their keys joined by dots."""
    for key, value in results.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", value


def table(results: Results) -> str:
    """Return the table: one figure a line, with the wanted value if there is one."""
    rows = [(key, f"{value}", BOUNDS.get(key, "")) for key, value in flat(results)]
    wide = [max(len(row[n]) for row in rows) for n in (0, 1)]
    return "\n".join(f"{key:<{wide[0]}}  {value:>{wide[1]}}  {bound}".rstrip() for key, value, bound in rows)


def write(results: Results, path: Path) -> None:
    path.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
