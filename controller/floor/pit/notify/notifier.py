"""Notifier of a running pit: one bounded queue with retries for each receiver.

A receiver that does not answer delays neither the pages, nor the writer, nor another receiver. A notification
is retried for some minutes with growing delays; then it is dropped with a line in the log.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from secrets import token_hex

from controller.floor.pit.notify.settings import Receiver
from controller.floor.pit.notify.watch import Notification, Reasons, Watch
from controller.floor.pit.retry_queue import RetryQueue

log = logging.getLogger("crisscross.pit")
DELAYS_S = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0, 120.0)
"""Seconds before each further attempt: nine attempts in four minutes."""
MAX_WAITING = 500


class Notifier:
    """Notifier of a pit. `reasons`: returns the reasons that hold now; `utc`, `now`: UTC and monotonic
    seconds; `counted`: counts by (receiver, sent or dropped).
    """

    def __init__(
        self, pit: str, receivers: Sequence[Receiver], reasons: Callable[[], Reasons],
        utc: Callable[[], str], now: Callable[[], float], counted: Counter[tuple[str, str]],
        delays_s: Sequence[float] = DELAYS_S,
    ) -> None:  # fmt: skip
        self._pit, self._reasons, self._utc, self._now = pit, reasons, utc, now
        self._counted, self._watch = counted, Watch()
        self._queues = [
            (each, RetryQueue[Notification](
                "notify", partial(self._send, each), partial(self._dropped, each), delays_s, now,
                most=MAX_WAITING,
            ))
            for each in receivers
        ]  # fmt: skip

    def start(self) -> None:
        for _, queue in self._queues:
            queue.start()

    def stop(self) -> None:
        """Send what waits, for a few seconds and while it succeeds."""
        for _, queue in self._queues:
            queue.stop()

    def check(self) -> None:
        """Queue a notification for each new reason, without waiting. Call this every few seconds."""
        if not self._queues:
            return
        for (table, kind), reason in self._watch.due(self._reasons(), self._now()):
            about = (table, kind, reason.since, reason.codes)
            found = Notification(token_hex(12), self._utc(), self._pit, *about)
            for receiver, queue in self._queues:
                if kind in receiver.kinds and not queue.put(found):
                    self._dropped(receiver, found, f"more than {MAX_WAITING} wait")

    def _send(self, receiver: Receiver, notification: Notification) -> None:
        receiver.send(notification)
        self._counted[receiver.name, "sent"] += 1

    def _dropped(self, receiver: Receiver, notification: Notification, why: str) -> None:
        self._counted[receiver.name, "dropped"] += 1
        words = "%s: %s of table %s was not delivered: %s"
        facts = (receiver.name, notification.kind, notification.table or "-", why)
        log.warning(words, *facts, extra={"event": "not_notified", "table": notification.table})
