"""Forms the engine's next batch of events from the inbox.

Readings become events here, because only changes that the tracker finds go into the journal. A person's event
is always the first of its batch, because the table judges it by a state that must include all earlier events.
Nothing is dropped silently.
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
from controller.table.engine.inbox import Answer, Inbox, PersonEvent, Queued, Readings
from controller.table.engine.ports import Game, Register, Tracker
from drivers.ports import Inventory, ShoeReport

log = logging.getLogger("crisscross")

MAX_REPEATED = 100
"""Maximum number of consecutive repeated frames of the shoe that are not written. Must be less than 256,
since the frames' numbers repeat then.
"""


@dataclass(frozen=True, slots=True)
class BatchItem:
    """One entry of a batch with its source. `event`: None for a frame that makes no event."""

    event: Event | None
    report: ShoeReport | None = None
    answer: Answer | None = None
    journalled: bool = True
    """Whether the entry is journalled; False for a frame that repeats an earlier statement and is only
    acknowledged."""


class EventBatcher:
    """Maker of batches from one inbox. Used on the engine's thread only."""

    def __init__(
        self, inbox: Inbox, clock: Clock, tracker: Tracker, register: Register, dead_ms: int = 0
    ) -> None:
        """Prepare to read from `inbox`. `dead_ms`: ms after a new prompt in which keys are refused (dead
        time)."""
        self.inbox = inbox
        self._dead = DeadTime(dead_ms)
        self._clock = clock
        self._tracker = tracker
        self._register = register
        self._last_state: tuple[str, ...] | None = None
        """Fields of the shoe's last STATE, if only readings have followed it; else None."""
        self._repeated = 0
        self._past_deadline: int | None = None
        """Last deadline of the table that became an event, in ms of the table clock."""

    def batch(self, game: Game) -> list[BatchItem]:
        """Return the next batch: the shoe's frames, then a deadline that has passed, then the other entries
        up to the next event of a person.
        """
        batch = self._shoe_items()
        batch += self._deadline_items(game)
        while self.inbox:
            if batch and isinstance(self.inbox.first, PersonEvent):
                break
            batch.extend(self._items(game, self.inbox.take()))
        return batch

    def next_deadline(self, game: Game) -> int | None:
        """Return the table's deadline, or None if it has become an event already."""
        deadline = game.next_deadline()
        return None if deadline == self._past_deadline else deadline

    def note_prompt(self, game: Game, now: int) -> None:
        """Note the prompt after a batch, for the dead time. `now`: ms of the table clock."""
        self._dead.note_prompt(game, now)

    def request_sweep(self, since_ms: int | None) -> None:
        """Request an event for a sweep: it is made once every circle has been read by a reading that began
        after `since_ms` (ms of the table clock). None requests none."""
        for event in self._tracker.request_sweep(since_ms):
            self.inbox.put(event)

    def refuse_all(self, refusal: Refusal) -> None:
        """Refuse people's events and discard readings while the journal cannot be written. Readers read
        again.

        Frames of the shoe and all other entries stay in the inbox.
        """
        kept: list[Queued] = []
        while self.inbox:
            entry = self.inbox.take()
            if isinstance(entry, PersonEvent):
                entry.answer(refusal)
            elif not isinstance(entry, Readings):
                kept.append(entry)
        self.inbox.put_back(kept)

    def _shoe_items(self) -> list[BatchItem]:
        """Return entries for the shoe's frames. They come before any deadline, since the awaited frame may
        have arrived in time.
        """
        found = []
        while self.inbox and isinstance(report := self.inbox.first, ShoeReport):
            found.append(self._shoe_item(report))
            self.inbox.take()
        return found

    def _deadline_items(self, game: Game) -> list[BatchItem]:
        deadline = self.next_deadline(game)
        if deadline is None or deadline > self._now():
            return []
        self._past_deadline, self._last_state = deadline, None
        return [BatchItem(TimePassed())]

    def _now(self) -> int:
        return self._clock.table_ms(self._clock.seconds())

    def _items(self, game: Game, entry: Queued) -> list[BatchItem]:
        match entry:
            case ShoeReport():
                return [self._shoe_item(entry)]
            case PersonEvent():
                self._last_state = None
                return self._touch_items(game, entry)
            case Readings():
                return self._circle_items(entry.inventories)
        return [BatchItem(entry)]

    def _touch_items(self, game: Game, touch: PersonEvent) -> list[BatchItem]:
        refusal = self._dead.check(touch.event, self._now()) or game.verify(touch.event)
        if refusal is not None:
            touch.answer(refusal)
            return []
        return [BatchItem(touch.event, answer=touch.answer)]

    def _circle_items(self, inventories: Sequence[Inventory]) -> list[BatchItem]:
        readings = raw_readings(inventories, self._clock.table_ms)
        return [BatchItem(event) for event in self._tracker.observe(readings, self._register)]

    def _shoe_item(self, report: ShoeReport) -> BatchItem:
        """Return the entry of a frame. A repeated STATE is acknowledged but not written, because a shoe would
        otherwise fill the disk.

        One in `MAX_REPEATED` is written: its mark must be on the disk before its number repeats.
        """
        state = report.fields if report.kind == "STATE" and not report.resumed else None
        if state is not None and state == self._last_state and self._repeated < MAX_REPEATED:
            self._repeated += 1
            return BatchItem(None, report, journalled=False)
        self._last_state, self._repeated = state, 0
        try:
            return BatchItem(shoe_event(report), report)
        except FormError as error:
            log.warning("%s", error)
            return BatchItem(None, report)
