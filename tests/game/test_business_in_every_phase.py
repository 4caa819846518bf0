"""Chips of a fill, a rack or a buy-in may lie in a circle for a moment in any phase. When they are gone,
phase, prompt, alerts and accounts are as before.

An amount that equals the payout due at that circle, to the cent, counts as this payout, because no reader can
distinguish it (config/rules/RULES.md "Business around a round").
"""

from __future__ import annotations

from typing import Any

import pytest

from controller.game.model.events import CircleRead, DealerRelieved, DealerSignedOn
from controller.game.model.names import Circle, Phase, Wager
from tests.game.every_phase import AT
from tests.game.felt import Felt

pytestmark = pytest.mark.slow

BOXES = (1, 3, 5)
"""Seats used by the tests: in the rounds of `AT` the circles of each have wagers in some phases and are empty
in others."""
STACKS = ((200, 10_000), (200, 1_000), (3_000, 10_000), (3_000, 500))
"""Pairs of the time for which the chips lie in the circle, in ms, and their value in cents."""


def stands(felt: Felt, circle: Circle) -> tuple[Any, ...]:
    """Return the data that chips lying in the circle for a moment must not change: phase, prompt, alerts and
    accounts of the circle."""
    round_, prompt = felt.table.state.round, felt.table.prompt()
    due = prompt and (prompt.kind, prompt.seat, prompt.wager, prompt.amount)
    return felt.phase, due, felt.codes(), round_ and round_.ledger.row(circle)


def lie_for(felt: Felt, circle: Circle, cents: int, ms: int) -> list[str]:
    """Lay a chip of `cents` on the circle for `ms`, then remove it; return the alerts raised meanwhile."""
    there = felt.table.state.holding(*circle).chips
    felt.event(CircleRead(*circle, (*there, felt.chip(cents))))
    felt.stand(ms)
    raised = felt.codes()
    felt.event(CircleRead(*circle, there))
    felt.stand(3_000)
    return raised


@pytest.mark.parametrize(("ms", "cents"), STACKS)
@pytest.mark.parametrize("phase", list(Phase))
def test_chips_that_lie_in_a_circle_for_a_moment_have_no_effect(phase: Phase, ms: int, cents: int) -> None:
    quiet = AT[phase]()
    quiet.stand(3_000)
    offered = [wager for wager in Wager if "bonus" not in wager or wager in quiet.pack.bonuses]
    for seat in BOXES:
        for wager in offered:
            felt, circle = quiet.fork(), Circle(seat, wager)
            before = stands(felt, circle)
            entries = felt.round.irregularities if felt.round else ()
            raised = lie_for(felt, circle, cents, ms)
            assert stands(felt, circle) == before, circle
            if ms < 400:
                assert raised == before[2], circle
                assert (felt.round.irregularities if felt.round else ()) == entries, circle
            elif felt.round:
                assert all(entry.resolved for entry in felt.round.irregularities[len(entries) :]), circle


@pytest.mark.parametrize("phase", list(Phase))
def test_passing_chips_have_no_effect_during_a_dealer_s_relief(phase: Phase) -> None:
    felt, circle = AT[phase](), Circle(3, Wager.ANTE_ACROSS)
    felt.event(DealerSignedOn("D1"))
    felt.stand(3_000)
    before = stands(felt, circle)
    felt.event(DealerRelieved())
    assert lie_for(felt, circle, 10_000, 200) == before[2]
    felt.event(DealerSignedOn("D2"))
    felt.stand(3_000)
    assert stands(felt, circle) == before
