"""Check that play can continue: at least one key, touch, act of a hand or decision other than FLOOR is
accepted.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from controller.game.model import events
from controller.game.model.cards import DECK
from controller.game.model.names import SEATS, Key, Wager
from controller.game.table import Table
from tests.game.test_any_order import sane_event

BADGE = "B1"
DECISIONS = ("sign", "approve", "refuse", "restore", "forfeit", "answer", "close", "recut", "shuffle")
"""Decisions of a floorperson that need no outcome."""


class VerifiedTable:
    """Table as `sane_event` needs it to propose acts: events are only verified, never handled."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def chip(self, cents: int) -> events.Chip:
        return events.Chip("04FFFFFFFFFFFF", cents)


def can_continue(table: Table) -> bool:
    return any(table.verify(event) is None for event in ways(table))


def ways(table: Table) -> Iterator[events.Event]:
    """Yield acts that the table may accept: first the next act of honest people, then every other act of a
    dealer or floorperson."""
    sane = sane_event(VerifiedTable(table), random.Random(1))  # type: ignore[arg-type]
    if sane is not None:
        yield sane
    state = table.state
    if state.hold is not None:
        yield from (
            events.FloorDecided(BADGE, "outcome", outcome, reason="seen") for outcome in state.hold.outcomes
        )
    yield from (events.KeyPressed(key) for key in Key if key is not Key.FLOOR)
    yield from (events.FloorDecided(BADGE, decision, reason="seen") for decision in DECISIONS)
    yield from (events.DeckBrought(back, preshuffled=True) for back in ("red", "blue"))
    prompt = table.prompt()
    if prompt is not None and prompt.seat and prompt.wager:
        yield events.AmountEntered(prompt.seat, prompt.wager, 0)
        yield events.CircleRead(prompt.seat, prompt.wager, ())
    if prompt is not None and prompt.places:
        yield events.FaceEntered(prompt.places[0], DECK[0])
    yield from (events.AmountEntered(seat, wager, 0) for seat in SEATS for wager in Wager)
