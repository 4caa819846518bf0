"""Received messages that wait in the pit's memory for the writing thread, limited by bytes for each table
and for all of them; the pit drops those beyond.

The bytes of a batch count until its events are on the disk. A message beyond a limit is dropped: its table
resends it because of the gap. Messages of QoS 1 are acknowledged to the broker in the order of receipt. A
dropped one is acknowledged too, so that it does not block later messages. A dropped message of QoS 0 is only
counted.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from controller.floor.pit.database import BATCH_SIZE
from controller.floor.pit.refusals import MAX_COUNTED
from controller.floor.uplink.wire import sender_of

_MAX_BYTES = 64 * 1024 * 1024
MAX_TABLE_BYTES = 4 * 1024 * 1024
"""Maximum number of waiting bytes of one table: 500 events of usual size have 0.2 MB."""
MESSAGE_BYTES = 1024
"""Number of bytes counted for a message in addition to its topic and payload."""
MAX_BATCH_BYTES = 8 * 1024 * 1024
TOO_MUCH = (
    f"sent more than may wait for the store ({MAX_TABLE_BYTES >> 20} MiB of a table, {_MAX_BYTES >> 20} MiB "
    "of all); the rest was dropped and is {}; look at who writes for this table"
)
LIMIT_TEXT = TOO_MUCH.format("asked for again")
LIMIT_QOS_0_TEXT = TOO_MUCH.format("not asked for again (QoS 0, as of a felt)")
UNWRITTEN = "its messages could not be written twice; they were dropped, and its events are asked for again"


def acknowledge_nothing() -> None:
    """Do nothing: a message that needs no acknowledgement."""


@dataclass(frozen=True, slots=True)
class Message:
    """Message from a table, as received from the broker.

    `properties`: its MQTT 5 user properties. `done`: acknowledges it to the broker. `at`: time of receipt, in
    seconds of the monotonic clock. `dropped`: whether it exceeded a limit and is only to be acknowledged.
    """

    topic: str
    payload: bytes
    properties: Sequence[tuple[str, str]] = ()
    done: Callable[[], None] = acknowledge_nothing
    at: float = 0.0
    dropped: bool = False

    @property
    def table(self) -> str:
        return sender_of(self.topic)

    @property
    def size(self) -> int:
        return len(self.topic) + len(self.payload) + MESSAGE_BYTES


class Inbox:
    """Queue from the thread of the broker's connection to the writing thread."""

    def __init__(self, max_bytes: int = _MAX_BYTES, max_table_bytes: int = MAX_TABLE_BYTES) -> None:
        self._max, self._max_table = max_bytes, max_table_bytes
        self._waiting: deque[Message] = deque()
        self._taken: list[Message] = []
        self._changed = threading.Condition()
        self._woken = False
        self.size = 0
        """Number of bytes that are queued or being written."""
        self._by_table: Counter[str] = Counter()
        self._dropped: Counter[str] = Counter()
        """Dropped messages of QoS 0 by table, since the last `take_dropped`."""

    def put(self, message: Message) -> bool:
        """Add a message without waiting. Returns False if it is dropped."""
        with self._changed:
            table, size = message.table, message.size
            room = self.size + size <= self._max and self._by_table[table] + size <= self._max_table
            if not room and message.done is acknowledge_nothing:
                self._dropped[table if len(self._dropped) < MAX_COUNTED else ""] += 1
                return False
            added = message if room else replace(message, payload=b"", properties=(), dropped=True)
            self._waiting.append(added)
            self._count(added, 1)
            self._changed.notify()
            return room

    def take(self, wait_s: float) -> list[Message]:
        """Return the next messages, waiting for the first; none after `wait_s` or `wake`.

        They count as waiting until `release`.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._woken, wait_s)
            size = 0
            while self._waiting and len(self._taken) < BATCH_SIZE and size < MAX_BATCH_BYTES:
                self._taken.append(self._waiting.popleft())
                size += self._taken[-1].size
            return list(self._taken)

    def take_dropped(self) -> Counter[str]:
        """Return the dropped messages of QoS 0 by table, and count from 0 again."""
        with self._changed:
            dropped, self._dropped = self._dropped, Counter()
            return dropped

    def release(self) -> None:
        """Free the bytes of the messages taken last. Call this once they were written or refused."""
        with self._changed:
            for each in self._taken:
                self._count(each, -1)
            self._taken.clear()

    def wake(self) -> None:
        """End the wait for messages, now and from now on, because the writer is to stop."""
        with self._changed:
            self._woken = True
            self._changed.notify()

    def __len__(self) -> int:
        return len(self._waiting) + len(self._taken)

    def oldest(self) -> float | None:
        """Return the time of receipt of the oldest message that is queued or being written, or None."""
        with self._changed:
            first = self._taken or self._waiting
            return first[0].at if first else None

    def _count(self, message: Message, sign: int) -> None:
        self.size += sign * message.size
        self._by_table[message.table] += sign * message.size
        if not self._by_table[message.table]:
            del self._by_table[message.table]


def by_table(batch: list[Message]) -> list[list[Message]]:
    """Return the batch split by the table in the topic. Each part keeps its order."""
    found: dict[str, list[Message]] = {}
    for message in batch:
        found.setdefault(message.table, []).append(message)
    return list(found.values())
