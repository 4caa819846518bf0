"""Notifier of a running pit: a notification by webhook or mail for each new reason."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from secrets import token_hex

from controller.common.notify.notification import Notification
from controller.common.notify.sender import DELAYS_S, NotificationSender
from controller.common.notify.settings import Receiver
from controller.floor.pit.notify.watch import Reasons, Watch

log = logging.getLogger("crisscross.pit")


class Notifier:
    """Notifier of a pit. `reasons`: returns the present reasons; `utc`, `now`: return UTC and monotonic
    seconds; `counted`: counts by (receiver, sent or dropped)."""

    def __init__(
        self, pit: str, receivers: Sequence[Receiver], reasons: Callable[[], Reasons],
        utc: Callable[[], str], now: Callable[[], float], counted: Counter[tuple[str, str]],
        delays_s: Sequence[float] = DELAYS_S,
    ) -> None:  # fmt: skip
        self._pit, self._reasons, self._utc, self._now = pit, reasons, utc, now
        self._watch = Watch()
        self._sender = NotificationSender(receivers, now, log, counted, delays_s) if receivers else None

    def start(self) -> None:
        if self._sender is not None:
            self._sender.start()

    def stop(self) -> None:
        """Send queued notifications for a few seconds, until one fails."""
        if self._sender is not None:
            self._sender.stop()

    def check(self) -> None:
        """Queue a notification for each new reason, without waiting. Call this every few seconds."""
        if self._sender is None:
            return
        for (table, kind), reason in self._watch.due(self._reasons(), self._now()):
            about = (table, kind, reason.since, reason.codes)
            self._sender.send(Notification(token_hex(12), self._utc(), self._pit, *about))
