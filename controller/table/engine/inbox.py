"""Queue of readings, keys and touches from the devices and the people to the engine.

Any thread may add an entry; only the engine's thread takes entries out. It only queues: `batcher.py` turns
entries into events.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from controller.game.model import events
from controller.game.model.names import Key
from controller.game.rulebook.wagers import Refusal
from drivers.ports import Inventory, ShoeReport

log = logging.getLogger("crisscross")

Answer: TypeAlias = Callable[[Refusal | None], None]


@dataclass(frozen=True, slots=True)
class PersonEvent:
    """Event of a person, or the result of an authentication, with the callback for its answer."""

    event: events.PeopleEvent | events.PersonTried
    answer: Answer


@dataclass(frozen=True, slots=True)
class Readings:
    """Inventories that the readers delivered in one time slot."""

    inventories: Sequence[Inventory]


Queued: TypeAlias = (
    ShoeReport | Readings | PersonEvent | events.TroubleReported | events.SettingsChanged | events.CircleEvent
)


class Inbox:
    """Queue. Frames of the shoe have priority, since a card waits for its ACK; all other entries are first
    in, first out.

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
        self.put(PersonEvent(events.KeyPressed(Key(name)), _log_refusal))

    def put_touch(self, event: events.PeopleEvent | events.PersonTried, answer: Answer) -> None:
        self.put(PersonEvent(event, answer))

    # ------------------------------------------------------------------ out, on the engine's thread

    def __bool__(self) -> bool:
        return bool(self._shoe or self._waiting)

    @property
    def first(self) -> Queued:
        """Return the next entry without taking it."""
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


async def ask(inbox: Inbox, event: events.PeopleEvent | events.PersonTried) -> Refusal | None:
    """Queue an event and wait. Returns the refusal, or None once the event is on stable storage and has been
    handled.
    """
    answer: asyncio.Future[Refusal | None] = asyncio.get_running_loop().create_future()

    def resolve(refusal: Refusal | None) -> None:
        if not answer.done():
            answer.set_result(refusal)

    inbox.put_touch(event, resolve)
    return await answer


def ignore() -> None:
    """Do nothing; used while there is no loop to be woken."""


def _log_refusal(refusal: Refusal | None) -> None:
    """Log the refusal of a key on the table. The dealer sees on the screen which keys are active."""
    if refusal is not None:
        log.info("key not taken: %s", refusal.code)
