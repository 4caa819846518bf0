"""What waits to be worked: heard from any thread, taken as batches by the engine's own.

Readings become events here, since only what the tracker finds worth telling goes to the journal.
A batch never holds a person's event behind anything else: it is judged by the table as it stands,
so everything before it must have been worked. Nothing is dropped in silence.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from controller.game.model.events import (
    CircleEvent,
    Event,
    KeyPressed,
    PeopleEvent,
    TimePassed,
    TroubleReported,
)  # fmt: skip
from controller.game.model.names import Key
from controller.game.rulebook.wagers import Refusal
from controller.runtime.clock import Clock
from controller.runtime.inbound import FormError, raw_readings, shoe_event
from controller.runtime.ports import Game, Register, Tracker
from drivers.ports import Inventory, ShoeReport

log = logging.getLogger("crisscross")

Answer: TypeAlias = Callable[[Refusal | None], None]


@dataclass(frozen=True, slots=True)
class Touch:
    """A person's event and whom to tell what became of it."""

    event: PeopleEvent
    answer: Answer


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a batch, with what it came in. `event` None: a frame that the table has no use for."""

    event: Event | None
    report: ShoeReport | None = None
    answer: Answer | None = None


@dataclass(frozen=True, slots=True)
class Readings:
    """What one slot of the readers found."""

    inventories: Sequence[Inventory]


Waiting: TypeAlias = ShoeReport | Readings | Touch | TroubleReported | CircleEvent


class Inbox:
    """`hear_*` may be called from any thread, all else from the engine's own."""

    def __init__(self, clock: Clock, tracker: Tracker, register: Register) -> None:
        self.wake: Callable[[], None] = nobody
        self.readings = 0
        """Readings taken since the start: a watchdog sees from it that the readers go on."""
        self._clock = clock
        self._tracker = tracker
        self._register = register
        self._waiting: deque[Waiting] = deque()
        self._served: int | None = None

    # ------------------------------------------------------------------ what comes in

    def hear_shoe(self, report: ShoeReport) -> None:
        self._put(report)

    def hear_chips(self, inventories: Sequence[Inventory]) -> None:
        self._put(Readings(inventories))

    def hear_key(self, name: str) -> None:
        self._put(Touch(KeyPressed(Key(name)), _nobody_asked))

    def hear_touch(self, event: PeopleEvent, answer: Answer) -> None:
        self._put(Touch(event, answer))

    def hear_trouble(self, event: TroubleReported) -> None:
        self._put(event)

    def _put(self, thing: Waiting) -> None:
        self._waiting.append(thing)
        self.wake()

    # ------------------------------------------------------------------ what goes out

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def take(self, game: Game) -> list[Item]:
        """The next batch: a person's event leads or starts the next one."""
        batch = self._due(game)
        while self._waiting:
            if batch and isinstance(self._waiting[0], Touch):
                break
            batch.extend(self._items(game, self._waiting.popleft()))
        return batch

    def next_deadline(self, game: Game) -> int | None:
        """The table's deadline. One that stands unchanged after it was served is not served again."""
        deadline = game.next_deadline()
        return None if deadline == self._served else deadline

    def _due(self, game: Game) -> list[Item]:
        deadline = self.next_deadline(game)
        if deadline is None or deadline > self._clock.table_ms(self._clock.seconds()):
            return []
        self._served = deadline
        return [Item(TimePassed())]

    def _items(self, game: Game, thing: Waiting) -> list[Item]:
        match thing:
            case ShoeReport():
                return [_shoe_item(thing)]
            case Touch():
                return _touch_items(game, thing)
            case Readings():
                return self._circle_items(thing.inventories)
        return [Item(thing)]

    def _circle_items(self, inventories: Sequence[Inventory]) -> list[Item]:
        self.readings += len(inventories)
        readings = raw_readings(inventories, self._clock.table_ms)
        return [Item(event) for event in self._tracker.observe(readings, self._register)]

    def request_sweep(self, since_ms: int | None) -> None:
        """Ask to be told when every circle has been read from readings begun after `since_ms`."""
        for event in self._tracker.request_sweep(since_ms):
            self._put(event)

    def shed(self, refusal: Refusal) -> None:
        """While nothing can be written, people are told so and readings are let go: readers read again.
        The shoe keeps its own frames; the one that waits here stays."""
        kept: list[Waiting] = []
        while self._waiting:
            thing = self._waiting.popleft()
            if isinstance(thing, Touch):
                thing.answer(refusal)
            elif not isinstance(thing, Readings):
                kept.append(thing)
        self._waiting.extend(kept)


def _shoe_item(report: ShoeReport) -> Item:
    try:
        return Item(shoe_event(report), report)
    except FormError as error:
        log.warning("%s", error)
        return Item(None, report)


def _touch_items(game: Game, touch: Touch) -> list[Item]:
    refusal = game.verify(touch.event)
    if refusal is not None:
        touch.answer(refusal)
        return []
    return [Item(touch.event, answer=touch.answer)]


def nobody() -> None:
    """Nobody waits for news."""


def _nobody_asked(refusal: Refusal | None) -> None:
    """A key has no screen to say no on; the screen shows which keys do something."""
    if refusal is not None:
        log.info("key not taken: %s", refusal.code)
