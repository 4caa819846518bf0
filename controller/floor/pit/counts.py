"""Counters of a pit since its start, for `/metrics`.

The writing thread writes them, any thread reads them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from controller.common.files.openmetrics import Histogram


@dataclass(frozen=True, slots=True)
class Waiting:
    """Messages that wait for the store: their number, their bytes, and the age of the oldest in seconds."""

    messages: int = 0
    size: int = 0
    oldest_s: float = 0.0


COMMIT_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


@dataclass
class PitCounters:
    """Counters since the start. `by_reason`: refusals by (table, reason).

    `started`: beginning of the counting (POSIX). `commit_s`: seconds from a batch's beginning to its commit;
    `committed_at`: time of the last one (POSIX), 0 before the first. `table_bytes`: bytes of stored events by
    table. `acknowledged`: number of the last event that was acknowledged to each table, at the start that of
    the store.
    """

    started: int = 0
    received: int = 0
    received_bytes: int = 0
    stored: int = 0
    duplicates: int = 0
    refused: int = 0
    dropped: int = 0
    commits: int = 0
    failures: int = 0
    aged: int = 0
    committed_at: int = 0
    commit_s: Histogram = field(default_factory=lambda: Histogram(COMMIT_S))
    by_reason: Counter[tuple[str, str]] = field(default_factory=Counter)
    table_bytes: Counter[str] = field(default_factory=Counter)
    acknowledged: dict[str, int] = field(default_factory=dict)
    notified: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Notifications by (receiver, sent or dropped)."""
