"""If a reading replaces an amount typed by the dealer, no chip has moved, so the timeline names no hand that
moved it."""

from __future__ import annotations

from controller.game.model.events import AmountEntered, Chip, CircleRead, CircleUnreadable, Stamp
from controller.game.model.names import Wager
from controller.record.journal.replay import Replayed
from controller.record.timeline.touches import entry_of
from tests.game.test_signature_effects import dealt


def test_a_reader_that_answers_again_raises_no_alert() -> None:
    felt = dealt(s3="KD 3S")
    felt.event(CircleUnreadable(3, Wager.ACROSS, "silent"))
    felt.event(AmountEntered(3, Wager.ACROSS, 5000))
    before, stamp = felt.table.state, Stamp(felt.ms + 500, "2026-11-24T20:00:00.000Z")
    reading = CircleRead(3, Wager.ACROSS, (Chip("04AABBCC", 1000),))
    effects = felt.table.handle(reading, stamp)
    done = Replayed(1, reading, before, felt.table.state, felt.table.context(stamp), effects)
    entry = entry_of(done)
    assert entry is not None
    _, data = entry
    assert (data["amount"], data["was"], data["hands"]) == (1000, 5000, [])
