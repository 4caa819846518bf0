"""States of one mock table with a fixed seed, for the pictures of the manuals."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from controller.mock.bench.bench import Hands, Pace, ViewData, play
from controller.mock.bench.in_process import DirectBench
from controller.mock.bench.options import MockOptions
from controller.mock.run import Run, people

SEED, CLUMSY = 11, 0.15
"""Seed and share of errors of the dealer, by which a card differs from the screen in the third round."""


def asks(kind: str) -> Callable[[ViewData], bool]:
    """Return a condition of a view: it has a prompt of this kind."""
    return lambda view: bool(view["prompt"]) and view["prompt"]["kind"] == kind


STATES: Mapping[str, Callable[[ViewData], bool]] = {
    "ask": asks("ask"), "pay": asks("pay"), "hold": lambda view: bool(view["hold"]),
}  # fmt: skip
"""Condition of each state, in the order in which the table reaches the states."""


async def played(journal: Path) -> dict[str, dict[str, Any]]:
    """Play until each state has been reached and four rounds have ended. Return the views by name."""
    options = MockOptions(seed=SEED, wires=False, journal=journal)
    bench = DirectBench(options)
    await bench.start()
    try:
        around, _ = people(Run(options, clumsy=CLUMSY))
        hands = Hands(bench, Pace(None, bench.elapse))
        found: dict[str, dict[str, Any]] = {}
        for name, reached in STATES.items():
            await play(hands, around, reached)
            found[name] = copy.deepcopy(dict(bench.view()))
        await play(hands, around, lambda view: view["round"] == 5 and view["phase"] == "betting")
        return found
    finally:
        await bench.stop()
