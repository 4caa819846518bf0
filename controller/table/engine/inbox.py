"""The queue between the devices, the people and the engine.

Any thread may put something in; only the engine's thread takes it out. It only queues: `batcher.py` decides
what an entry becomes.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from controller.game.model.events import (
    CircleEvent,
    KeyPressed,
    PeopleEvent,
    PersonTried,
    SettingsChanged,
    TroubleReported,
)
from controller.game.model.names import Key
from controller.game.rulebook.wagers import Refusal
from drivers.ports import Inventory, ShoeReport

log = logging.getLogger("crisscross")

Answer: TypeAlias = Callable[[Refusal | None], None]


@dataclass(frozen=True, slots=True)
class Touch:
    """A person's event, or the authenticator's judgement of a person, and the callback for its answer."""

    event: PeopleEvent | PersonTried
    answer: Answer


@dataclass(frozen=True, slots=True)
class Readings:
    """Readings of one slot of the readers."""

    inventories: Sequence[Inventory]


Queued: TypeAlias = ShoeReport | Readings | Touch | TroubleReported | SettingsChanged | CircleEvent


class Inbox:
    """Frames of the shoe come first, since a card waits for its ACK; all others are first in, first out.

    `wake` is called for each new entry.
    """

    def __init__(self) -> None:
        self.wake: Callable[[], None] = ignore
        self._shoe: deque[ShoeReport] = deque()
        self._waiting: deque[Queued] = deque()

    # ------------------------------------------------------------------ in, from any thread

    def put(self, entry: Queued) -> None:
        if isinstance(entry, ShoeReport):
            self._shoe.append(entry)
        else:
            self._waiting.append(entry)
        self.wake()

    def put_readings(self, inventories: Sequence[Inventory]) -> None:
        self.put(Readings(inventories))

    def put_key(self, name: str) -> None:
        self.put(Touch(KeyPressed(Key(name)), _log_refusal))

    def put_touch(self, event: PeopleEvent | PersonTried, answer: Answer) -> None:
        self.put(Touch(event, answer))

    # ------------------------------------------------------------------ out, on the engine's thread

    def __bool__(self) -> bool:
        return bool(self._shoe or self._waiting)

    @property
    def first(self) -> Queued:
        """The next entry, without taking it."""
        return (self._shoe or self._waiting)[0]

    def take(self) -> Queued:
        return (self._shoe or self._waiting).popleft()

    def put_back(self, entries: Iterable[Queued]) -> None:
        """Put entries back at the front of the queue, in their previous order."""
        for entry in reversed(list(entries)):
            if isinstance(entry, ShoeReport):
                self._shoe.appendleft(entry)
            else:
                self._waiting.appendleft(entry)


async def ask(inbox: Inbox, event: PeopleEvent | PersonTried) -> Refusal | None:
    """Return why the event was refused, or None once it is on stable storage and was acted on."""
    answer: asyncio.Future[Refusal | None] = asyncio.get_running_loop().create_future()

    def tell(refusal: Refusal | None) -> None:
        if not answer.done():
            answer.set_result(refusal)

    inbox.put_touch(event, tell)
    return await answer


def ignore() -> None:
    """Do nothing: no loop is to be woken."""


def _log_refusal(refusal: Refusal | None) -> None:
    """Log a refused key. A key has no screen; the display shows which keys are active."""
    if refusal is not None:
        log.info("key not taken: %s", refusal.code)
