"""False alarms: the alerts that honest hands cause while readers are troubled.

The troubles are: a reader that drops out and comes back within a second, a reader with garbled answers, a
hand over a complete box, a moved stack, a chip that is read twice, and change that is made before the close.
No alert is right.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from controller.game.model.chips import fewest_chips
from controller.game.model.irregularities import Code
from controller.game.model.names import Circle
from controller.mock.bench.device_requests import FaultRequest
from controller.mock.bench.layout import MAX_READABLE_CHIPS
from drivers.ports import Inventory
from tests.trouble.between import circles_of, dice_of, play_with, wait

SHARE = 0.1
"""Share of views at which a reader has a fault."""
SMALLER = (100, 500, 2_500)


@dataclass
class Honest:
    """Faults of readers, and the table's alerts about them."""

    seed: int
    rounds: int = 0
    done: Counter[str] = field(default_factory=Counter)
    false: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._dice = dice_of(self.seed, "readers")

    async def episode(self, bench: Any) -> None:
        dice = self._dice
        if dice.random() >= SHARE:
            return
        laid = sorted(bench.felt.circles)
        circle = dice.choice(laid if laid and dice.random() < 0.8 else sorted(circles_of(bench.view())))
        kinds = ("dropout", "rubbish", "hand", "nudge", "twice")
        open_ = (bench.view()["prompt"] or {}).get("kind") == "bets_open"
        kind = dice.choice(("change",) if open_ else kinds)
        await getattr(self, f"_{kind}")(bench, circle, dice.uniform(0.05, 0.8))

    async def _fault(self, bench: Any, circles: list[Circle], kind: str, seconds: float) -> None:
        for circle in circles:
            bench.fault(FaultRequest(circle, kind))
        await wait(bench, seconds)
        for circle in circles:
            bench.fault(FaultRequest(circle, "clear"))

    async def _dropout(self, bench: Any, circle: Circle, seconds: float) -> None:
        self.done["a reader silent for up to 0.8 s"] += 1
        await self._fault(bench, [circle], "silent", seconds)

    async def _rubbish(self, bench: Any, circle: Circle, seconds: float) -> None:
        self.done["a reader that answers rubbish for up to 0.8 s"] += 1
        await self._fault(bench, [circle], "noise", seconds)

    async def _hand(self, bench: Any, circle: Circle, seconds: float) -> None:
        self.done["a hand over a whole box for up to 0.8 s"] += 1
        box = [each for each in circles_of(bench.view()) if each.seat == circle.seat]
        await self._fault(bench, box, "silent", seconds)

    async def _nudge(self, bench: Any, circle: Circle, _seconds: float) -> None:
        """Report one reading of a stack without its last chip."""
        self.done["a stack nudged: one reading without a chip"] += 1
        uids = bench.felt.circles.get(circle, ())
        await self._odd(bench, circle, uids[:-1])

    async def _twice(self, bench: Any, circle: Circle, _seconds: float) -> None:
        self.done["a chip read twice"] += 1
        uids = bench.felt.circles.get(circle, ())
        await self._odd(bench, circle, (*uids, *uids[:1]))

    async def _odd(self, bench: Any, circle: Circle, uids: tuple[str, ...]) -> None:
        if not bench.options.wires:
            _glimpse(bench._chips, circle, uids)
            return
        bench.bank.set_chips(circle, uids)
        await wait(bench, 0.02)
        bench.bank.set_chips(circle, bench.felt.circles.get(circle, ()))

    async def _change(self, bench: Any, circle: Circle, _seconds: float) -> None:
        """Change a wager into smaller chips before the close, no more than a reader can distinguish."""
        largest = max(bench.felt.chips(circle), default=0)
        chips, left = fewest_chips(bench.felt.amount(circle), [value for value in SMALLER if value < largest])
        if left or not 0 < len(chips) <= MAX_READABLE_CHIPS:
            return
        self.done["change made before the close"] += 1
        bench.felt.set_chips(circle, chips)

    def count(self, records: list[Any]) -> None:
        self.rounds += len(records)
        for record in records:
            for entry in record["irregularities"]:
                if Code(entry["code"]).kind.grade != "notice":
                    self.false[entry["code"]] += 1

    def per_thousand(self) -> float:
        return 1000 * sum(self.false.values()) / max(1, self.rounds)


def play(rounds: int, seed: int, wires: bool) -> Honest:
    honest = Honest(seed)
    honest.count(play_with(honest.episode, rounds, seed, wires))
    return honest


def _glimpse(chips: Any, circle: Circle, uids: tuple[str, ...]) -> None:
    """Report one reading that differs from those before and after it."""
    now = chips._clock()
    if chips._sink is not None and circle not in chips._faults:
        chips._sink([Inventory(circle, now, now, "chips", tuple(sorted(set(uids))))])
        chips._report((circle,))
