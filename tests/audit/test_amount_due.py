"""The timeline names the amount due at a circle whose wager did not fit when the bets were closed."""

from __future__ import annotations

import pytest

from controller.game.model.events import Stamp, SweepCompleted
from controller.record.journal.replay import Replayed
from controller.record.timeline.entries import Kind
from controller.record.timeline.troubles import trouble
from tests.game.felt import Felt


@pytest.mark.parametrize(("down", "due"), [(15, 1000), (5, 500)])
def test_both_antes_are_due_at_the_lower_amount(down: int, due: int) -> None:
    felt = Felt()
    felt.antes(3)
    felt.lay(3, ante_down=down)
    felt.press("no_more_bets")
    before, stamp = felt.table.state, Stamp(felt.ms + 1, "2026-11-24T20:00:00.000Z")
    read = SweepCompleted(before.sweep_since or 0)
    effects = felt.table.handle(read, stamp)
    done = Replayed(1, read, before, felt.table.state, felt.table.context(stamp), effects)
    alerts = [data for kind, data in trouble(done) if kind is Kind.ALERT]
    assert {each["wager"]: each["should"] for each in alerts} == dict.fromkeys(
        ["ante_across", "ante_down"], due
    )
