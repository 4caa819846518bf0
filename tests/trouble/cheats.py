"""Players who cheat with one chip of the smallest value: late bets, capping, pinching, past posting.

Each change is made at a box that may not change any more, and the table has 2.5 s to name it at its circle. A
change that it does not name is missed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from controller.game.model.names import Circle
from controller.mock.bench.bench import ViewData
from tests.trouble.between import circles_of, dice_of, play_with, wait

SHARE = 0.04
"""Share of views at which a player tries to cheat."""
AFTER_THE_CLOSE = ("dealing", "across", "down", "middle", "settlement")
PATIENCE_S = 2.5
"""Seconds in which the table must name a change: two scans with many chips, and the 0.4 s for which a
difference must last."""
STEP_S = 0.25
CHIP = 100


@dataclass
class Cheats:
    """Attempts of players to cheat, and the attempts that the table named."""

    seed: int
    rounds: int = 0
    tried: Counter[str] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._dice = dice_of(self.seed, "cheats")

    async def episode(self, bench: Any) -> None:
        view = bench.view()
        if self._dice.random() >= SHARE or view["phase"] not in AFTER_THE_CLOSE or view["alerts"]:
            return
        ways = list(ways_to_cheat(view, bench.felt))
        if not ways:
            return
        kind = self._dice.choice(sorted({kind for kind, _ in ways}))
        circle = self._dice.choice(sorted(circle for found, circle in ways if found == kind))
        _change(bench.felt, kind, circle)
        self.tried[kind] += 1
        limit = bench.seconds() + PATIENCE_S
        while not _named(bench.view(), circle) and bench.seconds() < limit:
            await wait(bench, STEP_S)
        if not _named(bench.view(), circle):
            self.missed.append(
                f"{kind} round {view['round']} {view['phase']} seat {circle.seat} {circle.wager}"
            )

    def per_thousand(self) -> float:
        return 1000 * len(self.missed) / max(1, sum(self.tried.values()))


def ways_to_cheat(view: ViewData, felt: Any) -> Iterator[tuple[str, Circle]]:
    """Yield (kind, circle) of every attempt possible at boxes whose wagers stand."""
    boxes = {seat["seat"]: seat for seat in view["seats"]}
    for circle, shown in circles_of(view).items():
        box = boxes[circle.seat]
        if box["folded_at"] or box["forfeited"] or box["settled"] or shown["reading"] != "ok":
            continue
        due = view["prompt"] is not None and view["prompt"]["seat"] == circle.seat
        if view["phase"] == "settlement" and due:
            continue
        if shown["wager"] is not None and shown["amount"] == shown["wager"]:
            yield ("past posting" if view["phase"] == "settlement" else "capping"), circle
            yield "pinching", circle
        elif not felt.circles.get(circle) and circle.wager in ("ante_across", "five_card_bonus"):
            yield "late bet", circle


def _change(felt: Any, kind: str, circle: Circle) -> None:
    if kind == "pinching":
        smallest = min(felt.chips(circle))
        felt.set_amount(circle, felt.amount(circle) - smallest)
    else:
        felt.add(circle, (CHIP,))


def _named(view: ViewData, circle: Circle) -> bool:
    return any((alert["seat"], alert["wager"]) == tuple(circle) for alert in view["alerts"])


def play(rounds: int, seed: int, wires: bool) -> Cheats:
    cheats = Cheats(seed)
    cheats.rounds = len(play_with(cheats.episode, rounds, seed, wires))
    return cheats
