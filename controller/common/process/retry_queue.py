"""Queue (with retries) with a thread of its own, for work that may fail and must never delay the pages or
the writer.

Items are handled in order. A failed item is retried after each of the delays, then dropped or retried without
limit after the last delay. The queue is bounded; an item that does not fit is refused.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

_T = TypeVar("_T")
GRACE_S = 3.0
"""Seconds after `stop` in which queued items are still handled, up to the first failure."""


class HandlingFailed(Exception):
    """Raised if an item could not be handled. The message is one line. `final`: whether a retry is
    useless."""

    def __init__(self, words: str, *, final: bool = False) -> None:
        super().__init__(words)
        self.final = final


class RetryQueue(Generic[_T]):
    """Bounded queue. `handle`: handles one item on the queue's thread, raises Failed. `dropped`: called on
    that thread with a dropped item and the reason. `now`: returns monotonic seconds."""

    def __init__(
        self, name: str, handle: Callable[[_T], None], dropped: Callable[[_T, str], None],
        delays_s: Sequence[float], now: Callable[[], float], *, most: int, for_ever: bool = False,
    ) -> None:  # fmt: skip
        self._handle, self._dropped, self._delays_s, self._now = handle, dropped, tuple(delays_s), now
        self._most, self._for_ever = most, for_ever
        self._items: deque[_T] = deque()
        self._changed = threading.Condition()
        self._stopped: float | None = None
        self._fault = ""
        self._thread = threading.Thread(target=self._run, name=name)

    def start(self) -> None:
        self._thread.start()

    def put(self, item: _T) -> bool:
        """Queue an item without waiting, from any thread. Returns False if the queue is full."""
        with self._changed:
            if len(self._items) >= self._most or self._stopped is not None:
                return False
            self._items.append(item)
            self._changed.notify()
        return True

    def fault(self) -> str:
        """Return the message of the last failure, or "" if an item was handled after it. Any thread may call
        it.
        """
        return self._fault

    def stop(self) -> None:
        """Stop: handle queued items for at most GRACE_S, up to the first failure; drop the remaining ones."""
        with self._changed:
            self._stopped = self._now()
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        while (item := self._next()) is not None:
            self._until_done(item[0])
            with self._changed:
                self._items.popleft()
            if self._fault and self._stopped is not None:
                self._drop_all()

    def _next(self) -> tuple[_T] | None:
        """Wait for an item, and return the oldest one without removing it; None after `stop` if the queue is
        empty."""
        with self._changed:
            self._changed.wait_for(lambda: self._items or self._stopped is not None)
            if self._stopped is not None and self._now() - self._stopped > GRACE_S:
                self._drop_all()
            return (self._items[0],) if self._items else None

    def _drop_all(self) -> None:
        while self._items:
            self._dropped(self._items.popleft(), self._fault or "the service ends")

    def _until_done(self, item: _T) -> None:
        attempt = 0
        while True:
            try:
                self._handle(item)
            except HandlingFailed as error:
                self._fault = str(error)
                if error.final or not self._waits_for(attempt):
                    self._dropped(item, self._fault)
                    return
                attempt += 1
            else:
                self._fault = ""
                return

    def _waits_for(self, attempt: int) -> bool:
        """Wait before attempt number `attempt` of the same item. Returns False if no further attempt is due,
        or if the queue was stopped meanwhile."""
        if attempt >= len(self._delays_s) and not self._for_ever:
            return False
        seconds = self._delays_s[min(attempt, len(self._delays_s) - 1)]
        with self._changed:
            return not self._changed.wait_for(lambda: self._stopped is not None, seconds)
