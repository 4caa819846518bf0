"""From what waits in the inbox to the engine's next batch.

Readings become events here, because only what the tracker finds new goes into the journal. A person's
event is always the first of its batch: the table judges it as it stands, so everything that came before
must have been handled. Nothing is dropped silently.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from controller.common.clock import Clock
from controller.game.model.events import Event, TimePassed
from controller.game.rulebook.wagers import Refusal
from controller.table.engine.dead_time import DeadTime
from controller.table.engine.event_decoder import FormError, raw_readings, shoe_event
from controller.table.engine.inbox import Answer, Inbox, Readings, Touch, Waiting
from controller.table.engine.ports import Game, Register, Tracker
from drivers.ports import Inventory, ShoeReport

log = logging.getLogger("crisscross")

MAX_REPEATED = 100
"""Frames of the shoe in a row that are not written; their numbers come again after 256."""


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a batch and where it came from. `event` is None for a frame that makes no event."""

    event: Event | None
    report: ShoeReport | None = None
    answer: Answer | None = None
    tells: bool = True
    """False for a frame that is only acknowledged: it says once more what it said before."""


class Intake:
    """Used on the engine's thread only."""

    def __init__(
        self, inbox: Inbox, clock: Clock, tracker: Tracker, register: Register, dead_ms: int = 0
    ) -> None:
        """`dead_ms`: how long after a new prompt no key is taken."""
        self.inbox = inbox
        self._dead = DeadTime(dead_ms)
        self._clock = clock
        self._tracker = tracker
        self._register = register
        self._stated: tuple[str, ...] | None = None
        """The shoe's STATE, if nothing but readings came since."""
        self._repeated = 0
        self._served: int | None = None
        """The last deadline of the table that became an event."""

    def batch(self, game: Game) -> list[Item]:
        """Return the next batch: frames of the shoe, a deadline that has passed, then the rest, up to the
        next person's event."""
        batch = self._of_shoe()
        batch += self._due(game)
        while self.inbox:
            if batch and isinstance(self.inbox.first, Touch):
                break
            batch.extend(self._items(game, self.inbox.take()))
        return batch

    def next_deadline(self, game: Game) -> int | None:
        """The table's deadline, unless it has been served and stands unchanged."""
        deadline = game.next_deadline()
        return None if deadline == self._served else deadline

    def see(self, game: Game, now: int) -> None:
        """A batch has been handled: another prompt may stand."""
        self._dead.see(game, now)

    def request_sweep(self, since_ms: int | None) -> None:
        """Ask to be told when every circle has been read from readings begun after `since_ms`."""
        for event in self._tracker.request_sweep(since_ms):
            self.inbox.put(event)

    def refuse_all(self, refusal: Refusal) -> None:
        """While nothing can be written: people are refused, and readings go, since readers read again. A
        frame of the shoe and everything else is kept."""
        kept: list[Waiting] = []
        while self.inbox:
            thing = self.inbox.take()
            if isinstance(thing, Touch):
                thing.answer(refusal)
            elif not isinstance(thing, Readings):
                kept.append(thing)
        self.inbox.put_back(kept)

    def _of_shoe(self) -> list[Item]:
        """Before any deadline: the shoe may have said in time what was waited for, and nobody listened."""
        found = []
        while self.inbox and isinstance(report := self.inbox.first, ShoeReport):
            found.append(self._shoe_item(report))
            self.inbox.take()
        return found

    def _due(self, game: Game) -> list[Item]:
        deadline = self.next_deadline(game)
        if deadline is None or deadline > self._now():
            return []
        self._served, self._stated = deadline, None
        return [Item(TimePassed())]

    def _now(self) -> int:
        return self._clock.table_ms(self._clock.seconds())

    def _items(self, game: Game, thing: Waiting) -> list[Item]:
        match thing:
            case ShoeReport():
                return [self._shoe_item(thing)]
            case Touch():
                self._stated = None
                return self._touch_items(game, thing)
            case Readings():
                return self._circle_items(thing.inventories)
        return [Item(thing)]

    def _touch_items(self, game: Game, touch: Touch) -> list[Item]:
        refusal = self._dead.refusal(touch.event, self._now()) or game.verify(touch.event)
        if refusal is not None:
            touch.answer(refusal)
            return []
        return [Item(touch.event, answer=touch.answer)]

    def _circle_items(self, inventories: Sequence[Inventory]) -> list[Item]:
        readings = raw_readings(inventories, self._clock.table_ms)
        return [Item(event) for event in self._tracker.observe(readings, self._register)]

    def _shoe_item(self, report: ShoeReport) -> Item:
        """A STATE that says what the last one said is acknowledged and no more, or a shoe fills the disk. One
        of a hundred is written: its mark must be on the disk before its number comes again."""
        says = report.fields if report.kind == "STATE" and not report.resumed else None
        if says is not None and says == self._stated and self._repeated < MAX_REPEATED:
            self._repeated += 1
            return Item(None, report, tells=False)
        self._stated, self._repeated = says, 0
        try:
            return Item(shoe_event(report), report)
        except FormError as error:
            log.warning("%s", error)
            return Item(None, report)
