"""Simulated floorperson who stops rounds: at a random moment the round is declared void and all wagers are
returned.

A void has different effects at different moments, so rounds are stopped at every kind of prompt. Pure: the
moment is drawn from the seed and the round alone, so that a run can be repeated.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from controller.mock.bench.acts import Act, TouchPage
from controller.mock.bench.bench import ViewData
from controller.mock.bench.layout import Felt
from controller.mock.people.dealer import Floorperson
from controller.pages.display import touches

MOMENTS = (
    "lift_stack", "deal_card", "ask", "confirm_fold", "collect", "turn", "turn_seat", "take", "push", "pay",
    "turn_bonus",
)  # fmt: skip
"""Kinds of prompt at which a round may be stopped. A round without the drawn kind of prompt is completed."""


class StoppingFloor(Floorperson):
    """Floorperson who stops a round with a probability of `share`, at a kind of prompt drawn from `MOMENTS`.
    `seat`: only at a prompt for this seat; None for any."""

    def __init__(self, seed: int | str, share: float, badge: str = "B1") -> None:
        super().__init__(badge)
        self.seed = seed
        self.share = share

    def acts(self, view: ViewData, felt: Felt) -> Iterator[Act]:
        yield from super().acts(view, felt)
        if not self.share:
            return
        dice = random.Random(f"{self.seed}:{view['round']}:stop")
        if dice.random() >= self.share:
            return
        kind, seat = dice.choice(MOMENTS), dice.choice((None, *range(1, 7)))
        prompt = view["prompt"]
        if prompt is not None and prompt["kind"] == kind and seat in (None, prompt["seat"]):
            yield void(view, self.badge)


def void(view: ViewData, badge: str = "B1") -> TouchPage:
    """Return the touch that declares the round void."""
    decided = touches.FloorTouch(
        badge=badge, decision="outcome", outcome="void", about=view["about"]["round"]
    )
    return TouchPage(decided, once=f"{view['round']}:stopped", seconds=4.0)
