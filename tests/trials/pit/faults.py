"""Breaks a part of a floor while every table publishes, repairs it, and compares pit and tables."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tests.trials.pit.floor import PAUSE, Floor, Plan, floor
from tests.trials.pit.watching import differences

BEFORE_S, AWAY_S, AFTER_S = (0.3, 1.2), (0.0, 1.5), (0.0, 0.7)
NETWORK_S = (0.0, 15.0)
"""Limits of the duration of a network fault: some too short to be noticed, others so long that connections
are closed.
"""


def faults(
    plan: Plan, trials: int, kinds: Sequence[str], seed: int, away: tuple[float, float] | None = None,
    also: Callable[[Floor], dict[str, Any]] = lambda _made: {},
) -> Iterator[dict[str, Any]]:  # fmt: skip
    """Cause one of `kinds` after another, at random moments. `away`: minimum and maximum duration in s.
    `also`: further checks of a floor that has settled."""
    lots = random.Random(seed)
    with floor(plan) as made:
        checked: dict[str, int] = {}
        for trial in range(1, trials + 1):
            fault = kinds[(trial - 1) % len(kinds)]
            gone = away or (NETWORK_S if fault == "network" else AWAY_S)
            yield {"trial": trial, "fault": fault, **_one(made, fault, lots, gone, checked), **also(made)}


def _one(
    made: Floor, fault: str, lots: random.Random, away: tuple[float, float], checked: dict[str, int]
) -> dict[str, Any]:
    made.say(f"pace {made.plan.pace}")
    PAUSE.wait(lots.uniform(*BEFORE_S))
    began = time.monotonic()
    made.break_(fault, lots)
    PAUSE.wait(lots.uniform(*away))
    gone = time.monotonic() - began
    made.mend()
    PAUSE.wait(lots.uniform(*AFTER_S))
    made.settled()
    found = differences(made.outboxes, made.url, made.plan.tables, checked)
    return {"away_s": gone, "settled_s": time.monotonic() - began - gone, **found}
