"""Sender of notifications: one bounded queue with retries for each receiver.

A receiver that does not answer delays neither the caller nor another receiver. A notification is retried for
some minutes with growing delays; then it is dropped with a line in the log.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from controller.common.notify.notification import Notification
from controller.common.notify.settings import Receiver
from controller.common.process.retry_queue import RetryQueue

DELAYS_S = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0, 120.0)
"""Seconds before each retry: nine attempts in four minutes."""
_MAX_WAITING = 500


class NotificationSender:
    """Sender of notifications to several receivers, each with a queue. `now`: returns monotonic seconds;
    `counted`: counts by (receiver, sent or dropped)."""

    def __init__(
        self, receivers: Sequence[Receiver], now: Callable[[], float], log: logging.Logger,
        counted: Counter[tuple[str, str]], delays_s: Sequence[float] = DELAYS_S,
    ) -> None:  # fmt: skip
        self._log, self._counted = log, counted
        self._queues = [
            (each, RetryQueue[Notification](
                "notify", partial(self._send, each), partial(self._dropped, each), delays_s, now,
                most=_MAX_WAITING,
            ))
            for each in receivers
        ]  # fmt: skip

    def start(self) -> None:
        for _, queue in self._queues:
            queue.start()

    def stop(self) -> None:
        """Stop. Queued notifications are still sent for a few seconds, until one fails."""
        for _, queue in self._queues:
            queue.stop()

    def send(self, notification: Notification) -> None:
        """Queue a notification for each receiver of its kind, without waiting."""
        for receiver, queue in self._queues:
            if notification.kind in receiver.kinds and not queue.put(notification):
                self._dropped(receiver, notification, f"more than {_MAX_WAITING} wait")

    def _send(self, receiver: Receiver, notification: Notification) -> None:
        receiver.send(notification)
        self._counted[receiver.name, "sent"] += 1

    def _dropped(self, receiver: Receiver, notification: Notification, why: str) -> None:
        self._counted[receiver.name, "dropped"] += 1
        words = "%s: %s of table %s was not delivered: %s"
        facts = (receiver.name, notification.kind, notification.table or "-", why)
        self._log.warning(words, *facts, extra={"event": "not_notified", "table": notification.table})
