"""Mock table with an event between two views: reader trouble, or a player's sleight of hand.

All people wait during the event, so that only the event can cause the table's reaction.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Any

from controller.game.model.names import Circle, Wager
from controller.mock.bench.bench import ViewData
from controller.mock.bench.options import MockOptions
from controller.mock.progress import RoundCounter
from controller.mock.run import Mock, Run
from drivers.chips.kinds import DEFAULT

FAR = 10**12
"""Version of a view that never comes, so that waiting for it takes the full time."""


class Between:
    """A bench that runs `episode` before each new view."""

    def __init__(self, bench: Any, episode: Callable[[Any], Awaitable[None]]) -> None:
        self._bench = bench
        self._episode = episode

    def __getattr__(self, name: str) -> Any:
        return getattr(self._bench, name)

    async def wait_for_view(self, since: int, seconds: float) -> ViewData:
        await self._episode(self._bench)
        view: ViewData = await self._bench.wait_for_view(since, seconds)
        return view


async def wait(bench: Any, seconds: float) -> None:
    """Wait until `seconds` of the table's time have passed."""
    limit = bench.seconds() + seconds
    while (left := limit - bench.seconds()) > 0.001:
        await bench.wait_for_view(FAR, left)


def circles_of(view: ViewData) -> dict[Circle, ViewData]:
    return {
        Circle(seat["seat"], Wager(wager)): circle
        for seat in view["seats"]
        for wager, circle in seat["circles"].items()
    }


class Kept(RoundCounter):
    """Keeps the records instead of printing them."""

    def __init__(self, rounds: int) -> None:
        super().__init__(rounds=rounds)
        self.records: list[Any] = []

    def record(self, record: Any) -> None:
        self.done += 1
        self.records.append(record)


def play_with(
    episode: Callable[[Any], Awaitable[None]], rounds: int, seed: int, wires: bool, readers: str = DEFAULT
) -> list[Any]:
    """Return the records of a table with honest people and `episode` between their looks. Raises
    AssertionError if it stopped before all rounds were played."""
    mock = Mock(Run(MockOptions(seed=seed, wires=wires, readers=readers), rounds=rounds, headless=True))
    mock.bench = Between(mock.bench, episode)  # type: ignore[assignment]
    mock.progress = kept = Kept(rounds)
    assert asyncio.run(mock.play()) == 0, "the table stopped before its rounds were played"
    return kept.records


def dice_of(seed: int, name: str) -> random.Random:
    return random.Random(f"{seed}:{name}")
