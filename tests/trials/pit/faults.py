"""Break a part of a floor while every table publishes, repair it, and compare the pit with the tables."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tests.trials.pit.floor import PAUSE, STORE_NETWORK, STORE_STOPPED, Floor, Plan, floor

BEFORE_S, AWAY_S, AFTER_S = (0.3, 1.2), (0.0, 1.5), (0.0, 0.7)
NETWORK_S = (0.0, 15.0)
"""Minimum and maximum duration of a network fault in s: some are too short to be noticed, others so long that
connections are closed."""
LASTS_S = {"network": NETWORK_S, STORE_NETWORK: (0.0, 30.0), STORE_STOPPED: (60.0, 60.0)}
"""Duration of the faults that do not last AWAY_S. TCP ends a session with PostgreSQL after 11 s."""


def faults(
    plan: Plan, trials: int, kinds: Sequence[str], seed: int, away: tuple[float, float] | None = None,
    also: Callable[[Floor], dict[str, Any]] = lambda _made: {}, of: type[Floor] = Floor,
) -> Iterator[dict[str, Any]]:  # fmt: skip
    """Cause one of `kinds` after another, at random moments. `away`: minimum and maximum duration in s.
    `also`: further checks of a settled floor. `of`: class of the floor."""
    lots = random.Random(seed)
    with floor(plan, of) as made:
        for trial in range(1, trials + 1):
            fault = kinds[(trial - 1) % len(kinds)]
            gone = away or (LASTS_S.get(fault, AWAY_S))
            yield {"trial": trial, "fault": fault, **_one(made, fault, lots, gone), **also(made)}


def _one(made: Floor, fault: str, lots: random.Random, away: tuple[float, float]) -> dict[str, Any]:
    made.resume()
    PAUSE.wait(lots.uniform(*BEFORE_S))
    began = time.monotonic()
    made.break_(fault, lots)
    PAUSE.wait(lots.uniform(*away))
    gone = time.monotonic() - began
    made.mend()
    PAUSE.wait(lots.uniform(*AFTER_S))
    made.settled()
    settled = time.monotonic() - began - gone
    return {"away_s": gone, "settled_s": settled, **made.differences()}
