"""Alerts to surveillance about sittings above the house's threshold: a line in the log, and notifications.

An alert follows rounds that have ended and names no card and no person. It must never reach a table, floor or
pit: it is sent to the receivers of surveillance alone.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from secrets import token_hex

from controller.common.notify.notification import Notification
from controller.common.notify.sender import NotificationSender
from controller.evidence.board import Board
from controller.evidence.hypotheses import Hypothesis
from controller.evidence.report import TEN
from controller.evidence.running_evidence import Ended
from controller.evidence.sitting import Sitting

log = logging.getLogger("crisscross.surveillance")
SENDER = "surveillance"


class Alerts:
    """Alerts to surveillance, each raised once since the start. `utc`: returns the time (UTC, ISO 8601)."""

    def __init__(self, board: Board, sender: NotificationSender, utc: Callable[[], str]) -> None:
        self._board, self._sender, self._utc = board, sender, utc
        self._raised: set[tuple[int, int, int, Hypothesis]] = set()

    def check(self, ended: Sequence[Ended]) -> None:
        """Raise an alert for each sitting of these rounds that is above the threshold and not over. A sitting
        gets one alert for each hypothesis that becomes its strongest one. Call this after the rounds were
        added."""
        threshold = self._board.threshold()
        if threshold is None:
            return
        last = {(at, seat["seat"]): record["ended"] for at, record in ended for seat in record["seats"]}
        for place, when in last.items():
            sitting = self._board.sittings.lasting[place]
            if threshold.reached(sitting.peak / TEN, sitting.order):
                self._raise(sitting, when)

    def _raise(self, sitting: Sitting, when: str) -> None:
        hypothesis = sitting.strongest
        mark = sitting.journal, sitting.seat, sitting.rounds[0], hypothesis
        if mark in self._raised:
            return
        self._raised.add(mark)
        words = "table %s, seat %s, rounds %s to %s: the evidence is above the threshold, strongest %s"
        facts = sitting.table, sitting.seat, sitting.rounds[0], sitting.rounds[-1], hypothesis
        log.warning(words, *facts, extra={"event": f"above:{mark}", "table": sitting.table})
        table, about = sitting.table, (when, (hypothesis.value,), sitting.seat)
        self._sender.send(Notification(token_hex(12), self._utc(), SENDER, table, "evidence", *about))
