"""Deal order: the order in which the cards are dealt to the seats and the cross, as a list of steps with
the place of each card.

The list is made from the pack's template for the way of dealing and the seats in the round. A new house order
is data in a pack. Sources: 58 Pa. Code § 674a.8(d), .9(b), .10(b); config/rules/RULES.md "The deal".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from controller.game.model.names import CROSS, Place, cards_of, seat_place
from controller.game.model.plan import DealStep
from controller.game.model.rules import DealTemplate


def plan_deal(
    template: DealTemplate,
    seats: Iterable[int],
    cross_order: Sequence[Place] = CROSS,
    first_out: Literal["top", "bottom"] = "top",
) -> tuple[DealStep, ...]:
    """Return the steps of one round. `first_out`: position in a delivered stack of the first card that left
    the shoe; the dealer spreads a stack from its top card, in `cross_order`."""
    order = sorted(seats)
    steps: list[DealStep] = []
    dealt: dict[int, int] = dict.fromkeys(order, 0)
    for template_step in template.steps:
        kind, target = template_step.split(" ")
        steps.extend(_expand(kind, target, order, dealt, cross_order, first_out))
    return tuple(steps)


def _expand(
    kind: str,
    target: str,
    seats: list[int],
    dealt: dict[int, int],
    cross_order: Sequence[Place],
    first_out: str,
) -> list[DealStep]:
    if kind == "stack":
        groups = [tuple(cross_order)] if target == "cross" else [cards_of(seat) for seat in seats]
        return [DealStep("stack", group if first_out == "top" else group[::-1]) for group in groups]
    if kind == "cards" and target == "cross":
        return [DealStep("card", (place,)) for place in cross_order]
    if kind == "cards":
        for seat in seats:
            dealt[seat] += 1
        return [DealStep("card", (seat_place(seat, dealt[seat]),)) for seat in seats]
    return [DealStep("card", (Place(target),))]


def deals_stacks(template: DealTemplate) -> bool:
    """Return whether the shoe gives stacks (STACK mode) rather than single cards."""
    return any(step.startswith("stack") for step in template.steps)
