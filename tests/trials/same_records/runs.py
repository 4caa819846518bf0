"""Runs that are compared: every pack, method and seed, once without errors and faults and once with them."""

from __future__ import annotations

from collections.abc import Iterator

from controller.game.model.names import SEATS
from tests.trials.soak import ways

ALIKE = ("--no-wires", "--json", "--headless", "--speed", "max")
TROUBLE = ("--mischief", "0.3", "--clumsy", "0.1", "--voids", "0.05")


def runs(seeds: int, rounds: int) -> Iterator[list[str]]:
    """Yield the arguments of each run. With trouble the number of players changes with the seed."""
    for pack, methods in ways().items():
        for method in methods:
            for seed in range(1, seeds + 1):
                one = ["--rules", pack, "--method", method, "--seed", str(seed), "--rounds", str(rounds)]
                yield [*one, *ALIKE]
                yield [*one, *ALIKE, *TROUBLE, "--seats", str(seed % len(SEATS) + 1)]
