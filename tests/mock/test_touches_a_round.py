"""An honest dealer who waits while play continues by itself needs at most the stated number of touches and
keys in a round.

`python -m tests.mock.test_touches_a_round 60` prints medians and means over 60 rounds.
"""

from __future__ import annotations

import asyncio
import sys
from statistics import mean, median

import pytest

from controller.mock.bench.bench import Hands, Pace, play
from controller.mock.bench.options import MockOptions
from controller.mock.people.dealer import Dealer, OpeningFloor
from controller.mock.people.players import Players
from tests.mock.counting import Counting

MOST = {1: 6, 3: 8, 6: 13}
"""Highest allowed median of the touches in a round, folds included, by number of players. tests/EVIDENCE.md
has the measured values."""


def counted(players: int, rounds: int, seed: int = 7) -> list[int]:
    """Return the number of touches in each round except the first, in which the table is opened."""
    bench = Counting(MockOptions("pennsylvania", config={"dead_time_ms": 400}, seed=seed, wires=False))
    people = Players(seed, tuple(range(1, players + 1)))
    dealer = Dealer(seed, people.folds, people.ready, patient=True)

    async def run() -> None:
        await bench.start()
        hands = Hands(bench, Pace(None, bench.elapse))
        await play(hands, (dealer, people, OpeningFloor()), lambda view: view["round"] > rounds + 1)
        await bench.stop()

    asyncio.run(run())
    return [bench.touches[number] for number in range(2, rounds + 2)]


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 6])
def test_a_round_takes_few_touches(players: int) -> None:
    assert median(counted(players, 9)) <= MOST[players]


if __name__ == "__main__":
    for seats in MOST:
        found = counted(seats, int(sys.argv[1]))
        print(f"{seats}: median {median(found)}, mean {mean(found):.1f}, {min(found)} to {max(found)}")
